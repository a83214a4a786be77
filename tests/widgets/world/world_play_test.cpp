#include <QComboBox>
#include <QKeyEvent>
#include <QMenu>
#include <QPushButton>
#include <QRegularExpression>
#include <QTest>
#include <QToolButton>

#include "core/base/cpu.h"
#include "core/grid/grid_spec.h"
#include "tests/support/test_program.h"
#include "tests/widgets/world/world_bench.h"
#include "widgets/common/tokens.h"
#include "widgets/world/episode_player.h"
#include "widgets/world/key_strip.h"
#include "widgets/world/timeline_ruler.h"
#include "widgets/world/world_picture.h"

using namespace orrery;

namespace {

/// A human on unsteady ground beside a key and a door, a robot, four goals.
LoadedWorld playground() {
    GridWorldSpec spec;
    spec.map = {"WeWeWeWeWeWeWe", "WeAyUnUn....We", "We..LaLa..AeWe", "We..........We",
                "WeWeWeWeWeWeWe"};
    spec.maxSteps = 12;
    spec.stumbleProbability = 0.4;
    spec.orientations = {0, 3};
    spec.possibleGoals = {{5, 1, 5, 1, false}, {1, 1, 1, 3, true}, {1, 1, 5, 3, true}};
    LoadedWorld loaded = worldOfSpec("playground", spec);
    loaded.title = QStringLiteral("Slippery bridge");
    return loaded;
}

bool isNear(const QColor& a, const QColor& b) {
    return std::abs(a.red() - b.red()) < 4 && std::abs(a.green() - b.green()) < 4 &&
           std::abs(a.blue() - b.blue()) < 4;
}

}  // namespace

/// Plays a world with real keys and the mouse.
class WorldPlayTest : public QObject {
    Q_OBJECT

private:
    LoadedWorld m_loaded = playground();
    std::shared_ptr<const Solution> m_solution = solvedBy(m_loaded);
    std::unique_ptr<WorldBench> m_bench;

    WorldBench& bench() { return *m_bench; }
    void press(int key, Qt::KeyboardModifiers modifiers = {}) {
        QTest::keyClick(bench().view(), static_cast<Qt::Key>(key), modifiers);
    }
    QColor pixel(const QPointF& point) {
        const QImage image = bench().view()->grab().toImage();
        return image.pixelColor((point * image.devicePixelRatio()).toPoint());
    }
    /// Clicks an entry of a menu that a button opens.
    void choose(const char* button, const QString& text) {
        auto* tool = bench().child<QToolButton>(button);
        QTimer::singleShot(0, this, [tool, text] {
            QMenu* menu = tool->menu();
            QTRY_VERIFY_WITH_TIMEOUT(menu->isVisible(), kPatience);
            for (QAction* action : menu->actions())
                if (action->text() == text)
                    return QTest::mouseClick(menu, Qt::LeftButton, {},
                                             menu->actionGeometry(action).center());
            QFAIL(qPrintable(QStringLiteral("no entry ") + text));
        });
        QTest::mouseClick(tool, Qt::LeftButton);
    }

private Q_SLOTS:
    void initTestCase() {
        loadIcons();
        applyTheme(*qApp, ThemeChoice::Dark);
    }

    void init() {
        m_bench = std::make_unique<WorldBench>();
        bench().session.open(m_loaded);
        bench().session.attach(m_solution, QStringLiteral("20260301-1200"));
        bench().show();
        bench().view()->setFocus();
        bench().settle();
    }

    void cleanup() { m_bench.reset(); }

    void namesOfActionsAreNeverCut() {
        GridWorldSpec spec;
        spec.map = {"WeWeWeWe", "WeAyAeWe", "WeWeWeWe"};
        for (const ActionSet set : {ActionSet::Mine, ActionSet::All, ActionSet::Small}) {
            spec.actionSet = set;
            bench().open(worldOfSpec("actions", spec), false);
            bench().actions->setFixedWidth(276);  // in an inspector of its least width
            bench().show();
            finishEvents();
            const auto buttons = bench().actions->findChildren<QPushButton*>(
                QRegularExpression(QStringLiteral("^action_")));
            QVERIFY(buttons.size() >= 8);
            for (const QPushButton* button : buttons) {
                QVERIFY2(button->width() >= button->sizeHint().width(), qPrintable(button->text()));
                QVERIFY(bench().actions->rect().contains(
                    QRect(button->mapTo(bench().actions, QPoint()), button->size())));
            }
        }
    }

