#include "widgets/compare/run_sheet.h"

#include <QDateTime>
#include <QHash>
#include <QSet>
#include <cmath>
#include <functional>
#include <limits>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/history/history_reader.h"
#include "core/run/archive/run_reach.h"
#include "core/run/archive/stored_facts.h"
#include "core/run/run_kind.h"
#include "widgets/common/number_text.h"
#include "widgets/common/run_mark.h"
#include "widgets/common/run_title.h"

namespace orrery {

namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

/// Equal texts share their memory.
class Interner {
public:
    QString operator()(const std::string& text) {
        const QString made = QString::fromStdString(text);
        return *m_known.insert(made);
    }

private:
    QSet<QString> m_known;
};

SheetColumn textColumn(const char* key, const QString& title, SheetKind kind, const RunSheet& sheet,
                       Interner& intern, const std::function<std::string(int)>& textAt) {
    SheetColumn column{
        .key = QLatin1String(key), .title = title, .kind = kind, .text = {}, .number = {}};
    for (int row = 0; row < sheet.size(); ++row) column.text.push_back(intern(textAt(row)));
    return column;
}

const RunRecord& at(const RunSheet& sheet, int row) {
    return sheet.runs[static_cast<std::size_t>(row)];
}

SheetColumn createdColumn(const RunSheet& sheet) {
    SheetColumn column{.key = QStringLiteral("created"),
                       .title = QObject::tr("Created"),
                       .kind = SheetKind::Time,
                       .text = {},
                       .number = {}};
    for (const RunRecord& run : sheet.runs) {
        column.text.push_back(timeText(run.createdUtc));
        column.number.push_back(static_cast<double>(run.ordinal));
    }
    return column;
}

void addIdentity(RunSheet& sheet, Interner& intern) {
    const auto text = [&](const char* key, const QString& title, SheetKind kind, const auto& of) {
        sheet.columns.push_back(textColumn(key, title, kind, sheet, intern, of));
    };
    text("name", QObject::tr("Run"), SheetKind::Text, [&](int row) {
        const RunRecord& run = at(sheet, row);
        return run.name.empty() ? run.id : run.name;
    });
    text("id", QObject::tr("Id"), SheetKind::Text, [&](int row) { return at(sheet, row).id; });
    text("state", QObject::tr("State"), SheetKind::State,
         [&](int row) { return runStateText(at(sheet, row).state).toStdString(); });
    text("world", QObject::tr("World"), SheetKind::Text,
         [&](int row) { return sheet.facts[static_cast<std::size_t>(row)].worldName; });
    text("tag", QObject::tr("Tags"), SheetKind::Tags,
         [&](int row) { return commaList(at(sheet, row).tags); });
    text("note", QObject::tr("Note"), SheetKind::Text,
         [&](int row) { return at(sheet, row).note; });
    text("parent", QObject::tr("Parent"), SheetKind::Text,
         [&](int row) { return at(sheet, row).parent; });
    text("code", QObject::tr("Code"), SheetKind::Text,
         [&](int row) { return at(sheet, row).codeVersion; });
    sheet.columns.push_back(createdColumn(sheet));
}

/// The columns of one list of facts, in the order in which keys are met.
void addFacts(RunSheet& sheet, Interner& intern, SheetPart part,
              const std::vector<RunFact> RunFacts::*list) {
    std::unordered_map<std::string, std::size_t> place;
    const std::size_t count = sheet.runs.size();
    for (std::size_t row = 0; row < count; ++row)
        for (const RunFact& fact : sheet.facts[row].*list) {
            const auto [found, isNew] = place.try_emplace(fact.key, sheet.columns.size());
            if (isNew)
                sheet.columns.push_back({.key = QString::fromStdString(fact.key),
                                         .title = greekLetter(QString::fromStdString(fact.key)),
                                         .kind = SheetKind::Text,
                                         .part = part,
                                         .text = std::vector<QString>(count),
                                         .number = std::vector<double>(count, kNone)});
            SheetColumn& column = sheet.columns[found->second];
            column.text[row] = intern(fact.text);
            if (!fact.number) continue;
            column.number[row] = *fact.number;
            if (fact.text != "true" && fact.text != "false") column.kind = SheetKind::Number;
        }
}

/// How results are shown: three decimals for values, thin spaces in counts.
void format(SheetColumn& column) {
    if (column.part != SheetPart::Result || column.kind != SheetKind::Number) return;
    static const QHash<QString, QString> kTitles = {
        {QStringLiteral("v_r"), QStringLiteral("V_r")},
        {QStringLiteral("u_r"), QStringLiteral("U_r")},
        {QStringLiteral("x_h"), QStringLiteral("X_h")},
        {QStringLiteral("states"), QObject::tr("States")},
        {QStringLiteral("levels"), QObject::tr("Levels")},
        {QStringLiteral("seconds"), QObject::tr("Solving, s")},
        {QStringLiteral("explore_seconds"), QObject::tr("Exploring, s")},
        {QStringLiteral("train_seconds"), QObject::tr("Training, s")},
        {QStringLiteral("steps"), QObject::tr("Training steps")},
        {QStringLiteral("error_v_h_e"), QObject::tr("Error of V_h^e")},
        {QStringLiteral("error_pi_r"), QObject::tr("Error of π_r")},
    };
    column.title = kTitles.value(column.key, column.title);
    if (column.key.startsWith(QLatin1String("x_h_")))
        column.title = QStringLiteral("X_h %1").arg(column.key.mid(4));
    static const QSet<QString> kCounts = {QStringLiteral("states"), QStringLiteral("levels"),
                                          QStringLiteral("steps")};
    const bool isCount = kCounts.contains(column.key);
    column.decimals = isCount ? 0 : 3;
    for (std::size_t row = 0; row < column.text.size(); ++row) {
        if (std::isnan(column.number[row])) continue;
        column.text[row] = isCount ? countText(static_cast<std::int64_t>(column.number[row]))
                                   : valueText(column.number[row]);
    }
}

std::vector<QString> titlesOf(const std::vector<RunRecord>& runs) {
    std::unordered_map<std::string_view, int> uses;
    for (const RunRecord& run : runs) ++uses[run.name];
    std::vector<QString> titles;
    titles.reserve(runs.size());
    for (const RunRecord& run : runs)
        titles.push_back(uses[run.name] > 1 ? runTitle(run.name, run.id)
                                            : runName(run.name, run.id));
    return titles;
}

/// How a training was steered, and how far one came that left no result. A damaged row of the
/// database takes that from its run, not the table from all.
void addTrained(RunFacts& facts, const RunRecord& run, const HistoryReader& reader) {
    try {
        addSteering(facts, reader.events(run.id));
        if (run.state != RunState::Interrupted || facts.find("steps") != nullptr) return;
        const std::int64_t step = reachOf(reader, run.id).step;
        facts.results.push_back(
            {.key = "steps", .text = std::to_string(step), .number = static_cast<double>(step)});
    } catch (const Error& error) {
        if (error.kind() != Error::Kind::Damaged) throw;
    }
}

}  // namespace

