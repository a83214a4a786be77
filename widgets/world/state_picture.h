#pragma once

#include <QWidget>

#include "widgets/world/world_painter.h"

namespace orrery {

/// A still picture of a state with a caption above it.
class StatePicture : public QWidget {
    Q_OBJECT

public:
    explicit StatePicture(const QString& name, QWidget* parent);

    void setScene(const WorldScene& scene, const QString& caption);
    void clear();
    const QString& caption() const { return m_caption; }

    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;
    QSize sizeHint() const override { return QSize(160, heightForWidth(160)); }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    WorldScene m_scene;
    QString m_name, m_caption;
};

}  // namespace orrery
