#include <QDir>
#include <QFile>
#include <QTest>

#include "tests/support/places.h"
#include "tests/support/test_program.h"
#include "tests/widgets/window_bench.h"
#include "widgets/frame/centre_area.h"
#include "widgets/frame/message_log.h"
#include "widgets/world/world_panel.h"
#include "widgets/world/world_view.h"

using namespace orrery;

/// What a former program kept of its window.
class OldSessionTest : public QObject, private WindowBench {
    Q_OBJECT

private:
    QString sessionFile() const {
        return m_folder.filePath(QStringLiteral("state/orrery/session.json"));
    }
    QStringList leftOut() const {
        QStringList texts;
        for (const Message& message : m_window->messages().messages())
            if (message.text.contains(QLatin1String("Left out"))) texts << message.text;
        return texts;
    }

private Q_SLOTS:
    void initTestCase() {
        for (const char* variable : {"XDG_CONFIG_HOME", "XDG_DATA_HOME"})
            qputenv(variable, m_folder.filePath(QLatin1String(variable)).toUtf8());
        qputenv("XDG_STATE_HOME", m_folder.filePath(QStringLiteral("state")).toUtf8());
        QVERIFY(QDir().mkpath(m_folder.filePath(QStringLiteral("state/orrery"))));
        QVERIFY(QFile::copy(QString::fromStdString(sourcePath("tests/data/session/version_1.json")),
                            sessionFile()));
        QVERIFY(QFile::setPermissions(sessionFile(), QFile::ReadOwner | QFile::WriteOwner));
    }
    void cleanup() { m_window.reset(); }

    void allThatFitsIsBackAndTheRestIsNamedOnce() {
        startAgain({});
        QCOMPARE(session().loaded().title, QStringLiteral("First steps"));
        QCOMPARE(m_window->perspective(), QStringLiteral("plan"));
        // The layout as it was left, and what this program has more of.
        QCOMPARE(m_window->centre().openViews().mid(0, 4),
                 QStringList({"stateGraph", "states", "world", "solverTimeline"}));
        QVERIFY(!m_window->isViewShown(QStringLiteral("paths")));
        for (const char* panel : {"solver", "levels", "inspector"})
            QVERIFY2(m_window->isViewShown(QLatin1String(panel)), panel);
        // The walk and what was selected.
        QCOMPARE(session().state().step, 2);
        QVERIFY2(m_window->selection().address().endsWith(QLatin1String("/cell/1.2")),
                 qPrintable(m_window->selection().address()));
        m_window->showPerspective(QStringLiteral("world"));
        QVERIFY(!m_window->view<WorldPanel>(QStringLiteral("world"))->view()->showsGhosts());
        QCOMPARE(leftOut().size(), 1);
        QVERIFY2(leftOut().front().contains(QLatin1String("parameters")),
                 qPrintable(leftOut().front()));
        QVERIFY(!QFile::exists(sessionFile() + QStringLiteral(".broken")));
        m_window->close();
    }

    void theNextStartHasNothingToSayOfIt() {
        startAgain({});
        QCOMPARE(session().state().step, 2);
        QVERIFY(!m_window->isViewShown(QStringLiteral("paths")));
        QCOMPARE(leftOut(), QStringList());
        QFile file(sessionFile());
        QVERIFY(file.open(QIODevice::ReadOnly));
        QVERIFY(!file.readAll().contains("\"parameters\""));
        m_window->close();
    }
};

ORRERY_WINDOW_TEST(OldSessionTest)
#include "old_session_test.moc"
