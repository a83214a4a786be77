#include <QObject>
#include <QString>
#include <QStringList>
#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/base/text.h"
#include "core/empo/schedule.h"
#include "core/replay/world_facts.h"
#include "core/world/goal.h"
#include "core/world/world.h"
#include "widgets/replay/replay_filter.h"
#include "widgets/replay/replay_filter_node.h"
#include "widgets/replay/replay_source.h"

// How a filter of transitions is read.

namespace orrery {

namespace {

using FilterNodePointer = std::shared_ptr<const FilterNode>;

struct FilterToken {
    enum class Kind : std::uint8_t { Word, Comparison, Open, Close, End };
    Kind kind = Kind::End;
    QString text;
    int begin = 0;
};

/// Thrown and caught inside this file only.
struct WrongFilter {
    ReplayFilterProblem problem;
};

struct FieldName {
    const char* name;
    ReplayField field;
};
constexpr std::array<FieldName, 15> kFields{{{"actor", ReplayField::Actor},
                                             {"episode", ReplayField::Episode},
                                             {"step", ReplayField::Step},
                                             {"age", ReplayField::Age},
                                             {"stored", ReplayField::Stored},
                                             {"alike", ReplayField::Alike},
                                             {"world", ReplayField::WorldIndex},
                                             {"goal", ReplayField::GoalIndex},
                                             {"robot", ReplayField::Robot},
                                             {"human", ReplayField::Human},
                                             {"stage", ReplayField::Stage},
                                             {"ends", ReplayField::Ends},
                                             {"from", ReplayField::From},
                                             {"to", ReplayField::To},
                                             {"touches", ReplayField::Touches}}};

bool isComparisonChar(QChar c) {
    return QStringLiteral("=!<>:").contains(c);
}

std::vector<FilterToken> filterTokens(const QString& text) {
    std::vector<FilterToken> tokens;
    int i = 0;
    const int size = static_cast<int>(text.size());
    while (i < size) {
        const int begin = i;
        const QChar c = text[i];
        if (c.isSpace()) {
            ++i;
        } else if (c == u'(' || c == u')') {
            ++i;
            tokens.push_back({c == u'(' ? FilterToken::Kind::Open : FilterToken::Kind::Close,
                              QString(c), begin});
        } else if (isComparisonChar(c)) {
            while (i < size && isComparisonChar(text[i])) ++i;
            tokens.push_back({FilterToken::Kind::Comparison, text.mid(begin, i - begin), begin});
        } else {
            while (i < size && !text[i].isSpace() && !isComparisonChar(text[i]) &&
                   text[i] != u'(' && text[i] != u')')
                ++i;
            tokens.push_back({FilterToken::Kind::Word, text.mid(begin, i - begin), begin});
        }
    }
    tokens.push_back({FilterToken::Kind::End, {}, size});
    return tokens;
}

std::optional<double> filterNumber(QString text) {
    text.replace(u'−', u'-');
    double factor = 1;
    if (text.endsWith(u'k')) factor = 1e3;
    if (text.endsWith(u'M')) factor = 1e6;
    if (factor > 1) text.chop(1);
    const auto number = parseDouble(text.toStdString());
    if (!number) return std::nullopt;
    return *number * factor;
}

class FilterParser {
public:
    FilterParser(std::vector<FilterToken> tokens, const ReplaySource& source, bool hasCurrent)
        : m_tokens(std::move(tokens)), m_source(source), m_hasCurrent(hasCurrent) {}

    FilterNodePointer parse() {
        if (now().kind == FilterToken::Kind::End) return nullptr;
        FilterNodePointer root = parseOr();
        if (now().kind != FilterToken::Kind::End) fail(now(), QObject::tr("this is one too many"));
        return root;
    }

private:
    using Kind = FilterToken::Kind;

    const FilterToken& now() const { return m_tokens[m_at]; }
    FilterToken take() { return m_tokens[m_at++]; }
    bool isWord(const char* word) const {
        return now().kind == Kind::Word &&
               now().text.compare(QLatin1String(word), Qt::CaseInsensitive) == 0;
    }
    [[noreturn]] static void fail(const FilterToken& token, const QString& text) {
        throw WrongFilter{{token.begin, text}};
    }
    static FilterNodePointer joined(FilterNode::Kind kind, FilterNodePointer left,
                                    FilterNodePointer right) {
        auto node = std::make_shared<FilterNode>();
        node->kind = kind;
        node->parts = {std::move(left), std::move(right)};
        return node;
    }

