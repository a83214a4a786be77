#include "widgets/entity/entity_session.h"

#include "core/base/error.h"
#include "core/run/jobs/environments.h"

namespace orrery {

EntitySession::EntitySession(QObject* parent) : QObject(parent) {
    const EnvironmentCatalogue catalogue = knownEnvironments();
    if (!catalogue.empty()) m_id = QString::fromStdString(catalogue.front().id);
    again();
}

void EntitySession::open(const QString& id, const QString& options, std::uint64_t seed) {
    m_id = id;
    m_options = options;
    m_seed = seed;
    m_play.reset();
    m_trouble.clear();
    try {
        const EnvironmentEntry& entry = environmentNamed(knownEnvironments(), id.toStdString());
        m_play = std::make_unique<HandPlay>(entry.make(options.toStdString()), seed);
    } catch (const Error& error) {
        m_trouble = QString::fromUtf8(error.what());
    }
    Q_EMIT opened();
    Q_EMIT changed();
}

void EntitySession::choose(std::int64_t value) {
    if (!m_play || m_play->isOver()) return;
    m_play->choose(value);
    Q_EMIT changed();
}

void EntitySession::goBack() {
    if (!m_play || !m_play->canGoBack()) return;
    m_play->goBack();
    Q_EMIT changed();
}

std::optional<RunSpec> EntitySession::training() const {
    if (!m_play) return std::nullopt;
    return suggestedTraining(m_id.toStdString(), m_options.toStdString());
}

}  // namespace orrery
