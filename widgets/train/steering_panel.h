#pragma once

#include <QHash>
#include <QScrollArea>
#include <QStringList>
#include <optional>
#include <vector>

#include "core/run/run_kind.h"

class QCheckBox;
class QComboBox;
class QGridLayout;
class QLabel;
class QLineEdit;
class QPushButton;
class QVBoxLayout;

namespace orrery {

class FieldSlider;
class RowList;
class TrainSession;

/// What can be changed while a training runs: a slider and a field for each live parameter, the
/// actors' pauses, the structure that stays and the way to fork it, the log of changes, and when to
/// stop. A change is applied at the end of a training step; until then its name is marked.
class SteeringPanel : public QScrollArea {
    Q_OBJECT

public:
    explicit SteeringPanel(TrainSession* session, QWidget* parent = nullptr);

Q_SIGNALS:
    /// Open the form with this run's parameters; the focus goes to a field, or to none.
    void forkRequested(const QString& field);

private:
    struct Row {
        const RunField* known;
        QString field;
        FieldSlider* number;
        QLabel* note;
        QString tip;
    };

    /// One condition of the run's end: its field is "none" where the box is not checked.
    struct StopRow {
        QString field;
        bool needsMetric;
        QCheckBox* check;
        QLineEdit* edit;
        QLabel* note;
    };

    void makePage();
    void makeRows(QVBoxLayout* column, QWidget* page);
    void makeRow(const RunField& known, QVBoxLayout* column, QWidget* page);
    void makeLowerParts();
    void makeStructure(QVBoxLayout* column, QWidget* page);
    void makeLog(QVBoxLayout* column, QWidget* page);
    void makeStops(QVBoxLayout* column, QWidget* page);
    void makeStop(QGridLayout* grid, const char* name, const QString& text, bool needsMetric);
    void makeStopMetric(QGridLayout* grid);
    void startAnew();
    void refresh();
    void refreshRow(const Row& row);
    const FieldNeed* unmetNeedOf(const Row& row) const;
    void refreshNote(QLabel* note, const QString& field, bool isShown);
    void refreshStops();
    void refreshStop(const StopRow& row);
    void refreshMetrics();
    void refreshActors();
    void refreshStructure();
    void refreshLog();
    void suggestStops();
    void takeStop(const StopRow& row);
    void takeStopMetric();
    QString wished(const QString& field) const;
    std::optional<double> rateNow(const QString& field) const;

    TrainSession* m_session;
    const RunKind* m_kind = nullptr;  ///< whose fields the rows are
    std::vector<Row> m_rows;
    QLabel* m_hint = nullptr;
    QWidget* m_actorPart = nullptr;
    QGridLayout* m_actors = nullptr;
    std::vector<QPushButton*> m_actorButtons;
    QHash<QString, QLabel*> m_structure;  ///< values by field
    // Null until the lower parts are made.
    QPushButton* m_fork = nullptr;
    QLabel* m_logCount = nullptr;
    RowList* m_log = nullptr;
    std::vector<StopRow> m_stops;
    QComboBox* m_stopMetric = nullptr;
    QLabel* m_stopMetricNote = nullptr;
};

}  // namespace orrery
