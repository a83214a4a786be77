#include "widgets/figure/paint_record.h"

#include <QImage>
#include <QPaintDevice>
#include <QPaintEngine>
#include <QPainterPath>
#include <QPixmap>
#include <algorithm>
#include <cmath>

#include "widgets/figure/figure.h"

namespace orrery {

namespace {

constexpr int kDotsPerInch = 96;

template <typename T>
std::vector<T> listOf(const T* first, int count) {
    return {first, first + count};
}

/// Whether a path has a piece that is longer than nothing.
bool hasLength(const QPainterPath& path) {
    for (int i = 1; i < path.elementCount(); ++i) {
        const QPainterPath::Element now = path.elementAt(i), before = path.elementAt(i - 1);
        if (!now.isMoveTo() && QPointF(now) != QPointF(before)) return true;
    }
    return false;
}

/// Whether Qt's PDF writer fills the outline of this pen's strokes instead of stroking.
bool hasFilledStrokes(const QPen& pen) {
    return pen.style() != Qt::NoPen &&
           (pen.brush().style() != Qt::SolidPattern || !pen.brush().isOpaque());
}

}  // namespace

/// Takes a painter's calls down as they come. Nothing is turned into other shapes on the way: text
/// stays text. A shape without any extent is left out where Qt's PDF writer fills the outline of
/// strokes (a translucent pen): that outline has no points, and what is written is the end of a
/// path without its beginning.
class RecordingEngine : public QPaintEngine {
public:
    explicit RecordingEngine(PaintRecord* record)
        : QPaintEngine(QPaintEngine::AllFeatures), m_record(record) {}

    bool begin(QPaintDevice*) override { return true; }
    bool end() override { return true; }
    Type type() const override { return QPaintEngine::User; }

    void updateState(const QPaintEngineState& now) override {
        const DirtyFlags dirty = now.state();
        if (dirty & (DirtyOpacity | DirtyPen))
            m_fillsStrokes = now.opacity() < 1 || hasFilledStrokes(now.pen());
        if (dirty & DirtyTransform) add([t = now.transform()](QPainter& p) { p.setTransform(t); });
        if (dirty & DirtyPen) add([pen = now.pen()](QPainter& p) { p.setPen(pen); });
        if (dirty & DirtyBrush) add([brush = now.brush()](QPainter& p) { p.setBrush(brush); });
        if (dirty & DirtyBrushOrigin)
            add([at = now.brushOrigin()](QPainter& p) { p.setBrushOrigin(at); });
        // A font comes with each text.
        if (dirty & DirtyBackground)
            add([brush = now.backgroundBrush()](QPainter& p) { p.setBackground(brush); });
        if (dirty & DirtyBackgroundMode)
            add([mode = now.backgroundMode()](QPainter& p) { p.setBackgroundMode(mode); });
        if (dirty & DirtyHints)
            add([hints = now.renderHints()](QPainter& p) {
                p.setRenderHints(p.renderHints(), false);
                p.setRenderHints(hints, true);
            });
        if (dirty & DirtyCompositionMode)
            add([mode = now.compositionMode()](QPainter& p) { p.setCompositionMode(mode); });
        if (dirty & DirtyOpacity)
            add([opacity = now.opacity()](QPainter& p) { p.setOpacity(opacity); });
        updateClip(now, dirty);
    }

