#pragma once

#include <QWidget>
#include <vector>

class QHBoxLayout;
class QToolButton;

namespace orrery {

class LiveRun;
class LiveRuns;

/// The runs of a window at its foot, one chip each, where there are several: a click shows one.
/// As many as there is room for. GUI thread only.
class LiveStrip : public QWidget {
    Q_OBJECT

public:
    /// @param runs    outlives the strip
    /// @param parent  the window
    LiveStrip(LiveRuns* runs, QWidget* parent);

    /// Needs no chip while it is the only one; 0: none.
    void setShown(int number);
    /// How far they are now.
    void refresh();
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

Q_SIGNALS:
    void wanted(int number);
    void listWanted();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void resizeEvent(QResizeEvent*) override;

private:
    void fit();
    std::size_t numFitting(int width) const;
    int widthOf(std::size_t numChips) const;
    QString restText(std::size_t numChips) const;
    bool isTold(const LiveRun& run) const;
    void showRun(QToolButton& chip, const LiveRun& run) const;

    LiveRuns* m_runs;
    int m_shown = 0;
    QHBoxLayout* m_row;
    std::vector<QToolButton*> m_chips;
    QToolButton* m_more = nullptr;  ///< for those that have no room
};

}  // namespace orrery
