#pragma once

#include <QJsonObject>
#include <QPointF>
#include <QWidget>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "widgets/common/draws_figure.h"
#include "widgets/common/painted_view.h"
#include "widgets/dag/canvas_graph.h"
#include "widgets/dag/edge_rule.h"

class QTimer;
class QVariantAnimation;

namespace orrery {

class BackgroundWorker;
class CardPictures;
class PlanSession;
struct StateItem;
class Solution;
struct Tokens;

/// The states around the current one as cards joined by edges: predecessors left, successors right,
/// further ones as they are opened. Draws, moves and listens; StateView puts the controls around.
///
/// Mouse: a press makes a state current, a double click opens or closes its neighbours, wheel
/// zooms, dragging pans, the pointer's state is the selection's hover. Keys: arrows move the
/// highlight, Enter follows it, E opens or closes its neighbours (with Shift on the other side),
/// + and - zoom, 0 fits, C goes back to the current state alone.
class StateCanvas : public PaintedWidget {
    Q_OBJECT

public:
    static constexpr int kCardWidth = 134, kCardHeight = 100;
    /// Edges drawn at once, the most probable first; StateView says so where there are more.
    static constexpr std::size_t kMaxDrawnEdges = 10'000;

    explicit StateCanvas(PlanSession* session, QWidget* parent = nullptr);
    ~StateCanvas() override;

    void setRule(EdgeRule rule);
    EdgeRule rule() const { return m_rule; }
    /// Opens everything within some hops of the current state, on both sides.
    void showHops(int hops);
    /// Forgets what was opened: the current state and its neighbours.
    void restart();
    /// Opens all neighbours of a state, or closes them if they are all open.
    void toggle(State state, bool isForward);
    /// Shows the states of a path too, each as a successor of the one before.
    void showPath(const std::vector<WeightedState>& path);
    void zoomToFit();
    void zoomBy(double factor, const QPointF& fixed);

    const CanvasGraph& graph() const { return m_graph; }
    std::int64_t numStates() const { return m_numStates; }  ///< of the whole graph
    std::optional<State> highlighted() const { return m_highlighted; }
    QRectF cardRect(int node) const;  ///< in the widget
    /// What is shown and from where it is looked at. Nodes and edges are kept as they are, so that
    /// the picture does not depend on the order in which they were opened.
    QJsonObject saveShown() const;
    /// Shows that. The part of it that is no state of the present solution is left out.
    void restoreShown(const QJsonObject& shown);
    /// Draws the shown part on paper, without hover.
    void paintFigure(QPainter& painter, const FigurePage& page);
    double zoom() const { return m_zoom; }
    bool isWorking() const;
    bool isMoving() const;

    QSize sizeHint() const override { return QSize(560, 460); }
    QSize minimumSizeHint() const override { return QSize(280, 200); }

    std::vector<NamedSpot> namedSpots() const override;
    QString tipAt(const QPoint& point) const override;
    QJsonObject spotFacts() const override;

Q_SIGNALS:
    /// Other nodes or another current state are shown.
    void shown();
    void failed(const QString& text);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    std::optional<State> current() const;
    void refreshSolution();
    void refreshState();
    /// Whether all is brought into view: IfUntouched, if nobody moved the picture since it was.
    enum class Fit { No, IfUntouched, Yes };
    void requestNearest(State centre, Fit fit);
    void request(State centre, const NeighbourhoodSpec& spec, Fit fit);
    void take(const Neighbourhood& neighbourhood, Fit fit);
    void afterChange();
    StateItem itemOf(State state) const;
    void makeCurrent(State state);
    void follow();
    void highlightLikeliest();
    void highlightSideways(bool isForward);
    void highlightInColumn(int direction);
    void reveal(int node, bool withNeighbours = false);
    void restartPictures();
    void setZoom(double zoom);
    int numReadableRows() const;
    QRectF placeAround(const CanvasNode& node) const;
    QRectF placeOfNeighbours(int node) const;
    void setHoverState(std::optional<State> state);
    std::optional<int> nodeAt(const QPointF& point) const;
    QPointF toWidget(const QPointF& place) const;
    QPointF placeOf(int node) const;  ///< while it moves
    QString tipOf(State state) const;
    const std::vector<QPoint>& changedIn(int node);

    QRectF area() const;
    void paintGraph(QPainter& painter, const Tokens& t);
    /// The part of the graph that is seen, in places of nodes.
    QRectF seenPart() const;
    void paintEdges(QPainter& painter, const Tokens& t) const;
    void paintDots(QPainter& painter, const Tokens& t) const;
    void paintEdge(QPainter& painter, const Tokens& t, const CanvasEdge& edge) const;
    void paintEdgeLabel(QPainter& painter, const Tokens& t, const CanvasEdge& edge) const;
    void paintStubs(QPainter& painter, const Tokens& t, int node) const;
    void paintCard(QPainter& painter, const Tokens& t, int node);
    void paintCardText(QPainter& painter, const Tokens& t, int node, double top) const;
    void paintChanges(QPainter& painter, const Tokens& t, int node, const QRectF& picture);
    void paintEmpty(QPainter& painter, const Tokens& t) const;
    void paintSkeleton(QPainter& painter, const Tokens& t) const;
    /// Indices of the edges that are drawn now, with labels and curves, and as plain lines.
    void chooseEdges();
    bool isStrong(const CanvasEdge& edge) const;
    // Paper is looked at more closely than a screen.
    bool isDetailed() const { return m_zoom >= (m_figure ? 0.25 : 0.45); }
    bool hasText() const { return m_zoom >= (m_figure ? 0.4 : 0.65); }

    PlanSession* m_session;
    std::shared_ptr<const Solution> m_solution;
    BackgroundWorker* m_worker;
    CardPictures* m_pictures;
    EdgeRule m_rule = EdgeRule::Policies;
    CanvasGraph m_graph;
    std::int64_t m_numStates = 0;
    std::optional<State> m_highlighted;
    /// Cells that differ from the parent's, by node; emptied when the nodes change.
    std::map<int, std::vector<QPoint>> m_changed;
    std::vector<int> m_edgeOrder;        ///< all edges, the most probable first
    std::vector<QRectF> m_cards;         ///< [nodes] while painting: where they are
    std::vector<int> m_curves, m_lines;  ///< edges to draw while painting
    double m_zoom = 1;
    bool m_isTouched = false;  ///< somebody zoomed or panned since zoomToFit
    bool m_isNearest = false;  ///< shows what restart() opened, nothing else
    int m_rows = 0;            ///< neighbours on a side that restart() asked for
    double m_pictureScale = 1;
    QPointF m_centre;                  ///< place in the middle of the widget
    std::vector<QPointF> m_movesFrom;  ///< [nodes] empty: nothing moves
    QVariantAnimation* m_motion;
    QTimer* m_patience;  ///< runs out when an answer is slow
    bool m_isSlow = false;
    std::optional<QPointF> m_dragFrom;
    bool m_wasDragged = false;
    bool m_isPicking = false;            ///< the change of the current state came from here
    std::optional<FigurePage> m_figure;  ///< while a figure is drawn
};

}  // namespace orrery
