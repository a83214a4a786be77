#include <QTest>
#include <optional>
#include <vector>

#include "core/base/error.h"
#include "core/spec/field_check.h"
#include "core/spec/field_parts.h"
#include "core/spec/spec_table.h"
#include "tests/support/test_program.h"

using namespace orrery;

namespace {

struct Schedules {
    Schedule rate = 0.1;
    std::vector<double> extent = {5, 5};
    std::vector<std::int64_t> sizes = {};
    bool operator==(const Schedules&) const = default;
};

struct Sections {
    Schedules optim = {};
    std::optional<Schedules> other = {};
    FieldValue extra = FieldMap{};
};

const SpecTable<Schedules>& schedulesFields() {
    static const SpecTable<Schedules> kTable = [] {
        SpecTable<Schedules> table;
        table.add(scheduleField("rate", "Rate", NumberLimit::Unit, "Step size."), &Schedules::rate);
        table.add(listField(numberField("extent", "Extent", NumberLimit::AboveZero, "Size."), 2, 2),
                  &Schedules::extent);
        table.add(needs({fieldIsNot("rate", {"0.0"})}, "nothing is learned",
                        listField(countField("sizes", "Sizes", "", 1, 9, "Layers."), 0, 0)),
                  &Schedules::sizes);
        return table;
    }();
    return kTable;
}

const SpecTable<Sections>& sectionsFields() {
    static const SpecTable<Sections> kTable = [] {
        SpecTable<Sections> table;
        table.includeSection("optim", schedulesFields(), &Sections::optim);
        table.includeOptional({.name = "other", .label = "Other"}, schedulesFields(),
                              &Sections::other);
        table.add(jsonField("extra", "Extra", "Whatever."), &Sections::extra);
        return table;
    }();
    return kTable;
}

}  // namespace

/// Lists, trees, schedules and sections as fields.
class FieldTypesTest : public QObject {
    Q_OBJECT

private:
    static std::string set(Sections& spec, const char* name, const char* text) {
        const auto* row = sectionsFields().find(name);
        try {
            row->set(spec, fieldFromText(*row, text));
            return fieldText(row->get(spec));
        } catch (const Error& error) {
            return error.what();
        }
    }

private Q_SLOTS:
    void aSectionPutsItsNameInFront() {
        Sections spec;
        QVERIFY(sectionsFields().find("rate") == nullptr);
        QCOMPARE(set(spec, "optim.rate", "0.5"), std::string("0.5"));
        QCOMPARE(spec.optim.rate, Schedule(0.5));
        QCOMPARE(sectionsFields().find("optim.sizes")->needs[0].anyOf[0].field,
                 std::string("optim.rate"));
    }

    void aScheduleIsANumberOrAText() {
        Sections spec;
        QCOMPARE(set(spec, "optim.rate", "lin(1, 0)"), std::string("lin(1, 0)"));
        QCOMPARE(spec.optim.rate.at(50, 100), 0.5);
        QCOMPARE(set(spec, "optim.rate", "2"),
                 std::string("optim.rate must be in [0, 1], or a schedule: lin(a, b), cos(a, b), "
                             "step: y@x lin y@x, got '2'"));
        QVERIFY(set(spec, "optim.rate", "lin(2, 0)").find("must be") != std::string::npos);
        QVERIFY(set(spec, "optim.rate", "fast").find("got 'fast'") != std::string::npos);
    }

    void aListHasElementsInARange() {
        Sections spec;
        QCOMPARE(set(spec, "optim.extent", "[2, 3.5]"), std::string("[2.0,3.5]"));
        QCOMPARE(spec.optim.extent, (std::vector<double>{2, 3.5}));
        QCOMPARE(set(spec, "optim.sizes", "[1, 9]"), std::string("[1,9]"));
        QCOMPARE(set(spec, "optim.sizes", "[]"), std::string("[]"));
        for (const char* wrong : {"[1]", "[1, 0]", "[1, 2, 3]", "1", "[1, \"a\"]", "[1, 2"})
            QVERIFY2(set(spec, "optim.extent", wrong).find("must be a list of 2 values") !=
                         std::string::npos,
                     wrong);
        QVERIFY(set(spec, "optim.sizes", "[1.5]").find("must be") != std::string::npos);
    }

    void aTreeIsKeptAsItIs() {
        Sections spec;
        QCOMPARE(set(spec, "extra", "{\"a\": [1, 2.5, null], \"b\": {\"c\": true}}"),
                 std::string("{\"a\":[1,2.5,null],\"b\":{\"c\":true}}"));
        QCOMPARE(set(spec, "extra", "plain words"), std::string("plain words"));
    }

    void aPartThatIsNotThereHasNoValues() {
        Sections spec;
        const auto& table = sectionsFields();
        QCOMPARE(table.find("other")->get(spec), FieldValue(false));
        QCOMPARE(table.find("other.rate")->get(spec), FieldValue());
        QVERIFY(rangeProblems(table.rows(), spec).empty());
        QCOMPARE(set(spec, "other.rate", "0.25"), std::string("0.25"));
        QVERIFY(spec.other && spec.other->extent.size() == 2);
        QCOMPARE(set(spec, "other", "none"), std::string("false"));
        QVERIFY(!spec.other);
        QCOMPARE(set(spec, "other", "true"), std::string("true"));
        QCOMPARE(spec.other.value(), Schedules());
    }
};

ORRERY_TEST(FieldTypesTest)
#include "field_types_test.moc"
