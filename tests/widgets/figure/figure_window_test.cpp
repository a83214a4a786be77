#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QImage>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLineEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QTest>
#include <cmath>
#include <memory>

#include "app/window/main_window.h"
#include "tests/app/program.h"
#include "tests/support/small_room.h"
#include "tests/support/test_program.h"
#include "tests/widgets/answers.h"
#include "tests/widgets/quiet.h"
#include "tests/widgets/shown_window.h"
#include "widgets/bridge/archive.h"
#include "widgets/common/message_strip.h"
#include "widgets/compare/compare_view.h"
#include "widgets/compare/interval_plot.h"
#include "widgets/figure/figure_dialog.h"
#include "widgets/figure/figure_file.h"
#include "widgets/figure/figure_preview.h"
#include "widgets/settings/preferences.h"

using namespace orrery;

/// A person makes figures of what the window shows, and `orrery figure` draws them again.
class FigureWindowTest : public QObject {
    Q_OBJECT

private:
    static constexpr int kDpi = 200;  ///< as preferred before the dialog is made

    Program m_program;
    std::unique_ptr<MainWindow> m_window;
    QString m_world, m_workspace;

    template <typename T>
    T* child(const char* name) {
        T* found = m_window->findChild<T*>(QLatin1String(name));
        if (!found) qFatal("no widget %s", name);
        return found;
    }
    FigureDialog* dialog() { return child<FigureDialog>("figureDialog"); }
    void click(const char* name) {
        auto* button = child<QPushButton>(name);
        QVERIFY2(button->isVisible() && button->isEnabled(), name);
        QTest::mouseClick(button, Qt::LeftButton);
    }
    void type(QWidget* field, const QString& text) {
        QTest::mouseClick(field, Qt::LeftButton);
        QTest::keyClick(field, Qt::Key_A, Qt::ControlModifier);
        QTest::keyClicks(field, text);
        QTest::keyClick(field, Qt::Key_Tab);
    }
    /// A key in the main window, wherever the focus was.
    void press(Qt::Key key, Qt::KeyboardModifiers modifiers = Qt::NoModifier) {
        m_window->activateWindow();
        QTRY_COMPARE_WITH_TIMEOUT(QApplication::activeWindow(), m_window.get(), kPatience);
        QTest::keyClick(m_window.get(), key, modifiers);
    }
    void openDialog() {
        QTRY_VERIFY_WITH_TIMEOUT(m_window->isSettled(), kPatience);
        press(Qt::Key_E, Qt::ControlModifier | Qt::ShiftModifier);
        QVERIFY(dialog()->isVisible());
        QVERIFY(!dialog()->isModal());
    }
    /// Chooses by keys; false if the dialog does not offer it.
    bool choose(const char* box, const QString& text) {
        auto* combo = child<QComboBox>(box);
        QTest::keyClick(combo, Qt::Key_Home);
        for (int i = 0; i < combo->count() && combo->currentText() != text; ++i)
            QTest::keyClick(combo, Qt::Key_Down);
        return combo->currentText() == text;
    }
    /// Exports by the button in a format and gives back the file's name.
    QString exported(const QString& format, const QString& name) {
        choose("figureFormat", format);
        QString file = m_program.path(name + u'.' + format.toLower());
        type(child<QLineEdit>("figureFile"), file);
        click("figureExport");
        if (!QTest::qWaitFor([this] { return !dialog()->isWriting(); }, kPatience))
            qFatal("no figure");
        const MessageStrip* strip = dialog()->strip();
        if (strip->kind() != MessageKind::Ok) qWarning("%s", qPrintable(strip->text()));
        return file;
    }
    /// The picture that the program draws from the figure file beside `file`.
    QString drawnAgain(const QString& file, const QString& name, const QStringList& more = {}) {
        QString again = m_program.path(name);
        const Ended ended = m_program.run(
            QStringList{QStringLiteral("figure"),
                        QString::fromStdString(figureFileOf(file.toStdString()).string()),
                        QStringLiteral("--out"), again} +
            more);
        if (ended.status != 0) qWarning("%s", ended.err.constData());
        return again;
    }
    /// What is chosen in the dialog now: window and command line draw the same bytes.
    void compareWithCommandLine(const QString& name) {
        const QString svg = exported(QStringLiteral("SVG"), name);
        click("figureSave");
        QVERIFY2(dialog()->strip()->kind() == MessageKind::Ok,
                 qPrintable(dialog()->strip()->text()));
        const QString png = exported(QStringLiteral("PNG"), name);
        const QByteArray svgBytes = Program::read(svg);
        QVERIFY(svgBytes.contains("<text"));
        const QByteArray again = Program::read(drawnAgain(svg, name + QStringLiteral("-2.svg")));
        QVERIFY2(again == svgBytes, qPrintable(name));
        const QImage first(png), second(drawnAgain(png, name + QStringLiteral("-2.png")));
        QVERIFY(!first.isNull());
        QVERIFY2(first == second, qPrintable(name));
    }

private Q_SLOTS:
    void initTestCase() {
        m_world = m_program.write(QStringLiteral("room.yaml"), smallRoomFile().c_str());
        m_workspace = m_program.path(QStringLiteral("test.orrery"));
        for (const char* beta : {"2", "5"})
            for (const char* seed : {"1", "2"}) {
                const Ended ended =
                    m_program.run({QStringLiteral("solve"), m_world, QStringLiteral("--workspace"),
                                   m_workspace, QStringLiteral("--beta-r"), QLatin1String(beta),
                                   QStringLiteral("--seed"), QLatin1String(seed)});
                QVERIFY2(ended.status == 0, ended.err.constData());
            }
        WindowOptions options;
        options.world = m_world;
        options.theme = ThemeChoice::Dark;
        options.workspace = m_workspace.toStdString();
        options.preferencesFile = m_program.path(QStringLiteral("orrery.ini"));
        options.restoresSession = false;
        QVERIFY(Preferences(options.preferencesFile).setValue(QStringLiteral("export/dpi"), kDpi));
        m_window = std::make_unique<MainWindow>(options);
        showSettled(*m_window, {1280, 860});
        QTRY_VERIFY_WITH_TIMEOUT(m_window->archive().runs().size() == 4, kPatience);
    }
    void cleanupTestCase() { m_window.reset(); }

