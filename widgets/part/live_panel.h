#pragma once

#include <QWidget>
#include <array>

class QLabel;
class QPushButton;

namespace orrery {

class LiveRun;
class LiveRuns;
class RowList;
class Workbench;

/// The runs of a window that are at work, then those that wait in the order of their turns: each
/// can be shown, paused, ended; those that wait can be moved. GUI thread only.
class LivePanel : public QWidget {
    Q_OBJECT

public:
    explicit LivePanel(Workbench* bench, QWidget* parent = nullptr);

protected:
    void showEvent(QShowEvent* event) override;

private:
    enum Button { kShow, kPause, kEnd, kEarlier, kLater, kNumButtons };
    void refresh();
    void press(Button button);
    LiveRun* current() const;
    void refreshButtons();

    Workbench* m_bench;
    LiveRuns* m_runs;
    RowList* m_list;
    QLabel* m_empty;
    std::array<QPushButton*, kNumButtons> m_buttons{};
    int m_current = 0;  ///< number of the run; 0: none
};

}  // namespace orrery
