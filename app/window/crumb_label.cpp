#include "app/window/crumb_label.h"

#include <QEvent>
#include <QRegularExpression>
#include <QResizeEvent>
#include <algorithm>
#include <functional>
#include <utility>

namespace orrery {

namespace {

constexpr int kWidth = 130, kLeast = 60;
constexpr qsizetype kLeastLetters = 12;  ///< of a shortened name that still says which

QString joined(const QStringList& parts) {
    return parts.join(QStringLiteral("&nbsp; › &nbsp;"));
}

/// Tags, and letters one by one; "&amp;" is one.
QStringList piecesOf(const QString& richText) {
    static const QRegularExpression kPiece(QStringLiteral("<[^>]*>|&[^;]*;|."));
    QStringList pieces;
    for (auto each = kPiece.globalMatch(richText); each.hasNext();)
        pieces << each.next().captured();
    return pieces;
}

bool isTag(const QString& piece) {
    return piece.startsWith(u'<');
}

qsizetype numLetters(const QStringList& pieces) {
    return std::ranges::count_if(pieces, std::not_fn(isTag));
}

/// So many of its letters, half of them at its end: there names that begin alike differ.
QString shortened(const QString& richText, qsizetype letters) {
    const QStringList pieces = piecesOf(richText);
    const qsizetype cutFrom = letters - letters / 2, cutTo = numLetters(pieces) - letters / 2;
    QString text;
    qsizetype letter = 0;
    for (const QString& piece : pieces) {
        const qsizetype at = isTag(piece) ? -1 : letter++;
        if (at == cutFrom) text += u'…';
        if (at < cutFrom || at >= cutTo) text += piece;
    }
    return text;
}

}  // namespace

CrumbLabel::CrumbLabel(QWidget* parent) : QLabel(parent) {
    setObjectName(QStringLiteral("breadcrumb"));
    setTextFormat(Qt::RichText);
    setContentsMargins(8, 0, 8, 0);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
}

void CrumbLabel::setParts(const QStringList& parts) {
    if (std::exchange(m_parts, parts) != parts) fit();
}

QSize CrumbLabel::sizeHint() const {
    return {kWidth, QLabel::sizeHint().height()};
}

QSize CrumbLabel::minimumSizeHint() const {
    return {kLeast, 0};
}

void CrumbLabel::resizeEvent(QResizeEvent* event) {
    QLabel::resizeEvent(event);
    if (event->size().width() != event->oldSize().width()) fit();
}

void CrumbLabel::changeEvent(QEvent* event) {
    QLabel::changeEvent(event);
    if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange) fit();
}

bool CrumbLabel::tryText(const QString& text) {
    if (text != this->text()) setText(text);
    return QLabel::sizeHint().width() <= width();
}

void CrumbLabel::fit() {
    setToolTip(joined(m_parts));
    if (tryText(joined(m_parts)) || m_parts.isEmpty()) return;
    if (m_parts.size() > 1 &&
        shorten(m_parts.front(), {}, joined(QStringList{QString()} + m_parts.mid(1)),
                kLeastLetters))
        return;
    for (qsizetype first = 1; first < m_parts.size(); ++first)
        if (tryText(joined(QStringList{QStringLiteral("…")} + m_parts.mid(first)))) return;
    // Whatever is left out is seen to be.
    const QString before = m_parts.size() > 1 ? QStringLiteral("…") : QString();
    if (!tryText(before + m_parts.back())) shorten(m_parts.back(), before, {}, 1);
}

/// One part with as many letters as there is room for. @return whether there is for the least
bool CrumbLabel::shorten(const QString& part, const QString& before, const QString& after,
                         qsizetype least) {
    const auto tryLetters = [&](qsizetype letters) {
        return tryText(before + shortened(part, letters) + after);
    };
    qsizetype fitting = least, tooMany = std::max(least + 1, numLetters(piecesOf(part)));
    while (tooMany - fitting > 1) {
        const qsizetype letters = (fitting + tooMany) / 2;
        (tryLetters(letters) ? fitting : tooMany) = letters;
    }
    return tryLetters(fitting);
}

}  // namespace orrery