    void tenMovesByKeysMakeTenMomentsEachAtOnce() {
        QTest::mouseClick(bench().child<QPushButton>("playToggle"), Qt::LeftButton);
        QVERIFY(bench().play()->isOn());
        QVERIFY(bench().child<KeyStrip>("keyStrip")->isVisible());
        const int keys[] = {Qt::Key_Right, Qt::Key_Up, Qt::Key_0,  Qt::Key_Left, Qt::Key_Up,
                            Qt::Key_W,     Qt::Key_D,  Qt::Key_Up, Qt::Key_A,    Qt::Key_Up};
        for (const int key : keys) {
            const std::size_t before = bench().session.walkIndex();
            const double start = (1e-3 * threadCpuMs());
            press(key);
            press(Qt::Key_Return);
            bench().view()->repaint();
            const double spent = (1e-3 * threadCpuMs()) - start;
            QCOMPARE(bench().session.walkIndex(), before + 1);
            QVERIFY2(spent < 0.05, qPrintable(QString::number(spent)));
        }
        QCOMPARE(bench().session.walk().size(), std::size_t{11});
        const std::vector<int> first =
            bench().session.world().profileActions(bench().session.walk()[1].profile);
        QCOMPARE(bench().session.world().agents()[0].actions[static_cast<std::size_t>(first[0])],
                 std::string("right"));
        press(Qt::Key_Backspace);
        press(Qt::Key_Backspace);
        QCOMPARE(bench().session.walkIndex(), std::size_t{8});
        press(Qt::Key_R);
        QCOMPARE(bench().session.state().step, 0);
        QCOMPARE(bench().session.walk().size(), std::size_t{1});
    }

    void tabTakesTheNextAgentAndEscapeLeaves() {
        press(Qt::Key_P);
        QCOMPARE(bench().selection.current<AgentItem>()->agent, 0);
        press(Qt::Key_Tab);
        QCOMPARE(bench().selection.current<AgentItem>()->agent, 1);
        QVERIFY(bench().view()->hasFocus());
        press(Qt::Key_Left);
        QCOMPARE(bench().session.actions()[1], 1);
        QCOMPARE(bench().session.actions()[0], 0);
        press(Qt::Key_Backtab, Qt::ShiftModifier);
        QCOMPARE(bench().selection.current<AgentItem>()->agent, 0);
        press(Qt::Key_Escape);
        QVERIFY(!bench().play()->isOn());
        press(Qt::Key_Tab);
        QVERIFY(!bench().view()->hasFocus());
    }

    void altShowsWhatWouldFollowAndLeavesNoTrace() {
        press(Qt::Key_P);
        press(Qt::Key_Up);
        press(Qt::Key_Return);  // onto the unsteady ground
        press(Qt::Key_0);
        bench().view()->setShowsGhosts(false);
        bench().settle();
        const QImage before = bench().view()->grab().toImage();
        const std::uint32_t profile = bench().session.profile();
        QTest::keyPress(bench().view(), Qt::Key_Alt, Qt::AltModifier);
        QTest::keyPress(bench().view(), Qt::Key_Up, Qt::AltModifier);
        const auto& ghosts = bench().view()->scene().ghosts;
        QCOMPARE(bench().session.trialSuccessors().size(), std::size_t{3});
        QVERIFY(ghosts.size() >= 3);
        double sum = 0;
        for (const SuccessorRow& row : bench().session.trialSuccessors()) sum += row.probability;
        QCOMPARE(sum, 1.0);
        QVERIFY(bench().view()->grab().toImage() != before);
        bench().keep("world-alt");
        QCOMPARE(bench().session.profile(), profile);
        // QTest's keyRelease would let go of Alt too.
        QKeyEvent letGo(QEvent::KeyRelease, Qt::Key_Up, Qt::AltModifier);
        QApplication::sendEvent(bench().view(), &letGo);
        QCOMPARE(*bench().session.trial(), profile);
        QTest::keyRelease(bench().view(), Qt::Key_Alt);
        QVERIFY(!bench().session.trial());
        QVERIFY(bench().view()->scene().ghosts.empty());
        QCOMPARE(bench().view()->grab().toImage(), before);
        QCOMPARE(bench().session.walk().size(), std::size_t{2});
    }

