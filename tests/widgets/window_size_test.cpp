#include <QAbstractButton>
#include <QComboBox>
#include <QLineEdit>
#include <QPushButton>
#include <QScreen>
#include <QScrollArea>
#include <QScrollBar>
#include <QTabBar>
#include <QTest>

#include "app/window/crumb_label.h"
#include "tests/support/test_program.h"
#include "tests/widgets/window_bench.h"
#include "widgets/frame/centre_area.h"
#include "widgets/frame/view_page.h"
#include "widgets/frame/window_place.h"
#include "widgets/part/crumbs.h"

using namespace orrery;

/// Sizes of the window and of its screen.
class WindowSizeTest : public QObject, private WindowBench {
    Q_OBJECT

private:
    /// Controls that stick out of the window or of what holds them. What a scroll area or a tab bar
    /// holds can be scrolled to.
    QStringList controlsCut() {
        QStringList cut;
        for (QWidget* widget : m_window->findChildren<QWidget*>()) {
            const bool isControl = qobject_cast<QAbstractButton*>(widget) ||
                                   qobject_cast<QComboBox*>(widget) ||
                                   qobject_cast<QLineEdit*>(widget);
            if (!isControl || !widget->isVisible() || widget->window() != m_window.get()) continue;
            bool scrolls = false;
            for (QWidget* up = widget; up != nullptr; up = up->parentWidget())
                scrolls =
                    scrolls || qobject_cast<QAbstractScrollArea*>(up) || qobject_cast<QTabBar*>(up);
            const QRect place(widget->mapTo(m_window.get(), QPoint()), widget->size());
            if (!scrolls && !m_window->rect().contains(place))
                cut << QStringLiteral("%1 %2").arg(widget->objectName(),
                                                   widget->metaObject()->className());
        }
        return cut;
    }

private Q_SLOTS:
    void init() { makeWindow(worldFile()); }
    void cleanup() { m_window.reset(); }

    void everyControlHasItsPlaceInASmallWindow_data() {
        QTest::addColumn<QSize>("size");
        QTest::newRow("least") << QSize(800, 500);
        QTest::newRow("Full HD at 200 %") << QSize(960, 540);
        QTest::newRow("800x600") << QSize(800, 600);
        QTest::newRow("1280x720") << QSize(1280, 720);
    }
    void everyControlHasItsPlaceInASmallWindow() {
        QFETCH(QSize, size);
        solveByButton();
        m_window->resize(size);
        QTRY_COMPARE_WITH_TIMEOUT(m_window->size(), size, kPatience);
        for (const PerspectiveSpec& spec : m_window->perspectives()) {
            m_window->showPerspective(spec.id);
            QTRY_VERIFY_WITH_TIMEOUT(m_window->isSettled(), kPatience);
            QTRY_VERIFY2_WITH_TIMEOUT(
                controlsCut().isEmpty(),
                qPrintable(QStringLiteral("%1: %2").arg(spec.id, controlsCut().join(u' '))),
                kPatience);
            // Bars wrap or fold; only the tables and charts of Compare are scrolled sideways.
            for (const ViewPage* page : m_window->findChildren<ViewPage*>())
                if (page->isVisible() && spec.id != QLatin1String("compare"))
                    QTRY_VERIFY2_WITH_TIMEOUT(
                        !page->horizontalScrollBar()->isVisible(),
                        qPrintable(QStringLiteral("%1: %2 is %3 wide, its place %4")
                                       .arg(spec.id, page->focusProxy()->objectName())
                                       .arg(page->widget()->width())
                                       .arg(page->width())),
                        kPatience);
            const auto* home = child<QScrollArea>("homeView");
            QTRY_VERIFY_WITH_TIMEOUT(
                !home->isVisible() || home->widget()->width() <= home->viewport()->width(),
                kPatience);
            QTRY_VERIFY2_WITH_TIMEOUT(m_window->centre().width() >= 0.5 * size.width() ||
                                          size.width() >= Frame::kSmallWidth,
                                      qPrintable(spec.id), kPatience);
        }
    }

