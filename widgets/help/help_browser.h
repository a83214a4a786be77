#pragma once

#include <QTextBrowser>

namespace orrery {

class HelpManual;

/// Shows one page of the manual. Links to other pages and pictures are found in the manual; links
/// that lead out of it are opened by the desktop.
class HelpBrowser : public QTextBrowser {
    Q_OBJECT

public:
    HelpBrowser(const HelpManual* manual, QWidget* parent);

    /// "world" or "world#play". @return whether there is such a page
    bool open(const QString& address);
    /// The page shown.
    QString page() const;

    QVariant loadResource(int type, const QUrl& name) override;

protected:
    void changeEvent(QEvent* event) override;
    void showEvent(QShowEvent* event) override;

private:
    void goTo(const QUrl& url);
    /// In the colours of the theme, where the page was read in those of another.
    void recolour();

    const HelpManual* m_manual;
    bool m_isDark = false;  ///< the colours of the page
};

}  // namespace orrery