const SheetColumn* RunSheet::column(const QString& key) const {
    for (const SheetColumn& column : columns)
        if (column.key == key) return &column;
    return nullptr;
}

int RunSheet::rowOf(const QString& runId) const {
    const std::string id = runId.toStdString();
    for (int row = 0; row < size(); ++row)
        if (runs[static_cast<std::size_t>(row)].id == id) return row;
    return -1;
}

std::shared_ptr<RunSheet> makeSheet(std::vector<RunRecord> runs, std::vector<RunFacts> facts) {
    auto sheet = std::make_shared<RunSheet>();
    sheet->runs = std::move(runs);
    sheet->facts = std::move(facts);
    Interner intern;
    addIdentity(*sheet, intern);
    addFacts(*sheet, intern, SheetPart::Parameter, &RunFacts::parameters);
    addFacts(*sheet, intern, SheetPart::Result, &RunFacts::results);
    for (SheetColumn& column : sheet->columns) format(column);
    sheet->titles = titlesOf(sheet->runs);
    return sheet;
}

std::shared_ptr<const RunSheet> readSheet(const std::filesystem::path& workspaceFolder,
                                          const std::shared_ptr<const RunSheet>& former,
                                          std::stop_token stop) {
    std::unordered_map<std::string, std::size_t> known;
    if (former && former->folder == workspaceFolder)
        for (std::size_t i = 0; i < former->runs.size(); ++i) {
            const auto& state = former->runs[i].state;
            if (state && !isLive(*state)) known.emplace(former->runs[i].id, i);
        }
    const HistoryReader reader(workspaceFolder / "workspace.db");
    std::vector<RunRecord> runs = reader.listRuns({.withTrash = true});
    std::vector<RunFacts> facts;
    facts.reserve(runs.size());
    for (const RunRecord& run : runs) {
        if (stop.stop_requested()) return nullptr;
        const auto place = known.find(run.id);
        if (place != known.end()) {
            facts.push_back(former->facts[place->second]);
            continue;
        }
        facts.push_back(readRunFacts(workspaceFolder, run));
        if (isTraining(run)) addTrained(facts.back(), run, reader);
    }
    auto sheet = makeSheet(std::move(runs), std::move(facts));
    sheet->folder = workspaceFolder;
    return sheet;
}

}  // namespace orrery
