#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "widgets/common/draws_figure.h"
#include "widgets/common/painted_view.h"
#include "widgets/plots/cell_table.h"

namespace orrery {

class EntitySession;

/// All that is decided in the frame: who decides against what can be chosen, each with the agent's
/// probability; what is not allowed is struck, what was taken has a frame. A click chooses.
class ActorGrid : public PaintedWidget, public DrawsFigure {
    Q_OBJECT

public:
    ActorGrid(EntitySession* session, QWidget* parent);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return {120, 40}; }
    std::vector<NamedSpot> namedSpots() const override;
    QJsonObject spotFacts() const override;
    QAbstractItemModel* tableModel();

    QString figureId() const override { return QStringLiteral("entityPolicy"); }
    QString figureName() const override { return tr("What is decided"); }
    QSizeF figureSize() const override;
    bool hasFigure() const override { return !m_cells.empty(); }
    void paintFigure(QPainter& painter, const FigurePage& page) override;

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    struct Cell {
        std::size_t action = 0;
        std::int64_t decider = 0, option = 0;
        QRectF rect = {};
        QString who = {}, what = {};
        std::optional<double> share = {};
        bool isAllowed = true, isTaken = false, isAsked = false;
    };
    struct Text {
        QRectF rect = {};
        QString text = {};
        bool isHeading = false;
        Qt::Alignment align = Qt::AlignVCenter | Qt::AlignLeft;
        bool isPicked = false;
    };
    void refresh();
    void layOut(double width);
    double addMatrix(std::size_t action, double top, double width);
    double addTargets(std::size_t action, double top, double width);
    Cell cellOf(std::size_t action, std::int64_t decider, std::int64_t option) const;
    void paint(QPainter& painter, const Tokens& tokens) const;

    EntitySession* m_session;
    std::vector<Cell> m_cells;
    std::vector<Text> m_texts;
    double m_height = 0;
    CellModel* m_table = nullptr;
};

}  // namespace orrery
