#pragma once

#include <QObject>
#include <QString>
#include <cstdint>
#include <memory>
#include <optional>

#include "core/env/hand_play.h"
#include "core/run/run_spec.h"

namespace orrery {

/// The environment that the perspective Entities shows, and the episode that is played in it by
/// hand. GUI thread only.
class EntitySession : public QObject {
    Q_OBJECT

public:
    explicit EntitySession(QObject* parent = nullptr);

    const QString& id() const { return m_id; }
    const QString& options() const { return m_options; }  ///< as typed, JSON
    std::uint64_t seed() const { return m_seed; }
    /// Null while there is none, which trouble() explains.
    const HandPlay* play() const { return m_play.get(); }
    const QString& trouble() const { return m_trouble; }  ///< why not; empty: there is one

    /// Begins an episode.
    void open(const QString& id, const QString& options, std::uint64_t seed);
    void again() { open(m_id, m_options, m_seed); }
    void choose(std::int64_t value);
    void goBack();

    /// A training in it, with the settings that suit it; the options are those that stand here.
    /// @return nothing where the options are wrong
    std::optional<RunSpec> training() const;

Q_SIGNALS:
    void opened();   ///< another environment, or none
    void changed();  ///< a decision was made or taken back; after opened() too

private:
    QString m_id, m_options = QStringLiteral("{}"), m_trouble;
    std::uint64_t m_seed = 1;
    std::unique_ptr<HandPlay> m_play;
};

}  // namespace orrery
