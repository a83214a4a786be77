#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "core/base/sha256.h"
#include "core/run/archive/stored_spec.h"
#include "core/run/jobs/train_job.h"
#include "core/run/run.h"
#include "core/run/run_kind.h"
#include "core/run/steering.h"
#include "tests/support/places.h"
#include "tests/support/test_program.h"

using namespace orrery;
namespace fs = std::filesystem;

namespace {

/// The steered parameters of a run in their order: "10 beta_r=8".
std::string steeringOf(const Workspace& workspace, const std::string& run) {
    std::string text;
    for (const AppliedChange& applied : steeringIn(workspace.reader().events(run)))
        text += (text.empty() ? "" : ", ") + applied.change.key + '=' + applied.change.value;
    return text;
}

QJsonObject objectOf(const std::string& text) {
    return QJsonDocument::fromJson(QByteArray::fromStdString(text)).object();
}

std::string textOf(const fs::path& file) {
    std::ostringstream text;
    text << std::ifstream(file).rdbuf();
    return text.str();
}

}  // namespace

/// The workspace of tests/data/workspace_2 as this program opens it and resumes its runs.
class FormerWorkspaceTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        qputenv("ORRERY_LEARN_LIBRARY", builtPath("lib/liborrery_learn.so").c_str());
        const fs::path copy = m_folder.filePath("before.orrery").toStdString();
        fs::copy(builtPath("tests/core/run/workspace_2/before.orrery"), copy,
                 fs::copy_options::recursive);
        m_workspace = Workspace::open(copy, Workspace::Mode::Create);
    }

    void everyRunIsThereWithItsSpec_data() {
        QTest::addColumn<QByteArray>("state");
        QTest::addColumn<QByteArray>("steering");
        const QByteArray steered =
            "lr_q_r=5e-04, beta_r=8, epsilon_r_end=0.1, "
            "epsilon_r_end=0.01, batch_size=16";
        QTest::newRow("r00001") << QByteArray("finished") << QByteArray();
        QTest::newRow("r00002") << QByteArray("finished") << QByteArray();
        QTest::newRow("r00003") << QByteArray("finished") << QByteArray();
        QTest::newRow("r00004") << QByteArray("finished") << QByteArray();
        QTest::newRow("r00005") << QByteArray("stopped") << steered;
        QTest::newRow("r00006") << QByteArray("stopped") << steered;
        QTest::newRow("r00007") << QByteArray("finished") << QByteArray();
    }
    void everyRunIsThereWithItsSpec() {
        QFETCH(QByteArray, state);
        QFETCH(QByteArray, steering);
        const std::string id = QTest::currentDataTag();
        const RunRecord record = m_workspace->reader().findRun(id);
        QVERIFY(record.state.has_value());
        QCOMPARE(std::string(nameOf(*record.state)), state.toStdString());
        QCOMPARE(QByteArray::fromStdString(steeringOf(*m_workspace, id)), steering);
        if (id == "r00002") return;
        // What is written of the spec has all that was stored; fields that are younger are as the
        // kind says that they were, or by default.
        const RunSpec spec = runSpecFromJson(record.configJson, id);
        const QString kind = QString::fromStdString(spec.job.kind().name);
        const QJsonObject stored = objectOf(record.configJson);
        const QJsonObject written = objectOf(toJson(spec, -1));
        const QJsonObject storedJob = stored[kind].toObject(), job = written[kind].toObject();
        for (const QString& name : stored.keys())
            QVERIFY2(name == kind || written[name] == stored[name], qPrintable(name));
        for (const QString& name : storedJob.keys())
            QVERIFY2(job[name] == storedJob[name], qPrintable(name));
        for (const RunField& field : spec.job.kind().fields) {
            if (storedJob.contains(QString::fromStdString(field.name))) continue;
            const auto former = spec.job.kind().formerValues.find(field.name);
            const bool isFormer = former != spec.job.kind().formerValues.end();
            const FieldValue expected =
                isFormer ? fieldFromText(field, former->second) : fieldDefault(field);
            QVERIFY2(field.get(spec) == expected, field.name.c_str());
        }
        if (const auto* train = spec.job.find<TrainJob>())
            QVERIFY(train->empo.encodingRules() == EncodingRules::Former);
    }

    void aTrainingGoesOn_data() {
        QTest::addColumn<QByteArray>("step");
        // Networks come out alike on processors of one kind alone.
        QTest::addColumn<bool>("isAlike");
        QTest::newRow("r00005") << QByteArray("step_25000") << true;
        QTest::newRow("r00006") << QByteArray("step_4000") << false;
    }
    void aTrainingGoesOn() {
        QFETCH(QByteArray, step);
        QFETCH(bool, isAlike);
        const std::string id = QTest::currentDataTag();
        const auto run = Run::start(storedSpec(*m_workspace, id),
                                    {.workspace = m_workspace.get(), .resumedId = id});
        QCOMPARE(run->wait().state, RunState::Finished);
        const fs::path weights =
            m_workspace->runFolder(id) / step.toStdString() / "model.safetensors";
        QVERIFY(fs::exists(weights));
        if (!isAlike) return;
        const std::string said = textOf(builtPath("tests/core/run/workspace_2/" + id + ".weights"));
        QCOMPARE(sha256HexOfFile(weights), said.substr(0, said.find(' ')));
    }

private:
    QTemporaryDir m_folder;
    std::unique_ptr<Workspace> m_workspace;
};

ORRERY_TEST(FormerWorkspaceTest)
#include "former_workspace_test.moc"
