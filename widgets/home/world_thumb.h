#pragma once

#include <QPixmap>
#include <QWidget>
#include <memory>

#include "core/world/world.h"
#include "widgets/world/world_painter.h"

namespace orrery {

/// A scene as a picture in the middle of its rectangle.
class WorldThumb : public QWidget {
    Q_OBJECT

public:
    WorldThumb(WorldScene scene, QWidget* parent);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void draw(const QSize& pixels);

    WorldScene m_scene;
    QPixmap m_drawn;  ///< until its turn has come at a size or in a theme of before
    const Tokens* m_theme = nullptr;
};

}  // namespace orrery
