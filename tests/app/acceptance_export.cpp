#include <QDir>
#include <QFile>
#include <QImageReader>
#include <QRegularExpression>
#include <QSet>
#include <cmath>

#include "tests/app/acceptance.h"
#include "tests/support/places.h"
#include "tests/support/test_program.h"

using namespace orrery;

namespace {

constexpr int kTakenMoves = 4;
const char* const kMeanChart = "chart_solve/v_r_mean";

/// What tests/app/acceptance_read_exports.py says; empty if it refuses.
QByteArray readByPython(const QStringList& arguments) {
    QProcess python;
    python.start(
        "python3",
        QStringList{QString::fromStdString(sourcePath("tests/app/acceptance_read_exports.py"))} +
            arguments,
        QIODevice::ReadOnly);
    if (!python.waitForFinished(60'000) || python.exitCode() != 0)
        return "failed: " + python.readAllStandardError();
    return python.readAllStandardOutput();
}

qint64 digitsIn(QString text) {
    return text.remove(QRegularExpression("[^0-9]")).toLongLong();
}

}  // namespace

/// Step 19: figures, data, the episode and the curves leave the program as valid files.
class AcceptanceExport : public AcceptanceScript {
    Q_OBJECT

private:
    QString m_run;

    /// Fills in the export form and waits for the file or folder.
    void exportTo(const QString& what, const QString& format, const QString& target) {
        ui.key("ctrl+e");
        WAIT(ui.has("exportForm") && ui.has("exportWhat"));
        if (!what.isEmpty()) {
            QString item;
            for (const QJsonValue value : ui.part("exportWhat").value(u"items").toArray())
                if (value.toString().startsWith(what)) item = value.toString();
            QVERIFY2(!item.isEmpty(), what.toUtf8());
            if (ui.text("exportWhat") != item) SEE(ui.chooseInBox("exportWhat", item));
        }
        if (ui.text("exportFormat") != format) SEE(ui.chooseInBox("exportFormat", format));
        SEE(ui.fill("exportTarget", target));
        m_remark = ui.text("exportRemark");
        SEE(ui.click("exportButton"));
        WAIT(QFile::exists(target) && !ui.has("exportForm"));
        SEE(ui.settle());
    }
    void exportFigure(const QString& format, const QString& target) {
        if (ui.text("figureFormat") != format) SEE(ui.chooseInBox("figureFormat", format));
        SEE(ui.fill("figureFile", target));
        SEE(ui.click("figureExport"));
        WAIT(QFile::exists(target));
    }

    QString m_remark;

private Q_SLOTS:
    void initTestCase() {
        SEE(ui.start({"builtin:first_steps", "--size", "1600x1000"}));
        ui.key("F5");
        WAIT(session(ui).value(u"solved").toBool());
        SEE(ui.settle());
        m_run = ui.dump().value(u"run").toObject().value(u"id").toString();
        ui.key("ctrl+2");
        for (int i = 0; i < kTakenMoves; ++i) {
            ui.key("F9");
            WAIT(session(ui).value(u"step").toInt() == i + 1);
        }
        SEE(ui.settle());
    }

    void step19aTheEpisodeIsAnAnimation() {
        const QString gif = ui.path("episode.gif");
        exportTo("Episode,", "GIF animation", gif);
        QImageReader reader(gif);
        QCOMPARE(reader.format(), QByteArray("gif"));
        int frames = 0;
        QSet<QByteArray> pictures;
        for (QImage frame; reader.read(&frame); ++frames)
            pictures << QByteArray(reinterpret_cast<const char*>(frame.constBits()),
                                   frame.sizeInBytes());
        QCOMPARE(frames, kTakenMoves + 1);
        QVERIFY(pictures.size() > 1);
        QVERIFY(QFile(gif).size() <= qint64{10} << 20);
        QVERIFY(ui.shot("step-19-episode"));
    }

    void step19bTheValuesAreArrays() {
        const QString npz = ui.path("values.npz");
        exportTo("Values of all states", "NumPy arrays", npz);
        const QList<QByteArray> told = readByPython({"npz", npz, "v_r"}).simplified().split(' ');
        QCOMPARE(told.size(), 2);
        QCOMPARE(told[0].toLongLong(), session(ui).value(u"states").toInteger());
        QCOMPARE(told[1].toDouble(), session(ui).value(u"initialV_r").toDouble());
    }

    void step19bTheStateGraphIsForAModelChecker() {
        const QString file = ui.path("garden.tra");
        exportTo("State graph", "PRISM explicit files (.tra, .sta, .lab)", file);
        const QByteArray states = Program::read(ui.path("garden.sta"));
        // The states carry the values of their variables.
        QVERIFY2(states.startsWith("(step,"), states.left(80));
        const qint64 wanted = session(ui).value(u"states").toInteger();
        QCOMPARE(states.count('\n') - 1, wanted);
        QVERIFY(Program::read(file).size() > 0 && QFile::exists(ui.path("garden.lab")));
    }

    void step19cTheCurvesAreATensorBoardFolder() {
        const QString folder = ui.path("board");
        exportTo("Metrics of", "TensorBoard folder", folder);
        const QByteArray text = readByPython({"events", folder});
        std::map<std::pair<QByteArray, int>, double> events;
        for (const QByteArray& line : text.split('\n')) {
            const QList<QByteArray> words = line.split(' ');
            if (words.size() == 3) events[{words[0], words[1].toInt()}] = words[2].toDouble();
        }
        QVERIFY2(!events.empty(), text.left(400));
        QCOMPARE(
            ui.cli({"export", m_run, "--what", "metrics", "-o", ui.path("metrics.csv")}).status, 0);
        int compared = 0;
        for (const QByteArray& line : Program::read(ui.path("metrics.csv")).split('\n')) {
            const QList<QByteArray> fields = line.trimmed().split(',');
            if (fields.size() != 4 || !fields[0].startsWith("solve/v_r_mean")) continue;
            const auto event = events.find({fields[0], fields[2].toInt()});
            QVERIFY2(event != events.end(), line);
            QCOMPARE(static_cast<float>(event->second), static_cast<float>(fields[3].toDouble()));
            ++compared;
        }
        QCOMPARE(compared, session(ui).value(u"levels").toInt());
    }

    void step19dTheVisibleRangeOfAChartIsATable() {
        ui.key("ctrl+5");
        WAIT(ui.facts(kMeanChart).value(u"points").toInteger() > 0);
        SEE(ui.settle());
        const QPoint middle = ui.placeOf(ui.spot(kMeanChart, "plot")).center();
        const QJsonArray all = ui.facts(kMeanChart).value(u"x").toArray();
        ui.click(middle);
        ui.key("Escape");
        ui.ctrlWheel(middle, 4);
        WAIT(ui.facts(kMeanChart).value(u"x").toArray() != all);
        SEE(ui.settle());
        const QJsonArray x = ui.facts(kMeanChart).value(u"x").toArray();
        const QString csv = ui.path("visible.csv");
        exportTo("Points of " + ui.facts(kMeanChart).value(u"title").toString(), "CSV table", csv);
        const QList<QByteArray> lines = Program::read(csv).trimmed().split('\n');
        // "5 points in the visible range, 11 in all"
        QCOMPARE(lines.size() - 1, digitsIn(m_remark.section(" point", 0, 0)));
        int visible = 0;
        for (int step = 0; step < session(ui).value(u"levels").toInt(); ++step)
            visible += step >= x[0].toDouble() && step <= x[1].toDouble();
        QVERIFY(visible > 0 && visible < session(ui).value(u"levels").toInt());
        QVERIFY2(std::abs(static_cast<int>(lines.size()) - 1 - visible) <= 2,
                 Program::read(csv).left(400));
    }

    void step19eTheChartIsAFigureWithRealText() {
        const QString title = ui.facts(kMeanChart).value(u"title").toString();
        ui.key("ctrl+shift+e");
        WAIT(ui.has("figureDialog") && ui.has("figureView"));
        QString picture;
        for (const QJsonValue value : ui.part("figureView").value(u"items").toArray())
            if (value.toString().contains(title)) picture = value.toString();
        QVERIFY2(!picture.isEmpty(), title.toUtf8());
        if (ui.text("figureView") != picture) SEE(ui.chooseInBox("figureView", picture));
        QVERIFY(ui.shot("step-19"));

        const QString svg = ui.path("chart.svg"), pdf = ui.path("chart.pdf"),
                      png = ui.path("chart.png");
        exportFigure("SVG", svg);
        exportFigure("PDF", pdf);
        exportFigure("PNG", png);

        const QString drawn = QString::fromUtf8(Program::read(svg));
        QString texts;
        for (QRegularExpressionMatchIterator it =
                 QRegularExpression("<text[^>]*>([^<]*)").globalMatch(drawn);
             it.hasNext();)
            texts += it.next().captured(1).trimmed() + u' ';
        QVERIFY2(texts.contains("step"), texts.toUtf8());
        for (const QChar letter : title)
            QVERIFY2(letter == u'_' || texts.contains(letter), texts.toUtf8());
        for (const QJsonValue entry : ui.facts(kMeanChart).value(u"legend").toArray())
            QVERIFY2(texts.contains(entry.toString().section(u' ', 0, 0)), texts.toUtf8());

        const QByteArray page = Program::read(pdf);
        QVERIFY(page.startsWith("%PDF-"));
        QVERIFY(page.contains("%%EOF"));
        // Letters of fonts that map back to Unicode: a search finds them.
        QVERIFY(page.contains("/ToUnicode") && page.contains("/Font"));

        const QImage pixels(png);
        QVERIFY(!pixels.isNull());
        QVERIFY(UiDriver::inkIn(pixels, pixels.rect()) > 0.01);
        QVERIFY(pixels.dotsPerMeterX() > 0);
        SEE(ui.click("figureClose"));
        WAIT(!ui.has("figureDialog"));
    }

    void theProgramEndsCleanly() {
        QCOMPARE(ui.quit(), 0);
        QCOMPARE(ui.console(), QByteArray());
    }
};

ORRERY_WINDOW_TEST(AcceptanceExport)
#include "acceptance_export.moc"
