#include "widgets/figure/figure_file.h"

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QTemporaryDir>
#include <QTest>

#include "core/base/error.h"
#include "tests/support/test_program.h"

using namespace orrery;

/// Figure files: what is kept, and what is refused with its place.
class FigureFileTest : public QObject {
    Q_OBJECT

private:
    static QByteArray refusal(const QByteArray& text) {
        try {
            parseFigure(std::string_view(text.constData(), static_cast<std::size_t>(text.size())),
                        "maze.orrery-figure.json");
        } catch (const Error& error) {
            return error.what();
        }
        return {};
    }
    static QByteArray change(Figure& figure, const char* assignment) {
        try {
            setFigureField(figure, assignment);
        } catch (const Error& error) {
            return error.what();
        }
        return {};
    }

private Q_SLOTS:
    void whatIsWrittenIsReadAgain() {
        Figure figure;
        figure.view = QStringLiteral("states");
        figure.state = {{QStringLiteral("nodes"), QJsonArray{QJsonArray{3, 17, -0.1, 2}}},
                        {QStringLiteral("name"), QStringLiteral("12")},
                        {QStringLiteral("tiny"), 1.0 / 3.0}};
        figure.source = {{QStringLiteral("run"), QStringLiteral("20260301-1200")},
                         {QStringLiteral("walk"), QJsonArray{QJsonArray{0, "k1f-0a", 3}}}};
        figure.width = 85.5;
        figure.height = 60;
        figure.dpi = 600;
        figure.font = 7.5;
        figure.isDark = true;
        figure.palette = SequentialMap::Cividis;
        figure.hasLegend = false;
        figure.hasFooter = false;
        figure.hasCaption = true;
        figure.title = QStringLiteral("V_r, \"maze\" \\ Ω");
        figure.picture = QStringLiteral("maze.pdf");
        const QTemporaryDir folder;
        const std::filesystem::path file =
            folder.filePath(QStringLiteral("maze.orrery-figure.json")).toStdString();
        writeFigureFile(file, figure);
        const Figure again = readFigure(file);
        QCOMPARE(again.view, figure.view);
        QCOMPARE(again.state, figure.state);
        QCOMPARE(again.source, figure.source);
        QCOMPARE(again.width, 85.5);
        QCOMPARE(again.height, 60.0);
        QCOMPARE(again.dpi, 600);
        QCOMPARE(again.font, 7.5);
        QVERIFY(again.isDark);
        QCOMPARE(again.palette, SequentialMap::Cividis);
        QVERIFY(!again.hasLegend && !again.hasFooter && again.hasCaption);
        QCOMPARE(again.title, figure.title);
        QCOMPARE(again.picture, figure.picture);
        QCOMPARE(figureText(again), figureText(figure));
        // Nothing else is left in the folder.
        QCOMPARE(QDir(folder.path()).entryList(QDir::Files | QDir::Hidden).size(), 1);
    }

    void whatIsMissingHasTheDefaultsOfAFigure() {
        const Figure figure = parseFigure(R"({"orreryFigure": 1, "view": "world"})", "f");
        QCOMPARE(figure.width, Figure().width);
        QCOMPARE(figure.font, Figure().font);
        QVERIFY(figure.hasLegend && figure.hasFooter && !figure.hasCaption);  // of version 1
        QVERIFY(!figure.isDark);
        QCOMPARE(figure.palette, SequentialMap::Viridis);
    }

    void aPresetSetsWidthAndTextAndKeepsTheShape() {
        Figure figure;
        figure.width = 160;
        figure.height = 80;
        QCOMPARE(change(figure, "preset=two_columns"), QByteArray());
        QCOMPARE(figure.width, 183.0);
        QCOMPARE(figure.height, 91.5);
        QCOMPARE(figure.font, 7.0);
        QVERIFY(!figure.hasFooter);
        QVERIFY(change(figure, "preset=poster").contains("column, two_columns"));
    }

    void mistakesAreToldWithFileLineAndColumn_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("said");
        QTest::newRow("unknown key")
            << QByteArray("{\"orreryFigure\": 1, \"view\": \"world\",\n  \"widht\": 3}")
            << QByteArray("maze.orrery-figure.json:2:3: error E113");
        QTest::newRow("unknown key of the source")
            << QByteArray(
                   "{\"orreryFigure\": 1, \"view\": \"world\",\n\"source\": {\"wrold\": \"x\"}}")
            << QByteArray("maze.orrery-figure.json:2:12: error E113");
        QTest::newRow("out of range")
            << QByteArray("{\"orreryFigure\": 1, \"view\": \"world\", \"dpi\": 9999}")
            << QByteArray("'dpi'");
        QTest::newRow("not a number")
            << QByteArray("{\"orreryFigure\": 1, \"view\": \"world\", \"width\": \"12\"}")
            << QByteArray("json:1:47: error");
        QTest::newRow("newer") << QByteArray("{\"orreryFigure\": 3, \"view\": \"world\"}")
                               << QByteArray("newer than this program's 2");
        QTest::newRow("no view") << QByteArray("{\"orreryFigure\": 1}") << QByteArray("no 'view'");
        QTest::newRow("no version")
            << QByteArray("{\"view\": \"world\"}") << QByteArray("no 'orreryFigure'");
        QTest::newRow("theme")
            << QByteArray("{\"orreryFigure\": 1, \"view\": \"world\", \"theme\": \"sepia\"}")
            << QByteArray("light");
        QTest::newRow("no JSON") << QByteArray("{\"orreryFigure\": 1,\n \"view\": [}")
                                 << QByteArray("maze.orrery-figure.json:2:");
    }
    void mistakesAreToldWithFileLineAndColumn() {
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, said);
        const QByteArray told = refusal(text);
        QVERIFY2(told.contains(said), told.constData());
    }

    void everyMistakeIsToldAtOnce() {
        const QByteArray told =
            refusal("{\"orreryFigure\": 1, \"view\": \"world\",\n\"dpi\": 1,\n\"font\": 99}");
        QCOMPARE(told.count("error"), 2);
        QVERIFY(told.contains(":2:") && told.contains(":3:"));
    }

    void oneFieldIsChangedByItsName() {
        Figure figure;
        figure.source = {{QStringLiteral("world"), QStringLiteral("builtin:first_steps")},
                         {QStringLiteral("run"), QStringLiteral("r1")}};
        QCOMPARE(change(figure, "width=85"), QByteArray());
        QCOMPARE(figure.width, 85.0);
        QCOMPARE(change(figure, "theme=dark"), QByteArray());
        QVERIFY(figure.isDark);
        QCOMPARE(change(figure, "legend=false"), QByteArray());
        QVERIFY(!figure.hasLegend);
        QCOMPARE(change(figure, "title=a = b"), QByteArray());
        QCOMPARE(figure.title, QStringLiteral("a = b"));
        QCOMPARE(change(figure, "run=r2"), QByteArray());
        QCOMPARE(figure.source.value(QLatin1String("run")).toString(), QStringLiteral("r2"));
        QVERIFY(change(figure, "width=5").contains("width"));
        QVERIFY(change(figure, "colour=red").contains("width, height"));
        QVERIFY(change(figure, "width").contains("NAME=VALUE"));
    }
};

ORRERY_TEST(FigureFileTest)
#include "figure_file_test.moc"
