#include "widgets/train/train_outlook.h"

#include <QLabel>
#include <QStringList>
#include <QVBoxLayout>
#include <algorithm>

#include "core/run/run_kind.h"
#include "core/train/checkpoint_clock.h"
#include "widgets/common/number_text.h"
#include "widgets/common/parts.h"
#include "widgets/train/train_facts.h"

namespace orrery {

namespace {

constexpr int kMemoryPauseMs = 200;

}  // namespace

TrainOutlook::TrainOutlook(const RunSpec& spec, QWidget* parent) : QWidget(parent), m_spec(spec) {
    (new QVBoxLayout(this))->setContentsMargins(0, 0, 0, 0);
    m_stages = addLine("trainStages");
    m_time = addLine("trainTime");
    m_memory = addLine("trainMemory");
    m_memory->setVisible(static_cast<bool>(spec.job.kind().memory));
    m_checkpoints = addLine("trainKeeping");
    m_memoryPause.setSingleShot(true);
    m_memoryPause.setInterval(kMemoryPauseMs);
    connect(&m_memoryPause, &QTimer::timeout, this, [this] { Q_EMIT memoryWanted(m_spec); });
}

QLabel* TrainOutlook::addLine(const char* name) {
    QLabel* label = makeLabel({}, "label", this);
    label->setObjectName(QLatin1String(name));
    label->setWordWrap(true);
    layout()->addWidget(label);
    return label;
}

void TrainOutlook::refresh(int numRuns, bool isValid) {
    m_stages->setText(isValid ? stagesText() : QString());
    refreshTime();
    askForMemory(numRuns, isValid);
    const TrainCadence& cadence = trainSettings(m_spec.job)->cadence;
    m_checkpoints->setText(tr("Checkpoints: %1; less often where writing one takes over 1 s.")
                               .arg(QString::fromStdString(checkpointIntervalText(
                                   cadence.checkpointSeconds, cadence.checkpointSteps))));
}

void TrainOutlook::forgetAnswers() {
    m_kindOfRate.clear();
    m_memoryOf = Job();
}

/// "Stages: V_h^e to 1 000, X_h to 2 000, ... , full beta_r from 5 000"
QString TrainOutlook::stagesText() const {
    const RunKind& kind = m_spec.job.kind();
    if (!kind.display.stages) return {};
    const std::int64_t last = kind.totalSteps(m_spec.job);
    QStringList parts;
    bool isCut = false;
    for (const TrainingStage& stage : kind.display.stages(m_spec.job)) {
        const QString title = wordsHtml(QString::fromStdString(stage.title));
        if (stage.begin >= last) {
            isCut = true;
            parts << tr("%1 is not reached").arg(title);
        } else if (stage.end > last) {
            parts << tr("%1 from %2").arg(title, countText(stage.begin));
        } else {
            parts << tr("%1 to %2").arg(title, countText(stage.end));
        }
    }
    return unbroken((isCut ? tr("<b>Too few steps for all stages:</b> ") : tr("Stages: ")) +
                    parts.join(QStringLiteral(", ")));
}

/// How long it takes, by the speed of an earlier run.
void TrainOutlook::refreshTime() {
    const QString kind = trainingKind(m_spec);
    if (window()->isVisible() && kind != m_kindOfRate) {
        m_kindOfRate = kind;
        m_rate.reset();
        Q_EMIT rateWanted(kind);
    }
    const std::int64_t steps = std::max<std::int64_t>(
        0, m_spec.job.kind().totalSteps(m_spec.job) - trainSettings(m_spec.job)->fromStep);
    m_time->setText(
        m_rate ? tr("About %1, by the %2 steps/s of %3.")
                     .arg(durationText(static_cast<double>(steps) / m_rate->stepsPerSecond),
                          stepRateText(m_rate->stepsPerSecond), m_rate->run)
               : tr("No run of this kind yet: its time is not known."));
}

/// What it comes to hold, where it was not asked for these settings yet.
void TrainOutlook::askForMemory(int numRuns, bool isValid) {
    if (m_memoryOf == m_spec.job && m_memoryRuns == numRuns) return;
    m_tooMuch.clear();
    m_memory->setText(tr("Memory: not known yet."));
    m_memory->setToolTip({});
    if (!window()->isVisible() || !isValid || !m_spec.job.kind().memory) return;
    m_memoryOf = m_spec.job;
    m_memoryRuns = numRuns;
    m_memoryPause.start();
}

void TrainOutlook::setMemory(const RunSpec& spec, const std::vector<MemoryPart>& parts,
                             std::int64_t limit, int numAtOnce) {
    if (spec.job != m_spec.job || parts.empty()) return;
    const std::int64_t each = bytesOf(parts), bytes = each * numAtOnce;
    m_memory->setText(numAtOnce > 1
                          ? tr("Memory: about %1 at most for each run.").arg(bytesText(each))
                          : tr("Memory: about %1 at most.").arg(bytesText(each)));
    QStringList tips;
    for (const MemoryPart& part : parts)
        tips << tr("%1: %2").arg(QString::fromStdString(part.title), bytesText(part.bytes));
    m_memory->setToolTip(tips.join(u'\n'));
    m_tooMuch.clear();
    if (limit <= 0 || bytes <= limit) return;
    const QString text =
        numAtOnce > 1
            ? tr("%4 runs at once may come to hold %1, more than the %2 that they may take. %3")
            : tr("It may come to hold %1, more than the %2 that it may take. %3");
    m_tooMuch = text.arg(bytesText(bytes), bytesText(limit),
                         QString::fromStdString(m_spec.job.kind().memoryAdvice));
    if (numAtOnce > 1) m_tooMuch = m_tooMuch.arg(numAtOnce);
}

void TrainOutlook::setRate(const QString& kind, const std::optional<MeasuredRate>& rate) {
    if (kind != m_kindOfRate) return;
    m_rate = rate;
    refreshTime();
}

}  // namespace orrery
