#include "widgets/compare/compare_set.h"

#include <QObject>
#include <QSet>
#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "core/run/archive/stored_facts.h"
#include "widgets/common/run_mark.h"

namespace orrery {

namespace {

constexpr int kMostDifferingColumns = 3;
constexpr std::size_t kHashLetters = 8;

QString shortNumber(const QString& text) {
    return text.endsWith(QLatin1String(".0")) ? text.chopped(2) : text;
}

/// What sets runs apart beside their parameters: the content of their worlds, the program's
/// version, and an end before their time with the step that was reached.
class Circumstances {
public:
    Circumstances(const RunSheet& sheet, const std::vector<int>& rows) : m_sheet(sheet) {
        for (const int row : rows) {
            m_hashes[factsOf(row).worldName].insert(runOf(row).worldHash);
            m_codes.insert(runOf(row).codeVersion);
        }
    }

    /// In words; empty: nothing.
    QString of(int row) const {
        QStringList parts;
        if (m_hashes.at(factsOf(row).worldName).size() > 1)
            parts << QObject::tr("world %1")
                         .arg(QString::fromStdString(runOf(row).worldHash.substr(0, kHashLetters)));
        if (m_codes.size() > 1)
            parts << QObject::tr("code %1").arg(QString::fromStdString(runOf(row).codeVersion));
        const auto& state = runOf(row).state;
        if (state && !isLive(*state) && *state != RunState::Finished) parts << endText(row);
        return parts.join(QStringLiteral(", "));
    }

private:
    /// "stopped at step 4000"
    QString endText(int row) const {
        const QString state = runStateText(runOf(row).state);
        const RunFact* const steps = factsOf(row).find("steps");
        return steps == nullptr
                   ? state
                   : QObject::tr("%1 at step %2").arg(state, QString::fromStdString(steps->text));
    }
    const RunRecord& runOf(int row) const { return m_sheet.runs[static_cast<std::size_t>(row)]; }
    const RunFacts& factsOf(int row) const { return m_sheet.facts[static_cast<std::size_t>(row)]; }

