#include "widgets/dag/value_table.h"

#include <algorithm>
#include <cmath>

#include "widgets/common/number_text.h"
#include "widgets/dag/inspector_state.h"
#include "widgets/dag/value_colors.h"

namespace orrery {

namespace {

using Numbers = std::vector<std::optional<double>>;

std::vector<double> presentOf(const Numbers& first, const Numbers& second = {}) {
    std::vector<double> present;
    for (const Numbers* numbers : {&first, &second})
        for (const auto& number : *numbers)
            if (number) present.push_back(*number);
    return present;
}

}  // namespace

ValueTable::ValueTable(InspectorState* state, const QString& name, QWidget* parent)
    : ValueBars(name, parent), m_state(state) {
    connect(this, &ValueBars::numberPicked, this, [this](int row, int column) {
        const auto& asked =
            m_asked.at(static_cast<std::size_t>(column)).at(static_cast<std::size_t>(row));
        if (asked) m_state->askAt(*asked, this, numberRect(row, column));
    });
    connect(state, &InspectorState::questionChanged, this, &ValueTable::markQuestion);
}

void ValueTable::startTable(std::vector<ValueBar> rows) {
    m_rows = std::move(rows);
    m_heads.clear();
    m_asked.clear();
}

void ValueTable::addQuantity(const QString& symbol, const std::vector<Cell>& cells,
                             bool marksNumbers) {
    Numbers b, a, differences;
    double most = 0;
    for (const Cell& cell : cells) {
        b.push_back(cell.quantity ? m_state->number(*cell.quantity) : cell.b);
        a.push_back(cell.quantity ? m_state->pinnedNumber(*cell.quantity) : cell.a);
        differences.push_back(b.back() && a.back()
                                  ? std::optional(shownDifference(*b.back(), *a.back()))
                                  : std::nullopt);
        most = std::max(most, std::abs(differences.back().value_or(0)));
    }
    const bool compares = m_state->compares();
    const NumberFormat format = columnFormat(presentOf(b, compares ? a : Numbers()));
    const auto add = [&](const BarColumn& head, const Numbers& numbers, const auto& write) {
        m_heads.push_back(head);
        std::vector<std::optional<ValueOf>> asked;
        for (std::size_t row = 0; row < m_rows.size(); ++row) {
            asked.push_back(row < cells.size() ? cells[row].quantity : std::nullopt);
            const bool has = row < numbers.size() && numbers[row];
            m_rows[row].numbers.push_back(has ? write(*numbers[row]) : BarNumber{});
            m_rows[row].numbers.back().isPickable = has && asked.back();
        }
        m_asked.push_back(std::move(asked));
    };
    const auto plain = [&](double value) { return BarNumber{valueText(value, format)}; };
    if (!compares) return add({.symbol = symbol, .marksNumbers = marksNumbers}, b, plain);
    const NumberFormat signedFormat = columnFormat(presentOf(differences));
    add({.symbol = symbol, .suffix = QStringLiteral(" A")}, a, plain);
    add({.symbol = QStringLiteral("B")}, b, plain);
    add({.symbol = QStringLiteral("B − A"), .mark = std::nullopt}, differences, [&](double value) {
        return BarNumber{.text = signedText(value, signedFormat),
                         .fill = differenceColor(value, most)};
    });
}

void ValueTable::showTable() {
    setHasBars(!m_state->compares() || m_heads.size() <= 1);
    setBars(std::move(m_rows), std::move(m_heads));
    markQuestion();
}

void ValueTable::markQuestion() {
    const ValueOf question = m_state->question();
    // Beside A stands the number of the state itself.
    const std::size_t first = m_state->compares() && m_asked.size() > 1 ? 1 : 0;
    for (std::size_t column = first; column < m_asked.size(); ++column)
        for (std::size_t row = 0; row < m_asked[column].size(); ++row)
            if (m_asked[column][row] == question)
                return setCurrentNumber(static_cast<int>(row), static_cast<int>(column));
    setCurrentNumber(-1, -1);
}

}  // namespace orrery
