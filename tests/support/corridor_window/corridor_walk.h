#pragma once

#include <QPointer>

#include "core/env/picture.h"
#include "widgets/common/painted_view.h"

namespace orrery::test {

class CorridorPart;

/// The corridor with who walks in it: a click or an arrow key takes a step.
class CorridorWalk : public PaintedWidget {
    Q_OBJECT

public:
    /// @param part  outlived by the view, which then shows what it showed last
    CorridorWalk(CorridorPart* part, QWidget* parent);

    std::vector<NamedSpot> namedSpots() const override;
    QJsonObject spotFacts() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    int cellAt(const QPoint& point) const;
    void refresh();

    QPointer<CorridorPart> m_part;
    int m_length = 0, m_cell = 0;
    Picture m_picture;
};

}  // namespace orrery::test
