#include "widgets/replay/activation_grid.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <algorithm>
#include <cmath>
#include <utility>

#include "widgets/common/color_map.h"
#include "widgets/common/number_text.h"
#include "widgets/common/style.h"
#include "widgets/common/tokens.h"
#include "widgets/replay/layer_text.h"

namespace orrery {

namespace {

constexpr double kLayerMargin = 12, kTitle = 22, kLayerGap = 14, kUnitGap = 3;
constexpr double kMapPixels = 36, kLeastUnitCell = 4, kLargestUnitCell = 14, kUnitCell = 12;

bool isDead(const LayerNumbers& layer, std::size_t unit) {
    const std::size_t size = unitSize(layer);
    const auto first = layer.active.begin() + static_cast<std::ptrdiff_t>(unit * size);
    return layer.isRectified && std::all_of(first, first + static_cast<std::ptrdiff_t>(size),
                                            [](std::uint32_t states) { return states == 0; });
}

}  // namespace

ActivationGrid::ActivationGrid(QWidget* parent) : PaintedWidget(parent) {
    setObjectName(QStringLiteral("activationGrid"));
    setAccessibleName(tr("Layers of the network"));
    setToolTip(
        tr("Brighter: more. Empty: 0 for this state. With a stroke: 0 for all states that "
           "were looked at."));
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Minimum);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
}

void ActivationGrid::setNet(std::shared_ptr<const NetActivations> net) {
    m_net = std::move(net);
    if (m_picked && (!m_net || m_picked->layer >= m_net->layers.size() ||
                     m_picked->index >= m_net->layers[m_picked->layer].values.size()))
        m_picked.reset();
    QStringList told;
    if (m_net)
        for (const QStringList& row : layerRows(*m_net))
            told << tr("%1, %2: %3 inactive, %4 dead").arg(row[0], row[1], row[5], row[6]);
    setAccessibleDescription(told.join(QStringLiteral(". ")));
    updateGeometry();
    update();
    Q_EMIT readoutChanged(readout());
}

QSizeF ActivationGrid::unitPixels(const LayerNumbers& layer, const Place& place) const {
    if (layer.shape.size() != 3) return {place.cell, place.cell};
    return {place.cell * static_cast<double>(layer.shape[2]),
            place.cell * static_cast<double>(layer.shape[1])};
}

std::vector<ActivationGrid::Place> ActivationGrid::placesIn(int width) const {
    std::vector<Place> places;
    if (!m_net) return places;
    double top = kLayerMargin;
    for (const LayerNumbers& layer : m_net->layers) {
        Place place{.top = top, .cell = kUnitCell};
        const bool isMap = layer.shape.size() == 3;
        if (isMap)
            place.cell = std::clamp(std::floor(kMapPixels / static_cast<double>(std::max(
                                                                layer.shape[1], layer.shape[2]))),
                                    kLeastUnitCell, kLargestUnitCell);
        const double gap = isMap ? kUnitGap : 1;
        const QSizeF unit = unitPixels(layer, place);
        place.perRow =
            std::max(1, static_cast<int>((width - 2 * kLayerMargin + gap) / (unit.width() + gap)));
        const int units = static_cast<int>(layer.values.size() / unitSize(layer));
        const int rows = (units + place.perRow - 1) / place.perRow;
        place.height = kTitle + rows * (unit.height() + gap);
        top += place.height + kLayerGap;
        places.push_back(place);
    }
    return places;
}

int ActivationGrid::heightForWidth(int width) const {
    const std::vector<Place> places = placesIn(width);
    return places.empty()
               ? 120
               : static_cast<int>(places.back().top + places.back().height + kLayerMargin);
}

QRectF ActivationGrid::cellRect(const Spot& spot, const std::vector<Place>& places) const {
    const LayerNumbers& layer = m_net->layers[spot.layer];
    const Place& place = places[spot.layer];
    const bool isMap = layer.shape.size() == 3;
    const double gap = isMap ? kUnitGap : 1;
    const QSizeF pixels = unitPixels(layer, place);
    const auto unit = static_cast<int>(spot.index / unitSize(layer));
    const auto inside = static_cast<int>(spot.index % unitSize(layer));
    const int wide = isMap ? static_cast<int>(layer.shape[2]) : 1;
    const int row = unit / place.perRow, rowInside = inside / wide;
    return {
        kLayerMargin + unit % place.perRow * (pixels.width() + gap) + inside % wide * place.cell,
        place.top + kTitle + row * (pixels.height() + gap) + rowInside * place.cell, place.cell,
        place.cell};
}

