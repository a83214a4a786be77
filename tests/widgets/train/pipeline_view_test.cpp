#include <QAbstractItemModelTester>
#include <QElapsedTimer>
#include <QEventLoop>
#include <QLabel>
#include <QTableView>
#include <QTest>
#include <QTimer>
#include <QUndoStack>
#include <memory>

#include "core/empo/snapshot.h"
#include "core/run/jobs/train_job.h"
#include "tests/support/test_program.h"
#include "tests/widgets/quiet.h"
#include "widgets/common/tokens.h"
#include "widgets/train/pipeline_canvas.h"
#include "widgets/train/pipeline_facts.h"
#include "widgets/train/pipeline_picture.h"
#include "widgets/train/pipeline_view.h"
#include "widgets/train/stored_training.h"
#include "widgets/train/train_session.h"
#include "widgets/train/view_clock.h"

using namespace orrery;

/// Keeps where texts are written; a letter is 7 pixels wide.
class TextPen : public PipelinePen {
public:
    std::vector<std::pair<QRectF, QString>> texts;

    double widthOf(Face, const QString& text) const override {
        return 7.0 * static_cast<double>(text.size());
    }
    void write(Face face, double x, double y, const QColor&, const QString& text) override {
        texts.emplace_back(QRectF(x, y, widthOf(face, text), 12), text);
    }
    void fill(const QRectF&, const QColor&, double) override {}
    void frame(const QRectF&, const QColor&, double, double) override {}
    void disc(const QPointF&, double, const QColor&) override {}
    void ring(const QPointF&, double, const QColor&, double) override {}
    void line(const std::vector<QPointF>&, const QColor&, double) override {}
    void triangle(const std::array<QPointF, 3>&, const QColor&) override {}
};

/// The pipeline of a training with three actors, one of them held back.
class PipelineViewTest : public QObject {
    Q_OBJECT

private:
    QUndoStack m_undo;

    static ArchivedTraining moment(std::int64_t queueSize) {
        ArchivedTraining training;
        TrainJob job;
        job.empo.isAsync = true;
        job.empo.numCollectors = 3;
        training.spec.job = job;
        EmpoSnapshot empo;
        empo.seconds = 10;
        empo.learner.step = 1000;
        using State = CollectorNumbers::State;
        for (const State state : {State::Running, State::Throttled, State::Running})
            empo.collectors.push_back({.state = state, .environmentSteps = 2000, .dropped = 4});
        empo.replay = {.size = 5000,
                       .capacity = 100'000,
                       .produced = 6000,
                       .consumed = 5500,
                       .queueSize = queueSize,
                       .queueCapacity = 999};
        TrainSnapshot all;
        all.training = std::make_shared<const EmpoSnapshot>(empo);
        RunSnapshot snapshot;
        snapshot.progress = {
            .phase = "train", .done = 1000, .total = 2000, .unit = "training steps"};
        snapshot.job = all;
        training.snapshot = std::make_shared<const RunSnapshot>(snapshot);
        return training;
    }
    static QString valueOf(const QAbstractItemModel& model, const QString& part,
                           const QString& what) {
        for (int row = 0; row < model.rowCount(); ++row)
            if (model.index(row, 0).data() == part && model.index(row, 1).data() == what)
                return model.index(row, 2).data().toString();
        return QStringLiteral("no such row");
    }

private Q_SLOTS:
    void ratesAreWhatPassedByTheSeconds() {
        TrainSession session(&m_undo);
        PipelineModel model(&session);
        const QAbstractItemModelTester tester(&model);
        QCOMPARE(model.rowCount(), 0);
        session.show(std::make_shared<TrainRecord>(moment(10)));
        const PipelineFacts& facts = model.facts();
        QCOMPARE(facts.produced, 600.0);
        QCOMPARE(facts.taken, 550.0);
        QCOMPARE(facts.trainingRate, 100.0);
        QCOMPARE(facts.sampled, 6400.0);
        QCOMPARE(facts.actors.size(), std::size_t{3});
        QCOMPARE(facts.actors[2].rate, 200.0);
        QCOMPARE(valueOf(model, "actor 1", "state"), QString("throttled"));
        QCOMPARE(valueOf(model, "queue", "waiting"), QString("10 of 999"));
        QVERIFY(facts.verdict().contains("1 of 3 actors are throttled"));
    }

    void aFullQueueIsTold() {
        TrainSession session(&m_undo);
        const PipelineModel model(&session);
        session.show(std::make_shared<TrainRecord>(moment(990)));
        QVERIFY(model.facts().verdict().contains("the queue is full"));
    }

