#include "widgets/common/parts.h"

#include <QFrame>
#include <QHBoxLayout>
#include <QLabel>
#include <QStyle>
#include <QVBoxLayout>

namespace orrery {

QLabel* makeLabel(const QString& text, const char* look, QWidget* parent) {
    auto* label = new QLabel(text, parent);
    label->setProperty("look", QLatin1String(look));
    return label;
}

QFrame* makeLine(QWidget* parent) {
    auto* line = new QFrame(parent);
    line->setProperty("look", QStringLiteral("line"));
    line->setFixedHeight(1);
    return line;
}

QLabel* addHeading(QVBoxLayout* layout, const QString& text, const QString& remark) {
    QWidget* parent = layout->parentWidget();
    auto* row = new QHBoxLayout;
    row->setContentsMargins(0, 0, 0, 0);
    row->addWidget(makeLabel(text, "section", parent));
    row->addStretch(1);
    QLabel* right = makeLabel(remark, "hint", parent);
    row->addWidget(right);
    layout->addLayout(row);
    return right;
}

void restyle(QWidget* widget) {
    widget->style()->unpolish(widget);
    widget->style()->polish(widget);
    widget->update();
}

}  // namespace orrery