    void anUnsolvedWorldIsDrawnAlikeByTheProgram() {
        press(Qt::Key_2, Qt::ControlModifier);
        openDialog();
        QCOMPARE(child<QSpinBox>("figureDpi")->value(), kDpi);
        QVERIFY(choose("figureView", QStringLiteral("World")));
        compareWithCommandLine(QStringLiteral("unsolved"));
    }

    void sizesThatWereTypedAreThoseOfTheFiles() {
        m_window->archive().reopen(QString::fromStdString(m_window->archive().runs().front().id));
        QTRY_VERIFY_WITH_TIMEOUT(m_window->session().solution() != nullptr, kPatience);
        QTRY_VERIFY_WITH_TIMEOUT(m_window->isSettled(), kPatience);
        press(Qt::Key_2, Qt::ControlModifier);
        openDialog();
        QVERIFY(choose("figureView", QStringLiteral("World")));
        type(child<QDoubleSpinBox>("figureWidth"), QStringLiteral("120"));
        type(child<QDoubleSpinBox>("figureHeight"), QStringLiteral("90"));
        type(child<QDoubleSpinBox>("figureFont"), QStringLiteral("7"));
        choose("figureFormat", QStringLiteral("PNG"));
        type(child<QSpinBox>("figureDpi"), QStringLiteral("150"));
        const QImage png(exported(QStringLiteral("PNG"), QStringLiteral("sized")));
        QCOMPARE(png.size(), QSize(static_cast<int>(std::lround(120 / 25.4 * 150)),
                                   static_cast<int>(std::lround(90 / 25.4 * 150))));
        QCOMPARE(png.dotsPerMeterX(), 5906);
        const QByteArray svg =
            Program::read(exported(QStringLiteral("SVG"), QStringLiteral("sized")));
        QVERIFY(svg.contains("width=\"120mm\"") && svg.contains("height=\"90mm\""));
        QVERIFY(svg.contains("Small room") && svg.contains("Colours: "));
        const QByteArray pdf =
            Program::read(exported(QStringLiteral("PDF"), QStringLiteral("sized")));
        QVERIFY(pdf.startsWith("%PDF-") && pdf.contains("/ToUnicode"));
    }

