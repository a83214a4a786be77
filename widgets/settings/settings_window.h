#pragma once

#include <QHash>
#include <QList>
#include <QString>
#include <QWidget>

class QHBoxLayout;
class QLabel;
class QLineEdit;
class QListWidget;
class QStackedWidget;
class QToolButton;
class QVBoxLayout;

namespace orrery {

class Commands;
class Preferences;
class ShortcutPage;
struct SettingSpec;

/// All settings on pages, searched from one field. A change holds at once and is kept at once; each
/// has a button that resets it, shown where it differs from its default.
class SettingsWindow : public QWidget {
    Q_OBJECT

public:
    SettingsWindow(Preferences* preferences, Commands* commands, QWidget* parent);

    void showPage(const QString& page);
    /// A line under a setting; empty: none.
    void setRemark(const QString& key, const QString& text);
    /// A line of facts at the end of a page: "12 runs, 1.4 GB".
    void setFacts(const QString& page, const QString& text);

Q_SIGNALS:
    void pageShown(const QString& page);
    void helpRequested();

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    struct Line {
        const SettingSpec* spec = nullptr;
        QWidget* row = nullptr;
        QWidget* editor = nullptr;
        QLabel *label = nullptr, *remark = nullptr;
        QToolButton* reset = nullptr;
    };
    struct Page {
        QString name;
        QWidget* widget = nullptr;
        QVBoxLayout* column = nullptr;
        QLabel* facts = nullptr;
        bool isFilled = false;
    };
    QHBoxLayout* makeFoot();
    void makePages();
    void turnTo(int row);
    ShortcutPage& shortcuts();
    Page makePage(const QString& name);
    /// Makes the lines of a page: of the first at once, of the others one page a turn of the loop
    /// or when they are first needed.
    void fill(Page& page);
    void fillNext();
    void addLine(Page& page, const SettingSpec& spec);
    QWidget* makeEditor(const SettingSpec& spec, QWidget* parent);
    QWidget* makeFolderEditor(const SettingSpec& spec, QWidget* parent);
    QWidget* makeNumberEditor(const SettingSpec& spec, QWidget* parent);
    void refresh(const QString& key);
    void search(const QString& words);

    Preferences* m_preferences;
    QString m_where;
    Commands* m_commands;
    QLineEdit* m_search;
    QListWidget* m_list;
    QStackedWidget* m_stack;
    QLabel* m_nothing;
    QList<Page> m_pages;
    QHash<QString, Line> m_lines;
    ShortcutPage* m_shortcuts = nullptr;  ///< null until it is needed, and after a change of theme
    bool m_isRefreshing = false;
};

}  // namespace orrery