std::optional<ActivationGrid::Spot> ActivationGrid::spotAt(const QPointF& point) const {
    const std::vector<Place> places = placesIn(width());
    for (std::size_t k = 0; k < places.size(); ++k) {
        const Place& place = places[k];
        if (point.y() < place.top + kTitle || point.y() >= place.top + place.height) continue;
        const LayerNumbers& layer = m_net->layers[k];
        const bool isMap = layer.shape.size() == 3;
        const double gap = isMap ? kUnitGap : 1;
        const QSizeF pixels = unitPixels(layer, place);
        const double x = point.x() - kLayerMargin, y = point.y() - place.top - kTitle;
        const auto column = static_cast<int>(std::floor(x / (pixels.width() + gap)));
        const auto row = static_cast<int>(std::floor(y / (pixels.height() + gap)));
        if (x < 0 || column >= place.perRow) return std::nullopt;
        const double insideX = x - column * (pixels.width() + gap);
        const double insideY = y - row * (pixels.height() + gap);
        if (insideX >= pixels.width() || insideY >= pixels.height()) return std::nullopt;
        const int number = row * place.perRow + column;
        const auto unit = static_cast<std::size_t>(number);
        const std::size_t wide = isMap ? static_cast<std::size_t>(layer.shape[2]) : 1;
        const std::size_t index = unit * unitSize(layer) +
                                  static_cast<std::size_t>(insideY / place.cell) * wide +
                                  static_cast<std::size_t>(insideX / place.cell);
        return index < layer.values.size() ? std::optional(Spot{k, index}) : std::nullopt;
    }
    return std::nullopt;
}

QString ActivationGrid::readout() const {
    if (!m_net || !m_picked) return {};
    const LayerNumbers& layer = m_net->layers[m_picked->layer];
    const std::size_t size = unitSize(layer);
    QString text = layerTitle(layer) + QStringLiteral(" · ");
    if (layer.shape.size() == 3) {
        const auto wide = static_cast<std::size_t>(layer.shape[2]);
        text += tr("map %1 · %2,%3")
                    .arg(m_picked->index / size)
                    .arg(m_picked->index % size % wide)
                    .arg(m_picked->index % size / wide);
    } else {
        text += tr("unit %1").arg(m_picked->index);
    }
    text += QStringLiteral(" = ") + QString::number(layer.values[m_picked->index], 'g', 6);
    if (layer.isRectified && m_net->states > 1)
        text += tr(" · active in %1 of %2 states")
                    .arg(layer.active[m_picked->index])
                    .arg(m_net->states);
    return text;
}

void ActivationGrid::setPicked(std::optional<Spot> spot) {
    if (spot == m_picked) return;
    m_picked = spot;
    update();
    Q_EMIT readoutChanged(readout());
}

void ActivationGrid::paintEvent(QPaintEvent* event) {
    QPainter painter(this);
    painter.fillRect(rect(), currentTokens().canvas);
    const std::vector<Place> places = placesIn(width());
    for (std::size_t k = 0; k < places.size(); ++k)
        if (places[k].top < event->rect().bottom() + 1 &&
            places[k].top + places[k].height > event->rect().top())
            paintLayer(painter, k, places);
    if (!m_picked) return;
    const Tokens& t = currentTokens();
    const QRectF cell = cellRect(*m_picked, places);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(t.underHeat, 4));
    painter.drawRect(cell);
    painter.setPen(QPen(hasFocus() ? t.accent : t.hover, 2));
    painter.drawRect(cell);
}

void ActivationGrid::paintTitle(QPainter& painter, const LayerNumbers& layer, double top,
                                const Tokens& t) const {
    const LayerCounts counts = countsOf(layer);
    QString facts = layerShapeText(layer) + QStringLiteral(" · ") +
                    tr("%1 to %2")
                        .arg(valueText(static_cast<double>(counts.least)),
                             valueText(static_cast<double>(counts.greatest)));
    if (layer.isRectified) facts += tr(" · %1 inactive").arg(counts.inactive);
    if (layer.isRectified && m_net->states > 1)
        facts += tr(" · %1 dead of %2 states").arg(counts.dead).arg(m_net->states);
    const QRectF line(kLayerMargin, top, width() - 2 * kLayerMargin, kTitle - 4);
    painter.setFont(interfaceFont(11));
    const int wide = painter.fontMetrics().horizontalAdvance(facts);
    painter.setPen(t.text3);
    painter.drawText(line, Qt::AlignRight | Qt::AlignVCenter, facts);
    painter.setFont(interfaceFont(12, QFont::DemiBold));
    painter.setPen(t.text);
    painter.drawText(line, Qt::AlignLeft | Qt::AlignVCenter,
                     painter.fontMetrics().elidedText(layerTitle(layer), Qt::ElideRight,
                                                      static_cast<int>(line.width()) - wide - 12));
}

