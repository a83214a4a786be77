#pragma once

#include <QWidget>
#include <vector>

#include "core/world/piece.h"
#include "widgets/world/piece_keys.h"

namespace orrery {

/// Small pictures with names of the kinds of things that a world shows. Wraps over lines.
class LegendStrip : public QWidget {
    Q_OBJECT

public:
    explicit LegendStrip(QWidget* parent = nullptr);

    /// Takes one piece of each kind and state, floors left out.
    void setPieces(const std::vector<Piece>& pieces);

    int heightForWidth(int width) const override;
    QSize sizeHint() const override { return QSize(400, height()); }

protected:
    void resizeEvent(QResizeEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    std::vector<PieceKey> m_keys;
};

}  // namespace orrery
