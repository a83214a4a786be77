#pragma once

#include <QElapsedTimer>
#include <QJsonObject>
#include <QPointer>
#include <QTimer>
#include <QWidget>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "widgets/common/draws_figure.h"
#include "widgets/common/painted_view.h"
#include "widgets/plots/chart_content.h"
#include "widgets/plots/chart_statistics.h"
#include "widgets/plots/chart_view.h"

class QFrame;
class QLabel;
class QMenu;
class QPushButton;
class QToolButton;

namespace orrery {

class CellTable;
class ChartReadout;
class ChartScene;
class ChartTableModel;
struct DataSpec;

/// A chart of up to some 10^7 points: one card with title, legend, plot and footer.
///
/// Drag pans, Ctrl+wheel zooms x at the pointer (y over the y axis), Shift+drag zooms into a
/// rectangle; F, a double click or the button in the corner of a zoomed plot fits. Left and Right
/// move the crosshair (Shift: ten columns), A and B set the cursors there, of the chart under the
/// pointer if there is one beside this; Return or a click pins the readout, Ctrl+C copies it as
/// TSV, Esc takes away the topmost of readout, crosshair and cursors, F8 shows the points as a
/// table. A click in the legend hides a line. The context menu has all of it.
///
/// Live: append() whenever points arrive; frames are drawn at most 60 times a second and only while
/// the chart is visible. GUI thread only.
class Chart : public PaintedWidget, public DrawsFigure {
    Q_OBJECT

public:
    /// @param id  stable name, e.g. of the metric: under it a session finds the chart again
    explicit Chart(const QString& id, QWidget* parent = nullptr);
    ~Chart() override;

    const QString& id() const { return m_id; }

    // What it shows.
    void setTitle(const QString& title, const QString& unit = {});
    /// @param isWhole  it is counted, not measured
    void setXName(const QString& name, bool isWhole);
    /// @return the group's number for SeriesSpec::group
    int addGroup(const QString& name, int color);
    /// @throws Error if the group does not exist
    SeriesHandle addSeries(const SeriesSpec& spec);
    /// Shows these points instead of what the series had. Costs no copy of them.
    void setPoints(SeriesHandle series, Series points);
    /// @throws Error as Series::append
    void append(SeriesHandle series, std::span<const double> x, std::span<const double> y);
    void setDimmed(SeriesHandle series, bool isDimmed);
    void setEvents(std::vector<ChartEvent> events);
    void setStages(std::vector<ChartStage> stages);
    void setReferences(std::vector<ChartReference> references);
    /// Forgets series, groups, events, stages and references; the view stays.
    void clear();
    /// What stands in place of an empty chart, and its one action (none if `action` is empty).
    void setEmptyText(const QString& sentence, const QString& action = {});
    /// Whose numbers these are, as its figure is headed: "Two rooms · r00012".
    void setSubject(const QString& subject) { m_subject = subject; }
    /// Tells more about an x for the readout: "98.7 s".
    void setXNote(std::function<QString(double)> note);
    /// Fits x together with other charts: their range, or none.
    void setLinkedExtent(std::optional<std::pair<double, double>> extent);
    /// Whether what is done to the values has no room beside the title; as drawn last.
    bool needsRemarkRow() const;
    /// Keeps the row for it anyway, so that plots side by side begin at one height.
    void setRemarkRow(bool isKept);
    /// First and last x of the visible series; nothing without points.
    std::optional<std::pair<double, double>> extent() const;
    const ChartContent& content() const { return m_content; }

    // How it is looked at.
    const ChartView& view() const { return m_view; }
    void setView(const ChartView& view);
    QJsonObject saveState() const { return m_view.toJson(); }
    void restoreState(const QJsonObject& state) { setView(ChartView::fromJson(state)); }
    void setSmoothing(const SmoothingSpec& smoothing);
    void setScales(ScaleKind x, ScaleKind y);
    void setBands(BandKind bands, bool showsMembers);
    void setCursors(std::optional<double> a, std::optional<double> b);
    void setTableShown(bool isShown);
    void setEventsShown(ChartEventKind kind, bool isShown);
    /// Hides or shows a line by its key (see ChartContent::Entry) or a group by its name.
    void toggleShown(const QString& key);
    void showAll();
    void fit();
    bool isZoomed() const { return !m_view.x.isFitted || !m_view.y.isFitted; }
    /// Zooms x about the crosshair or the middle; a factor below 1 shows less.
    void zoom(double factor);
    /// Takes over another chart's x axis, without telling anybody.
    void followX(const AxisView& x);
    /// Shows the crosshair of another chart, without a readout.
    void followCrosshair(std::optional<double> x);
    std::optional<double> crosshair() const;
    /// The ranges as drawn last, fitted ones included.
    AxisView shownX() const;
    AxisView shownY() const;
    QRectF plotRect() const;
    /// The place of values in the widget, e.g. for tours.
    QPointF pixelOf(double x, double y) const;

