#include <QAbstractItemModelTester>
#include <QLabel>
#include <QTest>
#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>

#include "core/base/cpu.h"
#include "core/encode/state_encoder.h"
#include "tests/support/test_program.h"
#include "tests/widgets/quiet.h"
#include "tests/widgets/replay/replay_bench.h"
#include "tests/widgets/replay/replay_samples.h"
#include "widgets/common/number_text.h"
#include "widgets/replay/encoded_text.h"
#include "widgets/replay/replay_filter.h"
#include "widgets/replay/replay_health.h"
#include "widgets/replay/replay_model.h"
#include "widgets/replay/replay_order.h"
#include "widgets/replay/transition_panel.h"

using namespace orrery;
using namespace orrery::test;

namespace {

using Place = std::uint32_t;

QString problemOf(const ReplaySource& source, const QString& text) {
    try {
        const ReplayFilter filter(text, source, {});
        return {};
    } catch (const FilterError& error) {
        return QString::fromStdString(error.problem());
    }
}

template <typename Holds>
std::vector<Place> expected(const ReplaySource& source, const Holds& holds) {
    std::vector<Place> places;
    for (std::size_t i = source.size(); i-- > 0;)
        if (holds(i)) places.push_back(static_cast<Place>(i));
    return places;
}

/// The encoded first state of the room.
ReplayFilter::Current firstState(const ReplaySource& source) {
    StateEncoder encoder(*source.worlds[0]);
    std::vector<std::int32_t> words(encoder.shape().bytes() / 4);
    const auto bytes = std::as_writable_bytes(std::span<std::int32_t>(words));
    encoder.encode(source.worlds[0]->initialConfiguration(), 0, bytes);
    return {.encoded = {bytes.begin(), bytes.end()}, .layout = 0};
}

}  // namespace

/// Rows, filters and pages of a replay buffer, and how an encoded state is written.
class ReplayPartsTest : public QObject {
    Q_OBJECT

private:
    std::shared_ptr<const ReplaySource> m_source;

    bool endsOf(std::size_t i) const { return m_source->at(i).endsEpisode; }

private Q_SLOTS:
    void initTestCase() { m_source = filledSource(3000); }

    void theModelKeepsTheRulesOfModels() {
        ReplayModel model;
        const QAbstractItemModelTester tester(
            &model, QAbstractItemModelTester::FailureReportingMode::Fatal);
        model.setSource(m_source);
        QCOMPARE(model.rowCount(), 3000);
        QCOMPARE(model.index(0, ReplayModel::Number).data().toString(),
                 QString("2 999").replace(u' ', QChar(0x202F)));
        QCOMPARE(model.index(2999, ReplayModel::Age).data().toString().remove(QChar(0x202F)),
                 QString("3000"));
        model.setShown(std::vector<Place>{17, 4});
        QCOMPARE(model.rowCount(), 2);
        QCOMPARE(model.rowOf(4), 1);
        QCOMPARE(model.rowOf(5), -1);
        model.setShown(std::nullopt);
        QCOMPARE(model.rowOf(0), 2999);
        model.setSource(nullptr);
        QCOMPARE(model.rowCount(), 0);
    }

    void rowsAreInTheOrderOfAnyColumn() {
        std::vector<Place> all(m_source->size());
        std::iota(all.rbegin(), all.rend(), Place{0});  // the newest first
        TdErrorTable errors;
        for (const Place place : all)
            errors[tdErrorKey(m_source->at(place))] = {std::sin(m_source->at(place).model), 1};
        ReplayModel model;
        model.setSource(m_source);
        for (int column = 0; column < ReplayModel::NumColumns; ++column) {
            for (const Qt::SortOrder order : {Qt::AscendingOrder, Qt::DescendingOrder}) {
                const auto rows = inOrder(*m_source, all, {column, order}, errors, {});
                QVERIFY(rows && rows->size() == all.size());
                model.setShown(*rows);
                const auto keyOf = [&](int row) -> QVariant {
                    const std::size_t place = model.placeOf(row);
                    if (column == ReplayModel::TdError)
                        return std::abs(errors.at(tdErrorKey(m_source->at(place))).error);
                    if (column == ReplayModel::Stage) return m_source->stageIndexOf(place);
                    QString text = model.index(row, column).data().toString();
                    if (column == ReplayModel::Before || column == ReplayModel::After)
                        text = text.section(u' ', -1);
                    bool isNumber = false;
                    const double number = QString(text).remove(QChar(0x202F)).toDouble(&isNumber);
                    return isNumber ? QVariant(number) : QVariant(text);
                };
                for (int row = 1; row < model.rowCount(); ++row) {
                    const auto compared = QVariant::compare(keyOf(row - 1), keyOf(row));
                    if (compared == QPartialOrdering::Equivalent)
                        QVERIFY(model.placeOf(row - 1) > model.placeOf(row));
                    else
                        QCOMPARE(compared == QPartialOrdering::Less, order == Qt::AscendingOrder);
                }
            }
        }
    }