    void aPictureThatIsThereIsAskedFor() {
        openDialog();
        QVERIFY(choose("figureView", QStringLiteral("World")));
        const QString file =
            m_program.write(QStringLiteral("kept.svg"), QByteArrayLiteral("of the user's"));
        const QString saved =
            m_program.write(QStringLiteral("kept.orrery-figure.json"), QByteArrayLiteral("{}"));
        {
            const BoxAnswer no("replaceBox");
            exported(QStringLiteral("SVG"), QStringLiteral("kept"));
            click("figureSave");
            click("figureCopy");
            QCOMPARE(no.questions().size(), 3);
            QVERIFY(no.questions().front().contains(QStringLiteral("kept.svg")));
        }
        QCOMPARE(Program::read(file), QByteArray("of the user's"));
        QCOMPARE(Program::read(saved), QByteArray("{}"));
        const BoxAnswer yes("replaceBox", "replaceFile");
        exported(QStringLiteral("SVG"), QStringLiteral("kept"));
        QVERIFY(Program::read(file).contains("<svg"));
        click("figureSave");
        click("figureCopy");  // the same file once more loses nothing
        QCOMPARE(yes.questions().size(), 2);
        QVERIFY(Program::read(saved).contains("orreryFigure"));
    }

    void aPresetSetsThePageAndIsNamedWhileItHolds() {
        openDialog();
        QVERIFY(choose("figureView", QStringLiteral("World")));
        auto* box = child<QComboBox>("figurePreset");
        box->setFocus();
        QTest::keyClicks(box, QStringLiteral("One"));  // a space would play, here
        QTRY_COMPARE(child<QDoubleSpinBox>("figureWidth")->value(), 89.0);
        QCOMPARE(child<QDoubleSpinBox>("figureFont")->value(), 7.0);
        QVERIFY(!dialog()->figure().hasFooter);
        QVERIFY(box->currentText().startsWith(QStringLiteral("One column")));
        type(child<QDoubleSpinBox>("figureWidth"), QStringLiteral("100"));
        QCOMPARE(box->currentText(), QStringLiteral("Own size"));
    }

    void thePreviewFollowsTheView() {
        openDialog();
        QVERIFY(choose("figureView", QStringLiteral("World")));
        const FigurePreview* preview = dialog()->preview();
        QVERIFY(becomesQuiet([&] {
            return m_window->isSettled() && !preview->isDue() && !preview->image().isNull();
        }));
        const QImage before = preview->image();
        press(Qt::Key_F7);
        QTRY_VERIFY_WITH_TIMEOUT(m_window->isSettled(), kPatience);
        QTRY_VERIFY_WITH_TIMEOUT(preview->image() != before, kPatience);
        if (const QString folder = qEnvironmentVariable("ORRERY_TEST_PICTURES"); !folder.isEmpty())
            dialog()->grab().save(folder + QStringLiteral("/figure-dialog.png"));
        QVERIFY(child<QLineEdit>("figureTitle")->text().contains(QStringLiteral("step 1")));
    }

    void aWalkedStateIsDrawnAlikeByTheProgram() {
        press(Qt::Key_F9);
        QTRY_VERIFY_WITH_TIMEOUT(m_window->isSettled(), kPatience);
        openDialog();
        QVERIFY(choose("figureView", QStringLiteral("World")));
        compareWithCommandLine(QStringLiteral("walked"));
        // A figure file says what is drawn, and by which run.
        const QJsonObject file =
            QJsonDocument::fromJson(
                Program::read(m_program.path(QStringLiteral("walked.orrery-figure.json"))))
                .object();
        QCOMPARE(file.value(QLatin1String("view")).toString(), QStringLiteral("world"));
        const QJsonObject source = file.value(QLatin1String("source")).toObject();
        QCOMPARE(source.value(QLatin1String("run")).toString(), m_window->session().runId());
        QCOMPARE(source.value(QLatin1String("workspace")).toString(),
                 QStringLiteral("test.orrery"));
        QCOMPARE(source.value(QLatin1String("walk")).toArray().size(), 3);
    }

    void theStateGraphIsDrawnAlikeByTheProgram() {
        press(Qt::Key_3, Qt::ControlModifier);
        QTRY_VERIFY_WITH_TIMEOUT(m_window->isSettled(), kPatience);
        openDialog();
        for (const char* view : {"State graph by level", "State graph around the state"}) {
            QVERIFY2(choose("figureView", QLatin1String(view)), view);
            QTRY_VERIFY_WITH_TIMEOUT(m_window->isSettled(), kPatience);
            compareWithCommandLine(QString(QLatin1String(view)).replace(u' ', u'-'));
        }
    }

