#include "widgets/replay/replay_filter.h"

#include <QObject>
#include <algorithm>
#include <array>
#include <cstring>

#include "core/base/text.h"

namespace orrery {

enum class ReplayField : std::uint8_t {
    Actor,
    Episode,
    Step,
    Age,
    Stored,
    Alike,
    WorldIndex,
    GoalIndex,
    Robot,
    Human,
    Stage,
    Ends,
    From,
    To,
    Touches,
};

enum class ReplayComparison : std::uint8_t { Equal, Unequal, Less, AtMost, More, AtLeast };

struct ReplayFilter::Node {
    enum class Kind : std::uint8_t { And, Or, Not, Number, Set };
    Kind kind = Kind::Number;
    std::vector<std::shared_ptr<const Node>> parts = {};
    ReplayField field = ReplayField::Step;
    ReplayComparison comparison = ReplayComparison::Equal;
    double number = 0;
    bool isTrue = true;  ///< of Ends, From, To, Touches
    /// [worlds] the robot actions, or [worlds][human] the human actions or goals that are meant
    std::vector<std::vector<char>> robotActions = {};
    std::vector<std::vector<std::vector<char>>> perHuman = {};
    std::vector<char> stages = {};  ///< [stages of the schedule] those that are meant
};

namespace {

using FilterNode = ReplayFilter::Node;
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

bool compares(double a, ReplayComparison comparison, double b) {
    switch (comparison) {
        case ReplayComparison::Equal:
            return a == b;
        case ReplayComparison::Unequal:
            return a != b;
        case ReplayComparison::Less:
            return a < b;
        case ReplayComparison::AtMost:
            return a <= b;
        case ReplayComparison::More:
            return a > b;
        case ReplayComparison::AtLeast:
            return a >= b;
    }
    return false;
}

/// One pass over the transitions; remembers which states are the current one.
class FilterPass {
public:
    FilterPass(const ReplaySource& source, const ReplayFilter::Current& current)
        : m_source(source), m_current(current) {}

    bool holds(const FilterNode& node, std::size_t i) {
        switch (node.kind) {
            case FilterNode::Kind::And:
                return holds(*node.parts[0], i) && holds(*node.parts[1], i);
            case FilterNode::Kind::Or:
                return holds(*node.parts[0], i) || holds(*node.parts[1], i);
            case FilterNode::Kind::Not:
                return !holds(*node.parts[0], i);
            case FilterNode::Kind::Set:
                return holdsOfSet(node, i);
            case FilterNode::Kind::Number:
                return holdsOfNumber(node, i);
        }
        return false;
    }

private:
    bool holdsOfSet(const FilterNode& node, std::size_t i) const {
        const StoredTransition& row = m_source.at(i);
        bool isOne = false;
        if (node.field == ReplayField::Robot) {
            isOne = node.robotActions[row.layout][static_cast<std::size_t>(row.robotAction)] != 0;
        } else if (node.field == ReplayField::Stage) {
            isOne = node.stages[static_cast<std::size_t>(m_source.stageIndexOf(i))] != 0;
        } else {
            const auto& humans = node.perHuman[row.layout];
            for (std::size_t h = 0; h < humans.size(); ++h) {
                const auto which = node.field == ReplayField::Human
                                       ? static_cast<std::size_t>(row.humanActions[h])
                                       : static_cast<std::size_t>(row.goals[h]);
                isOne = isOne || (which < humans[h].size() && humans[h][which] != 0);
            }
        }
        return isOne == (node.comparison == ReplayComparison::Equal);
    }
    bool holdsOfNumber(const FilterNode& node, std::size_t i) {
        const StoredTransition& row = m_source.at(i);
        const auto is = [&](auto value) {
            return compares(static_cast<double>(value), node.comparison, node.number);
        };
        switch (node.field) {
            case ReplayField::Actor:
                return is(row.collector);
            case ReplayField::Episode:
                return is(row.episode);
            case ReplayField::Step:
                return is(row.step);
            case ReplayField::Age:
                return is(m_source.ageOf(i));
            case ReplayField::Stored:
                return is(row.insertedAt);
            case ReplayField::Alike:
                return is(m_source.alikeOf(i));
            case ReplayField::WorldIndex:
                return is(row.layout);
            case ReplayField::GoalIndex:
                return std::any_of(row.goals.begin(),
                                   row.goals.begin() + std::ssize(m_source.factsOf(i).humans), is);
            case ReplayField::Ends:
                return row.endsEpisode == node.isTrue;
            default:
                return touchesCurrent(node.field, i) == node.isTrue;
        }
    }
    bool touchesCurrent(ReplayField field, std::size_t i) {
        const StoredTransition& row = m_source.at(i);
        if (row.layout != m_current.layout) return false;
        const StoredModel& model = m_source.replay->modelOf(i);
        if (field == ReplayField::From) return isCurrent(model.state);
        if (field == ReplayField::To) return isCurrent(model.successors()[row.reached]);
        if (isCurrent(model.state)) return true;
        return std::ranges::any_of(model.successors(),
                                   [this](StateStore::Index state) { return isCurrent(state); });
    }
    bool isCurrent(StateStore::Index state) {
        if (state >= m_known.size())
            m_known.resize(std::max<std::size_t>(state + 1U, 2 * m_known.size()), 0);
        if (m_known[state] == 0) {
            const auto bytes = m_source.replay->state(state);
            const bool isSame =
                bytes.size() == m_current.encoded.size() &&
                std::memcmp(bytes.data(), m_current.encoded.data(), bytes.size()) == 0;
            m_known[state] = isSame ? 1 : 2;
        }
        return m_known[state] == 1;
    }

    const ReplaySource& m_source;
    const ReplayFilter::Current& m_current;
    std::vector<char> m_known;  ///< [states] 0 not looked at, 1 the current one, 2 another
};

constexpr std::size_t kRowsBetweenLooks = 4096;

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

std::vector<std::uint32_t> ReplayFilter::apply(const ReplaySource& source,
                                               const std::stop_token& stop,
                                               std::atomic<std::int64_t>& done) const {
    std::vector<std::uint32_t> rows;
    FilterPass pass(source, m_current);
    for (std::size_t i = source.size(); i-- > 0;) {
        if (!m_root || pass.holds(*m_root, i)) rows.push_back(static_cast<std::uint32_t>(i));
        if (i % kRowsBetweenLooks != 0) continue;
        done.store(static_cast<std::int64_t>(source.size() - i), std::memory_order_relaxed);
        if (stop.stop_requested()) break;
    }
    return rows;
}

}  // namespace orrery
