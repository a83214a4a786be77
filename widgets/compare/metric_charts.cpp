#include "widgets/compare/metric_charts.h"

#include <QHBoxLayout>
#include <QJsonArray>
#include <QLabel>
#include <QMenu>
#include <QPointer>
#include <QPushButton>
#include <QSet>
#include <QTimer>
#include <algorithm>
#include <memory>
#include <utility>

#include "core/history/history_reader.h"
#include "core/run/outcome_curves.h"
#include "widgets/bridge/background_worker.h"
#include "widgets/common/metric_title.h"
#include "widgets/common/number_text.h"
#include "widgets/common/parts.h"
#include "widgets/compare/compare_text.h"
#include "widgets/plots/chart_grid.h"

namespace orrery {

namespace {

struct Read {
    std::vector<MetricCurve> curves;
    QStringList known;
};

/// The name under which curves of several kinds stand on one chart; empty: there is none.
QString sharedName(const std::string& curve) {
    return QString::fromUtf8(outcomeOf(curve));
}

/// @param stored  its name in the history; empty: the key
MetricCurve curveOf(const QString& key, int row, std::vector<MetricRow> points,
                    const std::string& stored = {}) {
    MetricCurve curve{.key = key,
                      .stored = stored.empty() ? key : QString::fromStdString(stored),
                      .row = row,
                      .points = {}};
    if (!points.empty()) curve.lastSeq = points.back().seq;
    std::ranges::stable_sort(points, std::ranges::less{}, &MetricRow::step);
    std::vector<double> x, y;
    x.reserve(points.size());
    y.reserve(points.size());
    for (const MetricRow& point : points) {
        x.push_back(static_cast<double>(point.step));
        y.push_back(point.value);
    }
    curve.points.append(x, y);
    return curve;
}

Read readCurves(const std::filesystem::path& folder, const CompareSet& set,
                const QStringList& metrics, const std::stop_token& stop) {
    const HistoryReader reader(folder / "workspace.db");
    Read read;
    QSet<QString> known;
    int count = 0;
    for (const int row : set.rows) {
        if (stop.stop_requested() || ++count > MetricCharts::kMostRuns) break;
        const std::string& id = set.sheet->runs[static_cast<std::size_t>(row)].id;
        for (const std::string& name : reader.metricKeys(id)) {
            const QString key = QString::fromStdString(name), shared = sharedName(name);
            known.insert(key);
            if (metrics.contains(key))
                read.curves.push_back(curveOf(key, row, reader.metrics(id, name)));
            if (shared.isEmpty()) continue;
            known.insert(shared);
            if (metrics.contains(shared))
                read.curves.push_back(curveOf(shared, row, reader.metrics(id, name), name));
        }
    }
    read.known = known.values();
    read.known.sort();
    return read;
}

/// A curve of a run at work, and the place up to which it is known.
struct Follow {
    QString key, stored;
    int row = 0;
    std::int64_t lastSeq = 0;
};

std::vector<MetricCurve> readNews(const std::filesystem::path& folder, const CompareSet& set,
                                  const std::vector<Follow>& follows, const std::stop_token& stop) {
    const HistoryReader reader(folder / "workspace.db");
    std::vector<MetricCurve> news;
    for (const Follow& one : follows) {
        if (stop.stop_requested()) break;
        auto points = reader.metrics(set.sheet->runs[static_cast<std::size_t>(one.row)].id,
                                     one.stored.toStdString(), one.lastSeq);
        if (!points.empty())
            news.push_back(curveOf(one.key, one.row, std::move(points), one.stored.toStdString()));
    }
    return news;
}

/// Puts new points into a curve, in the order of their steps: a solve goes from the last step to
/// the first.
void merge(MetricCurve& curve, const MetricCurve& news) {
    curve.lastSeq = news.lastSeq;
    const Series former = std::exchange(curve.points, {});
    std::int64_t i = 0, k = 0;
    if (former.isEmpty() || news.points.firstX() >= former.lastX()) {
        curve.points = former;
        i = former.size();
    }
    std::vector<double> x, y;
    while (i < former.size() || k < news.points.size()) {
        const bool isFormer =
            k == news.points.size() || (i < former.size() && former.x(i) <= news.points.x(k));
        const Series& from = isFormer ? former : news.points;
        const std::int64_t at = isFormer ? i++ : k++;
        x.push_back(from.x(at));
        y.push_back(from.y(at));
    }
    curve.points.append(x, y);
}

QString seedText(const CompareSet& set, int row) {
    return QObject::tr("seed %1").arg(set.sheet->runs[static_cast<std::size_t>(row)].seed);
}

}  // namespace

MetricCharts::MetricCharts(BackgroundWorker* worker, QWidget* parent)
    : QWidget(parent),
      m_worker(worker),
      m_grid(new ChartGrid(this)),
      m_choose(new QPushButton(tr("Metrics"), this)),
      m_remark(makeLabel({}, "hint", this)) {
    setObjectName(QStringLiteral("metricCharts"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    auto* head = new QHBoxLayout;
    head->setContentsMargins(12, 6, 12, 0);
    head->addWidget(m_remark, 1);
    m_choose->setObjectName(QStringLiteral("metricChoice"));
    m_choose->setToolTip(tr("Choose which metrics have a chart"));
    head->addWidget(m_choose);
    layout->addLayout(head);
    layout->addWidget(m_grid, 1);
    m_grid->setColumns(2);
    connect(m_choose, &QPushButton::clicked, this, &MetricCharts::showMenu);
    connect(m_grid, &ChartGrid::layoutChanged, this, &MetricCharts::changed);
    connect(m_grid, &ChartGrid::viewChanged, this, &MetricCharts::changed);
    // The view stands before its empty charts are made.
    QTimer::singleShot(0, this, [this] {
        if (m_grid->charts().empty()) rebuild();
    });
}

/// What is shown of runs unless somebody chooses: the main curves of a solve, what episodes come
/// to, else the first ones.
QStringList MetricCharts::usualMetrics(const QStringList& known) {
    constexpr int kMost = 3;
    QStringList outcomes;
    for (const std::string_view shared : {kReturnCurve, kLengthCurve, kSuccessCurve})
        if (const QString key = QString::fromUtf8(shared); known.contains(key)) outcomes << key;
    if (!outcomes.isEmpty()) return outcomes;
    const QStringList usual{QStringLiteral("solve/v_r_mean"), QStringLiteral("solve/seconds"),
                            QStringLiteral("solve/states")};
    return known.contains(usual.front()) ? usual : known.mid(0, kMost);
}

void MetricCharts::show(const CompareSet& set, const std::filesystem::path& folder) {
    m_set = set;
    m_folder = folder;
    const int generation = ++m_generation;
    if (set.isEmpty()) {
        m_isWorking = false;
        m_curves.clear();
        rebuild();
        return;
    }
    m_isWorking = true;
    showEmptyText();
    const QPointer<MetricCharts> self(this);
    m_worker->append<Read>(
        [folder, set, metrics = m_metrics](std::stop_token stop) {
            return readCurves(folder, set, metrics, stop);
        },
        [self, generation](Read read) {
            if (self && generation == self->m_generation)
                self->receive(std::move(read.curves), read.known);
        },
        [self, generation](const QString& text) {
            if (!self || generation != self->m_generation) return;
            self->m_isWorking = false;
            self->showEmptyText();
            Q_EMIT self->failed(text);
        });
}

void MetricCharts::receive(std::vector<MetricCurve> curves, const QStringList& known) {
    m_isWorking = false;
    m_curves = std::move(curves);
    m_known = known;
    // Runs of another kind, such as imported ones: what they have is better than empty charts.
    const bool hasAny =
        std::ranges::any_of(m_metrics, [&](const QString& key) { return known.contains(key); });
    if (!hasAny && !known.isEmpty()) return setMetrics(usualMetrics(known));
    rebuild();
}

void MetricCharts::follow() {
    if (m_isWorking || m_isFollowing || m_set.isEmpty()) return;
    std::vector<Follow> follows;
    for (std::size_t k = 0; k < m_set.rows.size() && k < kMostRuns; ++k) {
        const int row = m_set.rows[k];
        const auto& state = m_set.sheet->runs[static_cast<std::size_t>(row)].state;
        if (!state || !isLive(*state)) continue;
        for (const QString& key : m_metrics) {
            const auto known = std::ranges::find_if(m_curves, [&](const MetricCurve& curve) {
                return curve.row == row && curve.key == key;
            });
            if (known != m_curves.end()) {
                follows.push_back({key, known->stored, row, known->lastSeq});
                continue;
            }
            follows.push_back({key, key, row, 0});
            for (const std::string& stored : curvesOfOutcome(key.toStdString()))
                follows.push_back({key, QString::fromStdString(stored), row, 0});
        }
    }
    if (follows.empty()) return;
    m_isFollowing = true;
    const QPointer<MetricCharts> self(this);
    m_worker->append<std::vector<MetricCurve>>(
        [folder = m_folder, set = m_set, follows](std::stop_token stop) {
            return readNews(folder, set, follows, stop);
        },
        [self, generation = m_generation](std::vector<MetricCurve> news) {
            if (!self) return;
            self->m_isFollowing = false;
            if (generation == self->m_generation) self->takeNew(std::move(news));
        },
        [self](const QString& text) {
            if (!self) return;
            self->m_isFollowing = false;
            Q_EMIT self->failed(text);
        });
}

void MetricCharts::takeNew(std::vector<MetricCurve> news) {
    QSet<QString> again;  // charts that are to be filled anew
    for (MetricCurve& added : news) {
        const QString key = added.key;
        const auto known = std::ranges::find_if(m_curves, [&](const MetricCurve& curve) {
            return curve.row == added.row && curve.key == key && curve.stored == added.stored;
        });
        if (known == m_curves.end()) {
            m_curves.push_back(std::move(added));
            if (!m_known.contains(key)) m_known << key;
            again.insert(key);
            continue;
        }
        merge(*known, added);
        const auto shown = std::ranges::find_if(
            m_shown, [&](const Shown& one) { return one.chart == key && one.row == known->row; });
        if (shown == m_shown.end())
            again.insert(key);
        else if (Chart* chart = m_grid->chart(key))
            chart->setPoints(shown->series, known->points);
    }
    for (const QString& key : again) {
        std::erase_if(m_shown, [&](const Shown& one) { return one.chart == key; });
        if (Chart* chart = m_grid->chart(key)) fill(chart, key);
    }
    if (!again.isEmpty()) dim();
}

void MetricCharts::rebuild() {
    m_shown.clear();
    for (Chart* chart : m_grid->charts())
        if (!m_metrics.contains(chart->id())) m_grid->removeChart(chart->id());
    for (const QString& key : m_metrics) {
        Chart* chart = m_grid->chart(key);
        if (chart == nullptr) {
            const bool isByEpisode = key.startsWith(QLatin1String("rollout/"));
            chart = m_grid->addChart(key, isByEpisode ? LinkGroup::B : LinkGroup::A);
            if (key == m_metrics.front() && m_metrics.size() % 2 == 1) m_grid->setSpan(key, 2);
            connect(chart, &Chart::seriesPicked, this, [this, key](SeriesHandle series) {
                for (const Shown& shown : m_shown)
                    if (shown.chart == key && shown.series == series)
                        Q_EMIT runPicked(m_set.idOf(shown.row));
            });
        }
        fill(chart, key);
    }
    dim();
    const int count = static_cast<int>(m_set.rows.size());
    m_remark->setText(
        count == 0          ? QString()
        : count == 1        ? checkedRunsText(1)
        : count > kMostRuns ? tr("the first %1 of %2").arg(kMostRuns).arg(checkedRunsText(count))
        : m_set.settings.size() == 1
            ? tr("%1 of one setting").arg(checkedRunsText(count))
            : tr("%1, %2 settings").arg(checkedRunsText(count)).arg(m_set.settings.size()));
}

QString MetricCharts::emptyText() const {
    if (m_set.isEmpty()) return tr("Check runs in the table to see their curves.");
    return m_isWorking ? tr("Reading the curves of the checked runs ...")
                       : tr("The checked runs stored no such values.");
}

void MetricCharts::showEmptyText() {
    for (Chart* chart : m_grid->charts()) chart->setEmptyText(emptyText());
}

void MetricCharts::fill(Chart* chart, const QString& key) {
    const MetricTitle title = titleOf(key);
    chart->clear();
    chart->setTitle(title.title, title.unit);
    chart->setXName(QStringLiteral("step"), true);
    chart->setEmptyText(emptyText());
    for (const Setting& setting : m_set.settings) {
        const int group =
            setting.rows.size() > 1 ? chart->addGroup(setting.label, setting.color) : -1;
        for (const MetricCurve& curve : m_curves) {
            if (curve.key != key ||
                std::ranges::find(setting.rows, curve.row) == setting.rows.end())
                continue;
            const SeriesHandle series = chart->addSeries(
                {.name = m_set.nameOf(curve.row),
                 .color = setting.color,
                 .group = group,
                 .note = group >= 0 ? seedText(m_set, curve.row) : m_set.differenceOf(curve.row)});
            chart->setPoints(series, curve.points);
            m_shown.push_back({key, series, curve.row});
        }
    }
}

void MetricCharts::emphasize(const QString& runId) {
    m_emphasized = runId;
    dim();
}

void MetricCharts::dim() {
    const int row = m_set.sheet ? m_set.sheet->rowOf(m_emphasized) : -1;
    const bool isOne = m_set.settingOf(row) >= 0 && m_set.rows.size() > 1;
    for (const Shown& shown : m_shown)
        if (Chart* chart = m_grid->chart(shown.chart))
            chart->setDimmed(shown.series,
                             isOne && m_set.settingOf(shown.row) != m_set.settingOf(row));
}

void MetricCharts::setMetrics(const QStringList& keys) {
    if (keys == m_metrics) return;
    m_metrics = keys;
    rebuild();
    show(m_set, m_folder);
    Q_EMIT changed();
}

void MetricCharts::showMenu() {
    QMenu menu(this);
    menu.setObjectName(QStringLiteral("metricMenu"));
    QStringList keys = m_known;
    for (const QString& key : m_metrics)
        if (!keys.contains(key)) keys << key;
    for (const QString& key : keys) {
        const MetricTitle title = titleOf(key);
        const QString text = title.unit.isEmpty()
                                 ? title.title
                                 : QStringLiteral("%1, %2").arg(title.title, title.unit);
        QAction* action = menu.addAction(key == title.title ? key : plainSymbol(text));
        action->setCheckable(true);
        action->setChecked(m_metrics.contains(key));
        action->setData(key);
    }
    const QAction* chosen = menu.exec(m_choose->mapToGlobal(QPoint(0, m_choose->height())));
    if (chosen == nullptr) return;
    QStringList next = m_metrics;
    if (!next.removeOne(chosen->data().toString())) next << chosen->data().toString();
    if (!next.isEmpty()) setMetrics(next);
}

QJsonObject MetricCharts::saveState() const {
    return {{QStringLiteral("metrics"), QJsonArray::fromStringList(m_metrics)},
            {QStringLiteral("grid"), m_grid->saveState()}};
}

void MetricCharts::restoreState(const QJsonObject& state) {
    QStringList metrics;
    for (const auto& value : state[QLatin1String("metrics")].toArray()) metrics << value.toString();
    m_grid->restoreState(state[QLatin1String("grid")].toObject());
    if (!metrics.isEmpty()) setMetrics(metrics);
}

}  // namespace orrery
