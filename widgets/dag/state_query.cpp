#include "widgets/dag/state_query.h"

#include <QRegularExpression>
#include <QStringList>
#include <algorithm>

#include "core/base/error.h"
#include "core/solve/solution.h"

namespace orrery {

namespace {

constexpr std::size_t kMaxComparisons = 6;

[[noreturn]] void fail(qsizetype column, const QString& text) {
    throw Error(QStringLiteral("column %1: %2").arg(column).arg(text).toStdString(),
                Error::Kind::BadInput);
}

/// Index into World::goals() of a human by name.
int humanOf(const World& world, const QString& name, qsizetype column) {
    QStringList names;
    const auto goals = world.goals();
    for (int h = 0; h < std::ssize(goals); ++h) {
        const auto agent = static_cast<std::size_t>(goals[static_cast<std::size_t>(h)].agent);
        names << QString::fromStdString(world.agents()[agent].name);
        if (names.last() == name) return h;
    }
    fail(column, QStringLiteral("\"%1\" is no human; write %2")
                     .arg(name.left(60), names.join(QStringLiteral(" or "))));
}

BandQuantity quantityOf(const World& world, const QRegularExpressionMatch& match) {
    const QString symbol = match.captured(QStringLiteral("symbol"));
    const QString human = match.captured(QStringLiteral("human"));
    const QString goal = match.captured(QStringLiteral("goal"));
    const qsizetype column = match.capturedStart() + 1;
    BandQuantity quantity;
    if (symbol == QLatin1String("V_r") || symbol == QLatin1String("U_r")) {
        if (!human.isEmpty())
            fail(column,
                 symbol + QStringLiteral(" belongs to no human; write \"%1 < -1\"").arg(symbol));
        quantity.kind = symbol == QLatin1String("V_r") ? BandQuantity::Kind::RobotValue
                                                       : BandQuantity::Kind::RobotReward;
        return quantity;
    }
    if (human.isEmpty())
        fail(column, symbol == QLatin1String("X_h")
                         ? QStringLiteral("X_h needs its human; write \"X_h(human0) > 0.5\"")
                         : QStringLiteral("V_h_e needs its human and goal; write "
                                          "\"V_h_e(human0, 0) > 0.5\""));
    quantity.human = humanOf(world, human, match.capturedStart(QStringLiteral("human")) + 1);
    if (symbol == QLatin1String("X_h")) {
        quantity.kind = BandQuantity::Kind::HumanPower;
        return quantity;
    }
    quantity.kind = BandQuantity::Kind::GoalAbility;
    quantity.goal = goal.toInt();
    const auto numGoals = std::ssize(world.goals()[static_cast<std::size_t>(quantity.human)].goals);
    if (goal.isEmpty() || quantity.goal >= numGoals)
        fail(column,
             QStringLiteral("V_h_e of %1 takes a goal from 0 to %2").arg(human).arg(numGoals - 1));
    return quantity;
}

const QRegularExpression& comparisonPattern() {
    static const QRegularExpression kPattern(QStringLiteral(
        R"((?<![\w.])(?<symbol>V_r|U_r|X_h|V_h_e)\b(?:\s*\(\s*(?<human>\w+)\s*(?:,\s*(?<goal>\d+)\s*)?\))?)"
        R"((?<rest>\s*(?<sign><=|>=|<|>|==|!=|=)?\s*(?<limit>[-+−]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)?))"));
    return kPattern;
}

StateQuery::Comparison comparisonOf(const World& world, const QRegularExpressionMatch& match) {
    StateQuery::Comparison comparison;
    comparison.quantity = quantityOf(world, match);
    const QString symbol = match.captured(QStringLiteral("symbol"));
    const QString sign = match.captured(QStringLiteral("sign"));
    const qsizetype end = match.capturedStart(QStringLiteral("rest")) + 1;
    if (sign.isEmpty())
        fail(end, QStringLiteral("%1 is a number; compare it, as in \"%1 < -4\"").arg(symbol));
    if (sign[0] == QLatin1Char('=') || sign[0] == QLatin1Char('!'))
        fail(match.capturedStart(QStringLiteral("sign")) + 1,
             QStringLiteral("numbers like %1 are compared by < <= > >=").arg(symbol));
    QString limit = match.captured(QStringLiteral("limit"));
    if (limit.isEmpty())
        fail(match.capturedEnd() + 1, QStringLiteral("expected a number such as -4 or 0.25"));
    comparison.isGreater = sign[0] == QLatin1Char('>');
    comparison.orEqual = sign.size() == 2;
    comparison.limit = limit.replace(QChar(0x2212), QLatin1Char('-')).toDouble();
    return comparison;
}

bool holds(const StateQuery::Comparison& comparison, double value) {
    if (comparison.orEqual && value == comparison.limit) return true;
    return comparison.isGreater ? value > comparison.limit : value < comparison.limit;
}

}  // namespace

StateQuery::StateQuery(const World& world, std::shared_ptr<const Solution> solution,
                       const QString& text)
    : m_solution(std::move(solution)) {
    struct Place {
        qsizetype begin, length;
    };
    std::vector<Place> places;
    for (auto it = comparisonPattern().globalMatch(text); it.hasNext();) {
        const QRegularExpressionMatch match = it.next();
        const qsizetype column = match.capturedStart() + 1;
        if (!m_solution || m_solution->spec().phase1Only)
            fail(column, QStringLiteral("%1 is known only once both phases are solved; solve the "
                                        "world first")
                             .arg(match.captured(QStringLiteral("symbol"))));
        m_comparisons.push_back(comparisonOf(world, match));
        // White space after the comparison stays where it is.
        const qsizetype end = match.capturedEnd(QStringLiteral("limit"));
        places.push_back({match.capturedStart(), end - match.capturedStart()});
        if (m_comparisons.size() > kMaxComparisons)
            fail(column, QStringLiteral("more than %1 comparisons of values; leave some out")
                             .arg(kMaxComparisons));
    }
    // "V_r<0" is as long as "false", so every column of the text keeps its number.
    for (std::size_t truths = 0; truths < std::size_t{1} << places.size(); ++truths) {
        QString plain = text;
        for (std::size_t k = 0; k < places.size(); ++k) {
            const QString word =
                (truths >> k & 1U) != 0 ? QStringLiteral("true") : QStringLiteral("false");
            plain.replace(places[k].begin, places[k].length,
                          word.leftJustified(places[k].length, QLatin1Char(' ')));
        }
        m_predicates.emplace_back(world, plain.toStdString());
    }
}

std::shared_ptr<const StateMarks> StateQuery::run(const StateGraph& graph, int threads,
                                                  std::stop_token stop) const {
    if (m_comparisons.empty()) return markStates(graph, m_predicates, threads, std::move(stop));
    std::vector<std::function<double(State)>> values;
    for (const Comparison& comparison : m_comparisons)
        values.push_back(valuesOf(*m_solution, comparison.quantity));
    return markStates(graph, m_predicates, threads, std::move(stop), [&](State state) {
        std::size_t truths = 0;
        for (std::size_t k = 0; k < values.size(); ++k)
            if (holds(m_comparisons[k], values[k](state))) truths |= std::size_t{1} << k;
        return truths;
    });
}

int columnOf(const QString& errorText) {
    static const QRegularExpression kColumn(QStringLiteral("column (\\d+)"));
    return kColumn.match(errorText).captured(1).toInt();
}

QStringList queryWords(const World& world, const Solution* solution) {
    QStringList words;
    for (const Variable& variable : world.variables()) {
        const QString name = QString::fromStdString(variable.name);
        if (name.endsWith(QLatin1String(".x"))) {
            words << name.chopped(2) + QStringLiteral(".at(")
                  << name.chopped(2) + QStringLiteral(".in(");
        }
        words << name;
    }
    if (solution && !solution->spec().phase1Only) {
        words << QStringLiteral("V_r") << QStringLiteral("U_r");
        for (const HumanGoals& human : world.goals()) {
            const QString name =
                QString::fromStdString(world.agents()[static_cast<std::size_t>(human.agent)].name);
            words << QStringLiteral("X_h(%1)").arg(name) << QStringLiteral("V_h_e(%1, ").arg(name);
        }
    }
    for (const char* word : {"step", "and", "or", "not", "true", "false"})
        words << QLatin1String(word);
    words.removeDuplicates();
    return words;
}

}  // namespace orrery
