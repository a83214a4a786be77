#pragma once

#include <QWidget>
#include <optional>
#include <span>
#include <vector>

#include "widgets/common/draws_figure.h"
#include "widgets/compare/compare_set.h"

class QBoxLayout;
class QComboBox;
class QLabel;

namespace orrery {

struct Tokens;

/// The difference of two groups' means and its uncertainty.
struct DifferenceInterval {
    double difference = 0;      ///< mean of A minus mean of B
    double low = 0, high = 0;   ///< 95 % bootstrap interval; both equal the difference if n < 2
    std::vector<double> pairs;  ///< A minus B at each common seed; empty if the seeds differ
    int numA = 0, numB = 0;     ///< members with a value
    bool hasInterval = false;   ///< both groups have two members or more
    /// True if the interval lies on one side of zero.
    bool isSure() const { return hasInterval && (low > 0 || high < 0); }
};

/// One member of a group.
struct SeededValue {
    std::uint64_t seed = 0;
    double value = 0;  ///< NaN: none
};

/// Bootstrap over pairs where both groups have the same seeds once each, else over both groups
/// apart. 10,000 resamples with fixed random numbers: equal values give equal intervals.
DifferenceInterval differenceInterval(std::span<const SeededValue> a,
                                      std::span<const SeededValue> b);

/// "Difference in V_r, A minus B" as a dot with its interval about a real zero, and a sentence that
/// says whether the difference is sure.
class IntervalPlot : public QWidget, public DrawsFigure {
    Q_OBJECT

public:
    explicit IntervalPlot(QWidget* parent = nullptr);

    void setCompareSet(const CompareSet& set);
    const std::optional<DifferenceInterval>& interval() const { return m_interval; }
    QString verdict() const;
    QString resultKey() const;
    /// What somebody chose; shown wherever both settings have it.
    const QString& chosenKey() const { return m_chosenKey; }
    void setResultKey(const QString& key);
    /// The heading in words: "Difference in V_r, beta_r 5 minus beta_r 2".
    QString heading() const;

    QString figureId() const override { return QStringLiteral("interval"); }
    QString figureName() const override { return tr("Difference of two settings"); }
    QString figureTitle() const override { return m_interval ? heading() : QString(); }
    QSizeF figureSize() const override { return QSizeF(420, 160); }
    bool hasFigure() const override { return m_interval.has_value(); }
    QJsonObject figureState() const override;
    void restoreFigure(const QJsonObject& state) override;
    void paintFigure(QPainter& painter, const FigurePage& page) override;

Q_SIGNALS:
    void viewChanged();

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    QSize sizeHint() const override { return QSize(420, 165); }
    QSize minimumSizeHint() const override { return QSize(280, 165); }

private:
    void refresh();
    void showVerdict();
    void keepRoom();
    void chooseResult();
    void paintInterval(QPainter& painter, const QRectF& plot, const Tokens& t) const;
    std::vector<SeededValue> valuesOf(int setting, const QString& key) const;

    CompareSet m_set;
    QComboBox* m_result;
    QComboBox* m_a;
    QComboBox* m_b;
    QBoxLayout* m_head;  ///< the result and the settings, in one line or two
    QLabel* m_verdict;
    QLabel* m_remark;
    QString m_chosenKey;
    std::optional<DifferenceInterval> m_interval;
};

}  // namespace orrery
