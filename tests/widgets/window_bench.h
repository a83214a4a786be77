#pragma once

#include <QFile>
#include <QTemporaryDir>
#include <QTest>
#include <memory>

#include "app/window/main_window.h"
#include "tests/support/small_room.h"
#include "tests/widgets/shown_window.h"

namespace orrery {

/// A whole window with a workspace of its own, driven by mouse and keys.
class WindowBench {
protected:
    QTemporaryDir m_folder;
    std::unique_ptr<MainWindow> m_window;

    template <typename T>
    T* child(const char* name) {
        T* found = m_window->findChild<T*>(QLatin1String(name));
        if (!found) qFatal("no widget %s", name);
        return found;
    }
    PlanSession& session() { return m_window->session(); }
    void click(const char* name) { QTest::mouseClick(child<QWidget>(name), Qt::LeftButton); }
    WindowOptions options(const QString& world) const {
        WindowOptions options;
        options.world = world;
        options.theme = ThemeChoice::Dark;
        options.workspace = m_folder.filePath(QStringLiteral("test.orrery")).toStdString();
        options.preferencesFile = m_folder.filePath(QStringLiteral("orrery.ini"));
        options.restoresSession = false;
        return options;
    }
    void makeWindow(const QString& world) {
        m_window.reset();
        m_window = std::make_unique<MainWindow>(options(world));
        showSettled(*m_window, {1280, 920});
    }
    /// A window that keeps its session, in the place of one that was closed.
    void startAgain(const QString& world) {
        WindowOptions kept = options(world);
        kept.restoresSession = true;
        m_window.reset();
        m_window = std::make_unique<MainWindow>(kept);
        m_window->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_window.get(), kPatience));
        QTRY_VERIFY_WITH_TIMEOUT(session().isOpen() && m_window->isSettled(), kPatience);
    }
    void solveByButton() {
        QTest::keyClick(m_window.get(), Qt::Key_3, Qt::ControlModifier);
        click("solveButton");
        QTRY_VERIFY_WITH_TIMEOUT(session().solution() && m_window->isSettled(), kPatience);
    }
    QString worldFile() {
        QString name = m_folder.filePath(QStringLiteral("small.yaml"));
        QFile file(name);
        if (file.open(QIODevice::WriteOnly)) file.write(smallRoomFile().c_str());
        return name;
    }
};

}  // namespace orrery
