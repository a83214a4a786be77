#include <QAbstractItemView>
#include <QClipboard>
#include <QComboBox>
#include <QCompleter>
#include <QDialogButtonBox>
#include <QFile>
#include <QGuiApplication>
#include <QIcon>
#include <QImage>
#include <QLabel>
#include <QLineEdit>
#include <QMimeData>
#include <QPainter>
#include <QPushButton>
#include <QSpinBox>
#include <QStyleFactory>
#include <QStyleOptionFocusRect>
#include <QTemporaryDir>
#include <QTest>
#include <QToolTip>
#include <QUrl>
#include <algorithm>
#include <memory>

#include "tests/support/test_program.h"
#include "widgets/common/color_map.h"
#include "widgets/common/house_style.h"
#include "widgets/common/icons.h"
#include "widgets/common/number_text.h"
#include "widgets/common/open_outside.h"
#include "widgets/common/run_title.h"
#include "widgets/common/style.h"
#include "widgets/common/style_sheet.h"
#include "widgets/common/symbol_text.h"
#include "widgets/common/text_edit.h"
#include "widgets/common/tokens.h"

using namespace orrery;

/// Colours, icons, controls and texts as the style wants them.
class LookTest : public QObject {
    Q_OBJECT

public:
    static void initMain() { qputenv("QT_QPA_PLATFORM", "offscreen"); }

private Q_SLOTS:
    void namesOfFieldsAreReadAsSymbols() {
        const auto width = [](const char* symbol) {
            return symbolWidth(12, QString::fromUtf8(symbol));
        };
        QCOMPARE(width("v_h_e"), width("v_h^e"));
        QCOMPARE(width("Exact/v_h_e"), width("Exact/v_h^e"));
        QVERIFY(width("v_h^e") < width("v_h") + width("e"));
        QVERIFY(qAbs(width("v_h_e_kind") - width("v_h_e") - width(" kind")) < 1e-9);
        QVERIFY(width("num_training_steps") > width("numtrainingsteps"));  // no symbol at all
        QCOMPARE(plainSymbol("Error of V_h^e"), QStringLiteral("Error of Vₕᵉ"));
        QCOMPARE(plainSymbol("pi_r"), QStringLiteral("πᵣ"));
        QCOMPARE(plainSymbol("best_reward"), QStringLiteral("best_reward"));
    }
    void textStandsOutOnEverySurface_data() {
        QTest::addColumn<bool>("isDark");
        QTest::newRow("dark") << true;
        QTest::newRow("light") << false;
    }
    void textStandsOutOnEverySurface() {
        QFETCH(bool, isDark);
        const Tokens& t = isDark ? darkTokens() : lightTokens();
        // 4.5:1 is the least for text of normal size (WCAG 2.1, 1.4.3).
        for (const QColor& surface : {t.window, t.panel, t.raised, t.input, t.canvas})
            for (const QColor& text : {t.text, t.text2, t.text3})
                QVERIFY2(contrast(surface, text) >= 4.5,
                         qPrintable(surface.name() + QStringLiteral(" under ") + text.name()));
        QVERIFY(contrast(t.accent, t.onAccent) >= 4.5);
        QVERIFY(contrast(t.currentRow, t.text2) >= 4.5);
        for (const auto& [back, fore] : {std::pair(t.okBack, t.text),
                                         {t.warningBack, t.text},
                                         {t.errorBack, t.text},
                                         {t.infoBack, t.text}})
            QVERIFY(contrast(back, fore) >= 4.5);
        // 3:1 is the least for lines and shapes.
        for (const QColor& color : t.data) QVERIFY(contrast(t.canvas, color) >= 3);
    }

    void dialogsOfQtHaveOurIcons_data() {
        QTest::addColumn<QStyle::StandardPixmap>("pixmap");
        QTest::addColumn<QString>("name");
        QTest::newRow("a warning") << QStyle::SP_MessageBoxWarning << "dialog-warning";
        QTest::newRow("a question") << QStyle::SP_MessageBoxQuestion << "help-contents";
        QTest::newRow("the folder above") << QStyle::SP_FileDialogToParent << "go-up";
        QTest::newRow("a folder") << QStyle::SP_DirIcon << "folder";
    }
    void dialogsOfQtHaveOurIcons() {
        QFETCH(QStyle::StandardPixmap, pixmap);
        QFETCH(QString, name);
        const std::unique_ptr<QStyle> style(
            makeHouseStyle(QStyleFactory::create(QStringLiteral("Fusion"))));
        const auto shape = [](const QIcon& icon) {
            return icon.pixmap(16).toImage().convertToFormat(QImage::Format_Alpha8);
        };
        const QImage ours = shape(themedIcon(name, currentTokens()));
        QVERIFY(!ours.isNull());
        QCOMPARE(shape(style->standardIcon(pixmap, nullptr, nullptr)), ours);
    }