    void anErrorThatIsNoNumberComesLast_data() {
        QTest::addColumn<Qt::SortOrder>("order");
        QTest::newRow("ascending") << Qt::AscendingOrder;
        QTest::newRow("descending") << Qt::DescendingOrder;
    }
    void anErrorThatIsNoNumberComesLast() {
        QFETCH(Qt::SortOrder, order);
        std::vector<Place> all(m_source->size());
        std::iota(all.rbegin(), all.rend(), Place{0});
        TdErrorTable errors;
        for (const Place place : all) {
            const StoredTransition& row = m_source->at(place);
            const double error = row.model % 3 == 1 ? std::nan("") : std::sin(row.model);
            errors[tdErrorKey(row)] = {error, 1};
        }
        const auto rows = inOrder(*m_source, all, {ReplayModel::TdError, order}, errors, {});
        QVERIFY(rows && rows->size() == all.size());
        const auto sizeAt = [&](Place place) {
            return std::abs(errors.at(tdErrorKey(m_source->at(place))).error);
        };
        const auto isNone = [&](Place place) { return std::isnan(sizeAt(place)); };
        const auto firstNone = std::ranges::find_if(*rows, isNone);
        QVERIFY(firstNone != rows->begin() && firstNone != rows->end());
        QVERIFY(std::all_of(firstNone, rows->end(), isNone));
        const auto isBefore = [&](Place a, Place b) {
            return order == Qt::AscendingOrder ? sizeAt(a) < sizeAt(b) : sizeAt(a) > sizeAt(b);
        };
        QVERIFY(std::is_sorted(rows->begin(), firstNone, isBefore));
    }

    void filtersFindExactlyWhatTheySay() {
        const ReplaySource& s = *m_source;
        QCOMPARE(filtered(s, "actor=1"),
                 expected(s, [&](auto i) { return s.at(i).collector == 1; }));
        QCOMPARE(filtered(s, "step>3 actor=0"),
                 expected(s, [&](auto i) { return s.at(i).step > 3 && s.at(i).collector == 0; }));
        QCOMPARE(filtered(s, "step <= 1 or age<1k"),
                 expected(s, [&](auto i) { return s.at(i).step <= 1 || s.ageOf(i) < 1000; }));
        QCOMPARE(filtered(s, "not (ends=yes or goal!=2)"),
                 expected(s, [&](auto i) { return !endsOf(i) && s.at(i).goals[0] == 2; }));
        QCOMPARE(filtered(s, "goal=2"), expected(s, [&](auto i) { return s.at(i).goals[0] == 2; }));
        QCOMPARE(filtered(s, "goal=3,1"),
                 expected(s, [&](auto i) { return s.at(i).goals[0] == 2; }));
        QCOMPARE(filtered(s, "alike>5"), expected(s, [&](auto i) { return s.alikeOf(i) > 5; }));
        const std::vector<std::string>& names =
            s.worlds[0]->agents()[static_cast<std::size_t>(s.worlds[0]->robots()[0])].actions;
        const auto forward = std::ranges::find(names, "forward") - names.begin();
        QVERIFY(forward < std::ssize(names));
        const auto isForward = [&](std::size_t i) { return s.at(i).robotAction == forward; };
        QCOMPARE(filtered(s, "robot=forward"), expected(s, isForward));
        QCOMPARE(filtered(s, "robot:FORW"), expected(s, isForward));
        QCOMPARE(filtered(s, "robot!=forward"), expected(s, [&](auto i) { return !isForward(i); }));
        QCOMPARE(filtered(s, "human=forward"),
                 expected(s, [&](auto i) { return s.at(i).humanActions[0] == forward; }));
        // The forms of the one language.
        QCOMPARE(filtered(s, "3<step&&!(actor≠0||false)"), filtered(s, "step>3 and actor=0"));
        QCOMPARE(filtered(s, "ends"), filtered(s, "ends=yes"));
        QCOMPARE(filtered(s, "robot ~ FORW or robot = \"forward\""), filtered(s, "robot:forw"));
        QCOMPARE(filtered(s, "age < 0.000001G"), filtered(s, "age < 1k"));
        QCOMPARE(filtered(s, "stored > step"),
                 expected(s, [&](auto i) { return s.at(i).insertedAt > s.at(i).step; }));
    }

