#include "widgets/dag/inspector_sum.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPointer>
#include <QRegularExpression>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

#include "core/base/error.h"
#include "widgets/bridge/background_worker.h"
#include "widgets/common/number_text.h"
#include "widgets/common/parts.h"
#include "widgets/common/tokens.h"
#include "widgets/common/value_bars.h"
#include "widgets/common/wrap_layout.h"
#include "widgets/dag/inspector_state.h"

namespace orrery {

namespace {

using Kind = ValueKind;

constexpr std::size_t kMostTerms = 12;
constexpr std::size_t kQuickWork = 20000;  ///< outcomes that take a few milliseconds

bool any(const std::vector<ExplainedTerm>& terms, bool (*test)(const ExplainedTerm&)) {
    return std::ranges::any_of(terms, test);
}

/// 1e-12 as "1e−12".
QString exactnessText(double difference) {
    const double bound = difference <= 1e-12 ? 1e-12 : difference;
    return QString::number(bound, 'e', 0).replace(u'-', QChar(0x2212));
}

}  // namespace

QString formulaHtml(const QString& formula) {
    static const QRegularExpression kWord(QStringLiteral("[A-Za-z]+(?:_[a-z0-9]+)?(?:\\^[a-z]+)?"));
    // A raised bracket or sign: "(...)^eta", "X_h^-xi", "e^(-rho_h D)".
    static const QRegularExpression kPower(
        QStringLiteral("\\^(-?[A-Za-z_]+|\\([^()]*(?:\\([^()]*\\))?[^()]*\\))"));
    QString html;
    qsizetype at = 0;
    const QString text = formula.toHtmlEscaped();
    while (at < text.size()) {
        const auto power = kPower.match(text, at, QRegularExpression::NormalMatch,
                                        QRegularExpression::AnchorAtOffsetMatchOption);
        const auto word = kWord.match(text, at, QRegularExpression::NormalMatch,
                                      QRegularExpression::AnchorAtOffsetMatchOption);
        if (power.hasMatch()) {
            QString raised = power.captured(1);
            if (raised.startsWith(u'(')) raised = raised.mid(1, raised.size() - 2);
            html += QStringLiteral("<sup>%1</sup>").arg(formulaHtml(raised));
            at = power.capturedEnd();
        } else if (word.hasMatch()) {
            html += symbolHtml(word.captured());
            at = word.capturedEnd();
        } else {
            html += text[at++];
        }
    }
    return html.replace(u'-', QChar(0x2212));
}

InspectorSum::InspectorSum(InspectorState* state, const QString& names, QWidget* parent)
    : QWidget(parent),
      m_state(state),
      m_title(makeLabel({}, "section", this)),
      m_formula(makeLabel({}, "hint", this)),
      m_remark(makeLabel({}, "hint", this)),
      m_agrees(makeLabel({}, "hint", this)),
      m_total(makeLabel({}, "number", this)),
      m_terms(new ValueBars(names + QStringLiteral("Terms"), this)),
      m_totalRow(new QWidget(this)) {
    setObjectName(names + QStringLiteral("Panel"));
    m_title->setObjectName(names + QStringLiteral("Title"));
    m_formula->setObjectName(names + QStringLiteral("Formula"));
    m_remark->setObjectName(names + QStringLiteral("Remark"));
    m_agrees->setObjectName(names + QStringLiteral("Agrees"));
    m_total->setObjectName(names + QStringLiteral("Total"));
    m_terms->setAccessibleName(tr("Terms of the sum"));
    m_terms->setPicksRows(true);
    for (QLabel* label : {m_title, m_formula, m_total}) label->setTextFormat(Qt::RichText);
    for (QLabel* label : {m_title, m_formula, m_remark}) label->setWordWrap(true);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(4);
    layout->addWidget(m_title);
    layout->addWidget(m_formula);
    layout->addWidget(m_terms);
    layout->addWidget(m_remark);
    auto* column = new QVBoxLayout(m_totalRow);
    column->setContentsMargins(0, 2, 0, 0);
    column->setSpacing(4);
    column->addWidget(makeLine(m_totalRow));
    auto* line = new WrapLayout;
    line->addWidget(m_agrees);
    m_total->setAlignment(Qt::AlignRight);
    m_total->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    line->addWidget(m_total);
    column->addLayout(line);
    layout->addWidget(m_totalRow);
    connect(state, &InspectorState::changed, this, &InspectorSum::refresh);
    connect(state, &InspectorState::questionChanged, this, &InspectorSum::refresh);
    connect(m_terms, &ValueBars::picked, this, &InspectorSum::pick);
    connect(m_terms, &ValueBars::rowHovered, this, [this](int row) {
        const bool isTerm = m_explanation && row >= 0 && row < std::ssize(m_explanation->terms);
        m_state->hover(isTerm ? m_explanation->terms[static_cast<std::size_t>(row)].successor
                              : std::nullopt);
    });
    refresh();
}

QWidget* InspectorSum::terms() const {
    return m_terms;
}

void InspectorSum::refresh() {
    m_stop.request_stop();
    m_stop = std::stop_source();
    const int request = ++m_request;
    m_isWorking = false;
    const auto state = m_state->session().graphState();
    const auto explainer = m_state->explainer();
    setVisible(state && explainer);
    if (!state || !explainer) return showNothing({});
    const ValueOf question = m_state->question();
    if (!m_state->number(question))
        return showNothing(m_state->session().isTerminal()
                               ? tr("There is no such number at the end.")
                               : tr("This solution has no such number."));
    const auto make = [explainer, question, where = *state](std::stop_token stop) {
        return explainer->explain(where, question, kMostTerms, stop);
    };
    if (explainer->workOf(*state) <= kQuickWork) return show(make(m_stop.get_token()));
    m_isWorking = true;
    showNothing(tr("Adding up many outcomes …"));
    using Result = std::optional<Explanation>;
    m_state->worker().append<Result>(
        [make, own = m_stop.get_token()](std::stop_token) { return make(own); },
        [guard = QPointer(this), this, request](Result result) {
            if (guard && request == m_request) show(std::move(result));
        },
        [guard = QPointer(this), this, request](const QString& text) {
            if (guard && request == m_request) showNothing(text);
        });
}

void InspectorSum::showNothing(const QString& why) {
    m_explanation.reset();
    m_title->setText(tr("Why"));
    m_remark->setText(why);
    m_remark->setVisible(!why.isEmpty());
    for (QWidget* part :
         {static_cast<QWidget*>(m_formula), static_cast<QWidget*>(m_terms), m_totalRow})
        part->hide();
}

void InspectorSum::show(std::optional<Explanation> explanation) {
    m_isWorking = false;
    if (!explanation) return;
    m_explanation = std::move(explanation);
    const Explanation& e = *m_explanation;
    const QString about = m_state->nameOf(e.quantity);
    m_title->setText(tr("Why %1 = %2%3")
                         .arg(symbolHtml(InspectorState::symbolOf(e.quantity)), valueText(e.shown),
                              about.isEmpty()
                                  ? QString()
                                  : QStringLiteral(" <span style=\"font-weight:400\">· %1</span>")
                                        .arg(about.toHtmlEscaped())));
    m_formula->setText(formulaHtml(QString::fromStdString(e.formula)));
    m_formula->setToolTip(
        tr("Weight: %1\nSource: %2")
            .arg(QString::fromStdString(e.weightMeans), QString::fromStdString(e.source)));
    m_formula->setVisible(!e.formula.empty());
    m_remark->setText(QString::fromStdString(e.remark));
    m_remark->setVisible(!e.remark.empty());
    showTerms();
    showTotal();
}

QString InspectorSum::termName(const ExplainedTerm& term) const {
    if (term.successor) return InspectorState::shortName(*term.successor);
    if (!term.inner) return QString::fromStdString(term.label);
    const ValueOf& inner = *term.inner;
    if (inner.kind == Kind::U_r) return QStringLiteral("Uᵣ");
    if (inner.kind == Kind::X_h || inner.kind == Kind::Q_r) return m_state->nameOf(inner);
    return QString::fromStdString(term.label);
}

/// Columns: weight, discount where it varies, value; then the bar and the product.
void InspectorSum::showTerms() {
    const Explanation& e = *m_explanation;
    const bool hasWeight = e.quantity.kind != Kind::Pi_r && e.quantity.kind != Kind::Pi_h;
    const bool hasDiscount = any(e.terms, [](const auto& t) { return t.discount != 1; });
    double most = std::abs(e.othersProduct);
    std::vector<double> weights{e.othersWeight}, values, products{e.othersProduct};
    for (const ExplainedTerm& term : e.terms) {
        most = std::max(most, std::abs(term.product));
        weights.push_back(term.weight);
        values.push_back(term.value);
        products.push_back(term.product);
    }
    const NumberFormat weight = columnFormat(weights), value = columnFormat(values),
                       product = columnFormat(products);
    const auto row = [&](const QString& name, double itsWeight, const ExplainedTerm* term,
                         double itsProduct) {
        ValueBar bar{.name = name,
                     .share = most > 0 ? std::abs(itsProduct) / most : 0,
                     .color = currentTokens().data[1]};
        if (hasWeight) bar.numbers.push_back({valueText(itsWeight, weight)});
        if (hasDiscount)
            bar.numbers.push_back({term ? valueText(term->discount, NumberFormat{}) : QString()});
        bar.numbers.push_back({term ? valueText(term->value, value) : QString()});
        bar.numbers.push_back({valueText(itsProduct, product)});
        return bar;
    };
    std::vector<ValueBar> rows;
    for (const ExplainedTerm& term : e.terms) {
        rows.push_back(row(termName(term), term.weight, &term, term.product));
        rows.back().tip = termTip(term);
    }
    if (e.numTerms > e.terms.size()) {
        rows.push_back(row(tr("%1 others").arg(e.numTerms - e.terms.size()), e.othersWeight,
                           nullptr, e.othersProduct));
        rows.back().isOthers = true;
    }
    m_terms->setVisible(!rows.empty());
    m_terms->setBars(std::move(rows), termColumns(hasWeight, hasDiscount));
}

std::vector<BarColumn> InspectorSum::termColumns(bool hasWeight, bool hasDiscount) const {
    const Explanation& e = *m_explanation;
    const ExplainedTerm* first = e.terms.empty() ? nullptr : &e.terms.front();
    const bool hasSuccessors = first && first->successor;
    std::vector<BarColumn> columns;
    if (hasWeight)
        columns.push_back({.symbol = hasSuccessors ? QStringLiteral("p") : QStringLiteral("w"),
                           .isBeforeBar = true,
                           .mark = std::nullopt});
    if (hasDiscount)
        columns.push_back(
            {.symbol = QStringLiteral("discount"), .isBeforeBar = true, .mark = std::nullopt});
    QString symbol = QStringLiteral("Q_h");
    if (e.quantity.kind == Kind::V_r || !first)
        symbol = tr("value");
    else if (first->inner)
        symbol = InspectorState::symbolOf(*first->inner);
    columns.push_back({.symbol = symbol,
                       .suffix = hasSuccessors ? QStringLiteral("(s′)") : QString(),
                       .isBeforeBar = true});
    columns.push_back({.symbol = tr("product"), .mark = std::nullopt});
    return columns;
}

QString InspectorSum::termTip(const ExplainedTerm& term) {
    if (term.successor)
        return (term.isAttained ? tr("The goal holds there: worth 1. ") : QString()) +
               tr("A click goes there.");
    return term.inner ? tr("A click shows the sum behind the value.") : QString();
}

void InspectorSum::showTotal() {
    const Explanation& e = *m_explanation;
    m_totalRow->show();
    QString left;
    if (e.addend != 0 && !e.terms.empty()) left += valueText(e.addend) + QStringLiteral(" + ");
    if (e.factor != 1 && !(e.factor == -1 && e.outerExponent != 1))
        left +=
            valueText(e.factor, e.factor > 0.1 && e.factor < 1 && e.outerExponent == 1 ? 2 : 3) +
            QStringLiteral(" × ");
    if (e.factor == -1 && e.outerExponent != 1) left += QChar(0x2212);
    const bool isRaised = e.outerExponent != 1;
    if (!e.terms.empty())
        left += isRaised ? QStringLiteral("(%1)").arg(valueText(e.sum)) : valueText(e.sum);
    if (e.outerExponent != 1)
        left += QStringLiteral("<sup>%1</sup>")
                    .arg(QString::number(e.outerExponent).replace(u'-', QChar(0x2212)));
    const bool isPlain = e.addend == 0 && e.factor == 1 && e.outerExponent == 1;
    m_total->setText(e.terms.empty()
                         ? QStringLiteral("<b>%1</b>").arg(valueText(e.result))
                         : QStringLiteral("%1 = <b>%2</b>")
                               .arg(isPlain ? QStringLiteral("Σ") : left, valueText(e.result)));
    const Tokens& t = currentTokens();
    m_agrees->setText(QStringLiteral("<span style=\"color:%1\">%2</span>")
                          .arg((e.agrees ? t.ok : t.error).name(),
                               e.agrees ? tr("agrees to %1").arg(exactnessText(e.difference))
                                        : tr("differs by %1").arg(exactnessText(e.difference))));
    m_agrees->setToolTip(
        tr("Relative difference between this sum and the number shown: %1; allowed: %2")
            .arg(e.difference, 0, 'e', 1)
            .arg(e.tolerance, 0, 'e', 1));
}

void InspectorSum::pick(int row) {
    if (!m_explanation || row < 0 || row >= std::ssize(m_explanation->terms)) return;
    const ExplainedTerm term = m_explanation->terms[static_cast<std::size_t>(row)];
    if (term.successor)
        m_state->goTo(*term.successor);
    else if (term.inner)
        m_state->ask(*term.inner);
}

}  // namespace orrery