    void theListOfACompleterIsNotSeeThrough() {
        applyTheme(*qApp, ThemeChoice::Light);
        QLineEdit edit;
        QCompleter completer(QStringList{QStringLiteral("human0.at("), QStringLiteral("human0.x")});
        edit.setCompleter(&completer);
        edit.show();
        edit.setText(QStringLiteral("human"));
        completer.complete();
        QVERIFY(completer.popup()->isVisible());
        const QImage picture = completer.popup()->grab().toImage();
        QCOMPARE(picture.pixelColor(picture.width() - 12, picture.height() - 4),
                 lightTokens().panel);
    }

    void aThemeAppliedTwiceKeepsItsColours() {
        for (const ThemeChoice theme : {ThemeChoice::System, ThemeChoice::Dark}) {
            applyTheme(*qApp, theme);
            const QPalette once = QGuiApplication::palette();
            QCOMPARE(once.color(QPalette::WindowText), currentTokens().text);
            applyTheme(*qApp, theme);
            QCOMPARE(QGuiApplication::palette(), once);
        }
    }

    void aSpinBoxHasTwoArrows() {
        for (const ThemeChoice theme : {ThemeChoice::Light, ThemeChoice::Dark}) {
            applyTheme(*qApp, theme);
            QSpinBox box;
            box.resize(100, 28);
            box.setValue(5);
            const QImage picture = box.grab().toImage();
            const QColor back = currentTokens().input;
            // Ink in the middle of each half of the right end, and none between them.
            const auto ink = [&](int from, int to) {
                int number = 0;
                for (int y = from; y < to; ++y)
                    for (int x = 78; x < 97; ++x)
                        if (contrast(picture.pixelColor(x, y), back) > 2) ++number;
                return number;
            };
            QVERIFY(ink(3, 13) > 3);
            QVERIFY(ink(15, 25) > 3);
            QVERIFY2(ink(3, 13) < 40 && ink(15, 25) < 40, "a frame, not an arrow");
        }
    }

    void aSpinBoxAtItsLimitKeepsAPaleArrow() {
        for (const ThemeChoice theme : {ThemeChoice::Light, ThemeChoice::Dark}) {
            applyTheme(*qApp, theme);
            QSpinBox box;
            box.setButtonSymbols(QAbstractSpinBox::NoButtons);  // the house style gives them back
            box.resize(100, 28);
            box.setValue(box.maximum());
            const QImage picture = box.grab().toImage();
            const auto strongest = [&](int from, int to) {
                double most = 1;
                for (int y = from; y < to; ++y)
                    for (int x = 78; x < 97; ++x)
                        most = std::max(most,
                                        contrast(picture.pixelColor(x, y), currentTokens().input));
                return most;
            };
            const double up = strongest(3, 13), down = strongest(15, 25);
            QVERIFY2(up > 1.3 && up < down / 1.5, qPrintable(QString::number(up)));
        }
    }

    void theListOfABoxMarksItsRowPale() {
        for (const ThemeChoice theme : {ThemeChoice::Light, ThemeChoice::Dark}) {
            applyTheme(*qApp, theme);
            QComboBox box;
            box.addItems({QStringLiteral("Border only"), QStringLiteral("Two rooms")});
            box.resize(160, 28);
            box.show();
            box.showPopup();
            const QImage picture = box.view()->viewport()->grab().toImage();
            const QRect row = box.view()->visualRect(box.model()->index(0, 0));
            QCOMPARE(picture.pixelColor(row.right() - 8, row.center().y()),
                     currentTokens().currentRow);
            QVERIFY2(picture.pixelColor(row.topLeft()) != currentTokens().currentRow,
                     "a square corner");
            box.hidePopup();
        }
    }

