#include "widgets/dag/inspector_tsv.h"

#include <QStringList>

#include "core/base/text.h"
#include "widgets/common/trust_mark.h"
#include "widgets/dag/inspector_state.h"

namespace orrery {

namespace {

using Kind = ValueKind;

QString exactText(double value) {
    return QString::fromStdString(formatDouble(value));
}

/// One line a quantity; the first cells say what it is.
class NumberLines {
public:
    explicit NumberLines(const InspectorState& state) : m_state(state) {
        QStringList head{QStringLiteral("quantity"), QStringLiteral("human"),
                         QStringLiteral("goal"), QStringLiteral("action"), QStringLiteral("kind")};
        if (state.compares())
            head << QStringLiteral("A") << QStringLiteral("B") << QStringLiteral("B - A");
        else
            head << QStringLiteral("value");
        m_lines << head.join(u'\t');
    }

    void add(const ValueOf& quantity, const QString& human = {}, const QString& goal = {},
             const QString& action = {}) {
        const auto b = m_state.number(quantity);
        if (!b) return;
        QStringList cells{InspectorState::symbolOf(quantity), human, goal, action,
                          trustText(TrustKind::Exact)};
        if (m_state.compares()) {
            const auto a = m_state.pinnedNumber(quantity);
            cells << (a ? exactText(*a) : QString()) << exactText(*b)
                  << (a ? exactText(*b - *a) : QString());
        } else {
            cells << exactText(*b);
        }
        m_lines << cells.join(u'\t');
    }
    QStringList take() { return std::move(m_lines); }

private:
    const InspectorState& m_state;
    QStringList m_lines;
};

void addHuman(NumberLines& lines, const World& world, int h) {
    const HumanGoals& own = world.goals()[static_cast<std::size_t>(h)];
    const AgentInfo& agent = world.agents()[static_cast<std::size_t>(own.agent)];
    const QString human = QString::fromStdString(agent.name);
    lines.add({.kind = Kind::X_h, .human = h}, human);
    const auto actions = static_cast<int>(agent.actions.size());
    const auto actionName = [&](int a) {
        return QString::fromStdString(agent.actions[static_cast<std::size_t>(a)]);
    };
    for (int g = 0; g < std::ssize(own.goals); ++g) {
        const QString goal =
            QString::fromStdString(goalText(own.goals[static_cast<std::size_t>(g)]));
        lines.add({.kind = Kind::V_h_e, .human = h, .goal = g}, human, goal);
        lines.add({.kind = Kind::V_h, .human = h, .goal = g}, human, goal);
        for (int a = 0; a < actions; ++a)
            lines.add({.kind = Kind::Pi_h, .human = h, .goal = g, .action = a}, human, goal,
                      actionName(a));
    }
    for (int a = 0; a < actions; ++a)
        lines.add({.kind = Kind::Marginal, .human = h, .action = a}, human, {}, actionName(a));
}

QString placeText(const StateItem& state) {
    return QStringLiteral("state %1\tlevel %2").arg(state.index).arg(state.step);
}

}  // namespace

QString inspectorTsv(const InspectorState& state, const std::optional<Explanation>& sum) {
    const PlanSession& session = state.session();
    if (!session.isOpen()) return {};
    QStringList lines;
    if (state.compares()) lines << QStringLiteral("A\t") + placeText(*state.pinned());
    lines << (state.compares() ? QStringLiteral("B\t") : QStringLiteral("at\t")) +
                 placeText(session.state());
    if (const auto reach = state.reach()) lines << QStringLiteral("reach\t") + exactText(*reach);
    lines << QString();
    NumberLines numbers(state);
    numbers.add({.kind = Kind::V_r});
    numbers.add({.kind = Kind::U_r});
    const std::vector<QString> names = robotActionNames(session.world());
    for (int a = 0; a < std::ssize(names); ++a) {
        const QString& name = names[static_cast<std::size_t>(a)];
        numbers.add({.kind = Kind::Q_r, .action = a}, {}, {}, name);
        numbers.add({.kind = Kind::Pi_r, .action = a}, {}, {}, name);
    }
    for (int h = 0; h < std::ssize(session.world().goals()); ++h)
        addHuman(numbers, session.world(), h);
    lines << numbers.take();
    if (!session.successors().empty()) {
        lines << QString() << QStringLiteral("successor\tlevel\tp\tV_r\tchange");
        for (const SuccessorRow& row : session.successors())
            lines << QStringLiteral("%1\t%2\t%3\t%4\t%5")
                         .arg(row.state.index)
                         .arg(row.state.step)
                         .arg(exactText(row.probability), row.v_r ? exactText(*row.v_r) : QString(),
                              row.text);
    }
    if (sum) lines << QString() << sumTsv(state, *sum);
    return lines.join(u'\n');
}

QString sumTsv(const InspectorState& state, const Explanation& sum) {
    QStringList lines;
    lines << QStringLiteral("why\t%1\t%2\t%3")
                 .arg(InspectorState::symbolOf(sum.quantity), state.nameOf(sum.quantity),
                      QString::fromStdString(sum.formula));
    lines << QStringLiteral("term\tlevel\tweight\tdiscount\tvalue\texponent\tproduct");
    for (const ExplainedTerm& term : sum.terms) {
        QStringList cells;
        if (term.successor)
            cells << QString::number(term.successor->config)
                  << QString::number(term.successor->step);
        else
            cells << QString::fromStdString(term.label) << QString();
        for (const double number :
             {term.weight, term.discount, term.value, term.exponent, term.product})
            cells << exactText(number);
        lines << cells.join(u'\t');
    }
    if (sum.numTerms > sum.terms.size())
        lines << QStringLiteral("%1 others\t\t%2\t\t\t\t%3")
                     .arg(sum.numTerms - sum.terms.size())
                     .arg(exactText(sum.othersWeight), exactText(sum.othersProduct));
    lines << QStringLiteral("sum\t\t\t\t\t\t") + exactText(sum.sum);
    lines << QStringLiteral("result = addend + factor * sum^exponent\t%1\t%2\t%3\t%4")
                 .arg(exactText(sum.addend), exactText(sum.factor), exactText(sum.outerExponent),
                      exactText(sum.result));
    lines << QStringLiteral("shown\t%1\trelative difference\t%2")
                 .arg(exactText(sum.shown), exactText(sum.difference));
    return lines.join(u'\n');
}

}  // namespace orrery