    void theLeastWindowStillSaysWhereOneIs_data() {
        QTest::addColumn<int>("width");
        for (const int width : {640, 660, 719, 720, 760, 800}) QTest::addRow("%d", width) << width;
    }
    void theLeastWindowStillSaysWhereOneIs() {
        QFETCH(int, width);
        m_window->resize(width, 480);
        QTRY_COMPARE_WITH_TIMEOUT(m_window->width(), width, kPatience);
        const auto* crumbs = child<CrumbLabel>("breadcrumb");
        for (const char* perspective : {"world", "plan", "train"}) {
            m_window->showPerspective(QLatin1String(perspective));
            QTRY_VERIFY_WITH_TIMEOUT(m_window->isSettled(), kPatience);
            QTRY_VERIFY_WITH_TIMEOUT(crumbs->isVisible() && crumbs->width() >= 60, kPatience);
        }
    }

    void aPanelThatIsOpenedInASmallWindowTakesTheRoomOfTheOtherSide() {
        m_window->resize(800, 600);
        QTRY_COMPARE_WITH_TIMEOUT(m_window->size(), QSize(800, 600), kPatience);
        m_window->showPerspective(QStringLiteral("plan"));
        m_window->showView(QStringLiteral("inspector"));
        m_window->showView(QStringLiteral("solver"));
        QTRY_VERIFY2_WITH_TIMEOUT(controlsCut().isEmpty(), qPrintable(controlsCut().join(u' ')),
                                  kPatience);
        QVERIFY(m_window->isViewShown(QStringLiteral("solver")));
        m_window->undoStack().undo();
        QVERIFY(m_window->isViewShown(QStringLiteral("inspector")));
        QVERIFY(!m_window->isViewShown(QStringLiteral("solver")));
    }

    void aMessageBesideANarrowViewIsReadWhole() {
        m_window->resize(800, 600);
        QTRY_COMPARE_WITH_TIMEOUT(m_window->size(), QSize(800, 600), kPatience);
        m_window->showPerspective(QStringLiteral("plan"));
        m_window->showView(QStringLiteral("inspector"));
        m_window->say(MessageKind::Warning, QStringLiteral("r00015 was stopped, it can be resumed"),
                      QStringLiteral("Resume it here"), [] {});
        const auto isWhole = [this] {
            for (const auto* action :
                 m_window->findChildren<QPushButton*>(QStringLiteral("messageAction")))
                if (action->isVisible()) return action->width() >= action->sizeHint().width();
            return false;
        };
        QTRY_VERIFY_WITH_TIMEOUT(isWhole(), kPatience);
        QVERIFY2(controlsCut().isEmpty(), qPrintable(controlsCut().join(u' ')));
    }

    void aSmallWindowHasItsOwnArrangementAndALargeOneIsAsItWas() {
        m_window->showPerspective(QStringLiteral("plan"));
        m_window->hideView(QStringLiteral("paths"));
        const QStringList large = m_window->centre().openViews();
        m_window->resize(960, 540);
        QTRY_VERIFY_WITH_TIMEOUT(!m_window->isViewShown(QStringLiteral("solver")), kPatience);
        QVERIFY(m_window->isViewShown(QStringLiteral("paths")));
        m_window->undoStack().undo();  // of the large window
        QVERIFY(!m_window->isViewShown(QStringLiteral("solver")));
        m_window->undoStack().redo();
        m_window->resize(1280, 900);
        QTRY_VERIFY_WITH_TIMEOUT(m_window->isViewShown(QStringLiteral("solver")), kPatience);
        QCOMPARE(m_window->centre().openViews(), large);
    }