    void theSelectedStateIsFoundWhereTransitionsStartEndOrMightHave() {
        const ReplaySource& s = *m_source;
        const ReplayFilter::Current first = firstState(s);
        const auto isFirst = [&](StateStore::Index state) {
            const auto bytes = s.replay->state(state);
            return std::memcmp(bytes.data(), first.encoded.data(), bytes.size()) == 0;
        };
        const auto from = expected(s, [&](auto i) { return isFirst(s.replay->modelOf(i).state); });
        QVERIFY(from.size() > 10);
        QCOMPARE(filtered(s, "from:current", first), from);
        QCOMPARE(filtered(s, "touches:current", first), from);
        QVERIFY(filtered(s, "to:current", first).empty());
        QVERIFY(problemOf(s, "from:current").contains("open world"));
    }

    void stagesAreShownAndFiltered() {
        ReplaySource staged = *m_source;
        staged.spec.of(Quantity::V_h_e).warmupSteps = staged.at(1000).insertedAt;
        staged.spec.rampSteps = staged.at(2000).insertedAt - staged.at(1000).insertedAt;
        for (const Quantity quantity : kQuantities)
            if (quantity != Quantity::V_h_e) staged.spec.of(quantity).warmupSteps = 0;
        staged.schedule = EmpoSchedule(staged.spec);
        const auto source = std::make_shared<const ReplaySource>(std::move(staged));
        const auto isOf = [&](const char* stage) {
            return expected(*source, [&, stage](auto i) { return source->stageOf(i) == stage; });
        };
        QVERIFY(isOf("v_h_e").size() > 500 && isOf("ramp").size() > 500 &&
                isOf("full").size() > 500);
        QCOMPARE(source->stageOf(0), std::string("v_h_e"));
        QCOMPARE(source->stageOf(2999), std::string("full"));
        QCOMPARE(filtered(*source, "stage=ramp"), isOf("ramp"));
        QCOMPARE(filtered(*source, "stage:RAM"), isOf("ramp"));
        QCOMPARE(filtered(*source, "stage!=ramp stage!=full"), isOf("v_h_e"));
        QVERIFY(problemOf(*source, "stage=late").contains("there are v_h_e, ramp, full"));
        QVERIFY(problemOf(*source, "stage>ramp").contains("is no number"));
        ReplayModel model;
        model.setSource(source);
        QCOMPARE(model.index(0, ReplayModel::Stage).data().toString(), QString("full"));
        QCOMPARE(model.index(2999, ReplayModel::Stage).data().toString(), QString("v_h_e"));
    }

    void theHealthPageMarksWhereTheBufferWasCleared() {
        const auto marked = [this](BufferClearing clearing, std::int64_t ramp) {
            ReplaySource source = *m_source;
            for (const Quantity quantity : kQuantities) source.spec.of(quantity).warmupSteps = 0;
            source.spec.of(Quantity::V_h_e).warmupSteps = ramp;
            source.spec.rampSteps = 1'000'000;
            source.spec.trainingSteps = 2'000'000;
            source.spec.bufferClearing = clearing;
            source.schedule = EmpoSchedule(source.spec);
            auto health = std::make_unique<ReplayHealth>();
            health->resize(900, 90);
            health->setSource(std::make_shared<const ReplaySource>(std::move(source)));
            QStringList spots;
            for (const NamedSpot& spot : health->namedSpots()) spots << spot.name;
            for (int row = 0; row < health->tableModel()->rowCount(); ++row)
                spots << "row: " + health->tableModel()->index(row, 0).data().toString();
            return spots;
        };
        const std::int64_t middle = m_source->at(1500).insertedAt;
        const QString cleared = QStringLiteral("cleared at step ") + countText(middle);
        const QStringList hard = marked(BufferClearing::Hard, middle);
        QVERIFY(hard.contains(cleared) && hard.contains("row: " + cleared));
        QVERIFY(marked(BufferClearing::Hard, m_source->step + 1).filter("cleared").isEmpty());
        QCOMPARE(marked(BufferClearing::Gradual, middle).filter("not sampled").size(), 2);
        QVERIFY(marked(BufferClearing::None, middle).filter("cleared").isEmpty());
    }

