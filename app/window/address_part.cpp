#include "app/window/address_part.h"

#include <algorithm>
#include <utility>

#include "widgets/bridge/archive.h"
#include "widgets/common/commands.h"
#include "widgets/common/number_text.h"
#include "widgets/common/selection_address.h"
#include "widgets/dag/graph_part.h"
#include "widgets/dag/plan_part.h"
#include "widgets/part/perspective_ids.h"
#include "widgets/world/world_part.h"

namespace orrery {

AddressPart::AddressPart(Workbench& bench, WorldPart* world, PlanPart* plan, GraphPart* graph,
                         QString first)
    : WindowPart(bench), m_graph(graph), m_first(std::move(first)) {
    connect(world, &WorldPart::opened, this, &AddressPart::followFirst);
    connect(&archive(), &Archive::runsChanged, this, &AddressPart::followFirst);
    connect(plan, &PlanPart::reopened, this, &AddressPart::follow);
    connect(&archive(), &Archive::failed, this, [this] { m_toFollow.clear(); });
}

void AddressPart::bindCommands() {
    commands().bind("edit.copyLink", [this] {
        bench().copy(selection().address(), tr("Copied %1").arg(selection().address()));
    });
}

void AddressPart::refreshCommands() {
    commands().setEnabled("edit.copyLink", session().isOpen(),
                          tr("No world is open: pick one on Home"));
}

bool AddressPart::goTo(const QString& text) {
    const auto address = parseAddress(text);
    if (address && !address->run.empty() &&
        QString::fromStdString(address->run) != session().runId()) {
        const auto& runs = archive().runs();
        if (std::ranges::find(runs, address->run, &RunRecord::id) != runs.end()) {
            m_toFollow = text;
            archive().reopen(QString::fromStdString(address->run));
            return true;
        }
        say(MessageKind::Error, tr("This workspace has no run %1, which the address '%2' names. "
                                   "Open the workspace that it was copied from.")
                                    .arg(QString::fromStdString(address->run), text));
        return false;
    }
    if (address && session().isOpen() && session().goTo(*address)) {
        if (!address->where.empty()) m_graph->ask(QString::fromStdString(address->where));
        return true;
    }
    say(MessageKind::Error, tr("Nothing in this world has the address '%1'. Copy one with Edit > "
                               "Copy link; a number s... needs a solved world.")
                                .arg(text));
    return false;
}

/// Follows an address whose run had to be read first.
void AddressPart::follow() {
    const auto address = parseAddress(m_toFollow);
    if (!address ||
        (!address->run.empty() && QString::fromStdString(address->run) != session().runId()))
        return;
    goTo(std::exchange(m_toFollow, {}));
    leaveHome(kWorldPerspective);
}

void AddressPart::followFirst() {
    if (m_first.isEmpty() || !session().isOpen() || !archive().isListed()) return;
    goTo(std::exchange(m_first, {}));
    leaveHome(kWorldPerspective);
}

std::vector<LocatorSource> AddressPart::locatorSources() {
    return {
        {QStringLiteral("s"), tr("states"), [this](const QString& typed) { return items(typed); }}};
}

std::vector<LocatorItem> AddressPart::items(const QString& typed) {
    if (parseAddress(typed))
        return {{typed, tr("goes to this address"), {}, true, [this, typed] { goTo(typed); }}};
    bool isNumber = false;
    const qlonglong index = QString(typed).remove(QLatin1Char(' ')).toLongLong(&isNumber);
    if (!isNumber || !session().isOpen()) return {};
    const int step = session().state().step;
    const bool isSolved = session().solution() != nullptr;
    const QString address = QStringLiteral("orrery:t%1/s%2").arg(step).arg(index);
    return {{typed,
             isSolved ? tr("state %1").arg(stateText(step, index)) : tr("needs a solved world"),
             {},
             isSolved,
             [this, address] { goTo(address); }}};
}

}  // namespace orrery
