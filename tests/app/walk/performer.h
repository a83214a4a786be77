#pragma once

#include <QJsonObject>
#include <QSize>
#include <memory>

#include "tests/app/walk/screen.h"
#include "tests/support/ui_driver.h"

namespace orrery {

/// In points: smaller windows may cut.
inline constexpr QSize kLeastSize(800, 500);

/// Does the actions of a walk (see WalkChooser) to the real program with real keys and clicks.
class WalkPerformer {
public:
    explicit WalkPerformer(QSize screen);

    UiDriver& ui() { return *m_ui; }
    const UiDriver& ui() const { return *m_ui; }
    const WalkScreen& screen() const { return *m_screen; }

    /// Starts the program in its home. False if its window does not come.
    bool start();
    /// Does one, and takes a dump when the window is settled, or 5 s later. False if what the
    /// action names is not on the screen. The program may have ended afterwards.
    bool perform(const QJsonObject& action);
    /// Ends the program by its own quit, answering what it asks. False if it runs on.
    bool quit();
    /// Whether the last quit() gave up changes: a question of what is to be done first was open.
    bool hasDiscarded() const { return m_hasDiscarded; }
    /// The next start is on a screen of this size.
    void changeScreen(QSize size);

private:
    bool carryOut(const QJsonObject& action);
    bool press(const QJsonObject& action);
    bool fill(const QJsonObject& action);
    bool carry(const QJsonObject& action);
    bool runCommand(const QJsonObject& action);
    /// Takes the first that the locator finds.
    bool find(const QString& text);
    bool makeWorld(const QJsonObject& action);
    bool resize(QSize size);
    bool isMainActive() const;
    bool answerQuit();
    bool raise();
    /// Does something to the main window, "$id" for xdotool.
    /// @param which  options of its search
    bool toWindow(const QString& which, const QString& what);
    /// Looks for something that comes at once or not at all.
    bool soon(const std::function<bool()>& condition) { return m_ui->waitUntil(condition, 600); }
    bool isOnScreen(const QPoint& place) const {
        return QRect(QPoint(), m_screen->size()).contains(place);
    }
    QPoint inWindow(const QJsonArray& share) const;
    void drag(const QPoint& from, const QPoint& to);

    std::unique_ptr<WalkScreen> m_screen;
    std::unique_ptr<UiDriver> m_ui;
    bool m_hasDiscarded = false;
};

}  // namespace orrery