void ActivationGrid::paintLayer(QPainter& painter, std::size_t which,
                                const std::vector<Place>& places) const {
    const Tokens& t = currentTokens();
    const LayerNumbers& layer = m_net->layers[which];
    paintTitle(painter, layer, places[which].top, t);
    float most = 0;
    for (const float value : layer.values) most = std::max(most, std::abs(value));
    const std::size_t size = unitSize(layer);
    for (std::size_t i = 0; i < layer.values.size(); ++i) {
        const auto share = static_cast<double>(most > 0 ? layer.values[i] / most : 0);
        const bool isZero = layer.isRectified && layer.values[i] == 0;
        painter.fillRect(cellRect({which, i}, places), isZero              ? t.floor
                                                       : layer.isRectified ? sequentialColor(share)
                                                                           : divergingColor(share));
    }
    painter.setBrush(Qt::NoBrush);
    for (std::size_t unit = 0; unit * size < layer.values.size(); ++unit) {
        const QRectF first = cellRect({which, unit * size}, places);
        const QRectF last = cellRect({which, unit * size + size - 1}, places);
        const QRectF whole = first.united(last);
        painter.setPen(QPen(t.border, 1));
        painter.drawRect(whole.adjusted(-0.5, -0.5, 0.5, 0.5));
        if (!isDead(layer, unit)) continue;
        painter.setPen(QPen(t.text3, 1));
        painter.drawLine(whole.bottomLeft(), whole.topRight());
    }
}

void ActivationGrid::mouseMoveEvent(QMouseEvent* event) {
    setPicked(spotAt(event->position()));
}

void ActivationGrid::leaveEvent(QEvent*) {
    if (!hasFocus()) setPicked(std::nullopt);
}

void ActivationGrid::focusInEvent(QFocusEvent* event) {
    QWidget::focusInEvent(event);
    if (!m_picked && m_net && !m_net->layers.empty() && event->reason() != Qt::MouseFocusReason)
        setPicked(Spot{});
}

void ActivationGrid::keyPressEvent(QKeyEvent* event) {
    if (!m_net || m_net->layers.empty()) return QWidget::keyPressEvent(event);
    Spot spot = m_picked.value_or(Spot{});
    const auto last = [&](std::size_t layer) { return m_net->layers[layer].values.size() - 1; };
    switch (event->key()) {
        case Qt::Key_Left:
            if (spot.index > 0) --spot.index;
            break;
        case Qt::Key_Right:
            spot.index = std::min(spot.index + 1, last(spot.layer));
            break;
        case Qt::Key_Up:
        case Qt::Key_PageUp:
            if (spot.layer > 0) --spot.layer;
            spot.index = std::min(spot.index, last(spot.layer));
            break;
        case Qt::Key_Down:
        case Qt::Key_PageDown:
            spot.layer = std::min(spot.layer + 1, m_net->layers.size() - 1);
            spot.index = std::min(spot.index, last(spot.layer));
            break;
        default:
            return QWidget::keyPressEvent(event);
    }
    setPicked(spot);
}

std::vector<NamedSpot> ActivationGrid::namedSpots() const {
    std::vector<NamedSpot> spots;
    const std::vector<Place> places = placesIn(width());
    for (std::size_t k = 0; k < places.size(); ++k) {
        const LayerNumbers& layer = m_net->layers[k];
        const LayerCounts counts = countsOf(layer);
        spots.push_back(
            {QStringLiteral("layer %1").arg(QString::fromStdString(layer.name)),
             QRectF(kLayerMargin, places[k].top, width() - 2 * kLayerMargin, places[k].height)
                 .toAlignedRect(),
             {{QStringLiteral("units"), counts.units},
              {QStringLiteral("inactive"), counts.inactive},
              {QStringLiteral("dead"), counts.dead},
              {QStringLiteral("greatest"), static_cast<double>(counts.greatest)}}});
    }
    return spots;
}

QJsonObject ActivationGrid::spotFacts() const {
    return {{QStringLiteral("layers"), m_net ? static_cast<int>(m_net->layers.size()) : 0},
            {QStringLiteral("states"), m_net ? m_net->states : 0},
            {QStringLiteral("readout"), readout()}};
}

}  // namespace orrery
