#pragma once

#include <QComboBox>
#include <QFile>
#include <QLineEdit>
#include <QTemporaryDir>
#include <QTest>
#include <memory>

#include "app/window/main_window.h"
#include "tests/support/small_room.h"
#include "tests/widgets/quiet.h"
#include "tests/widgets/shown_window.h"
#include "widgets/export/export_form.h"

namespace orrery {

/// The whole window with an episode of a solved world, which is exported by the keyboard, as a
/// person does it.
class ExportBench {
protected:
    QTemporaryDir m_folder;
    std::unique_ptr<MainWindow> m_window;

    PlanSession& session() { return m_window->session(); }
    QString path(const char* name) { return m_folder.filePath(QLatin1String(name)); }

    template <typename T>
    T* child(const char* name) {
        T* found = m_window->findChild<T*>(QLatin1String(name));
        if (!found) qFatal("no widget %s", name);
        return found;
    }
    /// Types a text in place of what a field holds.
    static void type(QWidget* field, const QString& text) {
        field->setFocus();
        QTest::keyClick(field, Qt::Key_A, Qt::ControlModifier);
        QTest::keyClicks(field, text);
    }
    /// A key of the window, which has the focus: without a window manager nobody gives it back when
    /// another window closes.
    void press(Qt::Key key, Qt::KeyboardModifiers modifiers = {}) {
        m_window->activateWindow();
        if (!QTest::qWaitForWindowActive(m_window.get(), kPatience)) qFatal("not active");
        QTest::keyClick(m_window.get(), key, modifiers);
    }
    /// Opens the form by a key.
    ExportForm* openForm(Qt::Key key, Qt::KeyboardModifiers modifiers) {
        press(key, modifiers);
        auto* form = child<ExportForm>("exportForm");
        if (!QTest::qWaitForWindowActive(form, kPatience)) qFatal("no form");
        return form;
    }
    /// Picks an entry of a box by the keyboard: Home, then Down.
    void pick(const char* box, const QString& start) {
        auto* combo = child<QComboBox>(box);
        combo->setFocus();
        QTest::keyClick(combo, Qt::Key_Home);
        for (int i = 0; i < combo->count() && !combo->currentText().startsWith(start); ++i)
            QTest::keyClick(combo, Qt::Key_Down);
        QVERIFY2(combo->currentText().startsWith(start),
                 qPrintable(combo->currentText() + QStringLiteral(" is not ") + start));
    }
    /// Types the target and presses Enter.
    void enterTarget(const QString& target) {
        // Without a window manager the window may have taken the keyboard back.
        auto* form = child<ExportForm>("exportForm");
        form->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(form, kPatience));
        auto* edit = child<QLineEdit>("exportTarget");
        type(edit, target);
        QTRY_VERIFY_WITH_TIMEOUT(edit->hasFocus(), kPatience);
        QCOMPARE(edit->text(), target);
        QTest::keyClick(edit, Qt::Key_Return);
    }
    /// The same and waits for the message.
    void exportTo(const QString& target) {
        enterTarget(target);
        QTRY_VERIFY_WITH_TIMEOUT(m_window->strip().text().contains(target), kPatience);
        QVERIFY2(m_window->strip().kind() == MessageKind::Ok, qPrintable(m_window->strip().text()));
        QVERIFY(!child<ExportForm>("exportForm")->isVisible());
    }
    static QByteArray read(const QString& path) {
        QFile file(path);
        if (!file.open(QIODevice::ReadOnly)) qFatal("no file");
        return file.readAll();
    }
    void openEpisode() {
        QFile world(path("small.yaml"));
        QVERIFY(world.open(QIODevice::WriteOnly));
        world.write(smallRoomFile(40).c_str());
        world.close();
        WindowOptions options;
        options.world = path("small.yaml");
        options.theme = ThemeChoice::Light;
        options.workspace = path("test.orrery").toStdString();
        options.preferencesFile = m_folder.filePath(QStringLiteral("orrery.ini"));
        options.restoresSession = false;
        m_window = std::make_unique<MainWindow>(options);
        showSettled(*m_window, {1280, 860});
        press(Qt::Key_3, Qt::ControlModifier);
        press(Qt::Key_F5);
        QTRY_VERIFY_WITH_TIMEOUT(session().solution() && m_window->isSettled(), kPatience);
        press(Qt::Key_2, Qt::ControlModifier);
        QCOMPARE(m_window->perspective(), QStringLiteral("world"));
        QTRY_VERIFY_WITH_TIMEOUT(session().values() && m_window->isSettled(), kPatience);
        for (std::size_t i = 1; i <= 3; ++i) {
            press(Qt::Key_F9);
            QTRY_COMPARE_WITH_TIMEOUT(session().walk().size(), i + 1, kPatience);
        }
    }
};

}  // namespace orrery
