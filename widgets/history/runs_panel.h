#pragma once

#include <QWidget>
#include <map>
#include <string>
#include <vector>

#include "core/history/records.h"

class QLabel;
class QLineEdit;

namespace orrery {

class RowList;
class Selection;

/// The runs of the workspace, newest first, with a filter. A double click or Enter reopens one.
class RunsPanel : public QWidget {
    Q_OBJECT

public:
    explicit RunsPanel(Selection* selection, QWidget* parent = nullptr);

    /// @param runSeconds  what runs took, by their ids
    void setRuns(const std::vector<RunRecord>& runs,
                 const std::map<std::string, double>& runSeconds = {});
    /// Why no runs can be shown, until setRuns(). From the start: that they are being read.
    void setNoRuns(const QString& text);
    /// A line that says where the workspace is, or why there is none.
    void setPlace(const QString& text);

Q_SIGNALS:
    void reopenRequested(const QString& runId);

private:
    void refresh();

    Selection* m_selection;
    std::vector<RunRecord> m_runs;
    std::map<std::string, double> m_runSeconds;
    std::vector<std::size_t> m_shown;  ///< indices into m_runs
    QLabel* m_count = nullptr;
    QLineEdit* m_filter;
    RowList* m_list;
    QLabel* m_empty;
    QLabel* m_place;
    QString m_whyNone;  ///< in place of a list that was not read
};

}  // namespace orrery
