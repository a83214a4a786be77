#include "widgets/help/callout.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QPainter>
#include <QPainterPath>
#include <QPushButton>
#include <QVBoxLayout>
#include <algorithm>
#include <array>
#include <utility>

#include "widgets/common/parts.h"
#include "widgets/common/scroll_areas.h"
#include "widgets/common/tokens.h"

namespace orrery {

namespace {

constexpr int kWidth = 320, kArrow = 10, kPadding = 16, kGap = 4, kEdge = 8, kFollowMs = 80;

/// The outline around the control; lets every click through.
class Ring : public QWidget {
public:
    explicit Ring(QWidget* window) : QWidget(window) {
        setObjectName(QStringLiteral("calloutRing"));
        setAttribute(Qt::WA_TransparentForMouseEvents);
        setAttribute(Qt::WA_NoSystemBackground);
        hide();
    }

protected:
    void paintEvent(QPaintEvent* /*event*/) override {
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(QPen(currentTokens().accent, 2));
        painter.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), 5, 5);
    }
};

}  // namespace

Callout::Callout(QWidget* window)
    : QWidget(window),
      m_window(window),
      m_ring(new Ring(window)),
      m_title(makeLabel({}, "hint", this)),
      m_text(makeLabel({}, "", this)),
      m_buttons(new QHBoxLayout) {
    setObjectName(QStringLiteral("callout"));
    setAttribute(Qt::WA_NoSystemBackground);
    setFocusPolicy(Qt::NoFocus);
    m_title->setObjectName(QStringLiteral("calloutTitle"));
    m_text->setObjectName(QStringLiteral("calloutText"));
    m_text->setWordWrap(true);
    m_text->setTextFormat(Qt::RichText);
    constexpr int kMargin = kArrow + kPadding;
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(kMargin, kMargin - 4, kMargin, kMargin - 4);
    column->setSpacing(8);
    column->addWidget(m_title);
    column->addWidget(m_text);
    m_buttons->setSpacing(8);
    column->addLayout(m_buttons);
    m_timer.setInterval(kFollowMs);
    connect(&m_timer, &QTimer::timeout, this, &Callout::follow);
    window->installEventFilter(this);
    hide();
}

Callout::~Callout() {
    delete m_ring.data();
}

void Callout::setText(const QString& title, const QString& html) {
    m_title->setText(title);
    m_text->setText(html);
    setAccessibleName(title);
    setAccessibleDescription(m_text->text());
    m_seen = QRect(-1, -1, 0, 0);  // place it again: the card's height is another
}

void Callout::setTarget(const QString& name) {
    m_name = name;
    m_target = nullptr;
    m_isRevealed = false;
    m_seen = QRect(-1, -1, 0, 0);
    show();
    raise();
    m_timer.start();
    follow();
}

QPushButton* Callout::addButton(const char* name, const QString& text) {
    auto* button = new QPushButton(text, this);
    button->setObjectName(QLatin1String(name));
    button->setAutoDefault(true);
    m_buttons->addWidget(button);
    return button;
}

void Callout::findTarget() {
    const auto isShown = [](const QWidget* widget) {
        return widget->isVisible() && !widget->visibleRegion().isEmpty();
    };
    if (m_target && m_target->objectName() == m_name && isShown(m_target)) return;
    m_target = nullptr;
    if (m_name.isEmpty()) return;
    for (QWidget* widget : m_window->findChildren<QWidget*>(m_name)) {
        // Once: who scrolls on is not fought.
        if (widget->isVisible() && !std::exchange(m_isRevealed, true)) scrollIntoView(widget);
        if (!isShown(widget)) continue;
        m_target = widget;
        return;
    }
}

void Callout::follow() {
    if (isHidden()) return m_timer.stop();
    findTarget();
    QRect rect;
    if (m_target) {
        // What scrolls out of sight is not pointed at.
        const QRect shown = m_target->visibleRegion().boundingRect();
        rect = QRect(m_target->mapTo(m_window, shown.topLeft()), shown.size());
    }
    const bool isRinged = m_target != nullptr;
    m_ring->setVisible(isRinged);
    if (rect == m_seen) return;
    m_seen = rect;
    if (isRinged) {
        m_ring->setGeometry(rect.adjusted(-3, -3, 3, 3).intersected(m_window->rect()));
        m_ring->raise();
    }
    place(rect);
    raise();
}

