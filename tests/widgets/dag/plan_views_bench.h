#pragma once

#include <QApplication>
#include <QDir>
#include <QLineEdit>
#include <QTest>
#include <algorithm>
#include <memory>

#include "core/solve/solution.h"
#include "tests/widgets/dag/plan_bench.h"
#include "tests/widgets/dag/solved.h"
#include "widgets/bridge/world_loader.h"
#include "widgets/common/icons.h"
#include "widgets/common/style.h"
#include "widgets/dag/card_pictures.h"

namespace orrery {

/// Keeps a picture for people if a folder for them was named.
inline void keep(QWidget* window, const char* name) {
    const QString folder = qEnvironmentVariable("ORRERY_TEST_PICTURES");
    if (folder.isEmpty()) return;
    QDir().mkpath(folder);
    // What is painted first asks for the pictures on the cards.
    const auto pictures = window->findChildren<CardPictures*>();
    QVERIFY(becomesQuiet([&] { return std::ranges::none_of(pictures, &CardPictures::isWorking); }));
    window->grab().save(QDir(folder).filePath(QLatin1String(name) + QStringLiteral(".png")));
}

/// The views on a solved example, driven with mouse and keys.
class PlanViewsBench {
protected:
    LoadedWorld m_loaded;
    std::shared_ptr<const Solution> m_solution;
    std::unique_ptr<Bench> m_bench;

    void makeBench(bool isSolved = true) {
        m_bench = std::make_unique<Bench>();
        m_bench->open(m_loaded, isSolved ? m_solution : nullptr);
        m_bench->show(QSize(1280, 860));
        m_bench->settle();
    }
    const StateGraph& graph() const { return m_solution->graph(); }
    /// A state in the middle with several neighbours.
    State middle() const {
        const int step = graph().numLevels() / 2;
        return {step, graph().levelMember(step, graph().levelSize(step) / 2)};
    }
    void select(State state) {
        const auto words = graph().configuration(state.config);
        m_bench->selection.setCurrent(
            {StateItem{
                 state.step, {words.begin(), words.end()}, static_cast<std::int64_t>(state.config)},
             StepItem{state.step}, LevelItem{state.step}});
        m_bench->settle();
    }
    State now() const { return *m_bench->session.graphState(); }
    void type(const char* text) {
        QLineEdit* edit = m_bench->bar->edit();
        edit->setFocus();
        edit->selectAll();
        QTest::keyClicks(edit, QLatin1String(text));
        QTest::keyClick(edit, Qt::Key_Return);
        m_bench->settle();
    }
    static void clickAt(QWidget* widget, const QPointF& at) {
        QTest::mouseMove(widget, at.toPoint());
        QTest::mouseClick(widget, Qt::LeftButton, {}, at.toPoint());
    }
    void solveExample() {
        loadIcons();
        applyTheme(*qApp, ThemeChoice::Dark);
        m_loaded = loadWorld("builtin:slippery_bridge");
        m_solution = test::solved(m_loaded);
    }
};

}  // namespace orrery
