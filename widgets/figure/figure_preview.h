#pragma once

#include <QImage>
#include <QPointer>
#include <QTimer>
#include <QWidget>

#include "widgets/figure/figure.h"

namespace orrery {

class DrawsFigure;

/// A figure's page as it will look, as large as there is room. Drawn a moment after the last
/// change.
class FigurePreview : public QWidget {
    Q_OBJECT

public:
    explicit FigurePreview(QWidget* parent = nullptr);

    /// Shows another page; `view` may be null. `widget` is the view's, which may go away.
    void setFigure(DrawsFigure* view, QWidget* widget, const Figure& figure);
    /// The view shows something else.
    void refresh();
    const QImage& image() const { return m_image; }
    /// A newer picture will follow in a moment.
    bool isDue() const { return m_timer.isActive(); }

    QSize sizeHint() const override { return QSize(420, 320); }
    QSize minimumSizeHint() const override { return QSize(200, 160); }

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    QSizeF pageSize() const;
    void draw();

    DrawsFigure* m_view = nullptr;
    QPointer<QWidget> m_widget;
    Figure m_figure;
    QImage m_image;
    QTimer m_timer;
};

}  // namespace orrery
