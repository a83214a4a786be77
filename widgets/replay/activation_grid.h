#pragma once

#include <QWidget>
#include <memory>
#include <optional>
#include <vector>

#include "core/empo/net_activations.h"
#include "widgets/common/painted_view.h"

namespace orrery {

struct Tokens;

/// The layers of a network for one state, from the inputs down to the output: maps of convolutions
/// as tiles, other layers as rows of cells. Units that are 0 are empty, units that were 0 for all
/// states that were looked at have a stroke through them. The pointer or the arrow keys pick a
/// number, Page Up and Page Down go from layer to layer.
class ActivationGrid : public PaintedWidget {
    Q_OBJECT

public:
    explicit ActivationGrid(QWidget* parent = nullptr);

    /// Null: nothing is drawn.
    void setNet(std::shared_ptr<const NetActivations> net);
    const std::shared_ptr<const NetActivations>& net() const { return m_net; }

    /// "shared encoder · convolution 2 · map 17 · cell 2,1 = 0.4321 · ..."; empty if nothing is
    /// picked.
    QString readout() const;

    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;
    QSize sizeHint() const override { return {640, heightForWidth(640)}; }
    QSize minimumSizeHint() const override { return {200, 120}; }
    std::vector<NamedSpot> namedSpots() const override;
    QJsonObject spotFacts() const override;

Q_SIGNALS:
    void readoutChanged(const QString& text);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;

private:
    /// One number of one layer.
    struct Spot {
        std::size_t layer = 0, index = 0;
        bool operator==(const Spot&) const = default;
    };
    /// Where a layer lies in a width.
    struct Place {
        double top = 0, height = 0;  ///< with its title
        int perRow = 1;              ///< units
        double cell = 0;             ///< pixels of a number
    };
    std::vector<Place> placesIn(int width) const;
    QSizeF unitPixels(const LayerNumbers& layer, const Place& place) const;
    QRectF cellRect(const Spot& spot, const std::vector<Place>& places) const;
    std::optional<Spot> spotAt(const QPointF& point) const;
    void setPicked(std::optional<Spot> spot);
    void paintLayer(QPainter& painter, std::size_t layer, const std::vector<Place>& places) const;
    void paintTitle(QPainter& painter, const LayerNumbers& layer, double top,
                    const Tokens& t) const;

    std::shared_ptr<const NetActivations> m_net;
    std::optional<Spot> m_picked;
};

}  // namespace orrery
