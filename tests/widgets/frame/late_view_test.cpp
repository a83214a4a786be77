#include <QJsonArray>
#include <QLineEdit>
#include <QTabBar>
#include <QTest>
#include <memory>

#include "tests/support/test_program.h"
#include "tests/widgets/quiet.h"
#include "widgets/frame/centre_area.h"
#include "widgets/frame/frame.h"
#include "widgets/frame/view_group.h"

using namespace orrery;

namespace {

/// A view that keeps its text.
class Note : public QLineEdit, public KeepsState {
public:
    using QLineEdit::QLineEdit;
    QJsonObject saveState() const override { return {{QStringLiteral("text"), text()}}; }
    void restoreState(const QJsonObject& state) override {
        setText(state.value(QStringLiteral("text")).toString());
    }
};

void add(Frame& frame, const char* name, ViewPlace place, bool isLate) {
    frame.addView({.id = QLatin1String(name),
                   .title = QLatin1String(name).toString().toUpper(),
                   .icon = {},
                   .tip = QStringLiteral("A view"),
                   .place = place,
                   .make =
                       [name](QWidget* parent) {
                           auto* note = new Note(parent);
                           note->setObjectName(QLatin1String(name));
                           return note;
                       },
                   .isLate = isLate});
}

/// A program with one perspective; an older one has two views of the centre and one panel.
std::unique_ptr<Frame> makeProgram(bool isOld) {
    auto frame = std::make_unique<Frame>();
    add(*frame, "curves", ViewPlace::Centre, false);
    add(*frame, "flow", ViewPlace::Centre, false);
    add(*frame, "speed", ViewPlace::Left, false);
    if (!isOld) {
        add(*frame, "buffer", ViewPlace::Centre, true);
        add(*frame, "errors", ViewPlace::Centre, true);
        add(*frame, "footer", ViewPlace::Centre, false);
        add(*frame, "steering", ViewPlace::Left, false);
    }
    PerspectiveSpec spec{.id = QStringLiteral("train"),
                         .name = QStringLiteral("Train"),
                         .icon = {},
                         .tip = {},
                         .centre = {},
                         .panels = {QStringLiteral("speed")}};
    spec.centre = isOld ? R"({"tabs": ["curves", "flow"]})"
                        : R"({"split": "vertical", "sizes": [400, 150], "parts": [
                              {"tabs": ["curves", "buffer", "errors"]}, {"tabs": ["flow"]},
                              {"tabs": ["footer"], "bare": true}]})";
    if (!isOld) spec.panels << QStringLiteral("steering");
    frame->addPerspective(std::move(spec));
    frame->setUpFrame();
    frame->resize(900, 600);
    frame->show();
    return frame;
}

}  // namespace

/// Views that are made late, and those that a session file does not know.
class LateViewTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void itIsMadeWhenItsTabIsOpened() {
        const auto frame = makeProgram(false);
        QVERIFY(QTest::qWaitForWindowExposed(frame.get(), kPatience));
        QVERIFY(frame->findChild<Note*>(QStringLiteral("curves")) != nullptr);
        QVERIFY(frame->findChild<Note*>(QStringLiteral("buffer")) == nullptr);
        QVERIFY(frame->isViewShown(QStringLiteral("buffer")));
        ViewGroup* group = nullptr;
        for (ViewGroup* each : frame->findChildren<ViewGroup*>())
            if (each->isVisible() && each->count() == 3) group = each;
        QVERIFY(group != nullptr);
        QTest::mouseClick(group->tabBar(), Qt::LeftButton, {},
                          group->tabBar()->tabRect(1).center());
        auto* buffer = frame->findChild<Note*>(QStringLiteral("buffer"));
        QVERIFY(buffer != nullptr && buffer->isVisible());
        QCOMPARE(frame->view(QStringLiteral("buffer")), buffer);
        QCOMPARE(frame->instanceAround(buffer), QString("buffer"));
        QVERIFY(frame->findChild<Note*>(QStringLiteral("errors")) == nullptr);
        // Closed and opened again it is the same one, with what it showed.
        buffer->setText(QStringLiteral("kept"));
        frame->hideView(QStringLiteral("buffer"));
        QVERIFY(!frame->isViewShown(QStringLiteral("buffer")));
        frame->showView(QStringLiteral("buffer"));
        QVERIFY(buffer->isVisible());
        QCOMPARE(buffer->text(), QString("kept"));
    }

    void whatItKeptIsNotLostWhileItIsNotMade() {
        auto frame = makeProgram(false);
        static_cast<Note*>(frame->view(QStringLiteral("errors")))->setText(QStringLiteral("e"));
        QJsonObject kept = frame->saveFrame();
        for (int start = 0; start < 2; ++start) {
            frame = makeProgram(false);
            frame->restoreFrame(kept);
            QVERIFY(frame->findChild<Note*>(QStringLiteral("errors")) == nullptr);
            kept = frame->saveFrame();
        }
        QCOMPARE(static_cast<Note*>(frame->view(QStringLiteral("errors")))->text(), QString("e"));
    }

    void aFileOfAnOlderProgramGetsTheNewViews_data() {
        QTest::addColumn<bool>("hasList");
        QTest::newRow("with its list of views") << true;
        QTest::newRow("without") << false;
    }
    void aFileOfAnOlderProgramGetsTheNewViews() {
        QFETCH(bool, hasList);
        QJsonObject old = makeProgram(true)->saveFrame();
        if (!hasList) old.remove(QStringLiteral("knownViews"));
        const auto frame = makeProgram(false);
        frame->restoreFrame(old);
        QVERIFY(QTest::qWaitForWindowExposed(frame.get(), kPatience));
        const QStringList open = frame->centre().openViews();
        QCOMPARE(open, QStringList({"curves", "flow", "buffer", "errors", "footer"}));
        QVERIFY(frame->isViewShown(QStringLiteral("speed")));
        QVERIFY(frame->isViewShown(QStringLiteral("steering")));
        QVERIFY(frame->findChild<Note*>(QStringLiteral("steering"))->isVisible());
        QVERIFY(frame->findChild<Note*>(QStringLiteral("footer"))->isVisible());
        QVERIFY(frame->findChild<Note*>(QStringLiteral("curves"))->isVisible());
    }

    void whatAPersonClosedStaysClosed() {
        auto frame = makeProgram(false);
        frame->hideView(QStringLiteral("errors"));
        frame->hideView(QStringLiteral("steering"));
        const QJsonObject kept = frame->saveFrame();
        frame = makeProgram(false);
        frame->restoreFrame(kept);
        QVERIFY(!frame->isViewShown(QStringLiteral("errors")));
        QVERIFY(!frame->isViewShown(QStringLiteral("steering")));
        QVERIFY(frame->isViewShown(QStringLiteral("buffer")));
    }
};

ORRERY_WINDOW_TEST(LateViewTest)
#include "late_view_test.moc"