    void viewsOfRunsAreDrawnAlikeByTheProgram() {
        press(Qt::Key_5, Qt::ControlModifier);
        QTRY_VERIFY_WITH_TIMEOUT(m_window->isSettled(), kPatience);
        auto* interval = m_window->findChild<IntervalPlot*>();
        QVERIFY(interval);
        QTRY_VERIFY_WITH_TIMEOUT(interval->interval().has_value(), kPatience);
        QTRY_VERIFY_WITH_TIMEOUT(m_window->isSettled(), kPatience);
        openDialog();
        const auto* views = child<QComboBox>("figureView");
        QStringList names;
        for (int i = 0; i < views->count(); ++i) names << views->itemText(i);
        for (const char* needed :
             {"Difference of two settings", "Parameters and results", "Where two runs differ"})
            QVERIFY2(names.contains(QLatin1String(needed)), qPrintable(names.join(u'|')));
        const QStringList charts = names.filter(QStringLiteral("Chart: "));
        QVERIFY2(!charts.isEmpty(), qPrintable(names.join(u'|')));
        int n = 0;
        for (const QString& name :
             {names.at(names.indexOf(QStringLiteral("Parameters and results"))),
              QStringLiteral("Difference of two settings"), QStringLiteral("Where two runs differ"),
              charts.first()}) {
            QVERIFY(choose("figureView", name));
            compareWithCommandLine(QStringLiteral("runs-%1").arg(++n));
        }
    }

    void theCommandLineInTheClipboardDrawsThePicture() {
        openDialog();
        const QString svg = exported(QStringLiteral("SVG"), QStringLiteral("clip"));
        click("figureCopy");
        const QString command = QApplication::clipboard()->text();
        QVERIFY2(command.startsWith(QStringLiteral("orrery figure '")), qPrintable(command));
        QVERIFY(command.contains(QStringLiteral("clip.orrery-figure.json' --out '")));
        QVERIFY(command.endsWith(QStringLiteral("clip.svg' --force")));  // it is there
        // Fields are changed at the command line.
        const QByteArray narrow =
            Program::read(drawnAgain(svg, QStringLiteral("narrow.svg"),
                                     {QStringLiteral("--set"), QStringLiteral("width=85"),
                                      QStringLiteral("--set"), QStringLiteral("theme=dark")}));
        QVERIFY(narrow.contains("width=\"85mm\""));
        const Ended bad = m_program.run(
            {QStringLiteral("figure"), m_program.path(QStringLiteral("clip.orrery-figure.json")),
             QStringLiteral("--force"), QStringLiteral("--set"), QStringLiteral("width=1")});
        QCOMPARE(bad.status, 2);
        QVERIFY(bad.err.contains("width"));
    }

    void aBrokenFigureFileIsExplainedWithItsPlace() {
        const QString file = m_program.write(QStringLiteral("bad.orrery-figure.json"),
                                             "{\"orreryFigure\": 1,\n \"veiw\": \"world\"}");
        const Ended ended = m_program.run({QStringLiteral("figure"), file});
        QCOMPARE(ended.status, 2);
        QVERIFY2(ended.err.contains("bad.orrery-figure.json:2:2"), ended.err.constData());
        const Ended missing =
            m_program.run({QStringLiteral("figure"), m_program.path(QStringLiteral("none.json"))});
        QCOMPARE(missing.status, 6);
    }

    void whatCannotBeWrittenIsSaidInTheDialog() {
        openDialog();
        type(child<QLineEdit>("figureFile"), QStringLiteral("/nowhere/at/all.svg"));
        click("figureExport");
        QTRY_VERIFY_WITH_TIMEOUT(!dialog()->isWriting(), kPatience);
        QCOMPARE(dialog()->strip()->kind(), MessageKind::Error);
        QVERIFY(dialog()->strip()->text().contains(QStringLiteral("/nowhere/at")));
        QTest::keyClick(dialog(), Qt::Key_Escape);
        QVERIFY(!dialog()->isVisible());
    }
};

ORRERY_WINDOW_TEST(FigureWindowTest)
#include "figure_window_test.moc"
