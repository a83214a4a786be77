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
            setSource(source().resolved(link));
        else
            openOutside(link);
    });
}

bool HelpBrowser::open(const QString& address) {
    const QString page = address.section(u'#', 0, 0);
    if (!m_manual->hasPage(page)) return false;
    QUrl url(QStringLiteral("qrc:/help/%1.html").arg(page));
    if (address.contains(u'#')) url.setFragment(address.section(u'#', 1));
    setSource(url);
    return true;
}

QString HelpBrowser::page() const {
    return pageOf(source());
}

QVariant HelpBrowser::loadResource(int type, const QUrl& name) {
    const QUrl url = source().resolved(name);
    if (type == QTextDocument::StyleSheetResource) return HelpManual::styleSheet(currentTokens());
    if (type == QTextDocument::ImageResource) {
        const QImage picture(u':' + url.path());
        return picture.isNull() ? QVariant() : QVariant(picture);
    }
    if (m_manual->hasPage(pageOf(url))) return m_manual->html(pageOf(url));
    return {};
}

void HelpBrowser::changeEvent(QEvent* event) {
    QTextBrowser::changeEvent(event);
    if (event->type() != QEvent::PaletteChange || source().isEmpty()) return;
    const int place = verticalScrollBar()->value();
    reload();
    verticalScrollBar()->setValue(place);
}

}  // namespace orrery
