#include "widgets/frame/locator.h"

#include <QAction>
#include <QFrame>
#include <QHash>
#include <QKeyEvent>
#include <QLabel>
#include <QPainter>
#include <QVBoxLayout>
#include <algorithm>
#include <iterator>

#include "widgets/common/parts.h"
#include "widgets/common/row_list.h"
#include "widgets/common/style.h"
#include "widgets/common/tokens.h"
#include "widgets/frame/fuzzy_match.h"

namespace orrery {

namespace {

constexpr int kMaxShown = 12, kMaxRecent = 100, kRowHeight = 40, kTextMargin = 12;

bool isSign(const QString& prefix) {
    return !prefix[0].isLetter();
}

}  // namespace

Locator::Locator(QWidget* parent) : QLineEdit(parent) {
    setObjectName(QStringLiteral("locator"));
    setPlaceholderText(tr("Find anything"));
    setAccessibleName(tr("Find anything (Ctrl+K)"));
    setToolTip(tr("Commands, runs, states, fields (Ctrl+K)"));
    setMinimumWidth(120);
    setMaximumWidth(290);
    connect(this, &QLineEdit::textEdited, this, &Locator::refresh);
}

void Locator::addSource(LocatorSource source) {
    const auto same = std::ranges::find(m_sources, source.prefix, &LocatorSource::prefix);
    if (same == m_sources.end()) return m_sources.push_back(std::move(source));
    same->items = [first = std::move(same->items),
                   more = std::move(source.items)](const QString& typed) {
        std::vector<LocatorItem> items = first(typed);
        std::ranges::move(more(typed), std::back_inserter(items));
        return items;
    };
}

void Locator::open(const QString& text) {
    if (!hasFocus()) m_before = window()->focusWidget();
    setFocus(Qt::ShortcutFocusReason);
    setText(text);
    refresh();
}

void Locator::giveFocusBack() {
    if (m_before)
        m_before->setFocus();
    else
        clearFocus();
}

void Locator::refresh() {
    const QString typed = text();
    const LocatorSource* only = nullptr;
    QString rest = typed;
    for (const LocatorSource& source : m_sources) {
        const bool named = isSign(source.prefix)
                               ? typed.startsWith(source.prefix)
                               : typed.startsWith(source.prefix + QLatin1Char(' '));
        if (!named) continue;
        only = &source;
        rest = typed.mid(source.prefix.size()).trimmed();
    }
    fillFrom(rest.trimmed(), only);
    m_current = 0;
    showPopup();
}

void Locator::fillFrom(const QString& typed, const LocatorSource* only) {
    m_found.resize(m_sources.size());
    m_isAsked.resize(m_sources.size(), false);
    std::vector<const LocatorItem*> items;
    for (std::size_t s = 0; s < m_sources.size(); ++s) {
        const LocatorSource& source = m_sources[s];
        if (only ? &source != only : !source.isAlwaysAsked) continue;
        if (!source.isFixed || !m_isAsked[s]) m_found[s] = source.items(typed);
        m_isAsked[s] = true;
        for (const LocatorItem& item : m_found[s]) items.push_back(&item);
    }
    QHash<QString, int> places;
    for (int place = static_cast<int>(m_recent.size()) - 1; place >= 0; --place)
        places.insert(m_recent[place], place);
    std::vector<QString> names;
    std::vector<int> bonus;
    names.reserve(items.size());
    bonus.reserve(items.size());
    for (const LocatorItem* item : items) {
        names.push_back(item->name);
        const int place = places.isEmpty() ? -1 : places.value(item->name, -1);
        bonus.push_back(place < 0 ? 0 : std::max(2, 12 - place));
    }
    m_items.clear();
    for (const int index : bestMatches(typed, names, kMaxShown, bonus))
        m_items.push_back(*items[static_cast<std::size_t>(index)]);
}

void Locator::showPopup() {
    if (!m_popup) {
        // A child of the window and no window of its own: the focus stays in the field.
        m_popup = new QFrame(window());
        window()->installEventFilter(this);
        m_popup->setObjectName(QStringLiteral("locatorPopup"));
        m_popup->setProperty("look", QStringLiteral("card"));
        auto* layout = new QVBoxLayout(m_popup);
        layout->setContentsMargins(4, 4, 4, 4);
        layout->setSpacing(0);
        m_list = new RowList(QStringLiteral("locatorList"), kRowHeight, 0, m_popup);
        m_list->setFocusPolicy(Qt::NoFocus);
        m_list->setFitsRows(true);
        connect(m_list, &RowList::picked, this, [this](int row) {
            m_current = row;
            runCurrent();
        });
        layout->addWidget(m_list);
        m_hint = makeLabel({}, "hint", m_popup);
        m_hint->setContentsMargins(8, 6, 8, 4);
        m_hint->setWordWrap(true);
        layout->addWidget(m_hint);
    }
    showRows();
    QStringList prefixes;
    for (const LocatorSource& source : m_sources)
        prefixes << QStringLiteral("%1 %2").arg(source.prefix, source.name);
    m_hint->setText(m_items.empty()
                        ? tr("Nothing fits. Prefixes: %1").arg(prefixes.join(QStringLiteral(" · ")))
                        : prefixes.join(QStringLiteral(" · ")));
    placePopup();
    m_popup->show();
    m_popup->raise();
}

void Locator::placePopup() {
    const int width = std::max(420, this->width());
    const QPoint right = mapTo(window(), QPoint(this->width(), height() + 4));
    m_popup->setFixedWidth(width);
    // More than the window has room for is scrolled.
    const int room = window()->height() - right.y() - 4 - m_hint->heightForWidth(width) - 8;
    m_list->setFitsRows(true, std::clamp(room / kRowHeight, 1, kMaxShown));
    m_popup->adjustSize();
    m_popup->move(std::max(4, right.x() - width), right.y());
}

void Locator::moveEvent(QMoveEvent* event) {
    QLineEdit::moveEvent(event);
    if (m_popup && m_popup->isVisible()) placePopup();
}

void Locator::resizeEvent(QResizeEvent* event) {
    QLineEdit::resizeEvent(event);
    if (m_popup && m_popup->isVisible()) placePopup();
}

/// A window that becomes lower leaves the field where it is.
bool Locator::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::Resize && watched == window() && m_popup->isVisible())
        placePopup();
    return QLineEdit::eventFilter(watched, event);
}