    void aFocusedButtonHasOneRing() {
        applyTheme(*qApp, ThemeChoice::Light);
        const QPushButton button(QStringLiteral("Create"));
        QImage picture(80, 30, QImage::Format_RGB32);
        picture.fill(Qt::white);
        const QImage before = picture;
        QPainter painter(&picture);
        QStyleOptionFocusRect option;
        option.rect = picture.rect();
        option.state = QStyle::State_KeyboardFocusChange | QStyle::State_Enabled;
        button.style()->drawPrimitive(QStyle::PE_FrameFocusRect, &option, &painter, &button);
        painter.end();
        QCOMPARE(picture, before);
    }

    void dialogsEndWithTheirMainButton() {
        applyTheme(*qApp, ThemeChoice::Light);
        QDialogButtonBox buttons(QDialogButtonBox::Cancel);
        const QPushButton* create =
            buttons.addButton(QStringLiteral("Create"), QDialogButtonBox::AcceptRole);
        buttons.show();
        QVERIFY(create->x() > buttons.button(QDialogButtonBox::Cancel)->x());
    }

    void contrastIsThatOfTheStandard() {
        QCOMPARE(contrast(Qt::black, Qt::white), 21.0);
        QCOMPARE(contrast(Qt::red, Qt::red), 1.0);
        QCOMPARE(textOn(QColor(0xFD, 0xE7, 0x25)), QColor(0x0E, 0x11, 0x16));
        QCOMPARE(textOn(QColor(0x44, 0x01, 0x54)), QColor(Qt::white));
    }

    void heatRunsFromVioletToYellow() {
        QCOMPARE(viridis(0), QColor(0x44, 0x01, 0x54));
        QCOMPARE(viridis(1), QColor(0xFD, 0xE7, 0x25));
        QCOMPARE(viridis(4.0 / 9), QColor(0x26, 0x82, 0x8E));
        QCOMPARE(viridis(-3), viridis(0));
        QCOMPARE(viridis(7), viridis(1));
    }

