#include "widgets/world/spec_shape.h"

#include <QStringList>
#include <algorithm>

#include "core/world/world_editing.h"
#include "widgets/world/spec_agents.h"
#include "widgets/world/spec_edit.h"

namespace orrery {

namespace {

using Codes = std::vector<std::vector<std::string>>;  ///< [height][width]

bool isWalled(const WorldSpec& spec) {
    return !editingOf(spec).wall().empty();
}

int leastLines(const WorldSpec& spec) {
    return isWalled(spec) ? 3 : 1;
}

Codes codesOf(const WorldSpec& spec) {
    const QSize size = sizeOf(spec);
    Codes codes(static_cast<std::size_t>(size.height()));
    for (int y = 0; y < size.height(); ++y)
        for (int x = 0; x < size.width(); ++x)
            codes[static_cast<std::size_t>(y)].push_back(codeAt(spec, {x, y}));
    return codes;
}

int numLines(const WorldSpec& spec, MapLines lines) {
    return lines == MapLines::Rows ? sizeOf(spec).height() : sizeOf(spec).width();
}

int lineOf(const QPoint& cell, MapLines lines) {
    return lines == MapLines::Rows ? cell.y() : cell.x();
}

QPoint movedAlong(const QPoint& cell, MapLines lines, int by) {
    return lines == MapLines::Rows ? cell + QPoint(0, by) : cell + QPoint(by, 0);
}

bool isOnRim(const WorldSpec& spec, const QPoint& cell) {
    const QSize size = sizeOf(spec);
    return cell.x() == 0 || cell.y() == 0 || cell.x() == size.width() - 1 ||
           cell.y() == size.height() - 1;
}

std::pair<int&, int&> endsOf(Goal& goal, MapLines lines) {
    if (lines == MapLines::Rows) return {goal.y1, goal.y2};
    return {goal.x1, goal.x2};
}

bool liesIn(Goal goal, const MapSpan& span) {
    const auto [first, last] = endsOf(goal, span.lines);
    return first >= span.at && last < span.at + span.count;
}

/// The goal without the removed lines, of which it has others, too.
void shrink(Goal& goal, const MapSpan& span) {
    const auto [first, last] = endsOf(goal, span.lines);
    const int end = span.at + span.count;
    const auto moved = [&](int line, int inside) {
        return line < span.at ? line : line >= end ? line - span.count : inside;
    };
    first = moved(first, span.at);
    last = moved(last, span.at - 1);
}

template <typename Change>
void forEachGoalList(WorldSpec& spec, Change change) {
    change(spec->possibleGoals, spec->goalWeights);
    for (HumanGoals& own : spec->ownGoals) change(own.goals, own.weights);
}

/// Leaves out the goals that lie in the span; the weights of the others keep their sum.
void dropGoals(std::vector<Goal>& goals, std::vector<double>& weights, const MapSpan& span) {
    double sum = 0, rest = 0;
    std::vector<Goal> kept;
    std::vector<double> keptWeights;
    for (std::size_t i = 0; i < goals.size(); ++i) {
        const double weight = i < weights.size() ? weights[i] : 0;
        sum += weight;
        if (liesIn(goals[i], span)) continue;
        rest += weight;
        kept.push_back(goals[i]);
        if (i < weights.size()) keptWeights.push_back(weight);
    }
    for (double& weight : keptWeights) weight *= rest > 0 ? sum / rest : 1;
    goals = std::move(kept);
    weights = std::move(keptWeights);
}

/// 0 E, 1 S, 2 W, 3 N; -1 stays.
int mirrored(int direction, bool leftRight, bool upDown) {
    if (direction < 0) return direction;
    const bool isAcross = direction % 2 == 0;
    return (isAcross ? leftRight : upDown) ? (direction + 2) % 4 : direction;
}

}  // namespace

MapSpan insertedAt(const WorldSpec& spec, MapSide side) {
    const MapLines lines =
        side == MapSide::Top || side == MapSide::Bottom ? MapLines::Rows : MapLines::Columns;
    const int rim = isWalled(spec) ? 1 : 0;
    const bool isFirst = side == MapSide::Top || side == MapSide::Left;
    return {lines, isFirst ? rim : std::max(rim, numLines(spec, lines) - rim), 1};
}

std::optional<MapSpan> removedAt(const WorldSpec& spec, MapSide side) {
    MapSpan span = insertedAt(spec, side);
    if (side == MapSide::Right || side == MapSide::Bottom) --span.at;
    if (numLines(spec, span.lines) - 1 < leastLines(spec)) return std::nullopt;
    return span;
}

bool insertLines(WorldSpec& spec, const MapSpan& span) {
    const int numBefore = numLines(spec, span.lines);
    WorldSpec larger = spec;
    const int at = std::clamp(span.at, 0, numBefore);
    forEachGoalList(larger, [&](std::vector<Goal>& goals, std::vector<double>&) {
        for (Goal& goal : goals) {
            const auto [first, last] = endsOf(goal, span.lines);
            if (first >= at) first += span.count;
            if (last >= at) last += span.count;
        }
    });
    const std::vector<PlacedAgent> before = takenApart(larger);
    Codes codes = codesOf(larger);
    const bool isOutside = isWalled(spec) && (at == 0 || at == numBefore);
    const WorldEditing& editing = editingOf(spec);
    const std::string inside = isOutside ? editing.wall() : editing.blank();
    const std::string rim = isWalled(spec) ? editing.wall() : inside;
    if (span.lines == MapLines::Rows) {
        std::vector<std::string> row(static_cast<std::size_t>(sizeOf(spec).width()), inside);
        if (!row.empty()) row.front() = row.back() = rim;
        codes.insert(codes.begin() + at, static_cast<std::size_t>(span.count), row);
    } else {
        for (std::size_t y = 0; y < codes.size(); ++y)
            codes[y].insert(codes[y].begin() + at, static_cast<std::size_t>(span.count),
                            y == 0 || y + 1 == codes.size() ? rim : inside);
    }
    editing.setCodes(larger, codes);
    if (numLines(larger, span.lines) != numBefore + span.count) return false;
    carryAgents(larger, before, [&](const QPoint& cell) {
        const int line = lineOf(cell, span.lines);
        return line < at ? cell : movedAlong(cell, span.lines, -span.count);
    });
    spec = std::move(larger);
    return true;
}

MapLoss lossOf(const WorldSpec& spec, const MapSpan& span) {
    MapLoss loss;
    const QRect map(QPoint(0, 0), sizeOf(spec));
    const QRect lines = span.lines == MapLines::Rows ? QRect(0, span.at, map.width(), span.count)
                                                     : QRect(span.at, 0, span.count, map.height());
    const std::vector<SpecAgent> agents = agentsOf(spec);
    const std::string blank = emptyCode(spec), wall = editingOf(spec).wall();
    for (const QPoint& cell : cellsOf(lines & map)) {
        const std::string code = codeAt(spec, cell);
        if (code == blank) continue;
        if (code == wall) {
            loss.numWalls += !isOnRim(spec, cell);
            continue;
        }
        const auto agent = std::ranges::find(agents, cell, &SpecAgent::cell);
        loss.things.push_back(
            {cell, code, agent == agents.end() ? -1 : static_cast<int>(agent - agents.begin())});
    }
    std::stable_partition(loss.things.begin(), loss.things.end(),
                          [](const MapLoss::Thing& thing) { return thing.agent >= 0; });
    for (const GoalList& list : goalListsOf(spec))
        for (const Goal& goal : list.goals)
            if (liesIn(goal, span) && std::ranges::find(loss.goals, goal) == loss.goals.end())
                loss.goals.push_back(goal);
    return loss;
}

bool removeLines(WorldSpec& spec, const MapSpan& span) {
    const int before = numLines(spec, span.lines);
    if (span.at < 0 || span.count < 1 || span.at + span.count > before ||
        before - span.count < leastLines(spec))
        return false;
    forEachGoalList(spec, [&](std::vector<Goal>& goals, std::vector<double>& weights) {
        dropGoals(goals, weights, span);
        for (Goal& goal : goals) shrink(goal, span);
    });
    const std::vector<PlacedAgent> agents = takenApart(spec);
    Codes codes = codesOf(spec);
    if (span.lines == MapLines::Rows)
        codes.erase(codes.begin() + span.at, codes.begin() + span.at + span.count);
    else
        for (auto& row : codes)
            row.erase(row.begin() + span.at, row.begin() + span.at + span.count);
    editingOf(spec).setCodes(spec, codes);
    carryAgents(spec, agents, [&](const QPoint& cell) {
        const int line = lineOf(cell, span.lines);
        return line < span.at ? cell : movedAlong(cell, span.lines, span.count);
    });
    return true;
}

void paintCells(WorldSpec& spec, const std::vector<QPoint>& cells, const std::string& code,
                const MapSymmetry& symmetry) {
    const QSize size = sizeOf(spec);
    const WorldEditing& editing = editingOf(spec);
    // What the person paints comes last: on the axis it wins.
    for (const auto& [leftRight, upDown] :
         {std::pair(true, true), std::pair(true, false), std::pair(false, true)}) {
        if ((leftRight && !symmetry.leftRight) || (upDown && !symmetry.upDown)) continue;
        std::vector<QPoint> images;
        for (const QPoint& cell : cells) {
            const QPoint image(leftRight ? size.width() - 1 - cell.x() : cell.x(),
                               upDown ? size.height() - 1 - cell.y() : cell.y());
            if (std::ranges::find(cells, image) == cells.end()) images.push_back(image);
        }
        setCells(spec, images, editing.mirrored(code, leftRight, upDown));
        if (!editing.isAgent(code)) continue;
        std::vector<PlacedAgent> placed = takenApart(spec);
        for (PlacedAgent& agent : placed)
            if (std::ranges::find(images, agent.cell()) != images.end())
                agent.draft.direction = mirrored(agent.draft.direction, leftRight, upDown);
        putTogether(spec, placed);
    }
    setCells(spec, cells, code);
}

QString MapPatch::text() const {
    QStringList lines;
    for (int y = 0; y < size.height(); ++y) {
        QStringList row;
        for (int x = 0; x < size.width(); ++x)
            row << QString::fromStdString(
                codes[static_cast<std::size_t>(y) * static_cast<std::size_t>(size.width()) +
                      static_cast<std::size_t>(x)]);
        lines << row.join(u' ');
    }
    return lines.join(u'\n') + u'\n';
}

MapPatch patchOf(const WorldSpec& spec, const QRect& cells) {
    const QRect inside = cells.intersected(QRect(QPoint(0, 0), sizeOf(spec)));
    MapPatch patch{inside.size(), {}, {}};
    for (const QPoint& cell : cellsOf(inside)) patch.codes.push_back(codeAt(spec, cell));
    for (PlacedAgent agent : takenApart(spec)) {
        if (!inside.contains(agent.cell())) continue;
        agent.moveTo(agent.cell() - inside.topLeft());
        patch.agents.push_back(std::move(agent));
    }
    return patch;
}

std::optional<MapPatch> patchFromText(const WorldSpec& spec, const QString& text) {
    MapPatch patch;
    const WorldEditing& editing = editingOf(spec);
    for (const QString& line : text.split(u'\n', Qt::SkipEmptyParts)) {
        const QStringList row = line.simplified().split(u' ', Qt::SkipEmptyParts);
        if (row.isEmpty()) continue;
        if (patch.size.isValid() && patch.size.width() != row.size()) return std::nullopt;
        patch.size = QSize(static_cast<int>(row.size()), std::max(0, patch.size.height()) + 1);
        for (const QString& code : row) {
            if (!editing.isCode(code.toStdString())) return std::nullopt;
            patch.codes.push_back(code.toStdString());
        }
    }
    if (patch.codes.empty()) return std::nullopt;
    return patch;
}

QRect putPatch(WorldSpec& spec, const MapPatch& patch, const QPoint& to) {
    const WorldEditing& editing = editingOf(spec);
    const std::vector<PlacedAgent> before = takenApart(spec);
    const QRect put = QRect(to, patch.size).intersected(QRect(QPoint(0, 0), sizeOf(spec)));
    for (const QPoint& cell : cellsOf(put)) {
        const QPoint in = cell - to;
        editing.setCode(spec, cell.x(), cell.y(),
                        patch.codes[static_cast<std::size_t>(in.y()) *
                                        static_cast<std::size_t>(patch.size.width()) +
                                    static_cast<std::size_t>(in.x())]);
    }
    // Agents that the patch covers are gone, also where it has one of the same kind.
    std::vector<PlacedAgent> rest;
    for (const PlacedAgent& agent : before)
        if (!put.contains(agent.cell())) rest.push_back(agent);
    for (PlacedAgent agent : patch.agents) {
        agent.moveTo(agent.cell() + to);
        if (put.contains(agent.cell())) rest.push_back(std::move(agent));
    }
    carryAgents(spec, rest, [](const QPoint& cell) { return cell; });
    return put;
}

}  // namespace orrery
