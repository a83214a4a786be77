#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <QPointer>
#include <QTimer>
#include <QWidget>
#include <vector>

namespace orrery {

/// When the live views of a training are drawn: at most so often a second as somebody wants, and
/// only while one of them can be seen. At 0 Hz they stand still while the training goes on. GUI
/// thread only.
class ViewClock : public QObject {
    Q_OBJECT

public:
    static constexpr int kMostHertz = 60, kUsualHertz = 30;

    explicit ViewClock(QObject* parent = nullptr);

    int rate() const { return m_rate; }
    void setRate(int hertz);  ///< in [0, kMostHertz]
    bool isFrozen() const { return m_rate == 0; }
    /// A view that is drawn when due() is told. It is drawn anew when it is shown, too.
    void addView(QWidget* view);
    /// Whether one of the views can be seen: it is open, and its window is not minimised.
    bool isWatched() const;
    /// The least time between two moments that are worth to be told of, in ms.
    int pauseMs() const;

    /// There is something new to draw.
    void request();
    /// Draws what came since, frozen or not: another training is shown.
    void drawNow();
    /// Times a second that views were drawn, over the last second.
    double drawnRate() const;

Q_SIGNALS:
    void due();
    void rateChanged();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void tell();

    int m_rate = kUsualHertz;
    QTimer m_timer;
    QElapsedTimer m_clock;
    qint64 m_lastMs = 0;            ///< when views were drawn at last
    std::vector<qint64> m_drawnMs;  ///< moments of the last second
    bool m_isDue = false;
    std::vector<QPointer<QWidget>> m_views;
};

}  // namespace orrery
