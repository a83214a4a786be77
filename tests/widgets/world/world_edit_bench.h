#pragma once

#include <QApplication>
#include <QTest>
#include <memory>
#include <optional>
#include <string>

#include "core/grid/grid_spec.h"
#include "tests/widgets/world/world_bench.h"
#include "widgets/world/palette.h"
#include "widgets/world/spec_edit.h"

namespace orrery {

inline LoadedWorld twoRooms() {
    GridWorldSpec spec;
    spec.map = {"WeWeWeWeWeWeWe", "WeAy....We..We", "We..........We", "We....AeWe..We",
                "WeWeWeWeWeWeWe"};
    spec.maxSteps = 6;
    spec.possibleGoals = {{5, 1, 5, 1, false}, {1, 3, 1, 3, false}, {1, 1, 5, 3, true}};
    LoadedWorld loaded = worldOfSpec("two_rooms", spec);
    loaded.title = QStringLiteral("Two rooms");
    return loaded;
}

/// A world of two rooms, solved and being edited in the views of the World perspective, with the
/// mouse and real keys.
class WorldEditBench {
protected:
    LoadedWorld m_loaded = twoRooms();
    std::shared_ptr<const Solution> m_solution = solvedBy(m_loaded);
    std::unique_ptr<WorldBench> m_bench;

    WorldBench& bench() { return *m_bench; }
    void press(int key, Qt::KeyboardModifiers modifiers = {}) {
        QTest::keyClick(bench().map(), static_cast<Qt::Key>(key), modifiers);
    }
    void click(int x, int y) {
        QTest::mouseClick(bench().map(), Qt::LeftButton, {}, bench().cell(x, y));
    }
    void drag(const QPoint& from, const QPoint& to) {
        EditView* map = bench().map();
        QTest::mousePress(map, Qt::LeftButton, {}, bench().cell(from.x(), from.y()));
        QTest::mouseMove(map, bench().cell(to.x(), to.y()));
        QTRY_COMPARE_WITH_TIMEOUT(bench().selection.hover(),
                                  std::optional<SelectionItem>(CellItem{to.x(), to.y()}),
                                  kPatience);
        QTest::mouseRelease(map, Qt::LeftButton, {}, bench().cell(to.x(), to.y()));
    }
    void pick(const std::string& code) {
        auto* palette = bench().child<Palette>("palette");
        QTest::mouseClick(palette, Qt::LeftButton, {}, palette->rectOf(code).center().toPoint());
        QCOMPARE(bench().editor.brush(), code);
    }
    bool finds(const QString& part) {
        for (const WorldFinding& finding : bench().editor.findings())
            if (finding.text.contains(part)) return true;
        return false;
    }
    std::string code(int x, int y) { return codeAt(bench().editor.spec(), {x, y}); }

    static void dress() {
        loadIcons();
        applyTheme(*qApp, ThemeChoice::Dark);
    }
    void beginEdit() {
        m_bench = std::make_unique<WorldBench>();
        bench().session.open(m_loaded);
        bench().session.attach(m_solution, QStringLiteral("20260301-1200"));
        bench().show();
        bench().click("editToggle");
        QVERIFY(bench().editor.isOn());
        bench().settle();
    }
};

}  // namespace orrery
