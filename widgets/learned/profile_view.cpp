#include "widgets/learned/profile_view.h"

#include <QApplication>
#include <QComboBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QSignalBlocker>
#include <QSplitter>
#include <QTabBar>
#include <QVBoxLayout>
#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <utility>

#include "widgets/common/name_box.h"
#include "widgets/common/number_text.h"
#include "widgets/common/parts.h"
#include "widgets/imgui/trace_text.h"
#include "widgets/learned/duration_bins.h"
#include "widgets/learned/error_bars.h"
#include "widgets/learned/span_panel.h"
#include "widgets/learned/stage_times.h"
#include "widgets/plots/cell_table.h"

namespace orrery {

namespace {

constexpr int kWideView = 980;  ///< pixels from which on the numbers stand beside the timeline
constexpr int kNumbersWide = 560, kSplitMargin = 12;
constexpr int kHighView = 760;  ///< from which on there is room below a timeline

/// Null: nothing was recorded.
const SpanLane* learnerOf(const StageProfile& profile) {
    return profile.timeline && !profile.timeline->lanes.empty() ? profile.timeline->lanes[0].get()
                                                                : nullptr;
}

/// What is told of learners: all that is their methods' own, idle, and what else they did.
std::vector<SpanWords> kindsOf(const std::vector<StageProfile>& profiles) {
    std::vector<SpanWords> kinds;
    for (const StageProfile& profile : profiles)
        for (const SpanWords& kind : profile.words)
            if ((kind.kind <= SpanKind::Idle || profile.stats.of(kind.kind).mean > 0) &&
                std::ranges::find(kinds, kind.name, &SpanWords::name) == kinds.end())
                kinds.push_back(kind);
    return kinds;
}

CellModel::Cell cell(const QString& text, double number) {
    return {.text = text, .number = number, .isNumber = true};
}

CellModel::Cell milliseconds(double ms) {
    return cell(valueText(ms, ms < 1 ? 4 : 3), ms);
}

CellModel::Cell percent(double first, double second) {
    const double change = first > 0 ? 100 * (second - first) / first : 0;
    return cell(
        first > 0 ? QString::number(change, 'f', 0) + QStringLiteral(" %") : QStringLiteral("–"),
        change);
}

/// What methods name is called for people, in this order; other names stand as they are.
constexpr std::array<std::pair<const char*, const char*>, 6> kMemory = {{
    {"buffer", QT_TRANSLATE_NOOP("ProfileView", "replay buffer")},
    {"tables", QT_TRANSLATE_NOOP("ProfileView", "tables")},
    {"parameters", QT_TRANSLATE_NOOP("ProfileView", "networks")},
    {"optimisers", QT_TRANSLATE_NOOP("ProfileView", "optimisers")},
    {"recording", QT_TRANSLATE_NOOP("ProfileView", "recording, at most")},
    {"process", QT_TRANSLATE_NOOP("ProfileView", "whole process")},
}};

/// Names of memory that any of them has, and what they are called.
std::vector<std::pair<std::string, QString>> memoryNames(
    const std::vector<const StageProfile*>& profiles) {
    std::map<std::string, std::int64_t> all;
    for (const StageProfile* profile : profiles)
        all.insert(profile->memory.begin(), profile->memory.end());
    std::vector<std::pair<std::string, QString>> names;
    for (const auto& [name, title] : kMemory)
        if (all.erase(name) > 0) names.emplace_back(name, ProfileView::tr(title));
    for (const auto& [name, bytes] : all) names.emplace_back(name, QString::fromStdString(name));
    return names;
}

}  // namespace

ProfileView::ProfileView(LearnedDesk* desk, QWidget* parent)
    : QWidget(parent),
      m_desk(desk),
      m_empty(new QWidget(this)),
      m_full(new QWidget(this)),
      m_runs{new NameBox(m_full), new NameBox(m_full)},
      m_remark(makeRemark({}, "hint", m_full)),
      m_bars(new StageTimes(m_full)),
      m_split(new QSplitter(Qt::Horizontal, m_full)),
      m_panels{new SpanPanel(QStringLiteral("profileTimeline"), m_full),
               new SpanPanel(QStringLiteral("profileTimeline2"), m_full)},
      m_table(new CellTable(QStringLiteral("profileTable"), m_full)),
      m_memory(new CellTable(QStringLiteral("profileMemory"), m_full)) {
    setObjectName(QStringLiteral("profile"));
    nameParts();
    layOut();
    for (QComboBox* box : m_runs) connect(box, &QComboBox::activated, this, &ProfileView::read);
    for (SpanPanel* panel : m_panels) {
        connect(panel, &SpanPanel::rangeChanged, this, &ProfileView::showStages);
        connect(panel, &SpanPanel::rangeChanged, this, &ProfileView::showDurations);
        connect(panel, &SpanPanel::kindPicked, this, [this, panel](int kind) {
            markKind(wordsOf(panel->timeline()->words, static_cast<SpanKind>(kind)));
        });
    }
    connect(m_desk, &LearnedDesk::trainingsChanged, this, &ProfileView::fillRuns);
    connect(m_desk, &LearnedDesk::profilesRead, this, &ProfileView::refresh);
    setFocusProxy(m_panels[0]);
    fillRuns();
}

void ProfileView::nameParts() {
    for (QComboBox* box : m_runs) {
        box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
        box->setMinimumContentsLength(18);
    }
    m_runs[0]->setObjectName(QStringLiteral("profileFirst"));
    m_runs[0]->setAccessibleName(tr("Training"));
    m_runs[0]->setToolTip(tr("The training whose time is shown"));
    m_runs[1]->setObjectName(QStringLiteral("profileSecond"));
    m_runs[1]->setAccessibleName(tr("Training to compare with"));
    m_runs[1]->setToolTip(tr("A second training, for the difference"));
    m_table->setAccessibleName(tr("Milliseconds of each part of a training step"));
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_memory->setAccessibleName(tr("Memory of the training"));
}

void ProfileView::layOut() {
    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(0, 0, 0, 0);
    outer->addWidget(m_empty);
    outer->addWidget(m_full);
    auto* none = new QVBoxLayout(m_empty);
    QLabel* text =
        makeLabel(tr("No training was profiled yet: start one with Ctrl+T."), "name", m_empty);
    text->setAlignment(Qt::AlignCenter);
    none->addWidget(text);
    auto* column = new QVBoxLayout(m_full);
    column->setContentsMargins(12, 10, 12, 10);
    column->setSpacing(6);
    auto* row = new QHBoxLayout;
    row->setSpacing(8);
    row->addWidget(m_runs[0], 1);
    row->addWidget(makeLabel(tr("against"), "name", m_full));
    row->addWidget(m_runs[1], 1);
    row->addWidget(m_remark, 1);
    column->addLayout(row);
    column->addWidget(m_bars);
    auto* times = new QWidget(m_split);
    m_times = new QVBoxLayout(times);
    m_times->setContentsMargins(0, 0, 0, 0);
    m_times->setSpacing(6);
    for (SpanPanel* panel : m_panels) m_times->addWidget(panel, 1);
    m_panels[1]->hide();
    m_split->addWidget(times);
    QWidget* numbers = makeNumbers();
    m_split->addWidget(numbers);
    m_split->setStretchFactor(0, 3);
    m_split->setStretchFactor(1, 2);
    m_split->setChildrenCollapsible(false);
    column->addWidget(m_split, 1);
}

/// Below each other beside the timeline, as tabs below it.
QWidget* ProfileView::makeNumbers() {
    auto* numbers = new QWidget(m_split);
    m_numbers = new QVBoxLayout(numbers);
    m_numbers->setSpacing(6);
    m_tabs = new QTabBar(numbers);
    m_tabs->setObjectName(QStringLiteral("profileTabs"));
    m_tabs->setAccessibleName(tr("Numbers of the training"));
    m_tabs->setExpanding(false);
    m_tabs->setDrawBase(false);
    for (const QString& title : {tr("Parts of a step"), tr("Durations"), tr("Memory")})
        m_tabs->addTab(title);
    auto* memory = new QWidget(numbers);
    auto* column = new QVBoxLayout(memory);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(6);
    m_memoryTitle = makeLabel(tr("Memory"), "section", memory);
    column->addWidget(m_memoryTitle);
    column->addWidget(m_memory);
    m_parts = {m_table, makeDurations(numbers), memory};
    m_numbers->addWidget(m_tabs);
    for (std::size_t i = 0; i < m_parts.size(); ++i)
        m_numbers->addWidget(m_parts[i], i == 0 ? 3 : 2);
    connect(m_tabs, &QTabBar::currentChanged, this, &ProfileView::arrangeNumbers);
    return numbers;
}

void ProfileView::arrangeNumbers() {
    const bool isWide = m_split->orientation() == Qt::Horizontal;
    m_numbers->setContentsMargins(isWide ? kSplitMargin : 0, isWide ? 0 : kSplitMargin, 0, 0);
    m_tabs->setVisible(!isWide);
    m_memoryTitle->setVisible(isWide);
    placeDurations(isWide && height() >= kHighView && m_panels[1]->isHidden());
    for (std::size_t i = 0; i < m_parts.size(); ++i)
        m_parts[i]->setVisible(isWide || static_cast<int>(i) == m_tabs->currentIndex());
}

/// Below a timeline that is alone, which has no use for all the height of a large window.
void ProfileView::placeDurations(bool isBelow) {
    QWidget* durations = m_parts[1];
    if (isBelow == (m_times->indexOf(durations) >= 0)) return;
    if (isBelow)
        m_times->addWidget(durations, 1);
    else
        m_numbers->insertWidget(m_numbers->indexOf(m_parts[0]) + 1, durations, 2);
}

QWidget* ProfileView::makeDurations(QWidget* parent) {
    auto* part = new QWidget(parent);
    auto* column = new QVBoxLayout(part);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(6);
    auto* row = new QHBoxLayout;
    row->addWidget(makeLabel(tr("Durations"), "section", part));
    m_kind = new QComboBox(part);
    m_kind->setObjectName(QStringLiteral("profileKind"));
    m_kind->setAccessibleName(tr("Part of a step"));
    m_kind->setToolTip(tr("Whose durations are counted; a click in the timeline picks it, too"));
    row->addWidget(m_kind);
    row->addStretch(1);
    column->addLayout(row);
    m_durations = new ErrorBars(QStringLiteral("profileDurations"), tr("ms, at least"), part);
    m_durations->setAccessibleName(tr("Recorded steps by duration"));
    m_durations->setLegend(tr("recorded steps"));
    column->addWidget(m_durations, 1);
    connect(m_kind, &QComboBox::currentIndexChanged, this, &ProfileView::showDurations);
    return part;
}

/// What the first training's steps have; one that is picked stays, if it is there.
void ProfileView::fillKinds() {
    const StageProfile* profile = profileOf(m_runs[0]->currentData().toString());
    if (profile == nullptr) return;
    QStringList names;
    for (const SpanWords& kind : profile->words)  // what a learner's thread does
        if (kind.kind < SpanKind::Act) names << spanName(kind);
    if (std::exchange(m_kinds, names) == names) return;
    const QSignalBlocker blocker(m_kind);
    const QVariant picked = m_kind->currentData();
    m_kind->clear();
    m_kind->addItem(tr("all"));
    for (const QString& name : names) m_kind->addItem(plainSymbol(name), name);
    m_kind->setCurrentIndex(std::max(0, m_kind->findData(picked)));
}

/// How the durations of a part of the first training's steps spread, within its range.
void ProfileView::showDurations() {
    const StageProfile* profile = profileOf(m_runs[0]->currentData().toString());
    const SpanLane* learner = profile != nullptr ? learnerOf(*profile) : nullptr;
    std::vector<ErrorBin> bins;
    if (learner != nullptr) {
        const auto kind =
            std::ranges::find(profile->words, m_kind->currentData().toString(), &spanName);
        bins = durationBins(
            recordedTimes(*learner, m_panels[0]->range().value_or(wholeOf(*learner)),
                          kind == profile->words.end() ? std::nullopt : std::optional(kind->kind)));
        m_durations->setHeading(QStringLiteral("%1, %2").arg(profile->id, m_kind->currentText()));
    }
    m_durations->setBins(std::move(bins));
}

void ProfileView::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    const bool isWide = width() >= kWideView;
    m_split->setOrientation(isWide ? Qt::Horizontal : Qt::Vertical);
    arrangeNumbers();
    const int numbers = isWide ? std::min(kNumbersWide, width() * 9 / 20) : height() / 3;
    m_split->setSizes({(isWide ? width() : height()) - numbers, numbers});
}

