#include "app/pictures/report_page.h"

#include <QSet>

#include "app/pictures/offscreen.h"
#include "widgets/bridge/background_worker.h"
#include "widgets/bridge/plan_session.h"
#include "widgets/common/selection.h"
#include "widgets/compare/compare_set.h"
#include "widgets/compare/config_diff.h"
#include "widgets/compare/difference_view.h"
#include "widgets/compare/interval_plot.h"
#include "widgets/compare/metric_charts.h"
#include "widgets/compare/report_html.h"

namespace orrery {

bool writeReportPage(const ReportOrder& order, const std::stop_token& stop) {
    const Offscreen application;
    QSet<QString> ids;
    for (const std::string& run : order.runs) ids.insert(QString::fromStdString(run));
    const CompareSet set = readCompareSet(order.workspace, ids, stop);
    if (!set.sheet) return false;

    Selection selection;
    PlanSession session(&selection);
    BackgroundWorker worker;
    ConfigDiff diff;
    IntervalPlot interval;
    MetricCharts charts(&worker);
    DifferenceView difference(&selection, &session, &worker);
    diff.setCompareSet(set);
    interval.setCompareSet(set);
    charts.show(set, order.workspace);
    difference.show(set, order.workspace);
    if (!waitOffscreen([&] { return !charts.isWorking() && !difference.isWorking(); }, stop))
        return false;
    writeHtmlReport(QString::fromStdString(order.page.string()),
                    draftReport({.set = set,
                                 .columns = tellingColumns(*set.sheet, set.rows),
                                 .diff = &diff,
                                 .interval = &interval,
                                 .charts = &charts,
                                 .difference = &difference}));
    return true;
}

}  // namespace orrery
