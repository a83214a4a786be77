#include <QFile>
#include <QRegularExpression>
#include <QSet>
#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "tests/app/acceptance.h"
#include "tests/support/test_program.h"

using namespace orrery;

/// Step 16: the example study of the gallery, made by its card: ten runs of one world, two settings
/// with five seeds each.
class AcceptanceCompare : public AcceptanceScript {
    Q_OBJECT

private:
    static constexpr int kSeeds = 5;

    static constexpr int kEpisodes = 300;  ///< of each run
    static constexpr const char* kChart = "chart_rollout/attained";

    static QString nameOf(int betaR, int seed) {
        return QString::fromUtf8("Locked pantry · beta_r %1 · seed %2").arg(betaR).arg(seed);
    }
    /// Id of the run, as the command line lists it.
    QString runWith(int betaR, int seed) const {
        const auto runs = ui.cli({"ls", "--json"}).json();
        for (const auto& run : runs)
            if (run["name"] == nameOf(betaR, seed).toStdString())
                return QString::fromStdString(run["id"]);
        return {};
    }

private Q_SLOTS:
    void initTestCase() {
        SEE(ui.start({"--size", "1600x1000"}));
        SEE(ui.click("run_study"));
        WAIT(ui.facts(kChart).value(u"series").toArray().size() == qsizetype{2} * kSeeds);
        SEE(ui.settle());
        QCOMPARE(ui.dump().value(u"perspective").toString(), QString("compare"));
        QVERIFY(ui.shot("step-16-study"));
    }

    void step16aBandsTellHowManySeedsTheyHave() {
        SEE(ui.chooseInBox("runsGroup", "seed"));
        SEE(ui.settle());
        QStringList bands;
        for (const QJsonValue entry : ui.facts(kChart).value(u"legend").toArray())
            bands << entry.toString();
        QCOMPARE(bands.size(), 2);
        for (const QString& band : bands)
            QVERIFY2(band.contains(QStringLiteral("n = 5")), band.toUtf8());
        QVERIFY(ui.shot("step-16-groups"));
    }

    /// What the seeds change are sampled episodes: their bands have a width.
    void step16aBandsOfEpisodesHaveAWidth() {
        const QJsonObject facts = ui.facts(kChart);
        QCOMPARE(facts.value(u"title").toString(), QStringLiteral("Goals attained"));
        QCOMPARE(facts.value(u"points").toInt(), 2 * kSeeds * kEpisodes);
        // No two seeds drew the same episodes.
        QSet<QByteArray> drawn;
        for (int seed = 1; seed <= kSeeds; ++seed) {
            const QByteArray csv =
                ui.cli({"export", runWith(10, seed), "--what", "metrics", "-o", "-"}).out;
            QByteArray attained;  // rows are key, seq, step, value
            for (const QByteArray& row : csv.split('\n'))
                if (row.startsWith("rollout/attained,"))
                    attained += row.mid(row.lastIndexOf(',')).trimmed();
            QCOMPARE(attained.count(','), kEpisodes);
            drawn.insert(attained);
        }
        QCOMPARE(drawn.size(), kSeeds);
        QVERIFY(ui.shot("step-16-episodes"));
    }

    void step16bTheConfigDiffHoldsOnlyWhatDiffers() {
        const auto rows = ui.cells("configDiffRows");
        QStringList fields;
        for (const QStringList& row : rows) fields << row.value(0);
        fields.sort();
        QCOMPARE(fields, (QStringList{"beta_r", "seed"}));
        QStringList values = (rows[0][0] == "beta_r" ? rows[0] : rows[1]).mid(1, 2);
        std::ranges::sort(values);
        QCOMPARE(values, (QStringList{"10", "100"}));
        const Ended told = ui.cli({"diff", runWith(10, 1), runWith(100, 1), "--json"});
        QCOMPARE(told.status, 0);
        QVERIFY2(told.out.contains("beta_r"), told.out);
    }

    void step16cTheWorldShowsWhereTheValuesDiffer() {
        WAIT(!ui.spots("differenceCanvas", "cell ").empty());
        const QString a = ui.text("differenceA"), b = ui.text("differenceB");
        QVERIFY(a != b);
        // The difference in the initial state's cell, against the command line.
        const auto cells = ui.cells("differenceStates");
        QVERIFY(!cells.empty());
        const Ended told = ui.cli({"diff", runWith(10, 1), runWith(100, 1), "--json"});
        const auto json = told.json();
        QVERIFY(json.is_object());
        const QJsonObject bar = ui.spot("differenceCanvas", "color bar");
        QVERIFY(!bar.isEmpty());
        // Diverging about a real zero.
        QVERIFY(std::abs(bar.value(u"low").toDouble() + bar.value(u"high").toDouble()) < 1e-12);
        const QImage screen = ui.screen();
        const QRect place = ui.placeOf(bar);
        int numChecked = 0;
        for (const QJsonObject& cell : ui.spots("differenceCanvas", "cell ")) {
            const double low = bar.value(u"low").toDouble(), high = bar.value(u"high").toDouble();
            const double share = (cell.value(u"value").toDouble() - low) / (high - low);
            const int y =
                static_cast<int>(std::lround(place.bottom() - share * (place.height() - 1)));
            const QColor inBar = screen.pixelColor(
                place.center().x(), std::clamp(y, place.top() + 1, place.bottom() - 1));
            const QColor drawn(cell.value(u"color").toString());
            const int apart = std::abs(inBar.red() - drawn.red()) +
                              std::abs(inBar.green() - drawn.green()) +
                              std::abs(inBar.blue() - drawn.blue());
            QVERIFY2(apart <= 80,
                     (cell.value(u"name").toString() + u' ' + inBar.name() + u' ' + drawn.name())
                         .toUtf8());
            ++numChecked;
        }
        QVERIFY(numChecked > 0);
        QVERIFY(ui.shot("step-16"));
    }

    void step16dTheReportIsOnePageThatNeedsNothingElse() {
        const QString file = ui.path("report.html");
        SEE(ui.click("makeReport"));
        SEE(ui.answerFileDialog(file));
        WAIT(QFile::exists(file));
        const QString page = QString::fromUtf8(Program::read(file));
        QVERIFY(page.startsWith("<!DOCTYPE html>", Qt::CaseInsensitive));
        QVERIFY(page.contains("</html>", Qt::CaseInsensitive));
        QVERIFY(page.contains("beta_r") || page.contains(QString::fromUtf8("β")));
        // Nothing is fetched from anywhere.
        const QRegularExpression outside(
            "(src|href)\\s*=\\s*[\"'](?!data:|#)|url\\((?![\"']?data:)|@import",
            QRegularExpression::CaseInsensitiveOption);
        const QRegularExpressionMatch found = outside.match(page);
        QVERIFY2(!found.hasMatch(), found.captured().toUtf8());
        QVERIFY(page.contains("<svg") || page.contains("data:image/"));
        for (int seed = 1; seed <= kSeeds; ++seed)
            QVERIFY2(page.contains(nameOf(10, seed)), qPrintable(nameOf(10, seed)));
        QVERIFY(ui.shot("step-16-report"));
    }

    void theProgramEndsCleanly() {
        QCOMPARE(ui.quit(), 0);
        QCOMPARE(ui.console(), QByteArray());
    }
};

ORRERY_WINDOW_TEST(AcceptanceCompare)
#include "acceptance_compare.moc"
