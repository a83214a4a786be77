#include <QElapsedTimer>
#include <QRegularExpression>
#include <map>

#include "tests/app/acceptance_learning.h"
#include "tests/support/test_program.h"

using namespace orrery;

namespace {

/// The numbers after two words of "Interrupted at step 12 345, checkpoint 12 000."
qint64 numberAfter(const QString& text, const QString& word) {
    const QRegularExpressionMatch match =
        QRegularExpression(word + QStringLiteral(" ([\\d\\s]+)"),
                           QRegularExpression::UseUnicodePropertiesOption)
            .match(text);
    return match.captured(1).remove(QRegularExpression("[^0-9]")).toLongLong();
}

}  // namespace

/// Step 14: the program is killed while it trains, starts again and goes on.
class AcceptanceTrainingCrash : public LearningScript {
    Q_OBJECT

private:
    qint64 m_killedAt = 0, m_lastCheckpoint = 0;
    double m_rate = 0;  ///< training steps a second before the end

    std::map<QByteArray, std::vector<qint64>> storedSteps() const {
        const Ended csv = ui.cli({"export", "r00001", "--what", "metrics", "-o", "-"});
        std::map<QByteArray, std::vector<qint64>> steps;
        for (const QByteArray& row : csv.out.split('\n')) {
            const QList<QByteArray> fields = row.split(',');
            if (fields.size() == 4 && fields[0] != "key")
                steps[fields[0]].push_back(fields[2].toLongLong());
        }
        return steps;
    }

private Q_SLOTS:
    void step14aTheProgramIsKilledAtARunningStep() {
        SEE(ui.start({"--size", "1600x1000"}));
        SEE(ui.click("run_training"));
        WAIT(isLive() && step() > 4000);
        SEE(ui.click("trainCheckpoint"));
        WAIT(!marks(kLossChart, "checkpoint").isEmpty());
        const qint64 saved = step();
        QElapsedTimer clock;
        clock.start();
        WAIT(step() > saved + 4000 && clock.elapsed() > 2000);
        m_killedAt = step();
        m_rate =
            static_cast<double>(m_killedAt - saved) * 1000 / static_cast<double>(clock.elapsed());
        SEE(isLive());
        ui.kill();
    }

    void step14bTheStartSaysWhereItWasInterrupted() {
        SEE(ui.start({"--size", "1600x1000"}));
        SEE(!ui.dump().value(u"run").toObject().value(u"live").toBool());
        // What was shown is shown again, and says how it ended.
        WAIT(training().value(u"shown").toBool());
        SEE(!isLive());
        WAIT(ui.text("trainState").contains("Interrupted"));
        QVERIFY(ui.shot("step-14-train"));
        ui.key("ctrl+1");
        WAIT(ui.has("interrupted_r00001"));
        const QString text = ui.text("interrupted_r00001");
        qInfo("%s", qPrintable(text));
        const qint64 at = numberAfter(text, "step");
        m_lastCheckpoint = numberAfter(text, "checkpoint");
        QVERIFY2(m_lastCheckpoint >= 4000 && at >= m_lastCheckpoint, text.toUtf8());
        // At most what 5 s train is lost; what came after the last look is more, not less.
        const double lost = static_cast<double>(m_killedAt - at) / m_rate;
        qInfo("killed at step %lld or later, %.2f s of %.0f steps/s are lost",
              static_cast<long long>(m_killedAt), lost, m_rate);
        QVERIFY2(lost <= 5, QByteArray::number(lost));
        QVERIFY(ui.shot("step-14"));
        // Nowhere does it run.
        bool isListed = false;
        for (const QJsonValue cell : ui.part("latestRuns").value(u"cells").toArray()) {
            const QString spoken = cell.toObject().value(u"spoken").toString();
            QVERIFY2(!spoken.contains("running", Qt::CaseInsensitive), spoken.toUtf8());
            isListed = isListed || spoken.contains("interrupted", Qt::CaseInsensitive);
        }
        QVERIFY(isListed);
        const Ended shown = ui.cli({"show", "1", "--json"});
        QCOMPARE(shown.jsonText("/state"), QStringLiteral("interrupted"));
        QCOMPARE(ui.cli({"verify", workspace()}).status, 0);
    }

    void step14cResumeGoesOn() {
        SEE(ui.click("continue_r00001"));
        WAIT(isLive() && step() > m_killedAt + 2000);
        SEE(ui.dump().value(u"perspective").toString() == "train");
        QCOMPARE(trainingId(), QString("r00001"));
        // The curves begin where they began and have no gap.
        const QJsonObject loss = line(kLossChart, "V_h^e");
        QCOMPARE(loss.value(u"first").toArray()[0].toDouble(), 500.0);
        QCOMPARE(loss.value(u"widestGap").toDouble(), 500.0);
        QVERIFY(ui.shot("step-14-resumed"));
        SEE(!ui.has("continue_r00001"));
        ui.key("shift+F5");
        WAIT(!isLive());
        SEE(ui.settle());
    }

    void step14dItIsWhole() {
        const Ended verified = ui.cli({"verify", workspace()});
        QVERIFY2(verified.status == 0, verified.err);
        const Ended shown = ui.cli({"show", "1", "--json"});
        QCOMPARE(shown.jsonText("/state"), QStringLiteral("stopped"));
        // Each point is stored once.
        for (const auto& [key, steps] : storedSteps()) {
            if (!key.startsWith("Loss/") && !key.startsWith("Rates/")) continue;
            for (std::size_t i = 1; i < steps.size(); ++i)
                QVERIFY2(steps[i] == steps[i - 1] + 500, key + QByteArray::number(steps[i]));
        }
        QCOMPARE(ui.quit(), 0);
        QCOMPARE(ui.console(), QByteArray());
    }
};

ORRERY_WINDOW_TEST(AcceptanceTrainingCrash)
#include "acceptance_training_crash.moc"
