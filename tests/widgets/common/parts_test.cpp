#include <QAbstractItemView>
#include <QComboBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QHelpEvent>
#include <QImage>
#include <QLabel>
#include <QLineEdit>
#include <QPainter>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QStackedWidget>
#include <QStyleOptionComboBox>
#include <QTableWidget>
#include <QTest>
#include <QToolTip>
#include <QVBoxLayout>

#include "tests/support/test_program.h"
#include "widgets/common/ground.h"
#include "widgets/common/parts.h"
#include "widgets/common/style.h"
#include "widgets/common/tokens.h"
#include "widgets/common/wheel_guard.h"
#include "widgets/common/wrap_layout.h"

using namespace orrery;

/// Cells, lines, buttons, pages and tables of the views, whatever room they have.
class PartsTest : public QObject {
    Q_OBJECT

public:
    static void initMain() { qputenv("QT_QPA_PLATFORM", "offscreen"); }

private Q_SLOTS:
    void aCellThatIsTooNarrowTellsItsWholeText() {
        applyTheme(*qApp, ThemeChoice::Light);
        QTableWidget table(1, 2);
        table.setColumnWidth(0, 60);
        table.setColumnWidth(1, 200);
        table.setItem(0, 0, new QTableWidgetItem(QStringLiteral("Locked pantry - beta_r 100")));
        table.setItem(0, 1, new QTableWidgetItem(QStringLiteral("ok")));
        table.show();
        const auto ask = [&](int column) {
            const QPoint place = table.visualItemRect(table.item(0, column)).center();
            QHelpEvent event(QEvent::ToolTip, place, table.viewport()->mapToGlobal(place));
            QApplication::sendEvent(table.viewport(), &event);
            return QToolTip::isVisible() ? QToolTip::text() : QString();
        };
        QCOMPARE(ask(1), QString());
        QCOMPARE(ask(0), QStringLiteral("Locked pantry - beta_r 100"));
        QToolTip::hideText();
    }

    void aBoxThatIsTooNarrowTellsItsWholeText() {
        applyTheme(*qApp, ThemeChoice::Light);
        QComboBox box;
        box.addItems({QStringLiteral("First steps, learned"), QStringLiteral("Fir")});
        box.setToolTip(QStringLiteral("Which run"));
        box.resize(100, 28);
        box.show();
        const auto ask = [&] {
            QToolTip::hideText();
            QHelpEvent event(QEvent::ToolTip, {5, 5}, box.mapToGlobal(QPoint(5, 5)));
            QApplication::sendEvent(&box, &event);
            return QToolTip::text();
        };
        QCOMPARE(ask(), QStringLiteral("First steps, learned\nWhich run"));
        box.setCurrentIndex(1);
        QCOMPARE(ask(), QStringLiteral("Which run"));
        QToolTip::hideText();
    }

    void aLineThatIsCutEndsWithAnEllipsis() {
        applyTheme(*qApp, ThemeChoice::Light);
        QComboBox cut, whole;
        cut.addItem(QStringLiteral("First steps, learned"));
        for (QComboBox* box : {&cut, &whole}) box->resize(100, 28);
        QStyleOptionComboBox option;
        option.initFrom(&cut);
        const int room =
            cut.style()
                ->subControlRect(QStyle::CC_ComboBox, &option, QStyle::SC_ComboBoxEditField, &cut)
                .width();
        whole.addItem(cut.fontMetrics().elidedText(cut.currentText(), Qt::ElideRight, room - 2));
        QVERIFY(whole.currentText().endsWith(u'…'));
        QCOMPARE(cut.grab().toImage(), whole.grab().toImage());
    }

    void aButtonsTextIsWholeWhereItHasTheRoomItAskedFor() {
        applyTheme(*qApp, ThemeChoice::Light);
        const QPushButton button(QStringLiteral("Sa&ve figure file"));
        const int flags = Qt::AlignLeft | Qt::TextShowMnemonic;
        const QSize size = button.fontMetrics().size(Qt::TextShowMnemonic, button.text());
        const auto drawn = [&](int room) {
            QImage picture(size + QSize(60, 0), QImage::Format_RGB32);
            picture.fill(Qt::white);
            QPainter painter(&picture);
            painter.setFont(button.font());
            button.style()->drawItemText(&painter, {0, 0, room, size.height()}, flags,
                                         button.palette(), true, button.text());
            return picture;
        };
        QCOMPARE(drawn(size.width()), drawn(size.width() + 60));
        QVERIFY(drawn(size.width() - 10) != drawn(size.width() + 60));
    }

