#include "widgets/frame/side_panel.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QMainWindow>
#include <QMenu>
#include <QResizeEvent>
#include <QScrollArea>
#include <QTimer>
#include <QToolButton>
#include <algorithm>
#include <utility>

#include "widgets/common/icons.h"
#include "widgets/common/parts.h"
#include "widgets/common/scroll_areas.h"
#include "widgets/common/tokens.h"
#include "widgets/frame/scope_chip.h"
#include "widgets/frame/view_scope.h"
#include "widgets/frame/view_spec.h"
#include "widgets/frame/window_place.h"

namespace orrery {

namespace {

constexpr int kChipRoom = 150, kLowWindow = 700;  ///< pixels

/// The close button draws its icon again when the theme changes.
class CloseButton : public QToolButton {
public:
    explicit CloseButton(QWidget* parent) : QToolButton(parent) { refresh(); }

protected:
    void changeEvent(QEvent* event) override {
        if (event->type() == QEvent::PaletteChange) refresh();
        QToolButton::changeEvent(event);
    }

private:
    void refresh() { setIcon(themedIcon(QStringLiteral("window-close"), currentTokens())); }
};

/// As large as its content must be; in a low window, where several panels share a side, lower, and
/// then it scrolls.
class PanelArea : public QScrollArea {
public:
    explicit PanelArea(QWidget* parent) : QScrollArea(parent) {
        setFrameShape(QFrame::NoFrame);
        setWidgetResizable(true);
        setFocusPolicy(Qt::NoFocus);
        setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    }
    QSize sizeHint() const override {
        return widget() ? widget()->sizeHint() : QScrollArea::sizeHint();
    }
    QSize minimumSizeHint() const override {
        const QSize least = QScrollArea::minimumSizeHint();
        if (!widget()) return least;
        const QSize whole = widget()->minimumSizeHint();
        if (m_isLow) return {whole.width() + kScrollBarWidth, least.height()};
        // What a scroll area takes for the least height.
        const int height = widget()->heightForWidth(std::max(width(), whole.width()));
        return {whole.width(), std::max(whole.height(), height)};
    }

protected:
    void showEvent(QShowEvent* event) override {
        window()->installEventFilter(this);
        refresh();
        QScrollArea::showEvent(event);
    }
    void resizeEvent(QResizeEvent* event) override {
        QScrollArea::resizeEvent(event);
        if (event->size().width() != event->oldSize().width()) updateGeometry();
    }
    bool eventFilter(QObject* watched, QEvent* event) override {
        if (watched == window() && event->type() == QEvent::Resize) refresh();
        if (watched == widget() && event->type() == QEvent::LayoutRequest) updateGeometry();
        return QScrollArea::eventFilter(watched, event);
    }

private:
    void refresh() {
        const bool isLow = window()->height() < kLowWindow;
        if (std::exchange(m_isLow, isLow) != isLow) updateGeometry();
    }

