#pragma once

#include <QWidget>
#include <optional>
#include <stop_token>
#include <vector>

#include "core/solve/explain.h"

class QLabel;

namespace orrery {

class InspectorState;
class ValueBars;
struct BarColumn;

/// "Why Q_r = -3.282": the sum behind the number that is asked about, term by term, and whether it
/// adds up to what is shown. A row goes to its successor, or asks about the term's own value.
class InspectorSum : public QWidget {
    Q_OBJECT

public:
    /// @param names  what its object names begin with: "why" makes "whyPanel", "whyTitle" ...
    InspectorSum(InspectorState* state, const QString& names, QWidget* parent);

    /// The part that takes the keys.
    QWidget* terms() const;

    /// The sum that is shown; nothing while a worker makes it, or where there is none.
    const std::optional<Explanation>& explanation() const { return m_explanation; }
    bool isWorking() const { return m_isWorking; }

private:
    void refresh();
    void show(std::optional<Explanation> explanation);
    void showTerms();
    void showTotal();
    void showNothing(const QString& why);
    void pick(int row);
    std::vector<BarColumn> termColumns(bool hasWeight, bool hasDiscount) const;
    QString termName(const ExplainedTerm& term) const;
    static QString termTip(const ExplainedTerm& term);

    InspectorState* m_state;
    QLabel *m_title, *m_formula, *m_remark, *m_agrees, *m_total;
    ValueBars* m_terms;
    QWidget* m_totalRow;
    std::optional<Explanation> m_explanation;
    std::stop_source m_stop;
    int m_request = 0;  ///< the latest one; results of others are dropped
    bool m_isWorking = false;
};

/// A formula such as "Q_r = gamma_r Σ p(s') V_r(s')" as rich text.
QString formulaHtml(const QString& formula);

}  // namespace orrery
