#pragma once

#include <QWidget>
#include <optional>

#include "widgets/common/painted_view.h"
#include "widgets/world/world_editor.h"
#include "widgets/world/world_painter.h"

namespace orrery {

class PlanSession;

/// The world's map for editing. The editor's tool works where the mouse presses or drags, or at the
/// cursor by Space or Enter; arrows move the cursor, Delete empties its cell, T turns what is
/// there, Escape gives up a drag. Letters S P D F E G M choose tools, X and Y mirror what is
/// painted. Ctrl+C, Ctrl+X and Ctrl+V work on the marked cells, else on the cursor's. Wheel: zoom.
class EditView : public PaintedWidget {
    Q_OBJECT

public:
    EditView(PlanSession* session, WorldEditor* editor, QWidget* parent = nullptr);

    WorldLayout worldLayout() const;
    const WorldScene& scene() const { return m_scene; }
    void zoomBy(double factor);
    void zoomToFit();

    /// The cell that keys work on.
    QPoint cursorCell() const { return m_cursor.value_or(QPoint(0, 0)); }
    /// The marked cells, else the cursor's.
    QRect markedCells() const;
    void copyCells() const;
    void cutCells();
    /// Puts what was copied with its left upper cell at the marked cells' or the cursor.
    void pasteCells();

    QSize sizeHint() const override { return QSize(640, 480); }
    QSize minimumSizeHint() const override { return QSize(240, 180); }

    std::vector<NamedSpot> namedSpots() const override;

Q_SIGNALS:
    /// Escape without a drag: the person wants to leave.
    void left();

protected:
    void paintEvent(QPaintEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool event(QEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;

private:
    void mark(const std::optional<QRect>& cells);
    void erase(const QRect& cells);
    bool useClipboard(const QKeyEvent& event);
    void paintAids(QPainter& painter, const WorldLayout& layout) const;
    void refreshMap();
    void refreshMarks();
    void begin(const QPoint& cell);
    void dragTo(const QPoint& cell);
    void finish();
    void giveUp();
    void finishRectangle(const QRect& cells);
    void turn(const QPoint& cell);
    void setCursorCell(const QPoint& cell);
    bool chooseTool(int key);

    PlanSession* m_session;
    WorldEditor* m_editor;
    WorldScene m_scene;
    std::optional<QPoint> m_cursor;
    std::optional<QRect> m_marked;
    std::optional<QPoint> m_from;  ///< where the drag began
    QPoint m_to;
    bool m_isStale = false;        ///< nobody looks, and the map has changed
    std::vector<QPoint> m_stroke;  ///< cells that Paint or Erase passed
    double m_zoom = 1;
};

}  // namespace orrery
