#include "widgets/replay/replay_model.h"

#include <algorithm>
#include <cmath>

#include "widgets/common/number_text.h"
#include "widgets/common/style.h"

namespace orrery {

namespace {

std::vector<TableColumn> columnsOfReplay() {
    const auto tr = [](const char* text) { return ReplayModel::tr(text); };
    return {
        {tr("Number"), CellFace::Digits, tr("Counted from the oldest that is there, which is 0")},
        {tr("Before"), CellFace::Text, tr("The state where it starts")},
        {tr("Robot action"), CellFace::Text, tr("What the robots did")},
        {tr("Human actions"), CellFace::Text, tr("What the humans did")},
        {tr("After"), CellFace::Text, tr("The state that it reached")},
        {tr("Goals"), CellFace::Text, tr("What each human pursued")},
        {tr("Actor"), CellFace::Digits, tr("Who collected it")},
        {tr("Episode"), CellFace::Digits, tr("Of that actor")},
        {tr("Step"), CellFace::Digits, tr("Within the episode")},
        {tr("Age"), CellFace::Digits, tr("Training steps since it was stored")},
        {tr("Stage"), CellFace::Text,
         tr("Of the training when it was stored: the quantity whose warm-up it was, "
            "the ramp of beta_r, or full")},
        {tr("Alike"), CellFace::Digits,
         tr("Transitions that start in the same state, this one included")},
        {tr("TD error"), CellFace::Digits,
         tr("Target less prediction of Q_r for what the robots did, one step "
            "ahead; known of rows that were in view, of all once it is the order")},
        {tr("Ends"), CellFace::Text, tr("Whether the world or the episode ended with it")}};
}

}  // namespace

ReplayModel::ReplayModel(QObject* parent) : TableModel(columnsOfReplay(), parent) {}

void ReplayModel::setSource(std::shared_ptr<const ReplaySource> source) {
    beginResetModel();
    m_source = std::move(source);
    m_places.reset();
    m_errors.clear();
    m_largestError = 0;
    endResetModel();
}

void ReplayModel::setShown(std::optional<std::vector<std::uint32_t>> places) {
    if (!places && !m_places) return;
    beginResetModel();
    m_places = std::move(places);
    endResetModel();
}

int ReplayModel::rowOf(std::size_t place) const {
    if (!m_source || place >= m_source->size()) return -1;
    if (!m_places) return static_cast<int>(m_source->size() - 1 - place);
    const auto at = std::ranges::find(*m_places, static_cast<std::uint32_t>(place));
    return at != m_places->end() ? static_cast<int>(at - m_places->begin()) : -1;
}

const TdErrorAt* ReplayModel::errorOf(std::size_t place) const {
    const auto known = m_errors.find(tdErrorKey(m_source->at(place)));
    return known != m_errors.end() ? &known->second : nullptr;
}

void ReplayModel::addErrors(std::span<const std::uint32_t> places, std::span<const double> errors,
                            std::int64_t step) {
    for (std::size_t i = 0; i < places.size(); ++i) {
        m_errors[tdErrorKey(m_source->at(places[i]))] = {errors[i], step};
        m_largestError = std::max(m_largestError, std::abs(errors[i]));
    }
    if (rowCount() > 0) Q_EMIT dataChanged(index(0, TdError), index(rowCount() - 1, TdError));
}

int ReplayModel::numRows() const {
    if (!m_source) return 0;
    return static_cast<int>(m_places ? m_places->size() : m_source->size());
}

QString ReplayModel::text(int number, int column) const {
    const std::size_t place = placeOf(number);
    const StoredTransition& row = m_source->at(place);
    switch (column) {
        case Number:
            return countText(static_cast<std::int64_t>(place));
        case Before:
            return tr("state %1").arg(m_source->replay->modelOf(place).state);
        case After:
            return tr("state %1").arg(m_source->replay->modelOf(place).successors()[row.reached]);
        case RobotAction:
            return robotActionText(m_source->worldOf(place), m_source->factsOf(place),
                                   row.robotAction);
        case HumanActions:
            return humanActionsText(*m_source, place);
        case Goals:
            return goalsText(*m_source, place);
        case Actor:
            return QString::number(row.collector);
        case Episode:
            return countText(row.episode);
        case Step:
            return QString::number(row.step);
        case Age:
            return countText(m_source->ageOf(place));
        case Stage:
            return QString::fromStdString(m_source->stageOf(place));
        case Alike:
            return countText(m_source->alikeOf(place));
        case TdError: {
            const TdErrorAt* known = errorOf(place);
            return known != nullptr ? valueText(known->error) : QString();
        }
        case Ends:
            return endText(*m_source, place);
        default:
            return {};
    }
}

QVariant ReplayModel::extra(int row, int column, int role) const {
    const std::size_t place = placeOf(row);
    if (role == Qt::ToolTipRole) return column == TdError ? errorTip(place) : text(row, column);
    if (role == StateRole && column == Before) return m_source->replay->modelOf(place).state;
    if (role == StateRole && column == After)
        return m_source->replay->modelOf(place).successors()[m_source->at(place).reached];
    if (role == ErrorShareRole && column == TdError) {
        const TdErrorAt* known = errorOf(place);
        return known != nullptr && m_largestError > 0 ? std::abs(known->error) / m_largestError : 0;
    }
    if (role == LayoutRole) return m_source->at(place).layout;
    return {};
}

QString ReplayModel::errorTip(std::size_t place) const {
    const TdErrorAt* known = errorOf(place);
    return known != nullptr ? tr("%1 as of training step %2")
                                  .arg(valueText(known->error, 6), countText(known->step))
                            : tr("It is asked for while its row is in view");
}

}  // namespace orrery