    void altOverAnActionButtonShowsItsGhosts() {
        QPushButton* forward = bench().actions->button(0, 3);
        QTest::mouseMove(forward, forward->rect().center());
        QTRY_VERIFY_WITH_TIMEOUT(forward->underMouse(), kPatience);
        QTest::keyPress(bench().view(), Qt::Key_Alt, Qt::AltModifier);
        QTRY_VERIFY_WITH_TIMEOUT(bench().session.trial().has_value(), kPatience);
        QCOMPARE(bench().session.world().profileActions(*bench().session.trial())[0], 3);
        QCOMPARE(bench().session.actions()[0], 0);
        QTest::keyRelease(bench().view(), Qt::Key_Alt);
        QVERIFY(!bench().session.trial());
        QTest::mouseMove(bench().strip, {5, 5});
    }

    void thePersonMayChooseWhatChanceDoes() {
        press(Qt::Key_P);
        choose("playOptions", QStringLiteral("Choose what chance does"));
        QVERIFY(bench().play()->choosesChance());
        bench().view()->setFocus();
        press(Qt::Key_Up);
        press(Qt::Key_Return);  // onto the unsteady ground: nothing to choose
        QVERIFY(!bench().play()->isChoosing());
        press(Qt::Key_Return);
        QVERIFY(bench().play()->isChoosing());
        QCOMPARE(bench().session.walk().size(), std::size_t{2});
        bench().keep("world-choose");
        const StateItem second = bench().session.successors()[1].state;
        press(Qt::Key_2);
        QCOMPARE(bench().session.state(), second);
        QVERIFY(bench().session.walk()[2].isChanceChosen);
        press(Qt::Key_Backspace);
        // The human's ghost ahead belongs to the first outcome only.
        press(Qt::Key_Return);
        const StateItem first = bench().session.successors()[0].state;
        for (const Ghost& ghost : bench().view()->scene().ghosts)
            if (ghost.outcomes == std::vector<std::size_t>{0} && ghost.piece.agent == 0) {
                QTest::mouseClick(bench().view(), Qt::LeftButton, {},
                                  bench().cell(ghost.piece.x, ghost.piece.y));
                break;
            }
        QCOMPARE(bench().session.state(), first);
    }

    void agentsThatAreNotDrivenFollowTheirPolicies() {
        press(Qt::Key_P);
        choose("playOptions", QStringLiteral("Drive only A"));
        bench().view()->setFocus();
        int numOther = 0;
        for (int i = 0; i < 8; ++i) {
            press(Qt::Key_0);
            press(Qt::Key_Return);
            const Moment& moment = bench().session.walk().back();
            QCOMPARE(moment.by, PlayedBy::Both);
            const auto actions = bench().session.world().profileActions(moment.profile);
            QCOMPARE(actions[0], 0);
            numOther += actions[1] != 0 ? 1 : 0;
        }
        QVERIFY(numOther > 0);  // a robot of beta_r 5 does not rest eight times
        press(Qt::Key_Tab);
        QCOMPARE(bench().selection.current<AgentItem>()->agent, 0);
    }

    void eachKeyMayBeAStep() {
        press(Qt::Key_P);
        choose("playOptions", QStringLiteral("Each key is a step"));
        bench().view()->setFocus();
        for (const int key : {Qt::Key_Right, Qt::Key_Left, Qt::Key_0}) press(key);
        QCOMPARE(bench().session.state().step, 3);
    }

    void bracketsStepThroughTheOverlaysAndTheBarIsHonest() {
        bench().view()->setShowsGhosts(false);
        bench().view()->setShowsGoals(false);
        QSet<QString> seen;
        auto* box = bench().child<QComboBox>("heatBox");
        const int start = box->currentIndex();
        for (int i = 0; i < box->count(); ++i) {
            bench().settle();
            seen << box->currentText();
            const WorldScene& scene = bench().view()->scene();
            if (scene.heat && scene.heat->high > scene.heat->low) checkColors(scene);
            press(Qt::Key_BracketRight);
        }
        QCOMPARE(seen.size(), box->count());
        QVERIFY(box->count() > 12);
        press(Qt::Key_BracketLeft);
        QCOMPARE(box->currentIndex(), (start + box->count() - 1) % box->count());
    }

