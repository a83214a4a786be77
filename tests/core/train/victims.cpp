#include "victims.h"

#include <signal.h>
#include <sys/wait.h>

#include <QElapsedTimer>
#include <cmath>
#include <cstdlib>
#include <sstream>

#include "core/base/error.h"
#include "core/checkpoint/checkpoint_folder.h"
#include "core/history/verify.h"
#include "core/history/workspace.h"
#include "core/run/archive/verify_run.h"
#include "core/run/jobs/entity_job.h"
#include "core/run/jobs/train_job.h"
#include "tests/support/places.h"

namespace orrery::test {

namespace {

constexpr int kPatience = 60'000;  // ms

std::filesystem::path runFolder(const std::string& workspace) {
    return std::filesystem::path(workspace) / "runs" / "r00001";
}

}  // namespace

Victims::Victims() {
    m_process.setProcessChannelMode(QProcess::ForwardedErrorChannel);
    m_process.start(QString::fromStdString(builtPath("bin/train_victim")), {});
    m_process.waitForStarted();
}

Victims::~Victims() {
    if (!m_hasEnded) kill(SIGKILL);
    m_process.closeWriteChannel();
    m_process.waitForFinished();
}

void Victims::start(const VictimOrder& order) {
    std::ostringstream line;
    line << order.workspace << '\t' << order.spec << '\t' << order.clock << '\t' << order.faults
         << '\t' << order.memory << '\t' << order.allocation << '\t' << order.cancelAfter << '\n';
    m_end = {};
    m_pid = 0;
    m_hasEnded = false;
    m_process.write(QByteArray::fromStdString(line.str()));
    m_process.waitForBytesWritten();
    QElapsedTimer timer;
    timer.start();
    while (m_pid == 0 && !m_hasEnded && timer.elapsed() < kPatience)
        waitFor(std::chrono::milliseconds(1));
}

bool Victims::waitFor(std::chrono::microseconds patience) {
    const auto deadline = std::chrono::steady_clock::now() + patience;
    for (;;) {
        m_unread += m_process.readAllStandardOutput();
        for (qsizetype end = 0; (end = m_unread.indexOf('\n')) >= 0;) {
            take(m_unread.left(end).toStdString());
            m_unread.remove(0, end + 1);
        }
        const auto left = deadline - std::chrono::steady_clock::now();
        if (m_hasEnded || left.count() <= 0) return m_hasEnded;
        if (m_process.state() != QProcess::Running) {
            m_hasEnded = true;
            m_end.text = "train_victim has ended";
            return true;
        }
        m_process.waitForReadyRead(static_cast<int>(
            std::chrono::duration_cast<std::chrono::milliseconds>(left).count() + 1));
    }
}

void Victims::take(const std::string& line) {
    std::istringstream words(line);
    std::string word;
    words >> word;
    if (word == "PID") words >> m_pid;
    if (word == "AFTER") words >> m_end.afterFailure;
    if (word == "COMMIT") words >> m_end.committed;
    if (word == "OUTCOME") {
        words >> m_end.state >> m_end.status;
        std::getline(words >> std::ws, m_end.text);
    }
    if (word == "ENDED") {
        int status = 0;
        words >> status;
        m_hasEnded = true;
        m_end.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
        m_end.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    }
}

void Victims::kill(int signal) {
    m_end.diedAt = std::chrono::steady_clock::now().time_since_epoch();
    if (m_pid > 0 && !m_hasEnded) ::kill(static_cast<pid_t>(m_pid), signal);
}

VictimEnd Victims::wait() {
    if (!waitFor(std::chrono::milliseconds(kPatience))) {
        kill(SIGKILL);
        waitFor(std::chrono::milliseconds(kPatience));
        m_end.isHanging = true;
    }
    return m_end;
}

QString problemOf(const std::string& workspace, std::int64_t points) {
    if (!std::filesystem::exists(workspace))
        return points == 0 ? QString() : QStringLiteral("there is no workspace");
    const VerifyReport report = verifyWorkspace(workspace);
    for (const Finding& finding : report.findings)
        return QString::fromStdString(finding.where + ": " + finding.text);
    if (report.metricRows < points)
        return QString("%1 points are stored, %2 were acknowledged")
            .arg(report.metricRows)
            .arg(points);
    if (report.runs == 0) return {};
    const auto opened = Workspace::open(workspace, Workspace::Mode::ReadOnly);
    for (const Finding& finding : verifyCheckpoints(*opened, "r00001"))
        return QString::fromStdString(finding.where + ": " + finding.text);
    const auto rows = opened->reader().checkpoints("r00001");
    if (!rows.empty() && newestStep(workspace) < rows.front().step)
        return QString("the listed checkpoint of step %1 does not load").arg(rows.front().step);
    return {};
}

std::int64_t pointsIn(const std::string& workspace) {
    return std::filesystem::exists(workspace) ? verifyWorkspace(workspace).metricRows : 0;
}

std::map<std::string, std::string> contentOf(const std::string& workspace, std::int64_t step) {
    std::map<std::string, std::string> content;
    if (!std::filesystem::exists(runFolder(workspace) / ("step_" + std::to_string(step))))
        return content;
    const Checkpoint checkpoint = Checkpoint::open(runFolder(workspace), step);
    for (const CheckpointFile& file : checkpoint.manifest().files)
        if (file.name != "clock.safetensors") content[file.name] = file.sha256;
    return content;
}

bool isFinished(const std::string& workspace) {
    try {
        const auto opened = Workspace::open(workspace, Workspace::Mode::ReadOnly);
        const auto run = opened->reader().run("r00001");
        return run && run->state == RunState::Finished;
    } catch (const Error&) {  // it ended before there was a database
        return false;
    }
}

std::int64_t newestStep(const std::string& workspace) {
    if (!std::filesystem::exists(runFolder(workspace))) return -1;
    const CheckpointChoice choice = newestCheckpoint(runFolder(workspace));
    return choice.checkpoint ? choice.checkpoint->manifest().step : -1;
}

bool isNewestFinite(const std::string& workspace) {
    if (!std::filesystem::exists(runFolder(workspace))) return true;
    const CheckpointChoice choice = newestCheckpoint(runFolder(workspace));
    if (!choice.checkpoint) return true;
    for (const char* const file : {"model.safetensors", "optim.safetensors"}) {
        const TensorMap tensors = choice.checkpoint->tensors(file);
        for (const std::string& name : tensors.names())
            for (const float number : tensors.numbers<float>(name))
                if (!std::isfinite(number)) return false;
    }
    return true;
}

RunSpec victimSpec(const std::string& worldFile, bool hasNetworks, std::int64_t steps) {
    RunSpec spec;
    spec.name = "victim";
    TrainJob job = trainingIn({worldFile});
    EmpoSpec& empo = job.empo;
    if (!hasNetworks) applyAliases({{"use_lookup_tables", true}}, empo);
    empo.adaptiveTables = !hasNetworks;
    empo.hiddenSize = 16;
    empo.batchSize = 16;
    empo.numCollectors = 2;
    empo.trainingSteps = steps;
    for (const Quantity quantity : kQuantities) {
        empo.of(quantity).warmupSteps = std::max<std::int64_t>(1, steps / 10);
        empo.of(quantity).targetCopySteps = std::max<std::int64_t>(1, steps / 40);
    }
    empo.rampSteps = std::max<std::int64_t>(1, steps / 5);
    job.cadence = {.metricInterval = std::max<std::int64_t>(1, steps / 100),
                   .checkpointSeconds = 0,
                   .checkpointSteps = std::max<std::int64_t>(1, steps / 4)};
    empo.device = Device::Cpu;
    spec.job = job;
    return spec;
}

RunSpec entityVictimSpec(std::int64_t updates) {
    RunSpec spec;
    spec.name = "victim";
    EntityJob job;
    EntitySpec& entity = job.entity;
    entity.env.id = "MineSweeper";
    entity.env.kwargs = FieldMap{{"width", std::int64_t{4}},
                                 {"height", std::int64_t{4}},
                                 {"nmines", std::int64_t{2}},
                                 {"orbital_cannon", true}};
    entity.env.maxEpisodeSteps = 20;
    entity.net.dModel = 16;
    entity.net.nLayer = 1;
    entity.rollout = {.steps = 4, .numEnvs = 8};
    entity.optim.bs = 16;
    entity.optim.updateEpochs = 2;
    const std::int64_t frames = entity.rollout.frames();
    entity.totalTimesteps = updates * frames;
    entity.eval = EntityEvalSpec{
        .interval = std::max<std::int64_t>(1, updates / 3) * frames, .steps = 20, .numEnvs = 2};
    job.cadence = {.metricInterval = frames,
                   .checkpointSeconds = 0,
                   .checkpointSteps = std::max<std::int64_t>(1, updates / 4) * frames};
    spec.job = job;
    return spec;
}

}  // namespace orrery::test
