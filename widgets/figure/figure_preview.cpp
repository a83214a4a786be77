#include "widgets/figure/figure_preview.h"

#include <QPainter>
#include <cmath>

#include "widgets/common/draws_figure.h"
#include "widgets/common/style.h"
#include "widgets/common/tokens.h"
#include "widgets/figure/figure_writer.h"

namespace orrery {

namespace {

constexpr int kDelayMs = 60, kMargin = 8;

}  // namespace

FigurePreview::FigurePreview(QWidget* parent) : QWidget(parent) {
    setObjectName(QStringLiteral("figurePreview"));
    setAccessibleName(tr("Preview of the figure"));
    m_timer.setSingleShot(true);
    m_timer.setInterval(kDelayMs);
    connect(&m_timer, &QTimer::timeout, this, &FigurePreview::draw);
}

void FigurePreview::setFigure(DrawsFigure* view, QWidget* widget, const Figure& figure) {
    m_view = view;
    m_widget = widget;
    m_figure = figure;
    refresh();
}

void FigurePreview::refresh() {
    if (!m_timer.isActive()) m_timer.start();
}

QSizeF FigurePreview::pageSize() const {
    const QSizeF room(width() - 2 * kMargin, height() - 2 * kMargin);
    return QSizeF(m_figure.width, m_figure.height).scaled(room, Qt::KeepAspectRatio);
}

void FigurePreview::draw() {
    m_image = {};
    const int pixels = static_cast<int>(std::lround(pageSize().width() * devicePixelRatioF()));
    if (m_view && m_widget && m_view->hasFigure() && pixels > 0)
        m_image = figureImage(*m_view, m_figure, pixels);
    update();
}

void FigurePreview::paintEvent(QPaintEvent*) {
    const Tokens& t = currentTokens();
    QPainter painter(this);
    if (m_image.isNull()) {
        painter.setFont(interfaceFont(12));
        painter.setPen(t.text2);
        painter.drawText(rect(), Qt::AlignCenter | Qt::TextWordWrap,
                         tr("There is nothing to draw yet."));
        return;
    }
    const QSizeF size = pageSize();
    const QRectF page(QPointF((width() - size.width()) / 2, (height() - size.height()) / 2), size);
    painter.setRenderHint(QPainter::SmoothPixmapTransform);
    painter.drawImage(page, m_image);
    painter.setPen(QPen(t.strongBorder, 1));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(page.adjusted(-0.5, -0.5, 0.5, 0.5));
}

void FigurePreview::resizeEvent(QResizeEvent* event) {
    refresh();
    QWidget::resizeEvent(event);
}

}  // namespace orrery
