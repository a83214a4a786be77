// Text addresses of what is selected: copied, typed, given on the command line.
#include <algorithm>
#include <utility>

#include "app/window/main_window.h"
#include "widgets/bridge/archive.h"
#include "widgets/common/selection_address.h"
#include "widgets/dag/predicate_bar.h"

namespace orrery {

void MainWindow::copyAddress() {
    m_bench.copy(selection().address(), tr("Copied %1").arg(selection().address()));
}

bool MainWindow::goToAddress(const QString& text) {
    const auto address = parseAddress(text);
    if (address && !address->run.empty() &&
        QString::fromStdString(address->run) != session().runId()) {
        if (std::ranges::find(archive().runs(), address->run, &RunRecord::id) !=
            archive().runs().end()) {
            m_addressToFollow = text;
            archive().reopen(QString::fromStdString(address->run));
            return true;
        }
        say(MessageKind::Error, tr("This workspace has no run %1, which the address '%2' names. "
                                   "Open the workspace that it was copied from.")
                                    .arg(QString::fromStdString(address->run), text));
        return false;
    }
    if (address && session().isOpen() && session().goTo(*address)) {
        if (!address->where.empty()) {
            view(QStringLiteral("stateGraph"));
            m_search->ask(QString::fromStdString(address->where));
        }
        return true;
    }
    say(MessageKind::Error, tr("Nothing in this world has the address '%1'. Copy one with Edit > "
                               "Copy link; a number s... needs a solved world.")
                                .arg(text));
    return false;
}

/// Goes on with an address whose run had to be read first.
void MainWindow::followAddress() {
    const auto address = parseAddress(m_addressToFollow);
    if (!address ||
        (!address->run.empty() && QString::fromStdString(address->run) != session().runId()))
        return;
    goToAddress(std::exchange(m_addressToFollow, {}));
    if (perspective() == QLatin1String("home")) showPerspective(QStringLiteral("world"));
}

/// The address of the command line, once the world is open and the runs are known.
void MainWindow::followFirstAddress() {
    if (m_options.address.isEmpty() || !session().isOpen() || m_runsListedSeconds == 0) return;
    const QString address = std::exchange(m_options.address, {});
    goToAddress(address);
    if (perspective() == QLatin1String("home")) showPerspective(QStringLiteral("world"));
}

}  // namespace orrery
