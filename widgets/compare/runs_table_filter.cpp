#include <QElapsedTimer>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTableView>
#include <QTimer>
#include <algorithm>
#include <utility>

#include "widgets/common/message_strip.h"
#include "widgets/compare/chip_row.h"
#include "widgets/compare/runs_table.h"

namespace orrery {

void RunsTable::setRange(const QString& key, std::optional<std::pair<double, double>> range) {
    QStringList chips;
    const QString low = key + QStringLiteral(" >= "), high = key + QStringLiteral(" <= ");
    for (const QString& chip : m_chips->chips())
        if (!chip.startsWith(low) && !chip.startsWith(high)) chips << chip;
    if (range) {
        chips << low + QString::number(range->first, 'g', 4);
        chips << high + QString::number(range->second, 'g', 4);
    }
    setChips(chips);
}

void RunsTable::refilter() {
    const auto& sheet = m_model.sheet();
    if (!sheet) return;
    QElapsedTimer timer;
    timer.start();
    std::vector<std::vector<char>> holds;
    try {
        holds.push_back(RunCondition(m_filter->text(), *sheet).apply(*sheet));
    } catch (const FilterError& error) {  // the table keeps what it showed
        m_wrong = error;
        return;
    }
    m_wrong.reset();
    m_problem->hide();
    for (const QString& chip : m_chips->chips()) {
        try {
            holds.push_back(RunCondition(chip, *sheet).apply(*sheet));
        } catch (const FilterError&) {
            holds.emplace_back(sheet->runs.size(), 1);
        }
    }
    std::vector<int> candidates, shown;
    for (int row = 0; row < sheet->size(); ++row) {
        const auto place = static_cast<std::size_t>(row);
        if (sheet->runs[place].trashedUtc.empty() == m_isTrash) continue;
        candidates.push_back(row);
        if (std::ranges::all_of(holds, [&](const auto& hold) { return hold[place] != 0; }))
            shown.push_back(row);
    }
    const int others = sheet->size() - static_cast<int>(candidates.size());
    m_trashButton->setText(!m_isTrash && others > 0 ? tr("Trash (%1)").arg(others) : tr("Trash"));
    m_numHidden = static_cast<int>(candidates.size() - shown.size());
    m_isMoving = true;
    m_model.setShown(std::move(shown));
    refreshColumns();
    m_isMoving = false;
    m_filterTime = static_cast<double>(timer.nsecsElapsed()) * 1e-6;
    showHidden(holds, candidates);
    Q_EMIT shownChanged();
}

void RunsTable::showHidden(const std::vector<std::vector<char>>& holds,
                           const std::vector<int>& candidates) {
    m_hiders.clear();
    QString what = tr("the filter");
    // One part that alone hides all of them is named.
    for (int part = 0; part < static_cast<int>(holds.size()); ++part) {
        const bool isAlone = std::ranges::all_of(candidates, [&](int row) {
            for (std::size_t other = 0; other < holds.size(); ++other)
                if (static_cast<int>(other) != part && !holds[other][static_cast<std::size_t>(row)])
                    return false;
            return true;
        });
        if (!isAlone || m_numHidden == 0) continue;
        if (part > 0) m_hiders << m_chips->chips()[part - 1];
        what = u'“' + (part > 0 ? m_chips->chips()[part - 1] : m_filter->text().trimmed()) + u'”';
        break;
    }
    const auto& lines = m_model.shown();
    m_empty->setVisible(lines.empty());
    m_view->setVisible(!lines.empty());
    if (m_isTrash)
        m_empty->setText(m_numHidden > 0 ? tr("No run in the trash passes the filter.")
                                         : tr("The trash is empty."));
    else
        m_empty->setText(m_numHidden > 0
                             ? tr("No run passes the filter.")
                             : tr("No runs yet. Open a world and press Solve (F5); each "
                                  "run stays here with its values."));
    if (m_numHidden == 0) {
        m_strip->clear();
        return;
    }
    const QString text = m_numHidden == 1
                             ? tr("1 more run is hidden by %1").arg(what)
                             : tr("%1 more runs are hidden by %2").arg(m_numHidden).arg(what);
    m_strip->show(MessageKind::Info, text, tr("Show them"));
}

void RunsTable::showFound() {
    if (!m_hiders.isEmpty()) {
        QStringList left = m_chips->chips();
        for (const QString& hider : m_hiders) left.removeOne(hider);
        setChips(left);
        return;
    }
    const bool isChipToo = m_chips->chips().isEmpty();
    m_filter->clear();
    if (!isChipToo && m_numHidden > 0) setChips({});
}

void RunsTable::acceptFilter() {
    m_pause->stop();
    if (m_wrong) {
        showProblem();
        return;
    }
    if (!m_model.sheet()) return;
    QString rest;
    const QStringList made = takeChips(m_filter->text(), *m_model.sheet(), rest);
    if (made.isEmpty()) return;
    QStringList chips = m_chips->chips();
    for (const QString& chip : made)
        if (!chips.contains(chip)) chips << chip;
    m_chips->setChips(chips);
    m_filter->setText(rest);
    refilter();
}

void RunsTable::showProblem() {
    if (!m_wrong) return;
    const int place = m_wrong->column() - 1;
    if (m_filter->cursorPosition() != place && !m_pause->isActive() && sender() != m_pause)
        m_filter->setCursorPosition(place);
    // The sentence begins below the place that it speaks of.
    const int wide = m_filter->fontMetrics().horizontalAdvance(m_filter->text().left(place));
    m_problem->setIndent(std::clamp(34 + wide, 0, std::max(0, m_filter->width() - 60)));
    m_problem->setText(QStringLiteral("▲ ") + QString::fromStdString(m_wrong->problem()));
    m_problem->show();
}

}  // namespace orrery
