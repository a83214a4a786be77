#pragma once

#include <QApplication>
#include <QDir>
#include <QLabel>
#include <QPixmap>
#include <QTest>
#include <memory>

#include "tests/widgets/dag/inspector_bench.h"
#include "tests/widgets/dag/solved.h"
#include "tests/widgets/quiet.h"
#include "widgets/bridge/world_loader.h"
#include "widgets/common/icons.h"
#include "widgets/common/style.h"
#include "widgets/dag/inspector_spread.h"
#include "widgets/dag/sum_float.h"

namespace orrery {

inline constexpr char kTwoRobots[] = R"(metadata: {name: Two robots}
map: |
  We We We We We We
  We Ay Un .. Ae We
  We Ae .. .. .. We
  We We We We We We
max_steps: 3
orientations: [e, w, e]
possible_goals: ["1,1, 2,2", "3,1", "4,2"]
)";

inline LoadedWorld twoRobots() {
    return loadWorld(WorldRef{.name = "two_robots.yaml", .text = kTwoRobots});
}

/// An inspector, driven with mouse and keys, on solved worlds.
class SolvedInspector {
protected:
    using Kind = ValueKind;

    std::unique_ptr<InspectorBench> m_bench;
    LoadedWorld m_bridge, m_robots;
    std::shared_ptr<const Solution> m_bridgeSolution, m_robotsSolution;

    void makeBench(const LoadedWorld& loaded, const std::shared_ptr<const Solution>& solution) {
        m_bench.reset();
        m_bench = std::make_unique<InspectorBench>();
        m_bench->open(loaded, solution);
        m_bench->window.show();
        m_bench->window.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&m_bench->window, kPatience));
        QTRY_VERIFY_WITH_TIMEOUT(!m_bench->isWorking(), kPatience);
    }
    void keep(const char* name) {
        const QString folder = qEnvironmentVariable("ORRERY_TEST_PICTURES");
        if (folder.isEmpty()) return;
        QDir().mkpath(folder);
        QVERIFY(becomesQuiet(
            [this] { return !m_bench->isWorking() && !m_bench->panel->spread().isWorking(); }));
        for (const auto& [theme, suffix] :
             {std::pair(ThemeChoice::Dark, "dark"), std::pair(ThemeChoice::Light, "light")}) {
            applyTheme(*qApp, theme);
            finishEvents();
            m_bench->window.grab().save(
                QDir(folder).filePath(QStringLiteral("%1-%2.png").arg(name, suffix)));
        }
        applyTheme(*qApp, ThemeChoice::Dark);
    }
    /// Everything shown about the current question adds up.
    void verifySum() {
        const Explanation& e = m_bench->why();
        QVERIFY(e.agrees);
        QCOMPARE(e.shown, *m_bench->inspected().number(e.quantity));
        QVERIFY(m_bench->child<QLabel>("whyAgrees")->text().contains(QStringLiteral("agrees to")));
        const std::size_t rows = m_bench->child<ValueBars>("whyTerms")->bars().size();
        QCOMPARE(rows, e.terms.size() + (e.numTerms > e.terms.size() ? 1 : 0));
    }

    /// The one that is shown; null: none.
    SumFloat* sumFloat() {
        for (SumFloat* each : m_bench->window.findChildren<SumFloat*>())
            if (each->isVisible()) return each;
        return nullptr;
    }
    ValueBars* sumTerms() { return sumFloat()->findChild<ValueBars*>(QStringLiteral("sumTerms")); }
    void solveWorlds() {
        loadIcons();
        applyTheme(*qApp, ThemeChoice::Dark);
        m_bridge = loadWorld("builtin:slippery_bridge");
        m_bridgeSolution = test::solved(m_bridge);
        m_robots = twoRobots();
        QVERIFY2(m_robots.world, qPrintable(m_robots.problems.join(u'\n')));
        m_robotsSolution = test::solved(m_robots);
    }
};

}  // namespace orrery
