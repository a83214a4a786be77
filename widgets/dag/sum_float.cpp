#include "widgets/dag/sum_float.h"

#include <QApplication>
#include <QKeyEvent>
#include <QScrollArea>
#include <QVBoxLayout>
#include <algorithm>

#include "widgets/dag/inspector_state.h"
#include "widgets/dag/inspector_sum.h"

namespace orrery {

namespace {

constexpr int kFloatWidth = 340, kFloatGap = 8, kFloatEdge = 8;

}  // namespace

SumFloat::SumFloat(InspectorState* state, QWidget* by, const QRect& number)
    : QFrame(by->window()),
      m_by(by),
      m_number(number),
      m_state(state),
      m_sum(new InspectorSum(state, QStringLiteral("sum"), this)) {
    setObjectName(QStringLiteral("sumFloat"));
    setAccessibleName(tr("The sum behind the number"));
    setProperty("look", QStringLiteral("float"));
    setFocusPolicy(Qt::StrongFocus);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(14, 12, 14, 12);
    column->addWidget(m_sum);
    column->addStretch(1);
    place();
    show();
    raise();
    takeFocus();
    qApp->installEventFilter(this);
    connect(&state->session(), &PlanSession::worldChanged, this, &SumFloat::leave);
    connect(qApp, &QApplication::focusChanged, this, [this](QWidget*, QWidget* now) {
        if (now && now != this && !isAncestorOf(now)) leave();
    });
}

/// At the left of the panel with the number, which it must not cover; else at the left of the
/// number itself or below it, within the window.
void SumFloat::place() {
    if (!m_by) return leave();
    const QRect window =
        parentWidget()->rect().adjusted(kFloatEdge, kFloatEdge, -kFloatEdge, -kFloatEdge);
    const QRect number(m_by->mapTo(parentWidget(), m_number.topLeft()), m_number.size());
    const int width = std::min(kFloatWidth, window.width());
    const int height =
        std::max(layout()->totalHeightForWidth(width), layout()->minimumSize().height());
    const QWidget* panel = m_by;
    while (panel != parentWidget() && !qobject_cast<const QScrollArea*>(panel))
        panel = panel->parentWidget();
    const int besidePanel = panel->mapTo(parentWidget(), QPoint()).x() - kFloatGap - width;
    const int left = besidePanel >= window.left() ? besidePanel : number.left() - kFloatGap - width;
    const bool isBeside = left >= window.left();
    const int x =
        isBeside ? left : std::clamp(number.left(), window.left(), window.right() + 1 - width);
    const int y = isBeside ? number.center().y() - height / 4 : number.bottom() + kFloatGap;
    setGeometry(x, std::clamp(y, window.top(), std::max(window.top(), window.bottom() - height)),
                width, height);
}

void SumFloat::takeFocus() {
    QWidget* terms = m_sum->terms();
    (terms->isHidden() ? this : terms)->setFocus(Qt::PopupFocusReason);
}

void SumFloat::leave() {
    if (isHidden()) return;
    hide();
    m_state->hover(std::nullopt);
    deleteLater();
}

bool SumFloat::event(QEvent* event) {
    // Another sum has other rows.
    if (event->type() == QEvent::LayoutRequest) place();
    if (event->type() == QEvent::ShortcutOverride &&
        static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape) {
        event->accept();
        return true;
    }
    return QFrame::event(event);
}

bool SumFloat::eventFilter(QObject* watched, QEvent* event) {
    const QEvent::Type type = event->type();
    const auto* widget = qobject_cast<const QWidget*>(watched);
    const bool isPress = type == QEvent::MouseButtonPress || type == QEvent::Wheel;
    if (isPress && widget && widget != this && !isAncestorOf(widget)) leave();
    if (watched == m_by && type == QEvent::Hide) leave();
    if (watched == parentWidget() && type == QEvent::Resize) leave();
    // Terms that a worker adds up are hidden for a while: the keys wait here.
    if (watched == m_sum->terms() && !isHidden()) {
        if (type == QEvent::Hide && m_sum->terms()->hasFocus()) setFocus(Qt::PopupFocusReason);
        if (type == QEvent::Show && hasFocus()) takeFocus();
    }
    return false;
}

void SumFloat::keyPressEvent(QKeyEvent* event) {
    if (event->key() != Qt::Key_Escape) return QFrame::keyPressEvent(event);
    if (m_by) m_by->setFocus(Qt::PopupFocusReason);
    leave();
}

}  // namespace orrery