    void aBarThatHasNoRoomGoesOnInAnotherRow() {
        QWidget bar;
        auto* layout = new WrapLayout(&bar);
        layout->setContentsMargins(10, 5, 10, 5);
        layout->setSpacing(8);
        std::vector<QWidget*> parts;
        for (int i = 0; i < 3; ++i) {
            parts.push_back(new QWidget(&bar));
            parts.back()->setMinimumSize(100, 30);
            layout->addWidget(parts.back());
        }
        parts[1]->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
        bar.resize(400, 100);
        bar.show();
        QCOMPARE(layout->heightForWidth(400), 40);
        QCOMPARE(parts[1]->geometry(), QRect(118, 5, 164, 30));  // what is left is its
        QCOMPARE(parts[2]->geometry(), QRect(290, 5, 100, 30));
        bar.resize(250, 100);
        QCOMPARE(layout->heightForWidth(250), 78);
        QCOMPARE(parts[2]->geometry(), QRect(10, 43, 100, 30));
        parts[0]->hide();
        layout->activate();
        QCOMPARE(parts[2]->y(), 5);
        QCOMPARE(layout->minimumSize(), QSize(120, 40));
    }

    void onlyTheShownPageTakesRoom() {
        QStackedWidget pages;
        for (const int width : {100, 500}) {
            auto* page = new QWidget(&pages);
            page->setLayout(new QHBoxLayout);
            page->layout()->setContentsMargins(0, 0, 0, 0);
            page->layout()->addWidget(new QWidget(page));
            page->layout()->itemAt(0)->widget()->setMinimumWidth(width);
            pages.addWidget(page);
        }
        QCOMPARE(pages.minimumSizeHint().width(), 500);
        sizeByShownPage(&pages);
        QCOMPARE(pages.minimumSizeHint().width(), 100);
        pages.setCurrentIndex(1);
        QCOMPARE(pages.minimumSizeHint().width(), 500);
    }

    void theMarkOfTheSortedColumnStandsBesideItsName() {
        applyTheme(*qApp, ThemeChoice::Light);
        QStyleOptionHeader heading;
        heading.rect = QRect(100, 0, 190, 28);
        heading.text = QStringLiteral("World");
        heading.sortIndicator = QStyleOptionHeader::SortDown;
        const QHeaderView header(Qt::Horizontal);
        const auto mark = [&](Qt::Alignment alignment) {
            heading.textAlignment = alignment;
            return header.style()->subElementRect(QStyle::SE_HeaderArrow, &heading, &header);
        };
        const QRect label =
            header.style()->subElementRect(QStyle::SE_HeaderLabel, &heading, &header);
        const int width = QFontMetrics(interfaceFont(11)).horizontalAdvance(heading.text);
        const QRect before = mark(Qt::AlignRight | Qt::AlignVCenter);
        const QRect behind = mark(Qt::AlignLeft | Qt::AlignVCenter);
        QCOMPARE(label.right() - width - before.right(), 3);
        QCOMPARE(behind.left() - label.left() - width, 3);
        heading.text = QStringLiteral("a name that its section has no room for at all");
        QVERIFY(heading.rect.contains(mark(Qt::AlignRight | Qt::AlignVCenter)));
        QVERIFY(heading.rect.contains(mark(Qt::AlignLeft | Qt::AlignVCenter)));
    }

