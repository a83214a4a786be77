#include "widgets/compare/report_html.h"

#include <QBuffer>
#include <QDateTime>
#include <QImage>
#include <QSaveFile>
#include <algorithm>
#include <utility>

#include "core/base/error.h"
#include "core/run/run_kind.h"
#include "core/run/run_spec.h"
#include "widgets/common/number_text.h"
#include "widgets/common/run_title.h"
#include "widgets/compare/compare_text.h"
#include "widgets/compare/config_diff.h"
#include "widgets/compare/difference_view.h"
#include "widgets/compare/interval_plot.h"
#include "widgets/compare/metric_charts.h"
#include "widgets/figure/figure_writer.h"
#include "widgets/plots/chart_grid.h"
#include "widgets/plots/chart_text.h"

namespace orrery {

namespace {

constexpr const char* kStyle = R"(
body { font: 14px/1.45 Inter, "Noto Sans", sans-serif; color: #191D24; background: #fff;
       max-width: 1080px; margin: 32px auto; padding: 0 24px; }
h1 { font-size: 22px; } h2 { font-size: 16px; margin-top: 32px; }
p.quiet { color: #5F6976; font-size: 12px; }
table { border-collapse: collapse; width: 100%; font-size: 13px; }
th, td { text-align: left; padding: 5px 10px; border-bottom: 1px solid #D5DAE1; }
th { color: #454F5C; font-weight: 600; } td.number { text-align: right; }
td.number, code, pre { font-family: "JetBrains Mono", "DejaVu Sans Mono", monospace; }
pre { background: #F8F9FB; border: 1px solid #D5DAE1; border-radius: 6px; padding: 12px;
      overflow-x: auto; font-size: 12px; }
figcaption { color: #5F6976; font-size: 12px; }
figure { margin: 12px 0; } figure svg, figure img { max-width: 100%; height: auto; }
)";

constexpr const char* kEnd = "</body></html>\n";

QString cell(const QString& text, bool isNumber) {
    return QStringLiteral("<td%1>%2</td>")
        .arg(isNumber ? QStringLiteral(" class=\"number\"") : QString(), text.toHtmlEscaped());
}

/// The columns that were asked for and that say something of these runs; where no result is among
/// them, all results that these runs have.
std::vector<const SheetColumn*> columnsOf(const ReportContent& content) {
    const auto isOfARun = [&](const SheetColumn& column) {
        return std::ranges::any_of(content.set.rows, [&](int row) {
            return !column.text[static_cast<std::size_t>(row)].isEmpty();
        });
    };
    std::vector<const SheetColumn*> columns;
    for (const QString& key : content.columns)
        if (const SheetColumn* column = content.set.sheet->column(key);
            column != nullptr && isOfARun(*column))
            columns.push_back(column);
    if (std::ranges::find(columns, SheetPart::Result, &SheetColumn::part) == columns.end())
        for (const SheetColumn& column : content.set.sheet->columns)
            if (column.part == SheetPart::Result && isOfARun(column)) columns.push_back(&column);
    return columns;
}

QString runsTable(const ReportContent& content) {
    QString html = QStringLiteral("<table><thead><tr><th>Setting</th><th>Run</th>");
    const std::vector<const SheetColumn*> columns = columnsOf(content);
    for (const SheetColumn* column : columns)
        html += QStringLiteral("<th>%1</th>").arg(symbolHtml(column->title));
    html += QStringLiteral("</tr></thead><tbody>");
    for (const Setting& setting : content.set.settings)
        for (const int row : setting.rows) {
            const QString apart = content.set.differenceOf(row);
            html += QStringLiteral("<tr>") + cell(apart.isEmpty() ? setting.label : apart, false) +
                    cell(content.set.nameOf(row), false);
            for (const SheetColumn* column : columns)
                html += cell(column->text[static_cast<std::size_t>(row)],
                             column->kind == SheetKind::Number);
            html += QStringLiteral("</tr>\n");
        }
    return html + QStringLiteral("</tbody></table>\n");
}

QString diffTable(const ConfigDiff& diff) {
    const QStringList lines = diff.tsv().split(u'\n');
    QString html = QStringLiteral("<h2>Config diff</h2><table>");
    for (int i = 0; i < lines.size(); ++i) {
        html += QStringLiteral("<tr>");
        for (const QString& text : lines[i].split(u'\t'))
            html += i == 0 ? QStringLiteral("<th>%1</th>").arg(text.toHtmlEscaped())
                           : cell(text, false);
        html += QStringLiteral("</tr>\n");
    }
    return html + QStringLiteral("</table>\n");
}

/// The figure of a chart, as large as the page is wide.
std::shared_ptr<const FigureDrawing> drawingOf(Chart& chart) {
    Figure page;
    page.width = 250;
    page.height = 110;
    page.font = 8.25;  // as on the screen
    return std::make_shared<const FigureDrawing>(chart, page, FigureFormat::Svg);
}

/// An SVG without its XML head, so that it can stand within a page.
QByteArray bodyOf(const QByteArray& svg) {
    const auto begin = svg.indexOf("<svg");
    return begin < 0 ? QByteArray() : svg.mid(begin);
}

void addCharts(ReportDraft& draft, MetricCharts& charts) {
    draft.pieces.push_back({.text = QStringLiteral("<h2>Charts</h2>\n")});
    for (Chart* chart : charts.grid()->charts())
        if (chart->content().numPoints() > 0)
            draft.pieces.push_back(
                {.text = {},
                 .chart = drawingOf(*chart),
                 .pictureText = chartCaption(chart->content(), chart->view()).toHtmlEscaped()});
}

void addPicture(ReportDraft& draft, const DifferenceView& view) {
    QImage image = view.picture(QSize(720, 420));
    if (image.isNull()) return;
    const QString heading = view.heading().toHtmlEscaped();
    draft.pieces.push_back(
        {.text = QStringLiteral("<h2>Where they differ</h2><p>%1</p>").arg(heading),
         .picture = std::move(image),
         .pictureText = heading});
    draft.pieces.push_back(
        {.text = QStringLiteral("<p class=\"quiet\">%1</p>\n").arg(view.remark().toHtmlEscaped())});
}

QByteArray pngOf(const QImage& image) {
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    image.save(&buffer, "PNG");
    return bytes.toBase64();
}

QString intervalHtml(const IntervalPlot& plot) {
    const DifferenceInterval& d = *plot.interval();
    QString html =
        QStringLiteral("<h2>%1</h2><p>%2</p><p class=\"quiet\">%3")
            .arg(plot.heading().toHtmlEscaped(), plot.verdict(), valueText(d.difference, 6));
    if (d.hasInterval)
        html += QStringLiteral(", 95 % interval %1 to %2 (bootstrap)")
                    .arg(valueText(d.low, 6), valueText(d.high, 6));
    return html + QStringLiteral("; n = %1 and %2</p>\n").arg(d.numA).arg(d.numB);
}

/// The command line that repeats a run, as far as its parameters tell.
QString recipe(const CompareSet& set) {
    QString html = QStringLiteral(
        "<h2>How to repeat it</h2><p>Save a spec as "
        "<code>RUN.json</code> and run <code>orrery solve --spec "
        "RUN.json</code>, or <code>orrery train</code> for a training.</p>\n");
    for (const int row : set.rows) {
        const RunRecord& run = set.sheet->runs[static_cast<std::size_t>(row)];
        if (const RunKind* kind = kindOf(run); kind != nullptr && !kind->canStart()) {
            html += QStringLiteral("<p>%1 · imported. %2</p>\n")
                        .arg(runTitle(run.name, run.id).toHtmlEscaped(),
                             QString::fromStdString(run.note).toHtmlEscaped());
            continue;
        }
        html += QStringLiteral(
                    "<details><summary>%1 · code %2 · world "
                    "<code>%3</code></summary><pre>%4</pre></details>\n")
                    .arg(runTitle(run.name, run.id).toHtmlEscaped(),
                         QString::fromStdString(run.codeVersion).toHtmlEscaped(),
                         QString::fromStdString(run.worldHash.substr(0, 16)).toHtmlEscaped(),
                         QString::fromStdString(run.configJson).toHtmlEscaped());
    }
    return html;
}

}  // namespace

ReportDraft draftReport(const ReportContent& content) {
    ReportDraft draft;
    QStringList labels;
    for (const Setting& setting : content.set.settings) labels << setting.label;
    const QString title = labels.mid(0, 4).join(QStringLiteral(" · ")).toHtmlEscaped();
    QString html = QStringLiteral(
                       "<!DOCTYPE html>\n<html lang=\"en\"><head><meta "
                       "charset=\"utf-8\"><title>%1</title><style>%2</style></head>"
                       "<body>\n<h1>%1</h1>\n<p class=\"quiet\">%3, made with "
                       "Orrery, %4</p>\n")
                       .arg(title, QLatin1String(kStyle))
                       .arg(runsText(std::ssize(content.set.rows)))
                       .arg(QDateTime::currentDateTime().toString(Qt::ISODate));
    if (content.set.isEmpty()) {
        draft.pieces.push_back({.text = html + QLatin1String(kEnd)});
        return draft;
    }
    html += QStringLiteral("<h2>Runs</h2>\n") + runsTable(content);
    if (content.diff != nullptr) html += diffTable(*content.diff);
    if (content.interval != nullptr && content.interval->interval())
        html += intervalHtml(*content.interval);
    draft.pieces.push_back({.text = html});
    if (content.charts != nullptr) addCharts(draft, *content.charts);
    if (content.difference != nullptr) addPicture(draft, *content.difference);
    draft.pieces.push_back({.text = recipe(content.set) + QLatin1String(kEnd)});
    return draft;
}

QByteArray reportPage(const ReportDraft& draft) {
    QByteArray page;
    for (const ReportDraft::Piece& piece : draft.pieces) {
        page += piece.text.toUtf8();
        if (piece.chart)
            page += "<figure>" + bodyOf(piece.chart->bytes()) + "<figcaption>" +
                    piece.pictureText.toUtf8() + "</figcaption></figure>\n";
        if (!piece.picture.isNull())
            page += "<figure><img alt=\"" + piece.pictureText.toUtf8() +
                    "\" src=\"data:image/png;base64," + pngOf(piece.picture) + "\"></figure>";
    }
    return page;
}

void writeHtmlReport(const QString& file, const ReportDraft& draft) {
    const QByteArray html = reportPage(draft);
    QSaveFile out(file);
    if (!out.open(QIODevice::WriteOnly) || out.write(html) != html.size() || !out.commit())
        throw Error("The report cannot be written to '" + file.toStdString() +
                        "': " + out.errorString().toStdString() + ". Choose another place.",
                    Error::Kind::Resource);
}

}  // namespace orrery