void ProfileView::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    if (std::exchange(m_isStale, false)) refresh();
}

void ProfileView::setLive(StageProfile live) {
    const bool isOther = m_live.id != live.id;
    const bool isKnown = !isOther && m_live.timeline && live.timeline &&
                         m_live.timeline->lanes == live.timeline->lanes;
    m_live = std::move(live);
    const QString& runId = m_live.id;
    if (m_runs[0]->findData(runId) < 0) fillRuns();
    if (isOther) {
        m_runs[0]->setCurrentIndex(std::max(0, m_runs[0]->findData(runId)));
        read();  // a stored one has its profile in its folder
    }
    const bool isShown = m_runs[0]->currentData() == runId || m_runs[1]->currentData() == runId;
    if (!isShown || (isKnown && !m_isStale)) return;
    m_isStale = !isVisible();
    if (!m_isStale) refresh();
}

QAbstractItemModel* ProfileView::tableModel() {
    const QWidget* const focus = QApplication::focusWidget();
    return m_panels[focus != nullptr && m_panels[1]->isAncestorOf(focus) ? 1 : 0]->tableModel();
}

void ProfileView::fillRuns() {
    const auto trainings = m_desk->trainings();
    for (QComboBox* box : m_runs) {
        const QSignalBlocker blocker(box);
        const QVariant chosen = box->currentData();
        box->clear();
        if (box == m_runs[1]) box->addItem(tr("nothing"), QString());
        for (const auto& [id, title] : trainings) box->addItem(title, id);
        const int place = box->findData(chosen);
        box->setCurrentIndex(place >= 0 ? place : 0);
    }
    m_empty->setVisible(trainings.empty());
    m_full->setVisible(!trainings.empty());
    read();
}