    void drawRects(const QRect* rects, int count) override { drawShapes(rects, count); }
    void drawRects(const QRectF* rects, int count) override { drawShapes(rects, count); }
    void drawLines(const QLine* lines, int count) override { drawSegments(lines, count); }
    void drawLines(const QLineF* lines, int count) override { drawSegments(lines, count); }
    void drawEllipse(const QRectF& r) override {
        if (!m_fillsStrokes || !r.isNull()) add([r](QPainter& p) { p.drawEllipse(r); });
    }
    void drawEllipse(const QRect& r) override { drawEllipse(QRectF(r)); }
    void drawPath(const QPainterPath& path) override {
        if (!m_fillsStrokes || hasLength(path)) add([path](QPainter& p) { p.drawPath(path); });
    }
    void drawPoints(const QPointF* points, int count) override {
        add([l = listOf(points, count)](QPainter& p) {
            p.drawPoints(l.data(), static_cast<int>(l.size()));
        });
    }
    void drawPolygon(const QPointF* points, int count, PolygonDrawMode mode) override {
        if (m_fillsStrokes && std::all_of(points, points + count,
                                          [&](const QPointF& point) { return point == points[0]; }))
            return;
        add([l = listOf(points, count), mode](QPainter& p) {
            const int size = static_cast<int>(l.size());
            if (mode == PolylineMode)
                p.drawPolyline(l.data(), size);
            else if (mode == ConvexMode)
                p.drawConvexPolygon(l.data(), size);
            else
                p.drawPolygon(l.data(), size,
                              mode == WindingMode ? Qt::WindingFill : Qt::OddEvenFill);
        });
    }
    void drawImage(const QRectF& r, const QImage& image, const QRectF& source,
                   Qt::ImageConversionFlags) override {
        add([r, image, source](QPainter& p) { p.drawImage(r, image, source); });
    }
    void drawPixmap(const QRectF& r, const QPixmap& pixmap, const QRectF& source) override {
        // Pixmaps belong to the GUI thread.
        add([r, image = pixmap.toImage(), source](QPainter& p) { p.drawImage(r, image, source); });
    }
    void drawTiledPixmap(const QRectF& r, const QPixmap& pixmap, const QPointF& from) override {
        add([r, image = pixmap.toImage(), from](QPainter& p) {
            QBrush brush(image);
            brush.setTransform(QTransform::fromTranslate(r.left() - from.x(), r.top() - from.y()));
            p.fillRect(r, brush);
        });
    }
    void drawTextItem(const QPointF& at, const QTextItem& item) override {
        add([at, font = item.font(), text = item.text()](QPainter& p) {
            p.setFont(font);
            p.drawText(at, text);
        });
    }

private:
    template <typename Call>
    void add(Call call) {
        m_record->m_calls.push_back(std::move(call));
    }
    template <typename Rect>
    void drawShapes(const Rect* rects, int count) {
        auto seen = listOf(rects, count);
        if (m_fillsStrokes) std::erase_if(seen, [](const Rect& rect) { return rect.isNull(); });
        if (seen.empty()) return;
        add([l = std::move(seen)](QPainter& p) {
            p.drawRects(l.data(), static_cast<int>(l.size()));
        });
    }
    template <typename Line>
    void drawSegments(const Line* lines, int count) {
        auto seen = listOf(lines, count);
        if (m_fillsStrokes)
            std::erase_if(seen, [](const Line& line) { return line.p1() == line.p2(); });
        if (seen.empty()) return;
        add([l = std::move(seen)](QPainter& p) {
            p.drawLines(l.data(), static_cast<int>(l.size()));
        });
    }
    void updateClip(const QPaintEngineState& now, DirtyFlags dirty) {
        if (dirty & DirtyClipRegion)
            add([region = now.clipRegion(), how = now.clipOperation()](QPainter& p) {
                p.setClipRegion(region, how);
            });
        if (dirty & DirtyClipPath)
            add([path = now.clipPath(), how = now.clipOperation()](QPainter& p) {
                p.setClipPath(path, how);
            });
        if (dirty & DirtyClipEnabled)
            add([isClipped = now.isClipEnabled()](QPainter& p) { p.setClipping(isClipped); });
    }

    PaintRecord* m_record;
    bool m_fillsStrokes = false;
};

class RecordingDevice : public QPaintDevice {
public:
    RecordingDevice(PaintRecord* record, const QSize& size) : m_engine(record), m_size(size) {}

    QPaintEngine* paintEngine() const override { return &m_engine; }

protected:
    int metric(PaintDeviceMetric metric) const override {
        switch (metric) {
            case PdmWidth:
                return m_size.width();
            case PdmHeight:
                return m_size.height();
            case PdmWidthMM:
                return static_cast<int>(std::lround(m_size.width() * kMmPerInch / kDotsPerInch));
            case PdmHeightMM:
                return static_cast<int>(std::lround(m_size.height() * kMmPerInch / kDotsPerInch));
            case PdmDpiX:
            case PdmDpiY:
            case PdmPhysicalDpiX:
            case PdmPhysicalDpiY:
                return kDotsPerInch;
            case PdmDepth:
                return 24;
            case PdmDevicePixelRatio:
                return 1;
            case PdmDevicePixelRatioScaled:
                return static_cast<int>(QPaintDevice::devicePixelRatioFScale());
            default:
                return QPaintDevice::metric(metric);
        }
    }

private:
    mutable RecordingEngine m_engine;
    QSize m_size;
};

std::unique_ptr<QPaintDevice> recordingDevice(PaintRecord* record, const QSize& size) {
    return std::make_unique<RecordingDevice>(record, size);
}

void PaintRecord::replay(QPainter& painter) const {
    painter.save();
    for (const Call& call : m_calls) call(painter);
    painter.restore();
}

}  // namespace orrery
