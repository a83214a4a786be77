#include "widgets/compare/interval_plot.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QSignalBlocker>
#include <algorithm>
#include <cmath>
#include <map>

#include "core/base/rng.h"
#include "widgets/common/figure_keys.h"
#include "widgets/common/name_box.h"
#include "widgets/common/number_text.h"
#include "widgets/common/parts.h"
#include "widgets/common/style.h"
#include "widgets/common/tokens.h"
#include "widgets/compare/compare_text.h"

namespace orrery {

namespace {

constexpr int kResamples = 10'000;
constexpr int kPlotHeight = 62;
constexpr int kWidthForOneLine = 480;  // of all boxes

double meanOf(const std::vector<double>& values) {
    double sum = 0;
    for (const double value : values) sum += value;
    return sum / static_cast<double>(values.size());
}

std::vector<double> finiteOf(std::span<const SeededValue> members) {
    std::vector<double> values;
    for (const SeededValue& member : members)
        if (std::isfinite(member.value)) values.push_back(member.value);
    return values;
}

/// A minus B by seed; empty unless each seed stands once in both.
std::vector<double> pairsOf(std::span<const SeededValue> a, std::span<const SeededValue> b) {
    std::map<std::uint64_t, double> left, right;
    for (const SeededValue& member : a)
        if (!left.emplace(member.seed, member.value).second) return {};
    for (const SeededValue& member : b)
        if (!right.emplace(member.seed, member.value).second) return {};
    std::vector<double> pairs;
    for (const auto& [seed, value] : left) {
        const auto other = right.find(seed);
        if (other == right.end()) return {};
        pairs.push_back(value - other->second);
    }
    return left.size() == right.size() ? pairs : std::vector<double>();
}

double resampledMean(const std::vector<double>& values, Rng& rng) {
    double sum = 0;
    for (std::size_t i = 0; i < values.size(); ++i) sum += values[rng.below(values.size())];
    return sum / static_cast<double>(values.size());
}

/// A round step that gives about four labels.
double tickStep(double span) {
    const double raw = span / 4;
    const double power = std::pow(10.0, std::floor(std::log10(raw)));
    for (const double factor : {1.0, 2.0, 5.0})
        if (factor * power >= raw) return factor * power;
    return 10 * power;
}

}  // namespace

DifferenceInterval differenceInterval(std::span<const SeededValue> a,
                                      std::span<const SeededValue> b) {
    DifferenceInterval result;
    const std::vector<double> left = finiteOf(a), right = finiteOf(b);
    result.numA = static_cast<int>(left.size());
    result.numB = static_cast<int>(right.size());
    if (left.empty() || right.empty()) return result;
    result.difference = meanOf(left) - meanOf(right);
    result.low = result.high = result.difference;
    if (left.size() == a.size() && right.size() == b.size()) result.pairs = pairsOf(a, b);
    if (left.size() < 2 || right.size() < 2) return result;
    result.hasInterval = true;
    Rng rng(20260301);
    std::vector<double> means(kResamples);
    for (double& mean : means)
        mean = result.pairs.empty() ? resampledMean(left, rng) - resampledMean(right, rng)
                                    : resampledMean(result.pairs, rng);
    std::ranges::sort(means);
    result.low = means[static_cast<std::size_t>(0.025 * kResamples)];
    result.high = means[static_cast<std::size_t>(0.975 * kResamples) - 1];
    return result;
}

IntervalPlot::IntervalPlot(QWidget* parent)
    : QWidget(parent),
      m_result(new QComboBox(this)),
      m_a(new NameBox(this)),
      m_b(new NameBox(this)),
      m_head(new QHBoxLayout),
      m_verdict(makeLabel({}, "name", this)),
      m_remark(makeLabel({}, "hint", this)) {
    setObjectName(QStringLiteral("intervalPlot"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(16, 4, 16, 8);
    layout->setSpacing(4);
    m_head->setSpacing(6);
    auto* what = new QHBoxLayout;
    what->addWidget(makeLabel(tr("Difference in"), "section", this));
    what->addWidget(m_result, 1);
    m_head->addLayout(what);
    auto* which = new QHBoxLayout;
    which->addWidget(m_a, 1);
    which->addWidget(makeLabel(tr("minus"), "label", this));
    which->addWidget(m_b, 1);
    for (QBoxLayout* part : {what, which}) part->setSpacing(6);
    m_head->addLayout(which, 1);
    layout->addLayout(m_head);
    layout->addSpacing(kPlotHeight);
    layout->addStretch(1);
    auto* foot = new QHBoxLayout;
    m_verdict->setObjectName(QStringLiteral("intervalVerdict"));
    m_verdict->setWordWrap(true);
    foot->addWidget(m_verdict, 1);
    foot->addWidget(m_remark, 0, Qt::AlignBottom);
    layout->addLayout(foot);
    m_result->setObjectName(QStringLiteral("intervalResult"));
    m_result->setAccessibleName(tr("Result that is compared"));
    m_a->setObjectName(QStringLiteral("intervalA"));
    m_a->setAccessibleName(tr("Setting A"));
    m_b->setObjectName(QStringLiteral("intervalB"));
    m_b->setAccessibleName(tr("Setting B"));
    for (QComboBox* box : {m_result, m_a, m_b}) {
        box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
        box->setMinimumContentsLength(8);
        connect(box, &QComboBox::activated, this, [this, box] {
            if (box == m_result)
                m_chosenKey = resultKey();
            else
                chooseResult();
            refresh();
            Q_EMIT viewChanged();
        });
    }
    setCompareSet({});
}

void IntervalPlot::setCompareSet(const CompareSet& set) {
    const QString a = m_a->currentText(), b = m_b->currentText();
    m_set = set;
    m_result->clear();
    for (const SheetColumn& column : set.sheet ? set.sheet->columns : std::vector<SheetColumn>())
        if (column.part == SheetPart::Result && column.kind == SheetKind::Number)
            m_result->addItem(plainSymbol(column.title), column.key);
    m_a->clear();
    m_b->clear();
    for (const Setting& setting : set.settings) {
        m_a->addItem(plainSymbol(setting.label));
        m_b->addItem(plainSymbol(setting.label));
    }
    m_a->setCurrentIndex(std::max(0, m_a->findText(a)));
    m_b->setCurrentIndex(m_b->findText(b));
    if (m_b->currentIndex() < 0 || m_b->currentIndex() == m_a->currentIndex())
        m_b->setCurrentIndex(m_a->currentIndex() == 0 ? std::min(1, m_b->count() - 1) : 0);
    chooseResult();
    refresh();
}

/// What somebody chose, else V_r or an error to exact, else the first one; of those that both
/// settings have.
void IntervalPlot::chooseResult() {
    QStringList keys{m_chosenKey, QStringLiteral("v_r"), QStringLiteral("error_v_h_e"),
                     QStringLiteral("error_pi_r")};
    for (int i = 0; i < m_result->count(); ++i) keys << m_result->itemData(i).toString();
    const auto isOfBoth = [this](const QString& key) {
        return !finiteOf(valuesOf(m_a->currentIndex(), key)).empty() &&
               !finiteOf(valuesOf(m_b->currentIndex(), key)).empty();
    };
    const auto found = std::ranges::find_if(keys, isOfBoth);
    m_result->setCurrentIndex(found == keys.end() ? 0 : m_result->findData(*found));
}

QString IntervalPlot::resultKey() const {
    return m_result->currentData().toString();
}

void IntervalPlot::setResultKey(const QString& key) {
    m_chosenKey = key;
    chooseResult();
    refresh();
}

QString IntervalPlot::heading() const {
    return tr("Difference in %1, %2 minus %3")
        .arg(m_result->currentText(), m_a->currentText(), m_b->currentText());
}

std::vector<SeededValue> IntervalPlot::valuesOf(int setting, const QString& key) const {
    std::vector<SeededValue> values;
    const SheetColumn* column = setting < 0 ? nullptr : m_set.sheet->column(key);
    if (column == nullptr || column->part != SheetPart::Result) return values;
    for (const int row : m_set.settings[static_cast<std::size_t>(setting)].rows)
        values.push_back({m_set.sheet->runs[static_cast<std::size_t>(row)].seed,
                          column->number[static_cast<std::size_t>(row)]});
    return values;
}

QString IntervalPlot::verdict() const {
    return m_verdict->text();
}

void IntervalPlot::refresh() {
    showVerdict();
    keepRoom();
    update();
}

/// The verdict may need several lines, and none of them lies over the plot.
void IntervalPlot::keepRoom() {
    // A view that has no place yet is as narrow as no window makes it.
    if (width() >= minimumSizeHint().width())
        setMinimumHeight(layout()->minimumHeightForWidth(width()));
}

void IntervalPlot::showVerdict() {
    m_interval.reset();
    m_remark->clear();
    const bool hasTwo = m_set.settings.size() >= 2 && m_a->currentIndex() != m_b->currentIndex();
    for (QWidget* box :
         {static_cast<QWidget*>(m_result), static_cast<QWidget*>(m_a), static_cast<QWidget*>(m_b)})
        box->setEnabled(m_set.settings.size() >= 2);
    if (!hasTwo) {
        m_verdict->setText(tr("Check runs of two settings to see their difference."));
        return;
    }
    const QString key = resultKey();
    const DifferenceInterval found =
        differenceInterval(valuesOf(m_a->currentIndex(), key), valuesOf(m_b->currentIndex(), key));
    if (found.numA == 0 || found.numB == 0) {
        m_verdict->setText(tr("A setting has no run with this result."));
        return;
    }
    m_interval = found;
    const QString a = m_a->currentText().toHtmlEscaped();
    const QString more = found.difference > 0 ? tr("higher") : tr("lower");
    const bool isEvery = std::ranges::all_of(
        found.pairs, [&](double d) { return d != 0 && (d > 0) == (found.difference > 0); });
    const QString numbers = tr("n = %1 and %2").arg(found.numA).arg(found.numB);
    if (found.difference == 0 && found.low == found.high)
        m_verdict->setText(tr("Both are equal."));
    else if (!found.hasInterval)
        m_verdict->setText(tr("%1 is %2; no interval from a single run.").arg(a, more));
    else if (isEvery && !found.pairs.empty())
        m_verdict->setText(tr("%1 is %2 in every seed.").arg(a, more));
    else
        m_verdict->setText(found.isSure() ? tr("%1 is %2.").arg(a, more)
                                          : tr("The interval contains 0: not sure."));
    const bool isFlat = found.hasInterval && found.low == found.high;
    m_remark->setText(isFlat ? tr("no spread over seeds, %1").arg(numbers)
                      : found.hasInterval
                          ? tr("95 % interval %1 to %2, bootstrap, %3")
                                .arg(valueText(found.low, 4), valueText(found.high, 4), numbers)
                          : numbers);
}

void IntervalPlot::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    m_head->setDirection(width() >= kWidthForOneLine ? QBoxLayout::LeftToRight
                                                     : QBoxLayout::TopToBottom);
    keepRoom();
}

void IntervalPlot::paintEvent(QPaintEvent*) {
    if (!m_interval) return;
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    paintInterval(painter, QRectF(20, m_a->geometry().bottom() + 8, width() - 40, kPlotHeight - 2),
                  currentTokens());
}

QJsonObject IntervalPlot::figureState() const {
    return {{QStringLiteral("result"), resultKey()},
            {QStringLiteral("a"), m_a->currentText()},
            {QStringLiteral("b"), m_b->currentText()}};
}

void IntervalPlot::restoreFigure(const QJsonObject& state) {
    const auto choose = [](QComboBox* box, int index) {
        if (index >= 0) box->setCurrentIndex(index);
    };
    choose(m_a, m_a->findText(state.value(QLatin1String("a")).toString()));
    choose(m_b, m_b->findText(state.value(QLatin1String("b")).toString()));
    setResultKey(state.value(QLatin1String("result")).toString());
}

void IntervalPlot::paintFigure(QPainter& painter, const FigurePage& page) {
    if (!m_interval) return;
    constexpr double kMargin = 16;
    const Tokens& t = *page.tokens;
    const DifferenceInterval& d = *m_interval;
    const QColor color = t.data[static_cast<std::size_t>(
        m_set.settings[static_cast<std::size_t>(m_a->currentIndex())].color % 8)];
    std::vector<FigureKey> keys{{FigureKey::Sign::Dot, color, tr("difference of the means")}};
    if (d.hasInterval)
        keys.push_back(
            {FigureKey::Sign::Box, mixed(t.canvas, color, 0.4), tr("95 % bootstrap interval")});
    if (!d.pairs.empty()) keys.push_back({FigureKey::Sign::Ring, color, tr("one seed")});
    keys.push_back({FigureKey::Sign::None, t.text2, m_verdict->text()});
    keys.push_back({FigureKey::Sign::None, t.text2, m_remark->text()});
    const double width = page.size.width() - 2 * kMargin;
    const double height = page.hasLegend ? figureKeysHeight(width, keys) + kMargin : kMargin;
    painter.setRenderHint(QPainter::Antialiasing);
    paintInterval(painter,
                  QRectF(kMargin, kMargin, width,
                         std::max(kPlotHeight - 2.0, page.size.height() - height - kMargin)),
                  t);
    if (page.hasLegend)
        paintFigureKeys(painter, QPointF(kMargin, page.size.height() - height + 4), width, keys, t);
}

void IntervalPlot::paintInterval(QPainter& painter, const QRectF& plot, const Tokens& t) const {
    const DifferenceInterval& d = *m_interval;
    double low = std::min({0.0, d.low, d.difference}), high = std::max({0.0, d.high, d.difference});
    for (const double pair : d.pairs) {
        low = std::min(low, pair);
        high = std::max(high, pair);
    }
    if (low == high) high = low + 1;
    const double margin = (high - low) * 0.12;
    low -= margin;
    high += margin;
    const auto at = [&](double v) { return plot.left() + (v - low) / (high - low) * plot.width(); };
    const double axis = plot.bottom() - 16, step = tickStep(high - low);
    painter.setFont(numberFont(10));
    for (double v = std::ceil(low / step) * step; v <= high; v += step) {
        const double x = std::round(at(v)) + 0.5;
        const bool isZero = std::abs(v) < step * 1e-6;
        painter.setPen(QPen(isZero ? t.text3 : t.chartGrid, isZero ? 1.5 : 1));
        painter.drawLine(QPointF(x, plot.top()), QPointF(x, axis));
        painter.setPen(t.text3);
        painter.drawText(
            QRectF(x - 40, axis + 2, 80, 14), Qt::AlignCenter,
            isZero ? QStringLiteral("0") : QString::number(v, 'g', 3).replace(u'-', u'−'));
    }
    const QColor color = t.data[static_cast<std::size_t>(
        m_set.settings[static_cast<std::size_t>(m_a->currentIndex())].color % 8)];
    const double y = plot.top() + 22;
    QColor band = color;
    band.setAlphaF(0.4f);
    painter.setPen(Qt::NoPen);
    painter.setBrush(band);
    if (d.hasInterval)
        painter.drawRoundedRect(QRectF(QPointF(at(d.low), y - 5), QPointF(at(d.high), y + 5)), 4,
                                4);
    painter.setBrush(color);
    painter.drawEllipse(QPointF(at(d.difference), y), 5, 5);
    painter.setBrush(t.panel);
    painter.setPen(QPen(color, 1.5));
    for (const double pair : d.pairs) painter.drawEllipse(QPointF(at(pair), y + 15), 3, 3);
    painter.setFont(numberFont(12));
    painter.setPen(t.text);
    painter.drawText(QRectF(at(d.difference) - 60, plot.top() - 2, 120, 16), Qt::AlignCenter,
                     valueText(d.difference, 4));
}

}  // namespace orrery