    void wrongFiltersSayWhatIsWrong() {
        const ReplaySource& s = *m_source;
        QVERIFY2(problemOf(s, "stpe>3").contains("did you mean \"step\""),
                 qPrintable(problemOf(s, "stpe>3")));
        QVERIFY(problemOf(s, "step>").contains("a value for step is missing"));
        QVERIFY(problemOf(s, "step").contains("compare it, as in \"step > 3\""));
        QVERIFY(problemOf(s, "step=many").contains("needs a number"));
        QVERIFY(problemOf(s, "robot=fly").contains("no action is called"));
        QVERIFY(problemOf(s, "goal=99,99").contains("no goal is"));
        QVERIFY(problemOf(s, "(step=1").contains("expected \")\" before the end"));
        QVERIFY(problemOf(s, "step=1)").contains("this \")\" closes nothing"));
        QVERIFY(problemOf(s, "ends=maybe").contains("yes or no"));
        QVERIFY(problemOf(s, "goal").contains("a comparison for goal"));
    }

    void aMillionTransitionsAreFilteredFastAndCancelled() {
        const auto source = filledSource(1'000'000);
        double begin = processCpuMs();
        const auto found = filtered(*source, "actor=1 step>3 robot=forward goal=2");
        const double plain = processCpuMs() - begin;
        begin = processCpuMs();
        const auto near = filtered(*source, "touches:current", firstState(*source));
        const double touching = processCpuMs() - begin;
        qInfo("10^6 transitions: %.0f ms of CPU (%zu found), touches:current %.0f ms (%zu found)",
              plain, found.size(), touching, near.size());
        QVERIFY(!found.empty() && !near.empty());
        QVERIFY2(plain < 2000 && touching < 4000, "the machine is far too slow");
        ReplayModel model;
        begin = threadCpuMs();
        model.setSource(source);
        QCOMPARE(model.rowCount(), 1'000'000);
        QVERIFY(!model.index(999'999, ReplayModel::Goals).data().toString().isEmpty());
        QVERIFY(threadCpuMs() - begin < 50);
        std::stop_source stop;
        stop.request_stop();
        std::atomic<std::int64_t> done{0};
        const ReplayFilter filter("step>0", *source, {});
        filter.apply(*source, stop.get_token(), done);
        QVERIFY(done.load() < 10'000);
    }

    void planesAndCellsSayWhatIsEncoded() {
        const auto bytes = m_source->replay->stateBefore(0);
        const auto state = shownState(m_source->replay->shape(), bytes, m_source->worlds[0], "x");
        const EncodingShape& shape = state->shape;
        std::vector<float> planes(kNumPlanes * shape.cells());
        decompress(state->cells, PlaneLayout::Whole, planes);
        QVERIFY(planes == state->planes40);
        QCOMPARE(cellRows(*state).size(), shape.cells());
        QCOMPARE(cellRows(*state)[0].last(), QString("wall"));
        QCOMPARE(planeRows(*state, PlaneLayout::Whole).size(), std::size_t{40});
        QCOMPARE(planeRows(*state, PlaneLayout::Seed).size(), std::size_t{39});
        QCOMPARE(planeRows(*state, PlaneLayout::Whole)[0][0], QString("wall"));
        QCOMPARE(planeRows(*state, PlaneLayout::Whole)[0][2], QString("14"));
        QCOMPARE(agentRows(*state).size(), std::size_t{2} * 13);
        QCOMPARE(interactiveRows(*state).size(), std::size_t{96});
        QCOMPARE(globalRows(*state)[0][3], QString("10"));
        QCOMPARE(cellBitsText({.type = CellBits::kDoor, .color = 0, .door = 3}),
                 QString("red door, locked"));
        QCOMPARE(cellBitsText({.type = kBushPlane, .agent = 4, .density = 6}),
                 QString("bush, density 7; yellow agent"));
        QCOMPARE(cellBitsText({}), QString("nothing"));
    }

    void targetsOverSeveralStepsAreSaidToBeOthers() {
        for (const int steps : {1, 3, 0}) {
            ReplaySource source = *m_source;
            source.spec.numSteps = steps;
            const std::size_t states = 1 + source.replay->modelOf(7).successors().size();
            auto answer = std::make_shared<ValueAnswer>();
            answer->live = answer->target = evenValues(states);
            TransitionPanel panel;
            panel.setTransition(std::make_shared<const ReplaySource>(std::move(source)), 7);
            panel.setValues(answer);
            const QString remark = panel.findChild<QLabel*>("transitionRemark")->text();
            QCOMPARE(remark.contains("one-step target"), steps != 1);
            QCOMPARE(remark.contains("over 3 steps"), steps == 3);
            QCOMPARE(remark.contains("end of the episode"), steps == 0);
        }
    }
};

ORRERY_WINDOW_TEST(ReplayPartsTest)
#include "replay_parts_test.moc"