    void theClockTellsAtItsRateAndOnlyIfSomebodyLooks() {
        QWidget view;
        ViewClock clock;
        clock.addView(&view);
        int told = 0;
        connect(&clock, &ViewClock::due, &view, [&] { ++told; });
        QTimer news;
        connect(&news, &QTimer::timeout, &view, [&] { clock.request(); });
        news.start(1);
        // Must wait for time: the clock tells after at most a thirtieth of a second, if at all. A
        // timer that is set later and for longer ends after the clock's on any machine.
        const auto waitLonger = [] {
            QEventLoop loop;
            QTimer::singleShot(100, Qt::PreciseTimer, &loop, &QEventLoop::quit);
            loop.exec();
        };
        waitLonger();
        QCOMPARE(told, 0);  // the view is not shown
        QCOMPARE(clock.pauseMs(), 250);
        view.show();
        QVERIFY(QTest::qWaitForWindowExposed(&view, kPatience));
        clock.setRate(20);
        QCOMPARE(clock.pauseMs(), 42);
        told = 0;
        // Must wait for time: the rate is what is claimed. Another timer beats as often, and comes
        // late whenever the clock does.
        constexpr int kBeats = 20;
        int beats = 0;
        QElapsedTimer since;
        since.start();
        QEventLoop second;
        QTimer beat;
        beat.setTimerType(Qt::PreciseTimer);
        connect(&beat, &QTimer::timeout, &second, [&] {
            if (++beats == kBeats) second.quit();
        });
        beat.start(1000 / kBeats);
        second.exec();
        beat.stop();
        QVERIFY2(told >= kBeats / 2 && told <= 20 * since.elapsed() / 1000 + 1,
                 qPrintable(QString::number(told)));
        clock.setRate(0);
        QVERIFY(clock.isFrozen());
        told = 0;
        waitLonger();
        QCOMPARE(told, 0);
        // What came meanwhile is told as soon as it moves again.
        news.stop();
        clock.setRate(60);
        QTRY_COMPARE_WITH_TIMEOUT(told, 1, kPatience);
    }

    void noTextRunsOutOfItsBoxOrOverANumber_data() {
        QTest::addColumn<QSizeF>("size");
        QTest::addColumn<bool>("isFolded");
        QTest::newRow("960x540") << QSizeF(548, 360) << true;
        QTest::newRow("1280x800") << QSizeF(952, 620) << false;
        QTest::newRow("1920x1080") << QSizeF(1588, 860) << false;
        QTest::newRow("low") << QSizeF(760, 200) << false;
    }
    void noTextRunsOutOfItsBoxOrOverANumber() {
        QFETCH(QSizeF, size);
        QFETCH(bool, isFolded);
        TrainSession session(&m_undo);
        const PipelineModel model(&session);
        session.show(std::make_shared<TrainRecord>(moment(10)));
        const PipelinePicture picture(model.facts(), size);
        const auto places = picture.places();
        QCOMPARE(
            places[PipelinePicture::kLearner].left() == places[PipelinePicture::kActors].left(),
            isFolded);
        if (!isFolded) QVERIFY(places[PipelinePicture::kBuffer].bottom() > size.height() - 10);
        TextPen pen;
        picture.draw(pen, lightTokens());
        for (const auto& [place, text] : pen.texts) {
            const QPointF start = place.topLeft();
            for (const QRectF& box : places)
                if (box.contains(start)) QVERIFY2(place.right() <= box.right(), qPrintable(text));
            for (const auto& [other, word] : pen.texts)
                if (other.topLeft() != start)
                    QVERIFY2(!place.intersects(other), qPrintable(text + u' ' + word));
        }
    }

    void itIsDrawnOrToldAsATable() {
        TrainSession session(&m_undo);
        PipelineView view(&session);
        view.resize(900, 260);
        view.show();
        QVERIFY(QTest::qWaitForWindowExposed(&view, kPatience));
        session.show(std::make_shared<TrainRecord>(moment(10)));
        QString reason;
        if (ImGuiHost::isAvailable(&reason)) {
            QTRY_VERIFY_WITH_TIMEOUT(view.canvas() != nullptr && view.canvas()->isVisible(),
                                     kPatience);
            QTRY_VERIFY_WITH_TIMEOUT(view.canvas()->spotFacts()["frames"].toInt() > 0, kPatience);
            QCOMPARE(view.canvas()->namedSpots().size(), std::size_t{7});
        } else {
            QTableView* table = nullptr;
            QTRY_VERIFY_WITH_TIMEOUT(
                (table = view.findChild<QTableView*>("pipelineTable")) != nullptr, kPatience);
            QVERIFY(table->isVisible());
            QVERIFY(view.findChild<QLabel*>("pipelineReason")->text().contains("as a table"));
            QVERIFY(table->model()->rowCount() > 15);
        }
    }
};

ORRERY_WINDOW_TEST(PipelineViewTest)
#include "pipeline_view_test.moc"
