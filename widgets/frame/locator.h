#pragma once

#include <QLineEdit>
#include <QPointer>
#include <functional>
#include <vector>

#include "widgets/common/row_model.h"

class QFrame;
class QLabel;

namespace orrery {

class RowList;

/// One thing to find: a row of the list and what Enter does.
struct LocatorItem {
    QString name;    ///< what is searched in and shown
    QString detail;  ///< second line: where it is, or why it cannot be used now
    QString keys;    ///< shortcut or number, right
    bool isEnabled = true;
    std::function<void()> run;
};

/// A kind of things. `items` is asked at each key unless isFixed; it may use the typed text (a
/// number, an address) or give all it has: the locator ranks them.
struct LocatorSource {
    QString prefix;  ///< "r": typed before a space or, if it is a sign, alone
    QString name;    ///< "runs"
    std::function<std::vector<LocatorItem>(const QString& typed)> items;
    bool isAlwaysAsked = true;  ///< also without the prefix
    bool isFixed = false;  ///< `items` ignores the text: asked once each time that a search begins
};

/// The field that finds anything. Typing shows the best matches beneath it; Enter runs one. What
/// was run lately ranks higher.
class Locator : public QLineEdit {
    Q_OBJECT

public:
    explicit Locator(QWidget* parent = nullptr);

    /// One with the prefix of another adds its items to that one's.
    void addSource(LocatorSource source);
    /// Takes the focus with a text, such as "> ".
    void open(const QString& text = {});

    /// Names run lately, newest first, for the session.
    QStringList recent() const { return m_recent; }
    void setRecent(const QStringList& names) { m_recent = names; }

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void moveEvent(QMoveEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void refresh();
    void fillFrom(const QString& typed, const LocatorSource* only);
    void showPopup();
    void placePopup();
    void hidePopup();
    void move(int by);
    void runCurrent();
    void giveFocusBack();
    void showRows();

    std::vector<LocatorSource> m_sources;
    std::vector<std::vector<LocatorItem>> m_found;  ///< [source] asked last
    std::vector<bool> m_isAsked;                    ///< [source] in this search
    std::vector<LocatorItem> m_items;               ///< shown now, best first
    int m_current = 0;
    QPointer<QWidget> m_before;  ///< had the focus before open()
    QStringList m_recent;
    QFrame* m_popup = nullptr;
    RowList* m_list = nullptr;
    QLabel* m_hint = nullptr;
};

}  // namespace orrery
