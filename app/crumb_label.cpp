#include "app/crumb_label.h"

#include <algorithm>

namespace orrery {

namespace {

constexpr int kWidth = 130, kLeast = 60;

QString joined(const QStringList& parts) {
    return parts.join(QStringLiteral("&nbsp; › &nbsp;"));
}

}  // namespace

CrumbLabel::CrumbLabel(QWidget* parent) : QLabel(parent) {
    setObjectName(QStringLiteral("breadcrumb"));
    setTextFormat(Qt::RichText);
    setContentsMargins(8, 0, 8, 0);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
}

void CrumbLabel::setParts(const QStringList& parts) {
    m_parts = parts;
    fit();
}

QSize CrumbLabel::sizeHint() const {
    return {kWidth, QLabel::sizeHint().height()};
}

QSize CrumbLabel::minimumSizeHint() const {
    return {kLeast, 0};
}

void CrumbLabel::resizeEvent(QResizeEvent* event) {
    QLabel::resizeEvent(event);
    fit();
}

void CrumbLabel::fit() {
    for (qsizetype first = 0; first < std::max<qsizetype>(1, m_parts.size()); ++first) {
        QStringList shown = m_parts.mid(first);
        if (first > 0) shown.prepend(QStringLiteral("…"));
        if (const QString text = joined(shown); text != this->text()) setText(text);
        if (QLabel::sizeHint().width() <= width()) break;
    }
    setToolTip(joined(m_parts));
}

}  // namespace orrery