void ProfileView::read() {
    m_desk->readProfiles(m_runs[0]->currentData().toString(), m_runs[1]->currentData().toString());
    showTimelines();  // or that they are being read
}

const StageProfile* ProfileView::profileOf(const QString& id) const {
    if (id.isEmpty()) return nullptr;
    if (id == m_live.id && m_live.timeline && !m_live.timeline->isEmpty()) return &m_live;
    const auto at = std::ranges::find(m_desk->profiles(), id, &StageProfile::id);
    return at != m_desk->profiles().end() ? &*at : nullptr;
}

void ProfileView::refresh() {
    showTimelines();
    showStages();
    fillKinds();
    showDurations();
    showMemory();
}

void ProfileView::showTimelines() {
    for (int i = 0; i < 2; ++i) {
        const QString id = m_runs[i]->currentData().toString();
        const StageProfile* profile = profileOf(id);
        m_panels[i]->setVisible(i == 0 || profile != nullptr);
        const bool isOther = std::exchange(m_shown[i], id) != id;
        if (profile == nullptr && m_desk->isReadingProfiles())
            m_panels[i]->setReading();
        else
            m_panels[i]->setTimeline(profile != nullptr ? profile->timeline : nullptr,
                                     profile != nullptr ? m_runs[i]->currentText() : QString(),
                                     isOther);
    }
    arrangeNumbers();
}