    FilterNodePointer parseOr() {
        FilterNodePointer left = parseAnd();
        while (isWord("or")) {
            take();
            left = joined(FilterNode::Kind::Or, left, parseAnd());
        }
        return left;
    }
    FilterNodePointer parseAnd() {
        FilterNodePointer left = parseNot();
        while (now().kind != Kind::End && now().kind != Kind::Close && !isWord("or")) {
            if (isWord("and")) take();
            left = joined(FilterNode::Kind::And, left, parseNot());
        }
        return left;
    }
    FilterNodePointer parseNot() {
        if (!isWord("not")) return parsePrimary();
        take();
        auto node = std::make_shared<FilterNode>();
        node->kind = FilterNode::Kind::Not;
        node->parts = {parseNot()};
        return node;
    }
    FilterNodePointer parsePrimary() {
        const FilterToken token = take();
        if (token.kind == Kind::Open) {
            FilterNodePointer inner = parseOr();
            if (now().kind != Kind::Close) fail(now(), QObject::tr("a ) is missing here"));
            take();
            return inner;
        }
        if (token.kind != Kind::Word) {
            --m_at;
            fail(token, QObject::tr("a field such as step belongs here"));
        }
        return comparison(token);
    }
    static ReplayField fieldOf(const FilterToken& token) {
        std::vector<std::string> names;
        for (const FieldName& known : kFields) {
            if (token.text.compare(QLatin1String(known.name), Qt::CaseInsensitive) == 0)
                return known.field;
            names.emplace_back(known.name);
        }
        const auto near = closestName(token.text.toStdString(), names);
        QString text = QObject::tr("there is no field “%1”").arg(token.text);
        text += near ? QObject::tr("; did you mean %1?").arg(QString::fromStdString(*near))
                     : QObject::tr("; there are %1")
                           .arg(ReplayFilter::fields().join(QStringLiteral(", ")));
        fail(token, text);
    }
    static ReplayComparison comparisonOf(const FilterToken& token) {
        if (token.text == QLatin1String("=") || token.text == QLatin1String("==") ||
            token.text == QLatin1String(":"))
            return ReplayComparison::Equal;
        if (token.text == QLatin1String("!=")) return ReplayComparison::Unequal;
        if (token.text == QLatin1String("<")) return ReplayComparison::Less;
        if (token.text == QLatin1String("<=")) return ReplayComparison::AtMost;
        if (token.text == QLatin1String(">")) return ReplayComparison::More;
        if (token.text == QLatin1String(">=")) return ReplayComparison::AtLeast;
        fail(token, QObject::tr("“%1” is no comparison; use = != < <= > >= or :").arg(token.text));
    }

