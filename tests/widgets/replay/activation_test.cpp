#include <QAbstractItemModelTester>
#include <QTest>
#include <cmath>
#include <memory>

#include "tests/support/test_program.h"
#include "tests/widgets/quiet.h"
#include "widgets/common/table_model.h"
#include "widgets/replay/activation_grid.h"
#include "widgets/replay/layer_text.h"

using namespace orrery;

namespace {

/// Two maps of 3 x 2, four units of which one is dead, and one output.
std::shared_ptr<NetActivations> smallNet() {
    auto net = std::make_shared<NetActivations>();
    net->states = 10;
    net->layers.push_back({.name = "v_h_e.state_encoder.conv2",
                           .shape = {2, 2, 3},
                           .values = {0, 0.5F, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0},
                           .active = {0, 7, 0, 0, 0, 10, 0, 0, 3, 0, 0, 0}});
    net->layers.push_back(
        {.name = "x_h.head.1", .shape = {4}, .values = {0.25F, 0, 2, 0}, .active = {4, 0, 10, 1}});
    net->layers.push_back({.name = "x_h.head.2",
                           .shape = {1},
                           .values = {-0.75F},
                           .active = {10},
                           .isRectified = false});
    net->value = {0.3F};
    return net;
}

}  // namespace

class ActivationTest : public QObject {
    Q_OBJECT

private:
    std::unique_ptr<ActivationGrid> m_grid;

    QRect layer(const char* name) {
        for (const NamedSpot& spot : m_grid->namedSpots())
            if (spot.name == QStringLiteral("layer ") + QLatin1String(name)) return spot.rect;
        qFatal("no layer %s", name);
    }

private Q_SLOTS:
    void init() {
        m_grid = std::make_unique<ActivationGrid>();
        m_grid->resize(500, 400);
        m_grid->setNet(smallNet());
        m_grid->show();
        m_grid->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(m_grid.get(), kPatience));
    }
    void cleanup() { m_grid.reset(); }

    void unitsAreCounted() {
        const auto net = smallNet();
        const LayerCounts maps = countsOf(net->layers[0]);
        QCOMPARE(maps.units, 2);
        QCOMPARE(maps.inactive, 1);
        QCOMPARE(maps.dead, 0);
        const LayerCounts hidden = countsOf(net->layers[1]);
        QCOMPARE(hidden.units, 4);
        QCOMPARE(hidden.inactive, 2);
        QCOMPARE(hidden.dead, 1);
        QCOMPARE(hidden.greatest, 2.0F);
        QVERIFY(std::abs(hidden.mean - 0.5625F) < 1e-6F);
        QCOMPARE(countsOf(net->layers[2]).dead, 0);
        ReadyTable table;
        const QAbstractItemModelTester tester(&table);
        table.setContent(layerHeadings(), layerRows(*net), 2);
        QCOMPARE(table.rowCount(), 3);
        QCOMPARE(table.index(0, 0).data().toString(), QString("shared encoder · convolution 2"));
        QCOMPARE(table.index(0, 1).data().toString(), QString("2 maps of 3 × 2"));
        QCOMPARE(table.index(1, 0).data().toString(), QString("X_h · hidden 2"));
        QCOMPARE(table.index(1, 6).data().toString(), QString("1"));
        QCOMPARE(table.index(2, 5).data().toString(), QString("–"));
        LayerNumbers own{.name = "q_r.own_state_encoder.agents.0", .shape = {1}, .values = {1}};
        QCOMPARE(layerTitle(own), QString("own encoder of Q_r · agents 1"));
    }

    void thePointerReadsNumbers() {
        const QRect maps = layer("v_h_e.state_encoder.conv2");
        // The second cell of the first row of the first map.
        QTest::mouseMove(m_grid.get(), maps.topLeft() + QPoint(12 + 6, 22 + 6));
        QTRY_VERIFY2_WITH_TIMEOUT(m_grid->readout().contains(QStringLiteral("map 0 · 1,0 = 0.5")),
                                  qPrintable(m_grid->readout()), kPatience);
        QVERIFY(m_grid->readout().contains(QStringLiteral("active in 7 of 10 states")));
        const QRect hidden = layer("x_h.head.1");
        QTest::mouseMove(m_grid.get(), hidden.topLeft() + QPoint(2 * 13 + 6, 22 + 6));
        QTRY_VERIFY2_WITH_TIMEOUT(m_grid->readout().contains(QStringLiteral("unit 2 = 2")),
                                  qPrintable(m_grid->readout()), kPatience);
        QTest::mouseMove(m_grid.get(), hidden.topLeft() + QPoint(300, 22 + 6));
        QTRY_VERIFY_WITH_TIMEOUT(m_grid->readout().isEmpty(), kPatience);
    }

    void keysGoThroughLayersAndUnits() {
        m_grid->setFocus(Qt::TabFocusReason);
        QTRY_VERIFY_WITH_TIMEOUT(m_grid->readout().contains(QStringLiteral("map 0 · 0,0")),
                                 kPatience);
        QTest::keyClick(m_grid.get(), Qt::Key_PageDown);
        QTest::keyClick(m_grid.get(), Qt::Key_Right);
        QVERIFY2(m_grid->readout().contains(QStringLiteral("X_h · hidden 2 · unit 1 = 0")),
                 qPrintable(m_grid->readout()));
        for (int k = 0; k < 9; ++k) QTest::keyClick(m_grid.get(), Qt::Key_Right);
        QVERIFY(m_grid->readout().contains(QStringLiteral("unit 3")));
        QTest::keyClick(m_grid.get(), Qt::Key_PageDown);
        QVERIFY(m_grid->readout().contains(QStringLiteral("output · unit 0 = -0.75")));
        QVERIFY(!m_grid->readout().contains(QStringLiteral("active in")));
    }

    void whatIsDrawnTellsActiveFromInactive() {
        const QImage image = m_grid->grab().toImage();
        const QRect hidden = layer("x_h.head.1");
        const auto at = [&](int unit) {
            return image.pixelColor(hidden.topLeft() + QPoint(unit * 13 + 9, 22 + 9));
        };
        QVERIFY(at(2) != at(3));
        QVERIFY(at(0) != at(2));
        QCOMPARE(m_grid->spotFacts().value(u"layers").toInt(), 3);
    }
};

ORRERY_WINDOW_TEST(ActivationTest)
#include "activation_test.moc"
