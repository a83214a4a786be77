#include <QString>
#include <QStringList>
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "core/base/text.h"
#include "core/empo/schedule.h"
#include "core/filter/read_filter.h"
#include "core/replay/world_facts.h"
#include "core/world/goal.h"
#include "core/world/world.h"
#include "widgets/replay/replay_filter.h"
#include "widgets/replay/replay_source.h"

// What a filter of transitions may ask, and which names of a source its texts mean.

namespace orrery {

namespace {

/// Finds what the text of a comparison names.
class NameFinder {
public:
    NameFinder(const ReplaySource& source, const FilterNode& leaf)
        : m_source(source),
          m_value(leaf.right),
          m_text(QString::fromStdString(leaf.right.text)),
          m_isPart(leaf.sign == FilterSign::Contains || leaf.sign == FilterSign::Is) {}

    /// Empty where nothing is named.
    ReplayNames names(ReplayField field, bool hasCurrent) const {
        if (field == ReplayField::Stage) return stages();
        if (field == ReplayField::Robot) return ofWorlds(&NameFinder::robots, "action");
        if (field == ReplayField::Human) return ofWorlds(&NameFinder::humans, "action");
        if (field == ReplayField::Goal && !m_value.number)
            return ofWorlds(&NameFinder::goals, "goal");
        if (field < ReplayField::From) return {};
        if (m_text.compare(QLatin1String("current"), Qt::CaseInsensitive) != 0)
            fail("write current: the state that is selected");
        if (!hasCurrent)
            fail(
                "the open world is not one that this run learns on, so no state of it can be "
                "looked for");
        return {};
    }

private:
    [[noreturn]] void fail(const std::string& text) const {
        throw FilterError(m_value.column, text);
    }
    bool isMeant(const QString& name) const {
        return m_isPart ? name.contains(m_text, Qt::CaseInsensitive)
                        : name.compare(m_text, Qt::CaseInsensitive) == 0;
    }
    /// @param of  which of a world are meant; at least one of some world must be
    ReplayNames ofWorlds(ReplayNames::value_type (NameFinder::*of)(std::size_t) const,
                         const std::string& what) const {
        ReplayNames names;
        bool any = false;
        for (std::size_t w = 0; w < m_source.worlds.size(); ++w) {
            names.push_back((this->*of)(w));
            for (const auto& meant : names.back()) any |= std::ranges::count(meant, 1) > 0;
        }
        if (!any && what == "goal")
            fail("no goal is \"" + m_value.text + "\"; write its number or its cell, as 3,1");
        if (!any) fail("no " + what + " is called \"" + m_value.text + "\"");
        return names;
    }
    std::vector<std::vector<char>> robots(std::size_t w) const {
        std::vector<char> meant;
        for (int a = 0; a < m_source.facts[w].numRobotActions(); ++a) {
            const QString name = robotActionName(*m_source.worlds[w], m_source.facts[w], a);
            const QStringList parts = name.split(u'+');
            meant.push_back(
                isMeant(name) ||
                std::ranges::any_of(parts, [this](const QString& part) { return isMeant(part); }));
        }
        return {meant};
    }
    std::vector<std::vector<char>> humans(std::size_t w) const {
        std::vector<std::vector<char>> meant;
        for (const WorldFacts::Human& human : m_source.facts[w].humans) {
            auto& actions = meant.emplace_back();
            for (const std::string& name :
                 m_source.worlds[w]->agents()[static_cast<std::size_t>(human.agent)].actions)
                actions.push_back(isMeant(QString::fromStdString(name)));
        }
        return meant;
    }
    /// Those at the place.
    std::vector<std::vector<char>> goals(std::size_t w) const {
        std::vector<std::vector<char>> meant;
        for (const HumanGoals& list : m_source.worlds[w]->goals()) {
            auto& goals = meant.emplace_back();
            for (const Goal& goal : list.goals) {
                const std::string name = goalText(goal);
                goals.push_back(m_isPart ? name.starts_with(m_value.text) : name == m_value.text);
            }
        }
        return meant;
    }
    ReplayNames stages() const {
        std::vector<char> meant;
        std::vector<std::string> known;
        for (const TrainingStage& stage : m_source.schedule.stages()) {
            known.push_back(stage.name);
            meant.push_back(isMeant(QString::fromStdString(stage.name)));
        }
        if (std::ranges::count(meant, 1) == 0)
            fail("no stage is called \"" + m_value.text + "\"; there are " + commaList(known));
        return {{meant}};
    }

    const ReplaySource& m_source;
    const FilterOperand& m_value;
    QString m_text;
    bool m_isPart;
};

FilterFields makeFields() {
    FilterFields fields;
    fields.example = "step > 3";
    for (const ReplayNumber& number : kReplayNumbers)
        fields.add({.name = number.name, .example = number.name + std::string(" > 3")});
    fields.add({.name = "goal", .type = FilterType::Mixed, .example = "goal = 2"});
    fields.add({.name = "robot", .type = FilterType::Text, .example = "robot = forward"});
    fields.add({.name = "human", .type = FilterType::Text, .example = "human = forward"});
    fields.add({.name = "stage", .type = FilterType::Text, .example = "stage = ramp"});
    fields.add({.name = "ends", .type = FilterType::Truth});
    for (const char* name : {"from", "to", "touches"})
        fields.add(
            {.name = name, .type = FilterType::Text, .example = name + std::string(":current")});
    fields.hint = "there are " + fields.names();
    return fields;
}

}  // namespace

const FilterFields& ReplayFilter::fields() {
    static const FilterFields kFields = makeFields();
    return kFields;
}

ReplayFilter::ReplayFilter(const QString& text, const ReplaySource& source, Current current)
    : m_root(readFilter(text.toStdString(), fields())), m_current(std::move(current)) {
    if (!m_root) return;
    visitLeaves(*m_root, [&](const FilterNode& leaf) {
        m_names.push_back(
            NameFinder(source, leaf)
                .names(static_cast<ReplayField>(leaf.left.field), !m_current.encoded.empty()));
    });
}

}  // namespace orrery