    void aTableIsSortedByKeys() {
        applyTheme(*qApp, ThemeChoice::Light);
        QTableWidget table(2, 3);
        for (int row = 0; row < 2; ++row)
            for (int column = 0; column < 3; ++column)
                table.setItem(row, column,
                              new QTableWidgetItem(QString::number(column == 2 ? 1 - row : row)));
        table.setColumnHidden(1, true);
        table.setSortingEnabled(true);
        table.sortByColumn(0, Qt::AscendingOrder);
        const auto firsts = [&] { return table.item(0, 0)->text() + table.item(0, 2)->text(); };
        QCOMPARE(firsts(), QStringLiteral("01"));
        QTest::keyClick(&table, Qt::Key_Greater);  // the next that is shown
        QCOMPARE(table.horizontalHeader()->sortIndicatorSection(), 2);
        QCOMPARE(firsts(), QStringLiteral("10"));
        QTest::keyClick(&table, Qt::Key_Equal);
        QCOMPARE(firsts(), QStringLiteral("01"));
        QTest::keyClick(&table, Qt::Key_Greater);  // there is none
        QCOMPARE(table.horizontalHeader()->sortIndicatorSection(), 2);
        QTest::keyClick(&table, Qt::Key_Less);
        QCOMPARE(table.horizontalHeader()->sortIndicatorSection(), 0);
    }

    void aLineThatHasNoRoomEndsWithDotsAndTellsTheWhole() {
        QWidget place;
        QLabel* label = makeLabel(QStringLiteral("as long as the line is"), "label", &place);
        const auto drawn = [&](int width) {
            label->resize(width, 30);
            return label->grab().toImage();
        };
        const int whole = label->sizeHint().width();
        QLabel shortened(label->fontMetrics().elidedText(label->text(), Qt::ElideRight, whole / 2),
                         &place);
        shortened.setProperty("look", "label");
        shortened.setAlignment(label->alignment());
        shortened.resize(whole / 2, 30);
        QVERIFY(drawn(whole / 2) == shortened.grab().toImage());
        QHelpEvent ask(QEvent::ToolTip, QPoint(2, 2), label->mapToGlobal(QPoint(2, 2)));
        QApplication::sendEvent(label, &ask);
        QCOMPARE(QToolTip::text(), label->text());
        QToolTip::hideText();
    }

    void whatLiesBehindAGroundIsNotPainted() {
        applyTheme(*qApp, ThemeChoice::Light);
        struct Behind : QWidget {
            int numPaints = 0;
            void paintEvent(QPaintEvent*) override { ++numPaints; }
        } behind;
        behind.resize(300, 200);
        auto* column = new QVBoxLayout(&behind);
        column->setContentsMargins(0, 0, 0, 0);
        auto* area = new QScrollArea;
        area->setFrameShape(QFrame::NoFrame);
        area->setWidgetResizable(true);
        column->addWidget(area);
        auto* ground = new Ground(area);
        area->setWidget(ground);
        behind.show();
        for (const ThemeChoice theme : {ThemeChoice::Dark, ThemeChoice::Light}) {
            applyTheme(*qApp, theme);
            QVERIFY(ground->testAttribute(Qt::WA_OpaquePaintEvent));  // the style sheet may end it
            behind.numPaints = 0;
            behind.repaint();
            QCOMPARE(behind.numPaints, 0);
            QCOMPARE(behind.grab().toImage().pixelColor(150, 100), currentTokens().window);
        }
    }

    void whatWasScrolledAwayIsInSightWhenAKeyIsPressed() {
        QObject owner;
        new WheelGuard(&owner);
        QScrollArea area;
        area.resize(300, 200);
        auto* page = new QWidget;
        auto* rows = new QVBoxLayout(page);
        auto* first = new QComboBox;
        first->addItems({"one", "two"});
        rows->addWidget(first);
        for (int i = 0; i < 40; ++i) rows->addWidget(new QLineEdit(page));
        area.setWidget(page);
        area.show();
        QVERIFY(QTest::qWaitForWindowActive(&area));
        first->setFocus();
        QScrollBar* bar = area.verticalScrollBar();
        bar->setValue(bar->maximum());
        QVERIFY(first->visibleRegion().isEmpty());
        QTest::keyClick(first, Qt::Key_F4);  // Qt's key for the list
        QVERIFY(!first->visibleRegion().isEmpty());
        QVERIFY(first->view()->isVisible());
        first->hidePopup();
        // What is seen stays where it is.
        bar->setValue(2);
        QTest::keyClick(first, Qt::Key_Down);
        QCOMPARE(first->currentText(), QString("two"));
        QCOMPARE(bar->value(), 2);
    }
};

ORRERY_WINDOW_TEST(PartsTest)
#include "parts_test.moc"
