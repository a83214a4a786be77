#include "widgets/help/help_browser.h"

#include <QEvent>
#include <QImage>
#include <QScrollBar>

#include "widgets/common/open_outside.h"
#include "widgets/common/tokens.h"
#include "widgets/help/help_manual.h"

namespace orrery {

namespace {

constexpr int kMargin = 20;

QString pageOf(const QUrl& url) {
    QString name = url.fileName();
    if (name.endsWith(QLatin1String(".html"))) name.chop(5);
    return name;
}

}  // namespace

HelpBrowser::HelpBrowser(const HelpManual* manual, QWidget* parent)
    : QTextBrowser(parent), m_manual(manual) {
    setObjectName(QStringLiteral("helpBrowser"));
    setAccessibleName(tr("Page of the manual"));
    setOpenLinks(false);
    // Else each page would be laid out a second time, beside the bar that it turns out to need.
    setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOn);
    document()->setDocumentMargin(kMargin);
    QFont plain = font();
    plain.setStyleStrategy(QFont::PreferNoShaping);  // which takes most of the time of a long page
    setFont(plain);
    connect(this, &QTextBrowser::anchorClicked, this, [this](const QUrl& link) {
        if (link.scheme().isEmpty() || link.scheme() == QLatin1String("qrc"))
            goTo(source().resolved(link));
        else
            openOutside(link);
    });
}

bool HelpBrowser::open(const QString& address) {
    const QString page = address.section(u'#', 0, 0);
    if (!m_manual->hasPage(page)) return false;
    QUrl url(QStringLiteral("qrc:/help/%1.html").arg(page));
    if (address.contains(u'#')) url.setFragment(address.section(u'#', 1));
    goTo(url);
    return true;
}

void HelpBrowser::goTo(const QUrl& url) {
    if (!url.hasFragment() || pageOf(url) == page()) return setSource(url);
    // The place in a turn of its own: to find it, the whole page must be laid out.
    setSource(url.adjusted(QUrl::RemoveFragment));
    QMetaObject::invokeMethod(
        this,
        [this, url] {
            if (pageOf(url) == page()) scrollToAnchor(url.fragment());
        },
        Qt::QueuedConnection);
}

QString HelpBrowser::page() const {
    return pageOf(source());
}

QVariant HelpBrowser::loadResource(int type, const QUrl& name) {
    const QUrl url = source().resolved(name);
    if (type == QTextDocument::StyleSheetResource) {
        m_isDark = currentTokens().isDark;
        return HelpManual::styleSheet(currentTokens());
    }
    if (type == QTextDocument::ImageResource) {
        const QImage picture(u':' + url.path());
        return picture.isNull() ? QVariant() : QVariant(picture);
    }
    if (m_manual->hasPage(pageOf(url))) return m_manual->html(pageOf(url));
    return {};
}

void HelpBrowser::changeEvent(QEvent* event) {
    QTextBrowser::changeEvent(event);
    // A change of the theme changes the palette several times; the page is read once, after it.
    if (event->type() == QEvent::PaletteChange && isVisible())
        QMetaObject::invokeMethod(this, &HelpBrowser::recolour, Qt::QueuedConnection);
}

void HelpBrowser::showEvent(QShowEvent* event) {
    recolour();
    QTextBrowser::showEvent(event);
}

void HelpBrowser::recolour() {
    if (source().isEmpty() || m_isDark == currentTokens().isDark) return;
    const int place = verticalScrollBar()->value();
    reload();
    verticalScrollBar()->setValue(place);
}

}  // namespace orrery