    /// What the readout or, without one, the statistics show, as TSV. Empty if there is neither.
    QString readingTsv() const;
    /// What lies between the cursors; ChartStatistics shows it.
    const StatisticsRows& statistics() const { return m_statistics; }
    /// The time since the last change has been drawn; tests wait for it.
    bool isSettled() const;
    /// Draws what has changed now instead of with the next frame.
    void finishFrame();
    /// CPU milliseconds of the window's thread for each frame since the last call, at most 4,096.
    std::vector<double> takeFrameTimes();

    // The picture with all of its legend and its unit; see DrawsFigure.
    QString figureId() const override { return QStringLiteral("chart:") + m_id; }
    QString figureName() const override;
    QString figureTitle() const override { return m_subject; }
    QString figureCaption() const override;
    QSizeF figureSize() const override;
    bool hasFigure() const override { return m_content.numPoints() > 0; }
    QJsonObject figureState() const override { return saveState(); }
    void restoreFigure(const QJsonObject& state) override { restoreState(state); }
    void paintFigure(QPainter& painter, const FigurePage& page) override;

    /// See chart_export.h; takes the present view.
    std::int64_t exportData(const QString& file, const DataSpec& spec);

    /// Adds the chart's commands to a menu.
    void fillMenu(QMenu& menu);

    QSize sizeHint() const override { return QSize(360, 200); }
    QSize minimumSizeHint() const override { return QSize(200, 130); }

    std::vector<NamedSpot> namedSpots() const override;
    QJsonObject spotFacts() const override;
    QString tipAt(const QPoint& point) const override;

Q_SIGNALS:
    void viewChanged();                                   ///< anything that saveState() holds
    void xChanged(const orrery::AxisView& x);             ///< a person moved or fitted the x axis
    void crosshairMoved(const std::optional<double>& x);  ///< by pointer or keys
    void momentPicked(double x);                          ///< a click: show this moment elsewhere
    void seriesPicked(orrery::SeriesHandle series);       ///< a click: the line nearest to it
    void statisticsChanged();                             ///< perhaps: with each frame
    void cursorsChanged();
    void extentChanged();
    void remarkRowChanged();  ///< it needs one now, or none any more
    void emptyActionTriggered();
    void figureRequested();
    void titleDragged(const QPoint& global);  ///< while the title is held
    void titleDropped(const QPoint& global);
    void titleDoubleClicked();

protected:
    bool event(QEvent* event) override;
    void changeEvent(QEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;

private:
    enum class Drag { None, Pressed, PanX, PanY, Pan, Band, CursorA, CursorB, Title };

    void contentChanged();
    void changeView(const ChartView& view);
    void requestFrame();
    void startFrame();
    bool isDrawn() const;
    void drawFrame();
    bool continueSmoothing();
    void placeParts();
    void updateEmptyState();
    void updateOverlay(const QPointF& pointer, bool withReadout);
    void drawOverlayTimed();
    void noteFrameTime(double cpuBefore);
    void hover(const QPointF& at);
    void clearHover();
    void moveCrosshair(int columns);
    void pinAt(const QPointF& at);
    void unpin();
    bool escape();
    void setCursorHere(bool isA);
    void zoomAxis(bool isX, double factor, double centre);
    void panFrom(const QPointF& now);
    void zoomInto(const QRectF& pixels);
    void dragTo(const QPointF& at, const QPoint& global);
    void startDrag(const QPointF& at, bool isBand);
    void takeX(const AxisView& x);
    const QString* legendKeyAt(const QPointF& at) const;
    bool isOwnKey(const QKeyEvent& key) const;
    Chart* pointedSibling() const;
    void fillSmoothingMenu(QMenu& menu);
    void makeTwin();
    ChartReadout& readout();
    bool isPinned() const;

    QString m_id, m_subject;
    ChartContent m_content;
    ChartView m_view;
    std::unique_ptr<ChartScene> m_scene;
    ChartReadout* m_readout = nullptr;  ///< made when there is something to read
    StatisticsRows m_statistics;
    QToolButton* m_reset;      ///< in the plot's corner while it is zoomed
    QFrame* m_twin = nullptr;  ///< the table in place of the picture; made when it is asked for
    QLabel* m_twinTitle = nullptr;
    ChartTableModel* m_tableModel;
    QFrame* m_empty;
    QLabel* m_emptyText;
    QPushButton* m_emptyAction;
    QString m_emptySentence, m_emptyActionText;
    std::function<QString(double)> m_xNote;

    QTimer m_frameTimer;      ///< the next frame
    QTimer m_smoothingTimer;  ///< slices of smoothing between frames
    QElapsedTimer m_sinceFrame;
    bool m_isFrameDue = true;
    QSizeF m_drawnSize;  ///< device pixels, of the last frame
    std::vector<double> m_frameTimes;

    Drag m_drag = Drag::None;
    QPointF m_dragFrom;
    QPointF m_pointer;
    bool m_isPointerInside = false;
    AxisView m_dragX, m_dragY;  ///< when the drag began
};

}  // namespace orrery
