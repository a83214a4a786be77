#include <QAction>
#include <QLineEdit>
#include <algorithm>
#include <iterator>

#include "app/window/main_window.h"
#include "core/run/jobs/solve_job.h"
#include "core/run/jobs/train_job.h"
#include "widgets/bridge/archive.h"
#include "widgets/common/commands.h"
#include "widgets/common/number_text.h"
#include "widgets/common/run_mark.h"
#include "widgets/common/selection_address.h"
#include "widgets/dag/solve_panel.h"
#include "widgets/part/settings_part.h"

namespace orrery {

void MainWindow::fillLocator() {
    m_locator->addSource({QStringLiteral(">"), tr("commands"),
                          [this](const QString&) { return commandItems(); }, true, true});
    m_locator->addSource({QStringLiteral("w"), tr("worlds"),
                          [this](const QString&) { return worldItems(); }, true, true});
    m_locator->addSource({QStringLiteral("r"), tr("runs"),
                          [this](const QString&) { return runItems(); }, true, true});
    m_locator->addSource({QStringLiteral("s"), tr("states"),
                          [this](const QString& typed) { return stateItems(typed); }});
    m_locator->addSource({QStringLiteral("c"), tr("solver fields"),
                          [this](const QString&) { return fieldItems(); }, true, true});
    for (const auto& part : m_parts)
        for (LocatorSource& source : part->locatorSources())
            m_locator->addSource(std::move(source));
    m_locator->addSource({QStringLiteral(":"), tr("step"),
                          [this](const QString& typed) -> std::vector<LocatorItem> {
                              bool isNumber = false;
                              const int step = typed.toInt(&isNumber);
                              if (!isNumber || !session().solution()) return {};
                              return {{tr("Go to step %1").arg(step),
                                       tr("first state of the level"),
                                       {},
                                       true,
                                       [this, step] { session().showLevel(step); }}};
                          },
                          false});
}

std::vector<LocatorItem> MainWindow::commandItems() {
    std::vector<LocatorItem> items;
    for (const CommandSpec& spec : commandTable()) {
        QAction* action = commands().action(QLatin1String(spec.id));
        QString why = action->toolTip();
        if (action->isEnabled()) why = tr(spec.tip);
        items.push_back({Commands::plainText(spec),
                         QStringLiteral("%1 · %2").arg(tr(spec.menu), why),
                         commands().keysText(spec).section(QLatin1Char(','), 0, 0),
                         action->isEnabled(), [action] { action->trigger(); }});
    }
    for (const ViewSpec& spec : views())
        items.push_back({tr("Show %1").arg(spec.title),
                         tr("View · %1").arg(spec.tip),
                         {},
                         true,
                         [this, id = spec.id] { showView(id); }});
    std::ranges::move(m_settings->items(), std::back_inserter(items));
    return items;
}

std::vector<LocatorItem> MainWindow::worldItems() {
    std::vector<LocatorItem> items;
    for (const LoadedWorld& world : m_exampleWorlds)
        items.push_back({world.title,
                         world.sentence,
                         {},
                         true,
                         [this, name = QString::fromStdString(world.name)] {
                             openWorld(name);
                             if (perspective() == QLatin1String("home"))
                                 showPerspective(QStringLiteral("world"));
                         }});
    return items;
}

std::vector<LocatorItem> MainWindow::runItems() {
    std::vector<LocatorItem> items;
    for (const RunRecord& run : archive().runs()) {
        const QString id = QString::fromStdString(run.id);
        items.push_back(
            {QStringLiteral("%1 %2").arg(id, QString::fromStdString(run.name)),
             QStringLiteral("%1 · %2").arg(runStateText(run.state), timeText(run.createdUtc)),
             {},
             true,
             [this, id] { openRun(id); }});
    }
    return items;
}

std::vector<LocatorItem> MainWindow::stateItems(const QString& typed) {
    if (parseAddress(typed))
        return {
            {typed, tr("goes to this address"), {}, true, [this, typed] { goToAddress(typed); }}};
    bool isNumber = false;
    const qlonglong index = QString(typed).remove(QLatin1Char(' ')).toLongLong(&isNumber);
    if (!isNumber || !session().isOpen()) return {};
    const int step = session().state().step;
    const QString address = QStringLiteral("orrery:t%1/s%2").arg(step).arg(index);
    return {{typed,
             session().solution() ? tr("state %1").arg(stateText(step, index))
                                  : tr("needs a solved world"),
             {},
             session().solution() != nullptr,
             [this, address] { goToAddress(address); }}};
}

std::vector<LocatorItem> MainWindow::fieldItems() {
    std::vector<LocatorItem> items;
    for (const RunField& field : solveFields()) {
        const QString name = QString::fromStdString(field.name);
        if (!m_solvePanel->editor(name)) continue;
        items.push_back({name, QString::fromStdString(field.meaning), {}, true, [this, name] {
                             showView(QStringLiteral("solver"));
                             m_solvePanel->showField(name);
                         }});
    }
    for (const RunField& field : trainFields()) {
        const QString name = QString::fromStdString(field.name);
        items.push_back({QStringLiteral("train: ") + name,
                         QString::fromStdString(field.meaning),
                         {},
                         session().isOpen(),
                         [this, name] {
                             openTrainForm();
                             if (session().isOpen()) showTrainForm(name);
                         }});
    }
    return items;
}

}  // namespace orrery