    const RunSheet& m_sheet;
    std::map<std::string_view, std::set<std::string_view>> m_hashes;  ///< by the world's name
    std::set<std::string_view> m_codes;
};

/// "beta_r 5, no stop_step"; empty if no parameter sets the run apart. Runs of other jobs lack most
/// fields, which is not told.
QString parametersOf(const CompareSet& set, int row) {
    const auto& facts = set.sheet->facts;
    const auto at = static_cast<std::size_t>(row);
    QStringList parts;
    for (const QString& key : set.differing) {
        const std::vector<QString>& texts = set.sheet->column(key)->text;
        const bool isOfItsJob = std::ranges::any_of(set.rows, [&](int other) {
            const auto of = static_cast<std::size_t>(other);
            return !texts[of].isEmpty() && facts[of].job == facts[at].job;
        });
        if (!texts[at].isEmpty())
            parts << (key == QLatin1String("world") ? texts[at]
                                                    : key + u' ' + shortNumber(texts[at]));
        else if (isOfItsJob)
            parts << QObject::tr("no %1").arg(key);
    }
    return parts.join(QStringLiteral(", "));
}

/// A run by its name, a group by what sets it apart.
QString settingLabel(const CompareSet& set, const Setting& setting) {
    const int row = setting.rows.front();
    if (setting.rows.size() == 1) return set.nameOf(row);
    if (QString label = set.differenceOf(row); !label.isEmpty()) return label;
    const QString world =
        QString::fromStdString(set.sheet->facts[static_cast<std::size_t>(row)].worldName);
    return world.isEmpty() ? QObject::tr("all seeds") : world;
}

}  // namespace

QString CompareSet::idOf(int row) const {
    return QString::fromStdString(sheet->runs[static_cast<std::size_t>(row)].id);
}

int CompareSet::settingOf(int row) const {
    return settingOfRow.value(row, -1);
}

QString CompareSet::nameOf(int row) const {
    return sheet && row >= 0 && row < sheet->size() ? sheet->nameOf(row) : QString();
}

QString CompareSet::differenceOf(int row) const {
    return differences.value(row);
}

bool countsForSetting(const SheetColumn& column) {
    return column.key == QLatin1String("world") ||
           (column.part == SheetPart::Parameter && changesValues(column.key.toStdString()));
}

QStringList differingKeys(const RunSheet& sheet, const std::vector<int>& rows) {
    QStringList keys;
    if (rows.empty()) return keys;
    for (const SheetColumn& column : sheet.columns) {
        if (!countsForSetting(column)) continue;
        // Runs of other jobs lack most fields; that they are of another job is told once.
        QSet<QString> texts;
        std::set<std::string_view> jobsWith, jobsWithout;
        for (const int row : rows) {
            const auto at = static_cast<std::size_t>(row);
            texts.insert(column.text[at]);
            (column.text[at].isEmpty() ? jobsWithout : jobsWith).insert(sheet.facts[at].job);
        }
        const bool isPatchy = std::ranges::any_of(
            jobsWith, [&](std::string_view job) { return jobsWithout.contains(job); });
        if (!isPatchy) texts.remove({});
        if (texts.size() > 1) keys << column.key;
    }
    return keys;
}

QStringList tellingColumns(const RunSheet& sheet, const std::vector<int>& rows) {
    QStringList keys{QStringLiteral("state")};
    QStringList differing = differingKeys(sheet, rows);
    if (differing.removeOne(QStringLiteral("world"))) keys << QStringLiteral("world");
    keys << differing.mid(0, kMostDifferingColumns);
    const bool hasTags = std::ranges::any_of(
        rows, [&](int row) { return !sheet.runs[static_cast<std::size_t>(row)].tags.empty(); });
    if (hasTags) keys << QStringLiteral("tag");
    for (const char* key : {"v_r", "x_h", "states", "seconds", "created"})
        if (sheet.column(QLatin1String(key)) != nullptr) keys << QLatin1String(key);
    return keys;
}

CompareSet makeCompareSet(std::shared_ptr<const RunSheet> sheet, std::vector<int> rows) {
    CompareSet set;
    set.sheet = std::move(sheet);
    set.rows = std::move(rows);
    if (!set.sheet) return set;
    set.differing = differingKeys(*set.sheet, set.rows);
    const Circumstances circumstances(*set.sheet, set.rows);
    QHash<QString, int> known;
    for (const int row : set.rows) {
        const QString circumstance = circumstances.of(row);
        QString key = circumstance + QChar(0x1f);
        for (const QString& field : set.differing)
            key += set.sheet->column(field)->text[static_cast<std::size_t>(row)] + QChar(0x1f);
        QStringList parts{parametersOf(set, row), circumstance};
        parts.removeAll({});
        set.differences.insert(row, parts.join(QStringLiteral(", ")));
        const auto next = static_cast<int>(set.settings.size());
        if (!known.contains(key)) {
            known.insert(key, next);
            set.settings.push_back({{}, next % 8, {}});
        }
        const int index = known.value(key);
        set.settingOfRow.insert(row, index);
        set.settings[static_cast<std::size_t>(index)].rows.push_back(row);
    }
    for (Setting& setting : set.settings) setting.label = settingLabel(set, setting);
    return set;
}

CompareSet readCompareSet(const std::filesystem::path& workspaceFolder, const QSet<QString>& ids,
                          std::stop_token stop) {
    auto sheet = readSheet(workspaceFolder, nullptr, stop);
    if (!sheet) return {};
    std::vector<int> rows;
    for (int row = 0; row < sheet->size(); ++row)
        if (ids.contains(QString::fromStdString(sheet->runs[static_cast<std::size_t>(row)].id)))
            rows.push_back(row);
    return makeCompareSet(std::move(sheet), std::move(rows));
}

}  // namespace orrery
