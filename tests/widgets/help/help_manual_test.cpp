#include <QApplication>
#include <QFile>
#include <QImage>
#include <QLineEdit>
#include <QMainWindow>
#include <QRegularExpression>
#include <QScrollBar>
#include <QSet>
#include <QTest>
#include <QToolButton>
#include <QTreeWidget>

#include "app/window/help_parts.h"
#include "core/run/jobs/solve_job.h"
#include "core/run/jobs/train_job.h"
#include "tests/support/test_program.h"
#include "tests/widgets/quiet.h"
#include "widgets/common/command_table.h"
#include "widgets/common/commands.h"
#include "widgets/common/row_list.h"
#include "widgets/common/style.h"
#include "widgets/common/tokens.h"
#include "widgets/help/help_browser.h"
#include "widgets/help/help_manual.h"
#include "widgets/help/help_window.h"
#include "widgets/help/tour.h"

using namespace orrery;

class HelpManualTest : public QObject {
    Q_OBJECT

private:
    QMainWindow m_owner;
    Commands m_commands{&m_owner};
    HelpManual m_manual{helpParts(m_commands)};

    /// Addresses in attributes of that name.
    static QStringList linksOf(const QString& html, const char* attribute) {
        const QRegularExpression pattern(
            QStringLiteral("%1=\"([^\"]*)\"").arg(QLatin1String(attribute)));
        QStringList links;
        for (auto match = pattern.globalMatch(html); match.hasNext();)
            links << match.next().captured(1);
        return links;
    }

private Q_SLOTS:
    void everyPageHasATitleATextAndNoOpenMark() {
        QSet<QString> titles;
        for (const HelpPage& page : m_manual.pages()) {
            const QString html = m_manual.html(page.name);
            QVERIFY2(!titles.contains(page.title), qPrintable(page.title));  // listed once
            titles.insert(page.title);
            QVERIFY2(!page.title.isEmpty() && html.size() > 900, qPrintable(page.name));
            QVERIFY2(!html.contains(QLatin1String("<!-- part:")), qPrintable(page.name));
        }
    }

    void noLinkAndNoPictureIsDead() {
        int links = 0, pictures = 0;
        for (const HelpPage& page : m_manual.pages()) {
            const QString html = m_manual.html(page.name);
            for (const QString& link : linksOf(html, "href")) {
                if (link.endsWith(QLatin1String(".css"))) continue;
                QVERIFY2(!link.contains(QLatin1String("://")), qPrintable(link));
                const QString file = link.section(u'#', 0, 0);
                const QString name = file.isEmpty() ? page.name : file.chopped(5);
                QVERIFY2(m_manual.hasPage(name), qPrintable(page.name + ": " + link));
                if (link.contains(u'#'))
                    QVERIFY2(m_manual.anchors(name).contains(link.section(u'#', 1)),
                             qPrintable(page.name + ": " + link));
                ++links;
            }
            for (const QString& picture : linksOf(html, "src")) {
                const QString name = QStringLiteral(":/help/") + picture;
                QVERIFY2(!QImage(name).isNull(), qPrintable(picture));
                QVERIFY2(QFile(name).size() < qint64{60} * 1024, qPrintable(picture));
                ++pictures;
            }
        }
        QVERIFY(links > 60);
        QVERIFY(pictures > 10);
    }

    void everyPageIsReachedFromTheFirst() {
        QSet<QString> reached{QStringLiteral("index")};
        QStringList open{QStringLiteral("index")};
        while (!open.isEmpty())
            for (const QString& link : linksOf(m_manual.html(open.takeFirst()), "href")) {
                const QString name = link.section(u'.', 0, 0);
                if (!m_manual.hasPage(name) || reached.contains(name)) continue;
                reached << name;
                open << name;
            }
        for (const HelpPage& page : m_manual.pages())
            QVERIFY2(reached.contains(page.name), qPrintable(page.name));
    }

    void everyCommandFieldAndVerbIsMentioned() {
        const QString shortcuts = m_manual.html(QStringLiteral("shortcuts"));
        for (const CommandSpec& spec : commandTable()) {
            QVERIFY2(shortcuts.contains(Commands::plainText(spec).toHtmlEscaped()), spec.id);
            QVERIFY2(shortcuts.contains(QString::fromUtf8(spec.tip).toHtmlEscaped()), spec.id);
        }
        const QString solver = m_manual.html(QStringLiteral("solver"));
        for (const RunField& field : solveFields())
            QVERIFY2(solver.contains(
                         QStringLiteral("<code>%1</code>").arg(QString::fromStdString(field.name))),
                     field.name.c_str());
        const QString training = m_manual.html(QStringLiteral("training"));
        for (const RunField& field : trainFields())
            QVERIFY2(training.contains(
                         QStringLiteral("<code>%1</code>").arg(QString::fromStdString(field.name))),
                     field.name.c_str());
        const QString verbs = m_manual.html(QStringLiteral("command_line"));
        for (const char* verb : {"solve", "world show", "graph", "export", "doctor", "verify"})
            QVERIFY2(verbs.contains(QStringLiteral("orrery %1</h3>").arg(QLatin1String(verb))),
                     verb);
    }

