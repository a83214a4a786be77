#pragma once

#include <QJsonObject>
#include <QTableView>
#include <QWidget>

#include "widgets/common/draws_figure.h"
#include "widgets/explore/outcome_heat_model.h"

class QComboBox;
class QLabel;
class QPushButton;

namespace orrery {

/// The cells of the heat table: a number on the colour of its value, hatched where there is none.
class OutcomeHeatTable : public QTableView {
    Q_OBJECT

public:
    explicit OutcomeHeatTable(OutcomeHeatModel* model, QWidget* parent = nullptr);

Q_SIGNALS:
    void hovered(const QString& runId);  ///< empty: none
    void picked(const QString& runId);   ///< by mouse or keys
    void opened(const QString& runId);

protected:
    void currentChanged(const QModelIndex& current, const QModelIndex& previous) override;
    void keyPressEvent(QKeyEvent* event) override;
    void leaveEvent(QEvent* event) override;

private:
    const OutcomeHeatModel* heatModel() const;
    QString runAt(const QModelIndex& index) const;
};

/// A result against two parameters as a table whose cells have the colours of a bar. The table is
/// its own twin; Ctrl+C copies all of it as TSV. It opens and selects nothing itself.
class OutcomeHeat : public QWidget, public DrawsFigure {
    Q_OBJECT

public:
    explicit OutcomeHeat(QWidget* parent = nullptr);

    void setTable(const OutcomeTable& table);
    /// Why there is nothing to show, in place of a table.
    void setNothing(const QString& why);
    /// Marks the cell of a run as the current one, without telling so; empty: none.
    void setCurrentRun(const QString& runId);

    OutcomeHeatModel* model() { return &m_model; }
    OutcomeHeatTable* view() { return m_view; }
    QString resultKey() const;
    void setResultKey(const QString& key);
    bool isTurned() const { return m_isTurned; }
    void setTurned(bool isTurned);

    QString figureId() const override { return QStringLiteral("outcomeHeat"); }
    QString figureName() const override { return tr("Outcome by two parameters"); }
    QString figureTitle() const override;
    QSizeF figureSize() const override;
    bool hasFigure() const override { return m_model.rowCount() > 0; }
    QJsonObject figureState() const override;
    void restoreFigure(const QJsonObject& state) override;
    void paintFigure(QPainter& painter, const FigurePage& page) override;

private:
    void refreshBoxes();
    void refresh();

    OutcomeTable m_table;
    OutcomeHeatModel m_model;
    QString m_nothing, m_currentRun, m_wantedResult;
    bool m_isTurned = false;
    QComboBox* m_results;
    QPushButton* m_turn;
    QLabel* m_remark;
    QLabel* m_empty;
    OutcomeHeatTable* m_view;
    QWidget* m_bar;
};

}  // namespace orrery
