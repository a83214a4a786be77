#pragma once

#include <QWidget>
#include <memory>
#include <optional>

#include "core/dag/paths.h"

class QComboBox;
class QLabel;
class QPushButton;

namespace orrery {

class BackgroundWorker;
class MessageStrip;
class PathChart;
class PlanSession;
class RowList;
class Solution;

/// A path through the states as a chart of V_r and a list: the most probable one from the current
/// state under the policies, or the shortest one to the selected set of states.
class PathList : public QWidget {
    Q_OBJECT

public:
    enum class Kind { MostProbable, ShortestFromHere, ShortestFromStart };

    explicit PathList(PlanSession* session, QWidget* parent = nullptr);
    ~PathList() override;

    void setKind(Kind kind);
    const StatePath& path() const { return m_path; }
    bool isWorking() const;

Q_SIGNALS:
    /// Another path is shown, perhaps an empty one.
    void shown();
    /// The person wants to see the path in the graph.
    void wantedInGraph();

private:
    struct Found {
        std::optional<StatePath> path;
        QString remark;  ///< why there is none, or what it is worth
    };
    void request();
    void take(const Found& found);
    void refreshCurrent();
    void goTo(int row);

    PlanSession* m_session;
    BackgroundWorker* m_worker;
    Kind m_kind = Kind::MostProbable;
    StatePath m_path;
    std::shared_ptr<const Solution> m_solution;
    QComboBox* m_kinds;
    QLabel *m_probability, *m_remark;
    PathChart* m_chart;
    QPushButton* m_inGraph;
    RowList* m_list;
    MessageStrip* m_message;
    bool m_isPicking = false;  ///< the change of the current state came from here
};

}  // namespace orrery