void Callout::place(const QRect& target) {
    setFixedWidth(kWidth + 2 * kArrow);
    const int height = std::max(layout()->heightForWidth(width()), minimumSizeHint().height());
    resize(width(), height);
    const QRect window = m_window->rect().adjusted(kEdge, kEdge, -kEdge, -kEdge);
    const auto within = [](int value, int low, int high) {
        return std::clamp(value, low, std::max(low, high));
    };
    const int x =
        within(target.center().x() - width() / 2, window.left(), window.right() - width());
    const int y = within(target.center().y() - height / 2, window.top(), window.bottom() - height);
    struct Choice {
        Side side;
        QPoint corner;
        bool fits;
    };
    const std::array<Choice, 4> choices = {{
        {Side::Top,
         {x, target.bottom() + kGap},
         target.bottom() + kGap + height <= window.bottom()},
        {Side::Left, {target.right() + kGap, y}, target.right() + kGap + width() <= window.right()},
        {Side::Right,
         {target.left() - kGap - width(), y},
         target.left() - kGap - width() >= window.left()},
        {Side::Bottom,
         {x, target.top() - kGap - height},
         target.top() - kGap - height >= window.top()},
    }};
    const auto* const choice =
        std::ranges::find_if(choices, [](const Choice& each) { return each.fits; });
    if (target.isEmpty()) {
        m_side = Side::None;
        move(window.center() - QPoint(width() / 2, height / 2));
    } else if (choice != choices.end()) {
        m_side = choice->side;
        move(choice->corner);
    } else {  // the control fills the window: the card lies on its lower right corner
        m_side = Side::None;
        move(window.right() - width(), window.bottom() - height);
    }
    const bool isVertical = m_side == Side::Left || m_side == Side::Right;
    const int wanted =
        isVertical ? target.center().y() - pos().y() : target.center().x() - pos().x();
    m_tip = within(wanted, kArrow + 16, (isVertical ? height : width()) - kArrow - 16);
    update();
}

QPoint Callout::tip() const {
    switch (m_side) {
        case Side::Left:
            return mapToParent(QPoint(0, m_tip));
        case Side::Right:
            return mapToParent(QPoint(width(), m_tip));
        case Side::Top:
            return mapToParent(QPoint(m_tip, 0));
        case Side::Bottom:
            return mapToParent(QPoint(m_tip, height()));
        case Side::None:
            break;
    }
    return geometry().center();
}

QRect Callout::cardRect() const {
    return rect().adjusted(kArrow, kArrow, -kArrow, -kArrow);
}

void Callout::paintEvent(QPaintEvent* /*event*/) {
    const Tokens& tokens = currentTokens();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    QPainterPath path;
    path.addRoundedRect(QRectF(cardRect()).adjusted(0.5, 0.5, -0.5, -0.5), 6, 6);
    if (m_side != Side::None) {
        const QPointF point = mapFromParent(tip());
        const bool isVertical = m_side == Side::Left || m_side == Side::Right;
        const double inward = m_side == Side::Left || m_side == Side::Top ? 1 : -1;
        const QPointF away =
            isVertical ? QPointF(inward * (kArrow + 1), 0) : QPointF(0, inward * (kArrow + 1));
        const QPointF along = isVertical ? QPointF(0, kArrow) : QPointF(kArrow, 0);
        QPainterPath arrow;
        arrow.addPolygon(QPolygonF({point, point + away + along, point + away - along, point}));
        path = path.united(arrow);
    }
    painter.setPen(QPen(tokens.accent, 1));
    painter.setBrush(tokens.raised);
    painter.drawPath(path);
}

void Callout::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Escape)
        Q_EMIT escaped();
    else
        QWidget::keyPressEvent(event);
}

bool Callout::eventFilter(QObject* watched, QEvent* event) {
    if (watched != m_window || isHidden()) return false;
    if (event->type() == QEvent::Resize) {
        m_seen = QRect(-1, -1, 0, 0);
        QTimer::singleShot(0, this, &Callout::follow);  // when the layout has followed, too
    } else if (event->type() == QEvent::KeyPress &&
               static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape) {
        // Escape that no control has used.
        Q_EMIT escaped();
        return true;
    }
    return false;
}

}  // namespace orrery