    /// Each known cell has the colour that the bar has at its value.
    void checkColors(const WorldScene& scene) {
        const WorldLayout layout = bench().view()->worldLayout();
        int numChecked = 0;
        for (int x = 0; x < scene.width; ++x) {
            const HeatCell& cell = scene.heat->at(x, 3);
            if (cell.count == 0) continue;
            const double t = (cell.value - scene.heat->low) / (scene.heat->high - scene.heat->low);
            const QRectF bar = layout.colorBar;
            // Three pixels inside: the bar's ends are cut off by its slices.
            const QPointF onBar(bar.center().x(), bar.bottom() - 3 - t * (bar.height() - 6));
            const QColor ofBar = pixel(onBar);
            const QColor ofCell = pixel(layout.cellRect(x, 3).topLeft() + QPointF(3, 3));
            const int distance = std::abs(ofBar.red() - ofCell.red()) +
                                 std::abs(ofBar.green() - ofCell.green()) +
                                 std::abs(ofBar.blue() - ofCell.blue());
            QVERIFY2(distance < 40, qPrintable(ofBar.name() + ofCell.name()));
            ++numChecked;
        }
        QVERIFY(numChecked > 0);
    }

    void oneValueIsNoRangeOfColours() {
        WorldScene scene =
            sceneOf(bench().session.world(), bench().session.world().initialConfiguration());
        auto field = std::make_shared<HeatField>();
        field->width = scene.width;
        field->height = scene.height;
        field->cells.resize(static_cast<std::size_t>(scene.width) * scene.height);
        field->low = field->high = -2;
        field->numKnown = 1;
        scene.heat = field;
        const QSize size(900, 600);
        const WorldLayout layout = layoutWorld(QRectF(QPointF(), QSizeF(size)), scene);
        const QImage image = worldImage(scene, size, currentTokens());
        const QColor one = heatColor(*field, -2);
        QCOMPARE(image.pixelColor(layout.colorBar.topLeft().toPoint() + QPoint(5, 5)), one);
        QVERIFY(image.pixelColor(layout.colorBar.center().toPoint()) != one);
    }

    void anAgentIsSeenInALargeWorld() {
        WorldScene scene;
        scene.width = scene.height = 200;
        Piece agent;
        agent.kind = PieceKind::Agent;
        agent.isRobot = true;
        agent.agent = 0;
        agent.x = agent.y = 100;
        scene.pieces = {agent};
        scene.letters = {QStringLiteral("R")};
        const QSize size(660, 660);
        const QImage with = worldImage(scene, size, currentTokens());
        scene.pieces.clear();
        const QImage without = worldImage(scene, size, currentTokens());
        int changed = 0;
        for (int y = 0; y < size.height(); ++y)
            for (int x = 0; x < size.width(); ++x)
                changed += with.pixel(x, y) != without.pixel(x, y);
        QVERIFY2(changed > 50, qPrintable(QString::number(changed)));
    }

    void aLockedRangeStaysWhenTheStateChanges() {
        choose("rangeButton", QStringLiteral("Lock the present range"));
        const HeatRange locked = bench().view()->heatRange();
        QCOMPARE(locked.kind, HeatRangeKind::Locked);
        for (int i = 0; i < 6; ++i) press(Qt::Key_Return);
        bench().session.followPolicy();
        bench().settle();
        QCOMPARE(bench().view()->scene().heat->low, locked.low);
        QCOMPARE(bench().view()->scene().heat->high, locked.high);
        QVERIFY(bench().view()->scene().heat->least != locked.low ||
                bench().view()->scene().heat->most != locked.high);
        choose("rangeButton", QStringLiteral("Auto: the values shown now"));
        QCOMPARE(bench().view()->scene().heat->low, bench().view()->scene().heat->least);
    }

