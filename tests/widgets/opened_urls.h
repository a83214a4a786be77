#pragma once

#include <QDesktopServices>
#include <QList>
#include <QObject>
#include <QUrl>

namespace orrery {

/// What the program would have the desktop open, while it lives: nothing is started.
class OpenedUrls : public QObject {
    Q_OBJECT

public:
    OpenedUrls() { QDesktopServices::setUrlHandler(QStringLiteral("file"), this, "take"); }
    ~OpenedUrls() override { QDesktopServices::unsetUrlHandler(QStringLiteral("file")); }
    OpenedUrls(const OpenedUrls&) = delete;
    OpenedUrls& operator=(const OpenedUrls&) = delete;

    QList<QUrl> urls() const { return m_urls; }

public Q_SLOTS:
    void take(const QUrl& url) { m_urls += url; }

private:
    QList<QUrl> m_urls;
};

}  // namespace orrery