    void noLineEndsInANumberOfAnUnbrokenText() {
        QLabel label(unbroken(countText(50'000))), other(QStringLiteral("50000"));
        label.setWordWrap(true);
        other.setWordWrap(true);
        const int width = other.fontMetrics().horizontalAdvance(QStringLiteral("500"));
        QCOMPARE(label.heightForWidth(width), other.heightForWidth(width));
    }

    void numbersAreWrittenAsTheStyleAsks() {
        QCOMPARE(valueText(-5.1514), QStringLiteral("\u22125.151"));
        QCOMPARE(valueText(0), QStringLiteral("0.000"));
        QCOMPARE(valueText(-1e-10), QStringLiteral("\u22121.00e\u221210"));
        QCOMPARE(significantText(-16.728), QStringLiteral("\u221216.728"));
        QCOMPARE(significantText(0.0003123), QStringLiteral("0.0003123"));
        QCOMPARE(significantText(0.02136), QStringLiteral("0.02136"));
        QCOMPARE(significantText(3.123e-5), QStringLiteral("3.123e\u221205"));
        QCOMPARE(significantText(1204.51), QStringLiteral("1204.5"));
        QCOMPARE(significantText(0), QStringLiteral("0.000"));
        QCOMPARE(countText(41208), QStringLiteral("41\u202f208"));
        QCOMPARE(countText(999), QStringLiteral("999"));
        QCOMPARE(countText(-1234567), QStringLiteral("\u22121\u202f234\u202f567"));
        QCOMPARE(percentText(0.25), QStringLiteral("25 %"));
        QCOMPARE(percentText(0.025), QStringLiteral("2.5 %"));
        QCOMPARE(durationText(0.25), QStringLiteral("0.25 s"));
        QCOMPARE(durationText(0.0041), QStringLiteral("4 ms"));
        QCOMPARE(durationText(0.00042), QStringLiteral("0.4 ms"));
        QCOMPARE(durationText(0), QStringLiteral("0 s"));
        QCOMPARE(durationText(0.01), QStringLiteral("0.01 s"));
        QCOMPARE(durationText(185), QStringLiteral("3 min 5 s"));
        QCOMPARE(bytesText(std::int64_t{212} << 20), QStringLiteral("212 MiB"));
        QCOMPARE(symbolHtml(QStringLiteral("V_h^e")), QStringLiteral("V<sub>h</sub><sup>e</sup>"));
        QCOMPARE(symbolHtml(QStringLiteral("beta_r")), QStringLiteral("β<sub>r</sub>"));
    }

    void aRunIsReadByItsNameAndItsId() {
        QCOMPARE(runTitle(QStringLiteral("Two rooms"), QStringLiteral("r00003")),
                 QStringLiteral("Two rooms · r00003"));
        QCOMPARE(runTitle(QString(), QStringLiteral("r00003")), QStringLiteral("r00003"));
        QCOMPARE(runTitle(QStringLiteral("Two rooms"), QString()), QStringLiteral("Two rooms"));
        QCOMPARE(runName("Two rooms", "r00003"), QStringLiteral("Two rooms"));
        QCOMPARE(runName({}, "r00003"), QStringLiteral("r00003"));
        const QString name = QStringLiteral("Two rooms · learned in tables · seed 3");
        const QString shortened = shortRunTitle(name, QStringLiteral("r00003"), 20);
        QCOMPARE(shortened, QStringLiteral("Two rooms · l…seed 3 · r00003"));
        QCOMPARE(shortRunTitle(name, QStringLiteral("r00003"), 60),
                 runTitle(name, QStringLiteral("r00003")));
    }

    void aFolderThatNoProgramOpensIsCopied() {
        const QByteArray path = qgetenv("PATH"), browser = qgetenv("BROWSER");
        qputenv("PATH", "/nowhere");  // no xdg-open there
        qunsetenv("BROWSER");
        openOutside(QUrl::fromLocalFile(QStringLiteral("/tmp")));
        qputenv("PATH", path);
        if (!browser.isEmpty()) qputenv("BROWSER", browser);
        QCOMPARE(QGuiApplication::clipboard()->text(), QStringLiteral("/tmp"));
        QVERIFY(QToolTip::text().contains(QLatin1String("/tmp")));
        QToolTip::hideText();
    }

    void anEmptyClipboardIsPastedIntoATextAsNothing() {
        TextEdit edit;
        edit.setPlainText(QStringLiteral("We We We"));
        QGuiApplication::clipboard()->setMimeData(new QMimeData);
        edit.paste();
        QCOMPARE(edit.toPlainText(), QStringLiteral("We We We"));
        QGuiApplication::clipboard()->setText(QStringLiteral("Ae "));
        edit.paste();
        QCOMPARE(edit.toPlainText(), QStringLiteral("Ae We We We"));
    }

    void aFolderIsOpenedByTheDesktopsProgram() {
        QTemporaryDir folder;
        QFile program(folder.filePath(QStringLiteral("xdg-open")));
        QVERIFY(program.open(QFile::WriteOnly));
        program.write(
            "#!/bin/sh\nprintf '%s' \"$1\" > \"$0.part\" && mv \"$0.part\" \"$0.told\"\n");
        program.close();
        program.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
        const QByteArray path = qgetenv("PATH");
        qputenv("PATH", folder.path().toLocal8Bit() + ':' + path);
        openOutside(QUrl::fromLocalFile(QStringLiteral("/tmp/two words")));
        qputenv("PATH", path);
        QFile told(program.fileName() + QStringLiteral(".told"));
        QTRY_VERIFY(told.exists());
        QVERIFY(told.open(QFile::ReadOnly));
        QCOMPARE(told.readAll(), QByteArray("file:///tmp/two%20words"));
    }

    void noColourWordIsLeftInTheStyleSheet() {
        for (const Tokens* tokens : {&darkTokens(), &lightTokens()}) {
            const QString sheet = styleSheetOf(*tokens);
            QVERIFY(sheet.contains(tokens->accent.name()));
            QVERIFY2(!sheet.contains(u'@'), qPrintable(sheet.mid(sheet.indexOf(u'@'), 20)));
        }
    }

    void iconsTakeTheColourOfTheTheme() {
        for (const Tokens* tokens : {&darkTokens(), &lightTokens()}) {
            const QIcon icon = themedIcon(QStringLiteral("media-playback-stop"), *tokens);
            QVERIFY(!icon.isNull());
            const QImage image = icon.pixmap(QSize(64, 64), 1.0).toImage();
            // The middle of the left side of the square is a stroke.
            QCOMPARE(image.pixelColor(15, 32).rgb(), tokens->text2.rgb());
            QCOMPARE(qAlpha(image.pixel(32, 32)), 0);
        }
        QVERIFY(themedIcon(QStringLiteral("no-such-icon"), darkTokens()).isNull());
        QVERIFY(!programIcon().isNull());
    }
};

ORRERY_WINDOW_TEST(LookTest)
#include "look_test.moc"
