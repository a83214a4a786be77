#include "core/entity/feature_map.h"

#include <QTest>
#include <string>

#include "core/base/error.h"
#include "core/entity/entity_game.h"
#include "tests/support/test_program.h"

using namespace orrery;

namespace {

EntityLayout layoutWith(std::vector<ObservedSpace> observations,
                        std::vector<ActionSpace> actions = {choiceOf("move", {"a", "b"})}) {
    return entityLayoutOf({.observations = std::move(observations), .actions = std::move(actions)});
}

std::string whyNot(const EntityLayout& learned, const EntityLayout& offered) {
    try {
        featureMapOf(learned, offered);
        return {};
    } catch (const Error& error) {
        return error.what();
    }
}

bool names(const std::string& text, const char* one, const char* other = "") {
    return text.find(one) != std::string::npos && text.find(other) != std::string::npos;
}

}  // namespace

class FeatureMapTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theSameIsTheSame() {
        const EntityLayout layout =
            layoutWith({thingsOf("A", {"x", "y"}), thingsOf("B", {}), globalsOf({"t"})});
        const FeatureMap map = featureMapOf(layout, layout);
        QVERIFY(map.isSame);
        QCOMPARE(map.types.size(), std::size_t{3});
        QVERIFY(spacesOf(layout) == spacesOf(entityLayoutOf(spacesOf(layout))));
    }

    void featuresAreFoundByName() {
        const EntityLayout learned =
            layoutWith({thingsOf("A", {"x", "y"}), thingsOf("B", {"u"}), globalsOf({"t"})});
        const EntityLayout offered = layoutWith(
            {thingsOf("B", {"u", "w"}), thingsOf("A", {"z", "y", "x"}), globalsOf({"q", "t"})});
        const FeatureMap map = featureMapOf(learned, offered);
        QVERIFY(!map.isSame);
        QCOMPARE(map.types[0].offered, std::size_t{1});
        QCOMPARE(map.types[0].columns, (std::vector<std::size_t>{2, 1}));
        QCOMPARE(map.types[1].columns, std::vector<std::size_t>{0});
        QCOMPARE(map.types[2].columns, std::vector<std::size_t>{1});
    }

    void whatCannotBeMappedIsNamed() {
        const EntityLayout learned = layoutWith({thingsOf("A", {"x", "y"}), globalsOf({"t"})});
        QVERIFY(names(whyNot(learned, layoutWith({thingsOf("A", {"x"}), globalsOf({"t"})})), "'y'",
                      "'A'"));
        QVERIFY(names(whyNot(learned, layoutWith({thingsOf("B", {"x"}), globalsOf({"t"})})),
                      "type 'A'"));
        QVERIFY(names(whyNot(learned, layoutWith({thingsOf("A", {"x", "y"})})), "'t'"));
        QVERIFY(names(whyNot(learned, layoutWith({thingsOf("A", {"x", "y"}), thingsOf("C", {}),
                                                  globalsOf({"t"})})),
                      "type 'C'", "new"));
        const auto withActions = [](std::vector<ActionSpace> actions) {
            return layoutWith({thingsOf("A", {"x", "y"}), globalsOf({"t"})}, std::move(actions));
        };
        QVERIFY(names(whyNot(learned, withActions({choiceOf("move", {"a"})})), "'move'"));
        QVERIFY(
            names(whyNot(learned, withActions({choiceOf("move", {"a", "b"}), selectionOf("aim")})),
                  "'aim'", "new"));
        // More globals than it learned from are passed over.
        QCOMPARE(whyNot(layoutWith({thingsOf("A", {"x"})}),
                        layoutWith({thingsOf("A", {"x"}), globalsOf({"t"})})),
                 std::string());
    }
};

ORRERY_TEST(FeatureMapTest)
#include "feature_map_test.moc"