/// The profiles that are shown, each limited to its range.
std::vector<StageProfile> ProfileView::limited() const {
    std::vector<StageProfile> shown;
    for (int i = 0; i < 2; ++i)
        if (const StageProfile* profile = profileOf(m_runs[i]->currentData().toString())) {
            shown.push_back(*profile);
            if (const SpanLane* const learner = learnerOf(*profile))
                shown.back().stats =
                    statsOf(*learner, m_panels[i]->range().value_or(wholeOf(*learner)));
        }
    return shown;
}

void ProfileView::showStages() {
    const std::vector<StageProfile> shown = limited();
    m_bars->show(shown);
    if (shown.empty()) return;
    const bool hasTwo = shown.size() > 1;
    QStringList headers{tr("part of a step"), tr("ms"), tr("share")};
    if (hasTwo)
        headers << tr("ms of the other") << tr("share") << tr("difference, ms")
                << tr("difference, %");
    else
        headers << tr("median") << tr("95 %") << tr("longest");
    std::vector<CellModel::Row> rows;
    const SpanStats& stats = shown[0].stats;
    const auto addRow = [&](const QString& name, const SpanKindStats& one,
                            const SpanKindStats& other) {
        const double first = 1e-6 * one.mean, second = 1e-6 * other.mean;
        CellModel::Row row;
        row.cells = {CellModel::word(name), milliseconds(first),
                     cell(shareText(first, sumOf(shown[0])), first)};
        if (hasTwo) {
            row.cells.push_back(milliseconds(second));
            row.cells.push_back(cell(shareText(second, sumOf(shown[1])), second));
            row.cells.push_back(milliseconds(second - first));
            row.cells.push_back(percent(first, second));
        } else {
            for (const double spread : {one.median, one.percentile95, one.longest})
                row.cells.push_back(stats.recorded > 0 ? milliseconds(1e-6 * spread)
                                                       : CellModel::word(QStringLiteral("–")));
        }
        rows.push_back(std::move(row));
    };
    for (const SpanWords& kind : kindsOf(shown))
        addRow(spanName(kind), shown[0].of(kind.name),
               hasTwo ? shown[1].of(kind.name) : SpanKindStats());
    addRow(tr("all"), stats.whole, hasTwo ? shown[1].stats.whole : SpanKindStats());
    m_table->setTable(headers, std::move(rows));
    const QString steps = countText(stats.steps);
    m_remark->setText(stats.steps == 0 ? tr("no checkpoint of this run kept a profile")
                      : stats.isOfAll  ? tr("mean of %1 training steps").arg(steps)
                                       : tr("mean of %1 recorded steps").arg(steps));
}

