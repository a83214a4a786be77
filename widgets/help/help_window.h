#pragma once

#include <QWidget>

class QLabel;
class QLineEdit;
class QStackedWidget;
class QToolButton;
class QTreeWidget;

namespace orrery {

class HelpBrowser;
class HelpManual;
class RowList;

/// The manual in a window of its own beside the program's: contents, search over all pages, back
/// and forward, find in the page. It never blocks the program's window.
class HelpWindow : public QWidget {
    Q_OBJECT

public:
    /// @param manual must outlive the window
    HelpWindow(const HelpManual* manual, QWidget* parent);

    /// Shows "world" or "world#play"; the first page for an address that is not in the manual.
    void open(const QString& address);
    QString page() const;
    HelpBrowser* browser() { return m_browser; }

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    QWidget* makeBar();
    QWidget* makeContents();
    QWidget* makeFindBar();
    QToolButton* makeButton(const char* name, const char* icon, const QString& tip);
    void search(const QString& words);
    void find(bool isBackward);
    void openFind();
    void closeFind();
    void markPage();
    void refreshIcons();

    const HelpManual* m_manual;
    HelpBrowser* m_browser;
    QTreeWidget* m_contents = nullptr;
    RowList* m_hits = nullptr;
    QLabel* m_nothing = nullptr;
    QStackedWidget* m_left = nullptr;
    QLineEdit* m_search = nullptr;
    QWidget* m_findBar = nullptr;
    QLineEdit* m_find = nullptr;
    QLabel* m_findResult = nullptr;
    QStringList m_addresses;  ///< of the hits
};

}  // namespace orrery