void Locator::showRows() {
    std::vector<Row> rows;
    for (std::size_t i = 0; i < m_items.size(); ++i) {
        const LocatorItem& item = m_items[i];
        rows.push_back({.title = item.name,
                        .subtitle = item.detail,
                        .value = item.keys,
                        .isCurrent = static_cast<int>(i) == m_current,
                        .tip = item.isEnabled ? QString() : item.detail});
    }
    m_list->setRows(std::move(rows));
    m_list->scrollTo(m_list->model()->index(m_current, 0));
}

void Locator::hidePopup() {
    m_isAsked.clear();  // the next search asks anew
    if (m_popup) m_popup->hide();
}

void Locator::move(int by) {
    if (m_items.empty()) return;
    const int count = static_cast<int>(m_items.size());
    m_current = (m_current + by + count) % count;
    showRows();
}

void Locator::runCurrent() {
    if (m_current < 0 || m_current >= static_cast<int>(m_items.size())) return;
    const LocatorItem item = m_items[static_cast<std::size_t>(m_current)];
    if (!item.isEnabled) {
        m_hint->setText(item.detail);
        return;
    }
    m_recent.removeAll(item.name);
    m_recent.prepend(item.name);
    if (m_recent.size() > kMaxRecent) m_recent.removeLast();
    clear();
    hidePopup();
    giveFocusBack();
    item.run();
}

void Locator::keyPressEvent(QKeyEvent* event) {
    switch (event->key()) {
        case Qt::Key_Down:
            return move(1);
        case Qt::Key_Up:
            return move(-1);
        case Qt::Key_Return:
        case Qt::Key_Enter:
            return runCurrent();
        case Qt::Key_Escape:
            clear();
            hidePopup();
            return giveFocusBack();
        default:
            return QLineEdit::keyPressEvent(event);
    }
}

void Locator::focusInEvent(QFocusEvent* event) {
    QLineEdit::focusInEvent(event);
    if (event->reason() == Qt::MouseFocusReason) refresh();
}

void Locator::focusOutEvent(QFocusEvent* event) {
    hidePopup();
    QLineEdit::focusOutEvent(event);
}

void Locator::paintEvent(QPaintEvent* event) {
    QLineEdit::paintEvent(event);
    if (hasFocus() || !text().isEmpty()) return;
    const Tokens& tokens = currentTokens();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setFont(numberFont(10));
    const QString keys = QStringLiteral("Ctrl+K");
    const int width = painter.fontMetrics().horizontalAdvance(keys) + 10;
    const QRectF box(this->width() - width - 7.5, (height() - 18) / 2.0, width, 17);
    if (box.left() < fontMetrics().horizontalAdvance(placeholderText()) + 2 * kTextMargin) return;
    painter.setPen(tokens.border);
    painter.setBrush(tokens.raised);
    painter.drawRoundedRect(box, 3, 3);
    painter.setPen(tokens.text3);
    painter.drawText(box, Qt::AlignCenter, keys);
}

}  // namespace orrery
