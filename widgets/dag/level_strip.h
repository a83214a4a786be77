#pragma once

#include <QWidget>
#include <cstdint>
#include <vector>

namespace orrery {

class PlanSession;
struct SolveSnapshot;

/// The sizes of the levels from first to last step as bars, the current one framed. A click selects
/// a level. While a solve is at work its finished levels are filled, the others hollow.
class LevelStrip : public QWidget {
    Q_OBJECT

public:
    explicit LevelStrip(PlanSession* session, QWidget* parent = nullptr);

    /// Shows how far a solve is.
    void showProgress(const SolveSnapshot& snapshot);
    /// Back to the solution that is open, if any.
    void showSolution();

    const std::vector<std::int64_t>& sizes() const { return m_sizes; }
    /// The rectangle of a level's column.
    QRectF columnRect(int step) const;
    QSize sizeHint() const override { return QSize(400, 84); }

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    int stepAt(const QPointF& point) const;

    PlanSession* m_session;
    std::vector<std::int64_t> m_sizes;  ///< [L] states of each step
    std::vector<bool> m_isDone;         ///< [L] solved
};

}  // namespace orrery
