#pragma once

#include <QWidget>
#include <optional>
#include <string>
#include <vector>

#include "core/ragged/packed_rows.h"
#include "widgets/common/draws_figure.h"
#include "widgets/common/painted_view.h"
#include "widgets/plots/cell_table.h"

class QComboBox;

namespace orrery {

class EntitySession;

/// Frames as one batch: what a network that pads would compute, what is computed with rows packed,
/// and the indices that lead from one to the other.
struct PackedBatch {
    struct Item {
        std::int64_t frame = 0;
        std::int64_t thing = 0;  ///< of its frame; behind the last: the game itself
        std::int64_t type = 0;   ///< of the observed spaces; -1: the game itself
        std::string name = {};
    };
    std::vector<Item> items;                ///< frame by frame
    std::vector<std::int64_t> rowBegin{0};  ///< [frames + 1]
    std::vector<std::string> frames;        ///< their names
    PackedRows packed;                      ///< one row a frame where no padding is needed
    /// Of one action of things: who acts, within the frame, with the frame's offset, and their sum.
    struct Actors {
        std::string action = {};
        std::vector<std::int64_t> frame = {}, actor = {}, offset = {};
    };
    std::vector<Actors> actors;

    std::int64_t numFrames() const { return std::ssize(rowBegin) - 1; }
    std::int64_t longest() const;
    /// Cells of rows as long as the longest that hold nothing.
    std::int64_t emptyPadded() const;
    std::int64_t emptyPacked() const;
};

/// The frames of all environments that are shown, or all frames of the episode.
PackedBatch packedBatchOf(const EntitySession& session, bool isOfEpisode);

/// The picture of a batch: padded rows, packed rows, index, batch and inverse_index, actors with
/// offsets. A click picks a thing.
class BatchPicture : public PaintedWidget {
    Q_OBJECT

public:
    BatchPicture(EntitySession* session, QWidget* parent);

    void setBatch(PackedBatch batch, bool isOfEpisode);
    const PackedBatch& batch() const { return m_batch; }

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }
    std::vector<NamedSpot> namedSpots() const override;
    QJsonObject spotFacts() const override;
    void paintInto(QPainter& painter, const Tokens& tokens) const;

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;

private:
    struct Cell {
        QRectF rect = {};
        std::int64_t item = -1;  ///< -1: padding
        QString name = {}, text = {}, tip = {};
        bool isFilled = false;  ///< in the colour of its type
    };
    struct Label {
        QRectF rect = {};
        QString text = {};
        bool isHeading = false, isWaste = false;
    };
    void layOut();
    double addPadded(QPointF corner);
    double addPacked(QPointF corner);
    void addIndices(QPointF corner);
    void addActors(QPointF corner);
    void addLabel(double x, double y, double width, const QString& text, bool isHeading = false,
                  bool isWaste = false);
    QString tipOf(std::int64_t item) const;
    std::optional<std::int64_t> pickedItem() const;

    EntitySession* m_session;
    PackedBatch m_batch;
    bool m_isOfEpisode = false;
    std::vector<Cell> m_cells;
    std::vector<Label> m_labels;
    QSizeF m_size{200, 100};
};

/// The picture with the choice of frames.
class BatchView : public QWidget, public DrawsFigure {
    Q_OBJECT

public:
    BatchView(EntitySession* session, QWidget* parent);

    QAbstractItemModel* tableModel();

    QString figureId() const override { return QStringLiteral("entityBatch"); }
    QString figureName() const override { return tr("Batch"); }
    QSizeF figureSize() const override;
    bool hasFigure() const override { return !m_picture->batch().items.empty(); }
    void paintFigure(QPainter& painter, const FigurePage& page) override;

private:
    void refresh();

    EntitySession* m_session;
    QComboBox* m_which;
    BatchPicture* m_picture;
    CellModel* m_table = nullptr;
};

}  // namespace orrery
