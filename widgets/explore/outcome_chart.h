#pragma once

#include <QHash>
#include <QString>
#include <QStringList>
#include <QWidget>
#include <optional>
#include <vector>

#include "core/base/run_state.h"

class QComboBox;
class QLabel;

namespace orrery {

class Chart;

/// What came out of runs that differ in one or two parameters.
struct OutcomeTable {
    struct Run {
        QString id;             ///< may be empty
        QStringList texts;      ///< [axis] the parameter's value as written
        QList<double> numbers;  ///< [axis] NaN where that is no number
        QHash<QString, double> results;
        std::optional<RunState> state = {};  ///< why there may be no result
        bool operator==(const Run&) const = default;
    };
    struct Result {
        QString key, title;  ///< "v_r", "V_r"
        bool operator==(const Result&) const = default;
    };
    QStringList axes;  ///< keys of the parameters, at most two
    std::vector<Result> results;
    std::vector<Run> runs;
    bool operator==(const OutcomeTable&) const = default;
};

/// A result against a parameter; with a second parameter one line for each of its values.
class OutcomeChart : public QWidget {
    Q_OBJECT

public:
    explicit OutcomeChart(QWidget* parent = nullptr);

    void setTable(const OutcomeTable& table);
    /// Why there is nothing to draw, in place of a table.
    void setNothing(const QString& why);
    const OutcomeTable& table() const { return m_table; }

    Chart* chart() { return m_chart; }
    QString resultKey() const;
    void setResultKey(const QString& key);
    /// The parameter along x.
    QString axisKey() const;
    void setAxisKey(const QString& key);

private:
    void refreshBoxes();
    void draw();
    void addLine(int axis, const QString& other, int color);

    OutcomeTable m_table;
    QString m_nothing;
    QComboBox* m_results;
    QComboBox* m_axes;
    QLabel* m_remark;
    Chart* m_chart;
};

}  // namespace orrery