    FilterNodePointer comparison(const FilterToken& field) {
        auto node = std::make_shared<FilterNode>();
        node->field = fieldOf(field);
        if (now().kind != Kind::Comparison)
            fail(now(), QObject::tr("a comparison for %1 is missing here").arg(field.text));
        const FilterToken op = take();
        node->comparison = comparisonOf(op);
        if (now().kind != Kind::Word)
            fail(now(), QObject::tr("a value for %1 is missing here").arg(field.text));
        const FilterToken value = take();
        const bool isOrder = node->comparison != ReplayComparison::Equal &&
                             node->comparison != ReplayComparison::Unequal;
        const bool isPart = op.text == QLatin1String(":");
        switch (node->field) {
            case ReplayField::Robot:
            case ReplayField::Human:
                if (isOrder)
                    fail(op, QObject::tr("%1 is no number; use = != or :").arg(field.text));
                actionSets(*node, value, isPart);
                break;
            case ReplayField::Stage:
                if (isOrder)
                    fail(op, QObject::tr("%1 is no number; use = != or :").arg(field.text));
                stageSet(*node, value, isPart);
                break;
            case ReplayField::Ends:
                truth(*node, op, value, isOrder);
                break;
            case ReplayField::From:
            case ReplayField::To:
            case ReplayField::Touches:
                currentState(*node, op, value, isOrder);
                break;
            case ReplayField::GoalIndex:
                if (!filterNumber(value.text)) {
                    if (isOrder) fail(value, QObject::tr("%1 needs a number here").arg(op.text));
                    goalSets(*node, value, isPart);
                    break;
                }
                [[fallthrough]];
            default:
                if (const auto number = filterNumber(value.text))
                    node->number = *number;
                else
                    fail(value, QObject::tr("%1 needs a number here").arg(field.text));
        }
        return node;
    }
    void truth(FilterNode& node, const FilterToken& op, const FilterToken& value,
               bool isOrder) const {
        if (isOrder) fail(op, QObject::tr("use = or != with ends"));
        const QString word = value.text.toLower();
        const bool isYes = word == QLatin1String("yes") || word == QLatin1String("true") ||
                           word == QLatin1String("1");
        const bool isNo = word == QLatin1String("no") || word == QLatin1String("false") ||
                          word == QLatin1String("0");
        if (!isYes && !isNo) fail(value, QObject::tr("ends is yes or no"));
        node.isTrue = isYes == (node.comparison == ReplayComparison::Equal);
    }
    void currentState(FilterNode& node, const FilterToken& op, const FilterToken& value,
                      bool isOrder) const {
        if (isOrder) fail(op, QObject::tr("use : here"));
        if (value.text.compare(QLatin1String("current"), Qt::CaseInsensitive) != 0)
            fail(value, QObject::tr("write current: the state that is selected"));
        if (!m_hasCurrent)
            fail(value, QObject::tr("the open world is not one that this run learns on, so no "
                                    "state of it can be looked for"));
        node.isTrue = node.comparison == ReplayComparison::Equal;
    }
    /// Which joint robot actions, or which actions of each human, have the name.
    void actionSets(FilterNode& node, const FilterToken& value, bool isPart) const {
        node.kind = FilterNode::Kind::Set;
        const auto holds = [&](const QString& name) {
            return isPart ? name.contains(value.text, Qt::CaseInsensitive)
                          : name.compare(value.text, Qt::CaseInsensitive) == 0;
        };
        bool any = false;
        for (std::size_t w = 0; w < m_source.worlds.size(); ++w) {
            const World& world = *m_source.worlds[w];
            const WorldFacts& facts = m_source.facts[w];
            auto& robots = node.robotActions.emplace_back();
            for (int a = 0; a < facts.numRobotActions(); ++a) {
                const QString name = robotActionName(world, facts, a);
                bool isOne = holds(name);
                for (const QString& part : name.split(u'+')) isOne = isOne || holds(part);
                robots.push_back(isOne ? 1 : 0);
                any |= isOne && node.field == ReplayField::Robot;
            }
            auto& humans = node.perHuman.emplace_back();
            for (const WorldFacts::Human& human : facts.humans) {
                auto& actions = humans.emplace_back();
                for (const std::string& name :
                     world.agents()[static_cast<std::size_t>(human.agent)].actions) {
                    actions.push_back(holds(QString::fromStdString(name)) ? 1 : 0);
                    any |= actions.back() != 0 && node.field == ReplayField::Human;
                }
            }
        }
        if (!any) fail(value, QObject::tr("no action is called “%1”").arg(value.text));
    }
    void stageSet(FilterNode& node, const FilterToken& value, bool isPart) const {
        node.kind = FilterNode::Kind::Set;
        QStringList names;
        for (const TrainingStage& stage : m_source.schedule.stages()) {
            names << QString::fromStdString(stage.name);
            const bool isOne = isPart ? names.back().contains(value.text, Qt::CaseInsensitive)
                                      : names.back().compare(value.text, Qt::CaseInsensitive) == 0;
            node.stages.push_back(isOne ? 1 : 0);
        }
        if (std::ranges::count(node.stages, 1) == 0)
            fail(value, QObject::tr("no stage is called “%1”; there are %2")
                            .arg(value.text, names.join(QStringLiteral(", "))));
    }
    /// Which goals of each human are at the place.
    void goalSets(FilterNode& node, const FilterToken& value, bool isPart) const {
        node.kind = FilterNode::Kind::Set;
        bool any = false;
        for (const auto& world : m_source.worlds) {
            auto& humans = node.perHuman.emplace_back();
            for (const HumanGoals& list : world->goals()) {
                auto& goals = humans.emplace_back();
                for (const Goal& goal : list.goals) {
                    const QString name = QString::fromStdString(goalText(goal));
                    goals.push_back(isPart ? name.startsWith(value.text) : name == value.text);
                    any |= goals.back() != 0;
                }
            }
        }
        if (!any)
            fail(value, QObject::tr("no goal is “%1”; write its number or its cell, as 3,1")
                            .arg(value.text));
    }

    std::vector<FilterToken> m_tokens;
    const ReplaySource& m_source;
    bool m_hasCurrent;
    std::size_t m_at = 0;
};

}  // namespace

QStringList ReplayFilter::fields() {
    QStringList names;
    for (const FieldName& known : kFields) names += QString::fromLatin1(known.name);
    return names;
}

std::optional<ReplayFilter> ReplayFilter::read(const QString& text, const ReplaySource& source,
                                               const Current& current,
                                               ReplayFilterProblem& problem) {
    try {
        ReplayFilter filter;
        filter.m_root = FilterParser(filterTokens(text), source, !current.encoded.empty()).parse();
        filter.m_current = current;
        return filter;
    } catch (const WrongFilter& wrong) {
        problem = wrong.problem;
        return std::nullopt;
    }
}

}  // namespace orrery
