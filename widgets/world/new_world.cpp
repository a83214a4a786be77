#include <QString>
#include <algorithm>

#include "core/base/error.h"
#include "core/world/world_editing.h"
#include "widgets/bridge/world_loader.h"
#include "widgets/world/new_world_dialog.h"
#include "widgets/world/spec_edit.h"

namespace orrery {

namespace {

std::vector<QPoint> wallCells(const NewWorld& wishes) {
    const int w = wishes.width, h = wishes.height;
    std::vector<QPoint> walls;
    for (int x = 0; x < w; ++x) walls.insert(walls.end(), {QPoint(x, 0), QPoint(x, h - 1)});
    for (int y = 1; y + 1 < h; ++y) walls.insert(walls.end(), {QPoint(0, y), QPoint(w - 1, y)});
    const bool hasFour = wishes.walls == NewWorld::Walls::FourRooms;
    if (hasFour || wishes.walls == NewWorld::Walls::TwoRooms)
        for (int y = 1; y + 1 < h; ++y)
            if (const bool isDoor = hasFour ? y == h / 4 || y == h - 1 - h / 4 : y == h / 2;
                !isDoor)
                walls.emplace_back(w / 2, y);
    if (hasFour)
        for (int x = 1; x + 1 < w; ++x)
            if (x != w / 4 && x != w - 1 - w / 4) walls.emplace_back(x, h / 2);
    if (wishes.walls == NewWorld::Walls::Pillars)
        for (int y = 2; y + 2 < h; y += 2)
            for (int x = 2; x + 2 < w; x += 2) walls.emplace_back(x, y);
    return walls;
}

std::vector<QPoint> freeCells(const WorldSpec& spec) {
    const QSize size = sizeOf(spec);
    const std::string blank = emptyCode(spec);
    std::vector<QPoint> cells;
    for (int y = 0; y < size.height(); ++y)
        for (int x = 0; x < size.width(); ++x)
            if (codeAt(spec, {x, y}) == blank) cells.emplace_back(x, y);
    return cells;
}

}  // namespace

WorldSpec specOfNewWorld(const NewWorld& wishes) {
    const WorldEditing& editing = editingOfNew();
    std::string row;
    for (int x = 0; x < wishes.width; ++x) row += editing.blank() + ' ';
    WorldSpec spec =
        editing.specOfRows(std::vector<std::string>(static_cast<std::size_t>(wishes.height), row));
    spec->maxSteps = wishes.maxSteps;
    if (!editing.wall().empty()) setCells(spec, wallCells(wishes), editing.wall());
    const std::vector<QPoint> cells = freeCells(spec);
    const int agents = wishes.numHumans + wishes.numRobots;
    // Humans from the upper left on, robots from the lower right on.
    for (int i = 0; i < agents && i < std::ssize(cells); ++i) {
        const bool isHuman = i < wishes.numHumans;
        const int place = isHuman ? i : i - wishes.numHumans;
        setCells(spec,
                 {isHuman ? cells[static_cast<std::size_t>(place)]
                          : cells[cells.size() - 1 - static_cast<std::size_t>(place)]},
                 editing.agentCode(isHuman ? AgentRole::Human : AgentRole::Robot));
    }
    const int right = wishes.width - 2, bottom = wishes.height - 2;
    spec->possibleGoals = {
        {right, 1, right, 1, false}, {1, bottom, 1, bottom, false}, {1, 1, right, bottom, true}};
    return spec;
}

WorldSpec specOfPastedText(const std::string& text) {
    QStringList problems;
    if (text.find(':') != std::string::npos) {
        if (const auto spec = specOfText(text, problems)) return *spec;
        throw Error(problems.join(u'\n').toStdString(), Error::Kind::BadInput);
    }
    std::vector<std::string> rows;
    for (const QString& line : QString::fromStdString(text).split(u'\n')) {
        const QString row = line.trimmed();
        if (!row.isEmpty()) rows.push_back(row.toStdString());
    }
    WorldSpec spec = editingOfNew().specOfRows(rows);
    spec->maxSteps = 10;
    for (const SpecProblem& problem : validate(spec))
        if (!problem.isWarning)
            throw Error("The map " +
                            (problem.row >= 0 ? "(row " + std::to_string(problem.row) + "): "
                                              : std::string()) +
                            problem.text,
                        Error::Kind::BadInput);
    const QSize size = sizeOf(spec);
    spec->possibleGoals = {{1, 1, size.width() - 2, size.height() - 2, true}};
    return spec;
}

}  // namespace orrery