void ProfileView::showMemory() {
    std::vector<const StageProfile*> shown;
    for (QComboBox* box : m_runs)
        if (const StageProfile* profile = profileOf(box->currentData().toString()))
            shown.push_back(profile);
    if (shown.empty()) return;
    QStringList headers{tr("memory"), tr("bytes")};
    if (shown.size() > 1) headers << tr("of the other") << tr("difference, %");
    std::vector<CellModel::Row> rows;
    for (const auto& [name, title] : memoryNames(shown)) {
        const auto bytes = [&, part = name](std::size_t i) {
            const auto found = shown[i]->memory.find(part);
            return found != shown[i]->memory.end() ? static_cast<double>(found->second) : 0;
        };
        CellModel::Row row;
        row.cells = {CellModel::word(title),
                     cell(bytesText(static_cast<std::int64_t>(bytes(0))), bytes(0))};
        if (shown.size() > 1) {
            row.cells.push_back(cell(bytesText(static_cast<std::int64_t>(bytes(1))), bytes(1)));
            row.cells.push_back(percent(bytes(0), bytes(1)));
        }
        rows.push_back(std::move(row));
    }
    m_memory->setTable(headers, std::move(rows));
}

/// Selects the row of what was clicked in the timeline.
void ProfileView::markKind(const SpanWords& kind) {
    const QString name = spanName(kind);
    const QAbstractItemModel* model = m_table->model();
    for (int row = 0; row < model->rowCount(); ++row)
        if (model->index(row, 0).data().toString() == name) m_table->selectRow(row);
    if (const int place = m_kind->findData(name); place >= 0) m_kind->setCurrentIndex(place);
}

}  // namespace orrery
