#pragma once

#include <QLabel>
#include <QTest>
#include <cmath>

#include "tests/widgets/window_bench.h"
#include "widgets/common/number_text.h"
#include "widgets/common/row_list.h"
#include "widgets/common/value_bars.h"

namespace orrery {

/// A window whose lists and values are looked at.
class ShownValuesBench : protected WindowBench {
protected:
    QPoint rowCentre(RowList* list, int row) {
        return list->visualRect(list->model()->index(row, 0)).center();
    }
    /// What the panel shows are the solution's numbers.
    void compareShownValues() {
        const auto values = session().solution()->values(*session().graphState());
        QCOMPARE(child<QLabel>("v_rValue")->text(), valueText(values.v_r));
        QCOMPARE(child<QLabel>("u_rValue")->text(),
                 values.terminal ? QStringLiteral("–") : valueText(values.u_r));
        const auto& goals = child<ValueBars>("goalBars_0")->bars();
        QCOMPARE(goals.size(), values.v_h_e[0].size());
        for (std::size_t g = 0; g < goals.size(); ++g)
            QCOMPARE(goals[g].value(),
                     valueText(values.v_h_e[0][g], columnFormat(values.v_h_e[0])));
        double sum = 0;
        for (const ValueBar& bar : child<ValueBars>("robotPolicyBars")->bars()) sum += bar.share;
        if (!values.terminal) QVERIFY(std::abs(sum - 1) < 1e-12);
    }
};

}  // namespace orrery
