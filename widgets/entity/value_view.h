#pragma once

#include <optional>
#include <vector>

#include "widgets/common/draws_figure.h"
#include "widgets/common/painted_view.h"
#include "widgets/plots/cell_table.h"

namespace orrery {

class EntitySession;
struct EntityEpisode;
struct PpoSpec;

/// What an episode was thought to be worth in each of its frames, and what became of it.
struct EpisodeValues {
    std::vector<std::optional<double>> values;      ///< [frames] learned
    std::vector<double> rewards;                    ///< [frames - 1] of the step behind each
    std::vector<std::optional<double>> advantages;  ///< [frames - 1]

    bool hasValues() const;
};

/// Values are those of the agent, or of the training that gave the frames; advantages are theirs,
/// or estimated by the run's gamma and lambda once all values are known. What comes behind the
/// last frame of an episode that goes on, or was cut off, is worth that frame's value.
/// Source: Schulman et al. 2016, equations 11-16.
EpisodeValues episodeValues(const EntityEpisode& episode, const PpoSpec& ppo);

/// Value, reward and advantage over the steps of the episode, with a marker at the one that is
/// shown. Dragging it shows others.
class ValueView : public PaintedWidget, public DrawsFigure {
    Q_OBJECT

public:
    ValueView(EntitySession* session, QWidget* parent);

    std::vector<NamedSpot> namedSpots() const override;
    QJsonObject spotFacts() const override;
    QString tipAt(const QPoint& point) const override;
    QAbstractItemModel* tableModel();

    QString figureId() const override { return QStringLiteral("entityValue"); }
    QString figureName() const override { return tr("Value and advantage"); }
    QSizeF figureSize() const override { return {480, 280}; }
    bool hasFigure() const override { return m_values.hasValues(); }
    QString figureCaption() const override;
    void paintFigure(QPainter& painter, const FigurePage& page) override;

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    struct Plot {
        QRectF values = {}, bars = {};
        double stepWidth = 1;
        double xAt(std::size_t frame) const {
            return values.left() + static_cast<double>(frame) * stepWidth;
        }
    };
    Plot plotIn(const QRectF& room) const;
    std::size_t frameAt(double x) const;
    void paintInto(QPainter& painter, const QRectF& room, const Tokens& tokens) const;
    void paintValues(QPainter& painter, const Plot& plot, const Tokens& tokens) const;
    void paintBars(QPainter& painter, const Plot& plot, const Tokens& tokens) const;
    QString remark() const;
    void refresh();

    EntitySession* m_session;
    EpisodeValues m_values;
    CellModel* m_table = nullptr;
};

}  // namespace orrery
