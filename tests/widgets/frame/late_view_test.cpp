#include <QHBoxLayout>
#include <QJsonArray>
#include <QLabel>
#include <QLineEdit>
#include <QScrollBar>
#include <QSpacerItem>
#include <QTabBar>
#include <QTest>
#include <QVBoxLayout>
#include <algorithm>
#include <memory>

#include "tests/support/test_program.h"
#include "tests/widgets/quiet.h"
#include "widgets/frame/centre_area.h"
#include "widgets/frame/frame.h"
#include "widgets/frame/view_group.h"
#include "widgets/frame/view_page.h"
#include "widgets/frame/view_tab_bar.h"

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

/// A view with a bar of buttons that gives way to one where it is narrow, as that of the world
/// does; the bar lies in a part of its own.
class Folding : public QWidget {
public:
    Folding(int leastFolded, QWidget* parent) : QWidget(parent) {
        auto* column = new QVBoxLayout(this);
        auto* bar = new QWidget(this);
        auto* row = new QHBoxLayout(bar);
        for (QWidget** part : {&m_wide, &m_narrow}) {
            *part = new QWidget(bar);
            row->addWidget(*part);
        }
        m_wide->setMinimumWidth(kUnfolded);
        m_narrow->setMinimumWidth(leastFolded);
        column->addWidget(bar);
        column->addStretch(1);
    }

    static constexpr int kUnfolded = 500;
    int numResized = 0;

protected:
    void resizeEvent(QResizeEvent*) override {
        ++numResized;
        m_wide->setVisible(width() >= kUnfolded + 40);
        m_narrow->setVisible(width() < kUnfolded + 40);
    }

private:
    QWidget *m_wide = nullptr, *m_narrow = nullptr;
};

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

    void tabsKeepTheirNamesAndTheBarScrolls() {
        ViewTabBar bar;
        for (const char* title : {"Around the state", "World", "Path", "Found states"})
            bar.addTab(QLatin1String(title));
        bar.setElideMode(Qt::ElideRight);
        bar.setExpanding(false);
        bar.resize(200, 30);
        bar.show();
        for (int i = 0; i < bar.count(); ++i)
            QVERIFY2(bar.tabRect(i).width() > bar.fontMetrics().horizontalAdvance(bar.tabText(i)),
                     qPrintable(bar.tabText(i)));
    }

    void itIsMadeSmallBeforeItIsScrolled() {
        QLabel* text = nullptr;
        QWidget* rest = nullptr;
        ViewPage page(
            [&](QWidget* parent) {
                auto* view = new QWidget(parent);
                auto* column = new QVBoxLayout(view);
                text = new QLabel(QStringLiteral("A text of more words than one line has."), view);
                text->setWordWrap(true);
                rest = new QLineEdit(view);
                rest->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Expanding);
                rest->setMinimumHeight(40);
                column->addWidget(text);
                column->addWidget(rest);
                column->addSpacerItem(
                    new QSpacerItem(0, 400, QSizePolicy::Minimum, QSizePolicy::Preferred));
                return view;
            },
            nullptr);
        page.resize(200, 300);
        page.show();
        QVERIFY(!page.verticalScrollBar()->isVisible());
        QCOMPARE(page.content()->height(), 300);
        rest->setMinimumHeight(400);
        QTRY_VERIFY_WITH_TIMEOUT(page.verticalScrollBar()->isVisible(), kPatience);
        QVERIFY(page.content()->height() > 400);
    }

    void aViewFoldsItsBarBeforeItIsScrolledSideways() {
        /// A bar that leaves out its second part where it is narrow.
        class Bar : public QWidget {
        public:
            explicit Bar(QWidget* parent) : QWidget(parent) {
                auto* row = new QHBoxLayout(this);
                for (const int width : {200, 300}) {
                    auto* part = new QWidget(this);
                    part->setMinimumSize(width, 20);
                    row->addWidget(part);
                    m_parts.push_back(part);
                }
            }

        protected:
            void resizeEvent(QResizeEvent*) override { m_parts[1]->setVisible(width() >= 550); }

        private:
            std::vector<QWidget*> m_parts;
        };
        ViewPage page([](QWidget* parent) { return new Bar(parent); }, nullptr);
        page.resize(600, 200);
        page.show();
        const auto isCut = [&] { return page.content()->width() != page.width(); };
        QVERIFY(!isCut());
        page.resize(400, 200);
        QTRY_VERIFY_WITH_TIMEOUT(!isCut(), kPatience);
        page.hide();
        page.resize(600, 200);
        page.show();
        QTRY_VERIFY_WITH_TIMEOUT(!isCut(), kPatience);
        page.hide();
        page.resize(300, 200);
        page.show();
        QTRY_VERIFY_WITH_TIMEOUT(!isCut(), kPatience);
        page.resize(150, 200);  // it cannot be that narrow
        QTRY_VERIFY_WITH_TIMEOUT(page.horizontalScrollBar()->isVisible(), kPatience);
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

    /// A view as wide as it needs, whole or folded, and a page that comes to rest.
    void aPageThatGetsNarrowFoldsItsViewOnceAndThenScrolls() {
        for (const int leastFolded : {200, 450}) {
            Folding* view = nullptr;
            ViewPage page([&](QWidget* parent) { return view = new Folding(leastFolded, parent); },
                          nullptr);
            page.resize(700, 300);
            page.show();
            QVERIFY(QTest::qWaitForWindowExposed(&page, kPatience));
            QCOMPARE(view->width(), page.viewport()->width());
            page.resize(400, 300);
            view->numResized = 0;
            for (int i = 0; i < 50; ++i) QCoreApplication::processEvents();
            QVERIFY2(view->numResized < 10, qPrintable(QString::number(view->numResized)));
            QCOMPARE(view->width(),
                     std::max(page.viewport()->width(), view->minimumSizeHint().width()));
            QVERIFY(view->minimumSizeHint().width() < Folding::kUnfolded);
        }
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
