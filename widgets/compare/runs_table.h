#pragma once

#include <QJsonObject>
#include <QSet>
#include <QStringList>
#include <QWidget>
#include <memory>
#include <optional>
#include <vector>

#include "widgets/compare/run_filter_text.h"
#include "widgets/compare/run_table_model.h"

class QAction;
class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QTableView;
class QTimer;

namespace orrery {

class ChipRow;
class MessageStrip;
class SymbolHeader;

/// The runs of a workspace as a table with its filter: 10^4 runs and more. The bar with the filter
/// stands apart, so that a view puts it where it likes.
///
/// Enter or a double click opens a run, F2 edits name, note or tags, Space checks, Delete puts into
/// the trash. Knows no workspace: what a person does is told by signals.
class RunsTable : public QWidget {
    Q_OBJECT

public:
    explicit RunsTable(QWidget* parent = nullptr);

    /// Filter, chips, grouping, columns and trash; belongs to this table until it is put elsewhere.
    QWidget* bar() { return m_bar; }
    QTableView* view() { return m_view; }
    RunTableModel* model() { return &m_model; }
    QLineEdit* filterEdit() { return m_filter; }

    void setSheet(std::shared_ptr<const RunSheet> sheet);
    void setChecked(const QSet<QString>& runIds) { m_model.setChecked(runIds); }
    void setCurrent(const QString& runId);
    void setColors(const QHash<int, int>& colorOfRow) { m_model.setColors(colorOfRow); }

    void setFilter(const QString& text);
    void setChips(const QStringList& chips);
    const QStringList& chips() const;
    /// Replaces the chips that bound a number: "beta_r >= 2", "beta_r <= 5"; none without a range.
    void setRange(const QString& key, std::optional<std::pair<double, double>> range);
    void setGroup(const QString& key);
    void setTrashShown(bool isShown);

    /// Ids of the selected lines' runs; the current one's if no line is selected.
    QStringList selectedRuns() const;
    int numHidden() const { return m_numHidden; }
    QString problemText() const;
    /// Milliseconds that the last filtering took, the table's new lines included.
    double filterTime() const { return m_filterTime; }

    QJsonObject saveState() const;
    void restoreState(const QJsonObject& state);

Q_SIGNALS:
    void checkedByPerson(const QSet<QString>& runIds);
    void hovered(const QString& runId);  ///< empty: none
    void picked(const QString& runId);   ///< made current by press or keys
    void opened(const QString& runId);
    void exportRequested(const QString& runId);
    void edited(const QString& runId, const QString& key, const QString& text);
    void trashRequested(const QStringList& runIds);
    /// The setting of a run is to be drawn in another colour of the palette.
    void colorChosen(const QString& runId, int color);
    void restoreRequested(const QStringList& runIds);
    void deleteRequested(const QStringList& runIds);
    void shownChanged();  ///< rows, filter, grouping or columns

protected:
    void changeEvent(QEvent* event) override;
    bool eventFilter(QObject* object, QEvent* event) override;

private:
    void buildBar();
    void buildTable();
    void refilter();
    void showHidden(const std::vector<std::vector<char>>& holds,
                    const std::vector<int>& candidates);
    void showFound();
    void showProblem();
    void acceptFilter();
    void refreshColumns();
    void refreshGroups();
    void refreshHeader();
    QStringList automaticColumns() const;
    void showColumnMenu();
    void showContextMenu(const QPoint& at);
    /// Opens the editor of a run's name, tags or note; shows its column first if it is hidden.
    void editCurrent(const QString& key);
    void selectionMoved();

    RunTableModel m_model;
    QWidget* m_bar;
    QLineEdit* m_filter;
    QAction* m_funnel = nullptr;
    QLabel* m_problem;
    ChipRow* m_chips;
    QComboBox* m_group;
    QPushButton* m_columnButton;
    QPushButton* m_trashButton;
    QTableView* m_view;
    SymbolHeader* m_header;
    MessageStrip* m_strip;
    QLabel* m_empty;
    QTimer* m_pause;  ///< after the last key, before a problem is shown
    std::optional<FilterError> m_wrong;
    QStringList m_chosenColumns;  ///< empty: chosen by the program
    QString m_wantedGroup;        ///< restored before its column is there
    QStringList m_hiders;  ///< chips whose removal shows hidden runs; empty: the whole filter
    bool m_isTrash = false;
    bool m_isMoving = false;  ///< the table follows, not a person
    int m_numHidden = 0;
    double m_filterTime = 0;
};

}  // namespace orrery