    void theTimelineScrubsPlaysAndLoops() {
        for (int i = 0; i < 8; ++i) bench().session.followPolicy();
        TimelineRuler* ruler = bench().timeline->ruler();
        const auto at = [&](int step) {
            return QPoint(static_cast<int>(ruler->positionOf(step)), 20);
        };
        QTest::mousePress(ruler, Qt::LeftButton, {}, at(2));
        QCOMPARE(bench().session.state().step, 2);
        QTest::mouseMove(ruler, at(5));
        QTRY_COMPARE_WITH_TIMEOUT(bench().session.state().step, 5, kPatience);
        QTest::mouseRelease(ruler, Qt::LeftButton, {}, at(5));
        ruler->setFocus();
        QTest::keyClick(ruler, Qt::Key_Left);
        QCOMPARE(bench().session.state().step, 4);
        QTest::keyClick(ruler, Qt::Key_Right, Qt::ShiftModifier);
        QCOMPARE(bench().session.state().step, 8);
        QTest::keyClick(ruler, Qt::Key_Left, Qt::ShiftModifier);
        QCOMPARE(bench().session.state().step, 0);
        QTest::keyClick(ruler, Qt::Key_5);
        QCOMPARE(bench().timeline->player()->speed(), 5);
        QTest::mousePress(ruler, Qt::LeftButton, Qt::ShiftModifier, at(1));
        QTest::mouseMove(ruler, at(3));
        QTRY_VERIFY_WITH_TIMEOUT(bench().timeline->player()->range().has_value(), kPatience);
        QTest::mouseRelease(ruler, Qt::LeftButton, Qt::ShiftModifier, at(3));
        QVERIFY(bench().timeline->player()->loops());
        std::vector<int> seen;
        const QObject watcher;
        connect(&bench().session, &PlanSession::stateChanged, &watcher,
                [&] { seen.push_back(bench().session.state().step); });
        QTest::keyClick(ruler, Qt::Key_Space);
        QVERIFY(bench().timeline->player()->isPlaying());
        const auto numBackToTheStart = [&] {
            int backs = 0;
            for (std::size_t i = 1; i < seen.size(); ++i) backs += seen[i] < seen[i - 1];
            return backs;
        };
        QTRY_VERIFY_WITH_TIMEOUT(numBackToTheStart() >= 2, kPatience);
        for (const int step : seen)
            QVERIFY2(step >= 1 && step <= 3, qPrintable(QString::number(step)));
        QCOMPARE(QSet<int>(seen.begin(), seen.end()).size(), 3);
        QTest::keyClick(ruler, Qt::Key_Space);
        QVERIFY(!bench().timeline->player()->isPlaying());
        QCOMPARE(bench().session.walk().size(), std::size_t{9});
    }

    void theStripPreviewsTheLikelyFuture() {
        QCOMPARE(bench().strip->numPreviews(), std::size_t{12});
        for (int i = 0; i < 3; ++i) bench().session.followPolicy();
        bench().settle();
        QCOMPARE(bench().strip->numPreviews(), std::size_t{9});
        QTest::mouseClick(bench().strip, Qt::LeftButton, {},
                          bench().strip->momentRect(1).center().toPoint());
        QCOMPARE(bench().session.walkIndex(), std::size_t{1});
    }

    void theStripDrawsWhatItIsGiven() {
        int numDrawn = 0;
        auto picture = std::make_shared<Picture>(Picture{.width = 4, .height = 3});
        picture->layers = {
            {.tiles = {{.width = 4, .height = 3, .fill = {.tone = Tone::Fixed, .red = 200}}}}};
        EpisodeStrip strip(&bench().session, [&](std::span<const std::uint64_t>) {
            ++numDrawn;
            return sceneOf(picture);
        });
        strip.resize(400, 92);
        const QColor middle =
            strip.grab().toImage().pixelColor(strip.momentRect(0).center().toPoint());
        QVERIFY2(isNear(middle, QColor(200, 0, 0)), qPrintable(middle.name()));
        QCOMPARE(numDrawn, static_cast<int>(bench().session.walk().size()));
        strip.grab();
        QCOMPARE(numDrawn, static_cast<int>(bench().session.walk().size()));  // kept
    }

    void choicesAreKept() {
        press(Qt::Key_BracketRight);
        bench().view()->setShowsVisits(true);
        bench().settle();
        const HeatChoice heat = bench().view()->heatChoice();
        const QJsonObject state = bench().panel->saveState();
        m_bench = std::make_unique<WorldBench>();
        bench().panel->restoreState(state);
        bench().session.open(m_loaded);
        QCOMPARE(bench().view()->heatChoice(), heat);
        QVERIFY(bench().view()->showsVisits());
        QCOMPARE(bench().panel->saveState(), state);
    }

    void picturesInBothThemes() {
        press(Qt::Key_P);
        for (int i = 0; i < 3; ++i) {
            press(i == 0 ? Qt::Key_Up : Qt::Key_0);
            press(Qt::Key_Return);
        }
        bench().session.followPolicy();
        bench().session.followPolicy();
        press(Qt::Key_Up);
        bench().settle();
        bench().keep("world-play-dark");
        applyTheme(*qApp, ThemeChoice::Light);
        bench().settle();
        bench().keep("world-play-light");
        QVERIFY(isNear(pixel({3, 60}), lightTokens().canvas));
        applyTheme(*qApp, ThemeChoice::Dark);
    }
};

ORRERY_WINDOW_TEST(WorldPlayTest)
#include "world_play_test.moc"