    void theWindowKeepsItsPixelsWhenTheScaleChanges() {
        const QByteArray home = qgetenv("XDG_STATE_HOME"), scale = qgetenv("QT_SCALE_FACTOR");
        qputenv("XDG_STATE_HOME", m_folder.filePath(QStringLiteral("state")).toUtf8());
        const auto start = [this] { startAgain(worldFile()); };
        const QSize screen = m_window->screen()->availableGeometry().size();
        start();
        m_window->resize(700, 500);
        qputenv("QT_SCALE_FACTOR", "1.5");
        m_window->close();
        qputenv("QT_SCALE_FACTOR", scale);
        start();
        QCOMPARE(m_window->size(), QSize(1050, 750).boundedTo(screen));
        QVERIFY(m_window->screen()->availableGeometry().contains(m_window->frameGeometry()));
        m_window->resize(4000, 3000);
        m_window->close();
        start();
        QVERIFY(m_window->screen()->availableGeometry().contains(m_window->frameGeometry()));
        m_window->close();
        m_window.reset();
        qputenv("XDG_STATE_HOME", home);
    }

    void crumbsEndWithWhatIsMeantAndNameARunOnce() {
        solveByButton();
        std::vector<RunRecord> runs(1);
        runs[0].id = session().runId().toStdString();
        runs[0].name = session().loaded().title.toStdString();
        const QStringList parts = crumbsOfWorld(session(), runs);
        QCOMPARE(parts.value(0), session().loaded().title);
        QCOMPARE(parts.value(1), session().runId());
        runs[0].name = "beta_r 5";
        QCOMPARE(crumbsOfWorld(session(), runs).value(1), "beta_r 5 · " + session().runId());
        CrumbLabel crumbs(nullptr);
        crumbs.setParts(parts);
        crumbs.resize(600, 30);
        crumbs.show();
        QVERIFY(crumbs.text().startsWith(parts.first()));
        crumbs.resize(100, 30);
        QVERIFY2(crumbs.text().startsWith(u'…') && crumbs.text().endsWith(parts.last()),
                 qPrintable(crumbs.text()));
        QVERIFY(crumbs.toolTip().startsWith(parts.first()));
        crumbs.setParts({"10 runs compared", "<b>pantry &amp; key · beta_r 100 · r00010</b>"});
        QVERIFY2(crumbs.text().contains(u'…') && crumbs.text().endsWith("10</b>"),
                 qPrintable(crumbs.text()));
        QVERIFY(crumbs.QLabel::sizeHint().width() <= crumbs.width());
        crumbs.resize(280, 30);
        QVERIFY2(crumbs.text().contains("pantry &amp; key ·"), qPrintable(crumbs.text()));
        // A long name of a world does not give way to its step alone.
        const QString world = QStringLiteral("Warehouse with a long corridor, second variant");
        crumbs.setParts({world, "r00002", "t 0"});
        QVERIFY2(crumbs.text().startsWith("Warehouse") && crumbs.text().contains(u'…') &&
                     crumbs.text().contains("variant") && crumbs.text().endsWith("t 0"),
                 qPrintable(crumbs.text()));
        QVERIFY(crumbs.QLabel::sizeHint().width() <= crumbs.width());
        crumbs.resize(600, 30);
        QVERIFY(crumbs.text().startsWith(world));
    }

    void aPlaceOutsideTheScreenIsMovedInside() {
        const QRect screen(0, 20, 1000, 700);
        QCOMPARE(placedOn({-50, -10, 400, 300}, screen), QRect(0, 20, 400, 300));
        QCOMPARE(placedOn({900, 600, 400, 300}, screen), QRect(600, 420, 400, 300));
        QCOMPARE(placedOn({-500, -500, 2000, 1500}, screen), screen);
        QCOMPARE(placedOn({10, 30, 400, 300}, screen), QRect(10, 30, 400, 300));
    }
};

ORRERY_WINDOW_TEST(WindowSizeTest)
#include "window_size_test.moc"
