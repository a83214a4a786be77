#include "widgets/common/ground.h"

#include <QPainter>
#include <QStyle>
#include <QStyleOption>

namespace orrery {

Ground::Ground(QWidget* parent) : QWidget(parent) {
    setProperty("look", QStringLiteral("ground"));
    setAttribute(Qt::WA_OpaquePaintEvent);
}

void Ground::paintEvent(QPaintEvent* /*event*/) {
    QStyleOption option;
    option.initFrom(this);
    QPainter painter(this);
    style()->drawPrimitive(QStyle::PE_Widget, &option, &painter, this);
}

}  // namespace orrery
