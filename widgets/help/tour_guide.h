#pragma once

#include <QObject>
#include <QPointer>
#include <functional>
#include <optional>

#include "widgets/help/tour.h"

class QPushButton;
class QWidget;

namespace orrery {

class Callout;
class MessageStrip;

/// Leads through a tour beside the person's own work: it shows a step, waits until the person has
/// done what it asks, and goes on. Next goes on without doing anything; Escape or End ends.
class TourGuide : public QObject {
    Q_OBJECT

public:
    explicit TourGuide(QWidget* window);
    ~TourGuide() override;

    void start(const Tour& tour);
    void end();
    bool isRunning() const { return m_tour.has_value(); }
    /// From 0; -1 while none runs.
    int step() const { return m_tour ? m_step : -1; }

    /// Something was done: "solved", "state", "command:world.step". Ends the step that waits for
    /// it.
    void note(const QString& deed);

    /// One remark over the foot of a part of the window, with a button that closes it for good; not
    /// beside a tour.
    void showHint(const QString& text, QWidget* area);
    /// What it says is no longer so.
    void takeHintAway();
    /// As by its button.
    void closeHint();
    bool isHinting() const { return !m_hint.isNull(); }

    bool eventFilter(QObject* watched, QEvent* event) override;

Q_SIGNALS:
    void ended(const QString& id);
    void hintClosed();
    /// A step needs another perspective than the one shown.
    void perspectiveNeeded(const QString& perspective);

private:
    void showStep(int step);
    const TourStep& current() const { return m_tour->steps[static_cast<std::size_t>(m_step)]; }

    QWidget* m_window;
    std::optional<Tour> m_tour;
    int m_step = 0;
    QPointer<Callout> m_callout;
    QPushButton* m_back = nullptr;
    QPushButton* m_next = nullptr;
    QPointer<MessageStrip> m_hint;
};

}  // namespace orrery
