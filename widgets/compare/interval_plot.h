#pragma once

#include <QWidget>
#include <optional>
#include <span>
#include <vector>

#include "widgets/compare/compare_set.h"

class QComboBox;
class QLabel;

namespace orrery {

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
class IntervalPlot : public QWidget {
    Q_OBJECT

public:
    explicit IntervalPlot(QWidget* parent = nullptr);

    void setCompareSet(const CompareSet& set);
    const std::optional<DifferenceInterval>& interval() const { return m_interval; }
    QString verdict() const;
    QString resultKey() const;
    void setResultKey(const QString& key);
    /// The heading in words: "Difference in V_r, beta_r 5 minus beta_r 2".
    QString heading() const;

Q_SIGNALS:
    void viewChanged();

protected:
    void paintEvent(QPaintEvent* event) override;
    QSize sizeHint() const override { return QSize(420, 150); }
    QSize minimumSizeHint() const override { return QSize(300, 140); }

private:
    void refresh();
    std::vector<SeededValue> valuesOf(int setting) const;

    CompareSet m_set;
    QComboBox* m_result;
    QComboBox* m_a;
    QComboBox* m_b;
    QLabel* m_verdict;
    QLabel* m_remark;
    std::optional<DifferenceInterval> m_interval;
};

}  // namespace orrery