    bool m_isLow = false;
};

}  // namespace

SidePanel::SidePanel(const ViewSpec& spec, QWidget* parent)
    : QDockWidget(spec.title, parent), m_id(spec.id), m_tip(spec.tip), m_make(spec.make) {
    setObjectName(nameOf(spec.id));
    setToolTip(QString());
    setAccessibleName(spec.title);
    auto* bar = new QWidget(this);
    bar->setObjectName(QStringLiteral("panelTitle_") + spec.id);
    bar->setProperty("look", QStringLiteral("panelTitle"));
    bar->setAttribute(Qt::WA_StyledBackground);
    auto* row = new QHBoxLayout(bar);
    row->setContentsMargins(16, 4, 8, 4);
    row->setSpacing(4);
    setTitleBarWidget(bar);
    setAllowedAreas(spec.place == ViewPlace::Bottom
                        ? Qt::DockWidgetAreas(Qt::BottomDockWidgetArea)
                        : Qt::LeftDockWidgetArea | Qt::RightDockWidgetArea);
}

/// With the content: whoever asks for the state of the window asks for the least sizes of all
/// panels, which lays out the titles of hidden ones, too.
void SidePanel::fillTitle() {
    QWidget* bar = titleBarWidget();
    auto* row = static_cast<QHBoxLayout*>(bar->layout());
    QLabel* title = makeLabel(windowTitle(), "section", bar);
    title->setToolTip(m_tip);
    row->addWidget(title);
    row->addStretch(1);
    m_chip = new ScopeChip(bar);
    m_chip->setRoom(kChipRoom);
    m_chip->setScope(m_scope, windowTitle());
    connect(m_chip, &ScopeChip::freezeRequested, this, &SidePanel::freezeRequested);
    row->addWidget(m_chip);
    bar->setContextMenuPolicy(Qt::CustomContextMenu);
    connect(bar, &QWidget::customContextMenuRequested, this,
            [this, bar](const QPoint& at) { showTitleMenu(bar->mapToGlobal(at)); });
    auto* close = new CloseButton(bar);
    close->setObjectName(QStringLiteral("panelClose_") + m_id);
    close->setProperty("look", QStringLiteral("plain"));
    close->setIconSize(QSize(12, 12));
    close->setFixedSize(24, 24);
    close->setToolTip(tr("Close %1; View > Panels brings it back").arg(windowTitle()));
    close->setAccessibleName(close->toolTip());
    connect(close, &QToolButton::clicked, this, &SidePanel::closeRequested);
    row->addWidget(close);
}

void SidePanel::setScope(ViewScope* scope) {
    m_scope = scope;
    if (m_chip) m_chip->setScope(scope, windowTitle());
}

void SidePanel::showTitleMenu(const QPoint& global) {
    QMenu menu;
    menu.setObjectName(QStringLiteral("panelMenu"));
    if (const ViewScope* scope = m_chip->scope()) {
        const bool isFrozen = scope->isFrozen();
        menu.addAction(tr("Duplicate view"), this, &SidePanel::duplicateRequested);
        menu.addAction(isFrozen ? tr("Follow the selection again") : tr("Freeze view"), this,
                       [this, isFrozen] { Q_EMIT freezeRequested(!isFrozen); });
        menu.addSeparator();
    }
    menu.addAction(tr("Close"), this, &SidePanel::closeRequested);
    menu.exec(global);
}

QWidget* SidePanel::content() {
    if (m_content) return m_content;
    fillTitle();
    auto* area = new PanelArea(this);
    m_content = std::exchange(m_make, nullptr)(area->viewport());
    // What scrolls already, or is a line or two at the bottom, does so by itself.
    if (qobject_cast<QScrollArea*>(m_content) || allowedAreas() == Qt::BottomDockWidgetArea) {
        setWidget(m_content);
        delete area;
    } else {
        area->setWidget(m_content);
        setWidget(area);
    }
    widget()->setAttribute(Qt::WA_StyledBackground);  // the panel's, not the window's
    return m_content;
}

/// Floating, by itself or in a group, it stays on the screen wherever it is dropped: below its edge
/// it could not be caught again.
bool SidePanel::event(QEvent* event) {
    const bool isTaken = QDockWidget::event(event);
    const QEvent::Type type = event->type();
    const bool isDropped =
        type == QEvent::MouseButtonRelease || type == QEvent::MouseButtonDblClick;
    const bool isGrouped = type == QEvent::ParentChange && parentWidget() != nullptr &&
                           parentWidget()->inherits("QDockWidgetGroupWindow");
    // It stands in the saved state, which knows things by their names.
    if (isGrouped) parentWidget()->setObjectName(QStringLiteral("panelGroup"));
    // A group has its size in the next turn.
    if (isDropped || isGrouped) QTimer::singleShot(0, this, &SidePanel::stayOnScreen);
    return isTaken;
}

void SidePanel::stayOnScreen() {
    if (isVisible() && !qobject_cast<QMainWindow*>(window())) keepOnScreen(*window());
}

void SidePanel::showEvent(QShowEvent* event) {
    content();
    QDockWidget::showEvent(event);
}

}  // namespace orrery
