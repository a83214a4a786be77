#include <QTest>

#include "core/base/error.h"
#include "core/spec/field_effect.h"
#include "core/spec/field_parts.h"
#include "core/spec/spec_table.h"
#include "tests/support/test_program.h"

using namespace orrery;

namespace {

enum class Device { Cpu, Gpu };

struct Optimiser {
    double rate = 0.5;
    std::optional<int> clip = 3;
};

struct Learning {
    Optimiser optimiser = {};
    std::vector<std::string> worlds = {"a"};
    Device device = Device::Gpu;
    bool isFast = false;
};

const SpecTable<Optimiser>& optimiserFields() {
    static const SpecTable<Optimiser> kTable = [] {
        SpecTable<Optimiser> table;
        table.add(live(numberField("rate", "Rate", NumberLimit::AboveZero, "Step size."), "rate",
                       {.low = 0.1, .high = 1}),
                  &Optimiser::rate);
        table.add(countField("clip", "Clip", "", 1, 9, "Norm."), &Optimiser::clip);
        return table;
    }();
    return kTable;
}

SpecTable<Learning> learningFields() {
    SpecTable<Learning> table;
    table.add(textsField("worlds", "Worlds", true, "Names."), &Learning::worlds);
    table.include(optimiserFields(), &Learning::optimiser);
    table.add(choiceField("device", "Device", {"cpu", "gpu"}, "Where."), &Learning::device);
    table.add(
        needs({fieldIs("device", {"gpu"}), fieldIsNot("clip", {"none", "9"})}, "nothing is fast",
              partOf({fieldIsNot("worlds", {""})}, "there is no world",
                     flagField("fast", "Fast", false, "How."))),
        [](auto& l) -> auto& { return l.isFast; });
    return table;
}

}  // namespace

/// A table binds fields to a struct and to its parts, and reads and writes their values.
class SpecTableTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aFieldReadsAndWritesItsMember() {
        const SpecTable<Learning> table = learningFields();
        Learning learning;
        const auto text = [&](const char* name) {
            return QByteArray::fromStdString(fieldText(table.find(name)->get(learning)));
        };
        QCOMPARE(text("worlds"), QByteArray("a"));
        QCOMPARE(text("rate"), QByteArray("0.5"));
        QCOMPARE(text("clip"), QByteArray("3"));
        QCOMPARE(text("device"), QByteArray("gpu"));
        QCOMPARE(text("fast"), QByteArray("false"));
        for (const auto& [name, value] : {std::pair("worlds", R"(["b","c"])"),
                                          {"rate", "0.25"},
                                          {"clip", "none"},
                                          {"device", "cpu"},
                                          {"fast", "true"}}) {
            const SpecRow<Learning>& field = *table.find(name);
            field.set(learning, fieldFromText(field, value));
            QCOMPARE(text(name), QByteArray(value));
        }
        QCOMPARE(learning.worlds, (std::vector<std::string>{"b", "c"}));
        QCOMPARE(learning.optimiser.rate, 0.25);
        QVERIFY(!learning.optimiser.clip);
        QVERIFY(learning.device == Device::Cpu);
        QVERIFY(learning.isFast);
    }

    void theFieldsOfAPartStandWhereItIsIncluded() {
        const SpecTable<Learning> table = learningFields();
        QByteArrayList names;
        for (const SpecRow<Learning>& row : table.rows())
            names << QByteArray::fromStdString(row.name);
        QCOMPARE(names.join(' '), QByteArray("worlds rate clip device fast"));
        QVERIFY(table.find("rate")->isLive);
        QVERIFY(table.find("clip")->isOptional);
        QVERIFY(table.find("rates") == nullptr);
    }

    void aFieldHasAnEffectWhereAllItsNeedsAreMet() {
        const SpecTable<Learning> table = learningFields();
        Learning learning;
        const auto unmet = [&] { return unmetNeed(*table.find("fast"), table.rows(), learning); };
        QVERIFY(unmet() == nullptr);
        learning.device = Device::Cpu;
        QVERIFY(unmet() == nullptr);  // one of two is enough
        learning.optimiser.clip = 9;
        QCOMPARE(unmet()->reason, std::string("nothing is fast"));
        QVERIFY(!unmet()->isPart);
        learning.optimiser.clip.reset();
        QCOMPARE(unmet()->reason, std::string("nothing is fast"));
        QVERIFY(inertFields(table.rows(), learning, Learning()).empty());  // it is as usual
        learning.isFast = true;
        const auto notes = inertFields(table.rows(), learning, Learning());
        QCOMPARE(notes.size(), 1U);
        QCOMPARE(notes.front().field, std::string("fast"));
        QCOMPARE(notes.front().text, std::string("has no effect: nothing is fast"));
        learning.worlds.clear();
        QCOMPARE(unmet()->reason, std::string("there is no world"));
        QVERIFY(unmet()->isPart);
        QVERIFY(unmetNeed(*table.find("rate"), table.rows(), learning) == nullptr);
    }

    void aWrongTextSaysWhatIsRight_data() {
        QTest::addColumn<QByteArray>("field");
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("problem");
        QTest::newRow("0") << QByteArray("rate") << QByteArray("0")
                           << QByteArray("rate must be > 0, got '0'");
        QTest::newRow("ten") << QByteArray("clip") << QByteArray("ten")
                             << QByteArray("clip must be a whole number >= 1 or none, got 'ten'");
        QTest::newRow("10") << QByteArray("clip") << QByteArray("10")
                            << QByteArray(
                                   "clip must be a whole number >= 1 or none and <= 9, got "
                                   "'10'");
        QTest::newRow("tpu") << QByteArray("device") << QByteArray("tpu")
                             << QByteArray("device must be cpu or gpu, got 'tpu'");
        QTest::newRow("no text") << QByteArray("worlds") << QByteArray("[\"a\", 1]")
                                 << QByteArray(
                                        "worlds must be a text or a list of texts, not "
                                        "empty, got '[\"a\", 1]'");
        QTest::newRow("an empty one") << QByteArray("worlds") << QByteArray("[\"a\", \"\"]")
                                      << QByteArray(
                                             "worlds must be a text or a list of texts, not "
                                             "empty, got '[\"a\", \"\"]'");
    }
    void aWrongTextSaysWhatIsRight() {
        QFETCH(QByteArray, field);
        QFETCH(QByteArray, text);
        QByteArray problem;
        try {
            fieldFromText(*learningFields().find(field.toStdString()), text.toStdString());
        } catch (const Error& e) {
            problem = e.what();
        }
        QTEST(problem, "problem");
    }

    void aTreeIsWrittenAsJson() {
        const FieldValue tree = FieldList{
            FieldMap{{"when", "true"}, {"probability", FieldList{0.25, 0.75}}}, FieldMap{}};
        QCOMPARE(fieldText(tree), std::string(R"([{"when":"true","probability":[0.25,0.75]},{}])"));
        QVERIFY(tree == FieldValue(tree));
        QVERIFY(!(tree == FieldValue(FieldList{})));
    }
};

ORRERY_TEST(SpecTableTest)
#include "spec_table_test.moc"