    void aChangedKeyStandsInTheManualOfANewWindow() {
        Commands commands(&m_owner);
        commands.setKeys(QStringLiteral("run.solve"), {QKeySequence(QStringLiteral("F12"))});
        const HelpManual manual(helpParts(commands));
        QVERIFY(manual.html(QStringLiteral("shortcuts")).contains(QLatin1String("<tt>F12</tt>")));
    }

    void searchFindsPartsOfPagesTitlesFirst() {
        const auto hits = m_manual.search(QStringLiteral("trust marks"));
        QVERIFY(!hits.empty());
        QCOMPARE(hits.front().address, QStringLiteral("inspector#marks"));
        QVERIFY(m_manual.search(QStringLiteral("bootstrap interval"))
                    .front()
                    .excerpt.contains(QLatin1String("bootstrap")));
        QVERIFY(m_manual.search(QStringLiteral("qqqq")).empty());
        QVERIFY(m_manual.search({}).empty());
    }

    void theStyleSheetHasTheThemesColoursOnly() {
        static const QRegularExpression kColor(QStringLiteral("#[0-9A-Fa-f]{6}"));
        const QString light = HelpManual::styleSheet(lightTokens());
        const QString dark = HelpManual::styleSheet(darkTokens());
        QVERIFY(light.contains(lightTokens().text.name(), Qt::CaseInsensitive));
        for (auto match = kColor.globalMatch(light); match.hasNext();) {
            const QString color = match.next().captured(0);
            QVERIFY2(!dark.contains(color, Qt::CaseInsensitive), qPrintable(color));
        }
    }

    void theWindowOpensPagesByMouseAndKeysAndGoesBack() {
        applyTheme(*qApp, ThemeChoice::Light);
        HelpWindow window(&m_manual, nullptr);
        window.open(QStringLiteral("inspector#why"));
        QVERIFY(QTest::qWaitForWindowActive(&window, kPatience));
        QCOMPARE(window.page(), QStringLiteral("inspector"));
        QTRY_VERIFY_WITH_TIMEOUT(window.browser()->verticalScrollBar()->value() > 0, kPatience);
        auto* contents = window.findChild<QTreeWidget*>(QStringLiteral("helpContents"));
        QCOMPARE(contents->currentItem()->text(0), QStringLiteral("Inspector"));
        QTest::keyClick(contents, Qt::Key_Down);
        QCOMPARE(window.page(), QStringLiteral("solver"));
        QTest::keyClick(&window, Qt::Key_Left, Qt::AltModifier);
        QCOMPARE(window.page(), QStringLiteral("inspector"));
        QTest::mouseClick(window.findChild<QToolButton*>(QStringLiteral("helpForward")),
                          Qt::LeftButton);
        QCOMPARE(window.page(), QStringLiteral("solver"));
        window.open(QStringLiteral("no-such-page"));
        QCOMPARE(window.page(), QStringLiteral("index"));
    }

    void searchAndFindWorkByKeys() {
        HelpWindow window(&m_manual, nullptr);
        window.open(QStringLiteral("index"));
        QVERIFY(QTest::qWaitForWindowActive(&window, kPatience));
        QTest::keyClick(&window, Qt::Key_K, Qt::ControlModifier);
        auto* search = window.findChild<QLineEdit*>(QStringLiteral("helpSearch"));
        QTRY_VERIFY_WITH_TIMEOUT(search->hasFocus(), kPatience);
        QTest::keyClicks(search, QStringLiteral("conflict"));
        search->clear();
        QTest::keyClicks(search, QStringLiteral("pin a"));
        auto* hits = window.findChild<RowList*>(QStringLiteral("helpHits"));
        QVERIFY(hits->isVisible() && hits->model()->rowCount() > 0);
        QTest::mouseClick(hits->viewport(), Qt::LeftButton, {},
                          hits->visualRect(hits->model()->index(0, 0)).center());
        QCOMPARE(window.page(), QStringLiteral("inspector"));
        QTest::keyClick(&window, Qt::Key_F, Qt::ControlModifier);
        auto* find = window.findChild<QLineEdit*>(QStringLiteral("helpFindText"));
        QTRY_VERIFY_WITH_TIMEOUT(find->hasFocus(), kPatience);
        QTest::keyClicks(find, QStringLiteral("histogram"));
        QCOMPARE(window.browser()->textCursor().selectedText(), QStringLiteral("histogram"));
        QTest::keyClick(find, Qt::Key_Escape);
        QVERIFY(!find->isVisible() && window.isVisible());
    }

    void theToursAreWhole() {
        const std::vector<Tour> tours = builtinTours();
        QCOMPARE(tours.size(), std::size_t{3});
        QStringList known{QString(), QStringLiteral("solved"), QStringLiteral("state"),
                          QStringLiteral("set"), QStringLiteral("click")};
        for (const CommandSpec& spec : commandTable())
            known << QStringLiteral("command:") + QLatin1String(spec.id);
        for (const char* place : {"home", "world", "plan", "compare"})
            known << QStringLiteral("perspective:") + QLatin1String(place);
        for (const Tour& tour : tours)
            for (const TourStep& step : tour.steps)
                QVERIFY2(known.contains(step.done), qPrintable(tour.id + ": " + step.done));
    }
};

ORRERY_WINDOW_TEST(HelpManualTest)
#include "help_manual_test.moc"
