#include "app/window/help_parts.h"

#include "app/cli/verbs_html.h"
#include "core/run/jobs/solve_job.h"
#include "core/run/jobs/train_job.h"
#include "widgets/common/commands.h"
#include "widgets/settings/setting_spec.h"

namespace orrery {

namespace {

QString text(const std::string& words) {
    return QString::fromStdString(words).toHtmlEscaped();
}

QString fieldsHtml(std::span<const RunField> fields) {
    QString html = QStringLiteral(
        "<table class=\"list\"><tr><th>Field</th><th>Takes</th><th>Default</th><th>Meaning</th>"
        "</tr>\n");
    for (const RunField& field : fields) {
        QString takes = text(field.range);
        if (takes.isEmpty() && !field.choices.empty()) {
            QStringList choices;
            for (const std::string& choice : field.choices) choices << text(choice);
            takes = choices.join(QStringLiteral(", "));
        }
        if (!field.unit.empty()) takes += QStringLiteral(" (%1)").arg(text(field.unit));
        html += QStringLiteral(
                    "<tr><td><a name=\"%1\"></a><code>%1</code></td><td>%2</td>"
                    "<td>%3</td><td>%4</td></tr>\n")
                    .arg(text(field.name), takes, text(fieldText(fieldDefault(field))),
                         text(field.meaning));
    }
    return html + QStringLiteral("</table>\n");
}

QString settingsHtml() {
    QString html, page;
    for (const SettingSpec& spec : settingTable()) {
        if (page != QLatin1String(spec.page)) {
            if (!page.isEmpty()) html += QStringLiteral("</table>\n");
            page = QLatin1String(spec.page);
            html += QStringLiteral("<h3><a name=\"%1\"></a>%2</h3>\n<table class=\"list\">\n")
                        .arg(page.toLower(), page);
        }
        html += QStringLiteral("<tr><td><b>%1</b></td><td>%2</td></tr>\n")
                    .arg(QString::fromUtf8(spec.label).toHtmlEscaped(),
                         QString::fromUtf8(spec.meaning).toHtmlEscaped());
    }
    return html + QStringLiteral("</table>\n");
}

}  // namespace

HelpManual::Parts helpParts(const Commands& commands) {
    return {{QStringLiteral("shortcuts"), [&commands] { return commands.sheetHtml(); }},
            {QStringLiteral("solver-fields"), [] { return fieldsHtml(solveFields()); }},
            {QStringLiteral("train-fields"), [] { return fieldsHtml(trainFields()); }},
            {QStringLiteral("settings"), settingsHtml},
            {QStringLiteral("verbs"), [] { return QString::fromStdString(verbsHtml()); }}};
}

}  // namespace orrery
