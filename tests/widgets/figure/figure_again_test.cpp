#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QFile>
#include <QImage>
#include <QLineEdit>
#include <QPushButton>
#include <QTemporaryDir>
#include <QTest>
#include <memory>

#include "app/pictures/figure_picture.h"
#include "app/pictures/figure_source.h"
#include "core/base/error.h"
#include "core/run/archive/reopen.h"
#include "core/run/jobs/solve_job.h"
#include "core/run/run.h"
#include "tests/support/test_program.h"
#include "tests/widgets/dag/plan_bench.h"
#include "widgets/bridge/archive.h"
#include "widgets/bridge/background_worker.h"
#include "widgets/common/color_map.h"
#include "widgets/common/icons.h"
#include "widgets/common/message_strip.h"
#include "widgets/common/style.h"
#include "widgets/compare/compare_view.h"
#include "widgets/compare/difference_view.h"
#include "widgets/compare/interval_plot.h"
#include "widgets/compare/metric_charts.h"
#include "widgets/compare/parallel_plot.h"
#include "widgets/figure/figure_dialog.h"
#include "widgets/figure/figure_file.h"
#include "widgets/figure/figure_preview.h"
#include "widgets/plots/chart_grid.h"
#include "widgets/world/world_panel.h"

using namespace orrery;

namespace {

std::string solveInto(Workspace& workspace, double beta_r, std::uint64_t seed) {
    RunSpec spec;
    spec.name = "steps";
    spec.seed = seed;
    SolveJob job;
    job.world.name = "builtin:first_steps";
    job.solve.beta_r = beta_r;
    job.solve.threads = 2;
    spec.job = job;
    const auto run = Run::start(spec, {.workspace = &workspace});
    if (run->wait().exitStatus != 0) qFatal("not solved");
    return run->id();
}

}  // namespace

/// What the figure dialog writes is drawn again from its figure file, byte by byte.
class FigureAgainTest : public QObject {
    Q_OBJECT

private:
    QTemporaryDir m_folder;
    std::unique_ptr<BackgroundWorker> m_worker;
    std::unique_ptr<Archive> m_archive;
    std::unique_ptr<Bench> m_bench;
    std::unique_ptr<WorldPanel> m_world;
    std::unique_ptr<CompareView> m_compare;
    std::unique_ptr<FigureDialog> m_dialog;

    QString path(const QString& name) const { return m_folder.filePath(name); }
    std::filesystem::path workspace() const {
        return path(QStringLiteral("w.orrery")).toStdString();
    }
    static QByteArray read(const QString& name) {
        QFile file(name);
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }
    template <typename T>
    T* field(const char* name) const {
        T* found = m_dialog->findChild<T*>(QLatin1String(name));
        if (!found) qFatal("no widget %s", name);
        return found;
    }
    void click(const char* name) const {
        auto* button = field<QPushButton>(name);
        QVERIFY2(button->isVisible() && button->isEnabled(), name);
        QTest::mouseClick(button, Qt::LeftButton);
    }
    static void type(QWidget* into, const QString& text) {
        QTest::mouseClick(into, Qt::LeftButton);
        QTest::keyClick(into, Qt::Key_A, Qt::ControlModifier);
        QTest::keyClicks(into, text);
        QTest::keyClick(into, Qt::Key_Tab);
    }
    void choose(const char* box, const QString& text) const {
        auto* combo = field<QComboBox>(box);
        QTest::keyClick(combo, Qt::Key_Home);
        for (int i = 0; i < combo->count() && combo->currentText() != text; ++i)
            QTest::keyClick(combo, Qt::Key_Down);
        QCOMPARE(combo->currentText(), text);
    }
    bool isQuiet() const {
        return !m_bench->isWorking() && m_world->isFigureReady() && !m_compare->isWorking() &&
               m_worker->numOpenJobs() == 0;
    }
    void settle() const {
        QVERIFY(becomesQuiet([this] { return isQuiet(); }));
    }
    void settlePreview() const {
        const FigurePreview* preview = m_dialog->preview();
        QVERIFY(becomesQuiet(
            [&] { return isQuiet() && !preview->isDue() && !preview->image().isNull(); }));
    }
    void openDialog(QWidget* current) {
        m_dialog->offer({m_world.get(), m_bench->bands, m_bench->states, m_compare->intervalPlot(),
                         m_compare->parallel(), m_compare->difference(),
                         m_compare->charts()->grid()->charts().front()},
                        current);
        m_dialog->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_dialog.get(), kPatience));
    }
    static QByteArray drawn(const QString& figure, const QString& out,
                            const std::vector<std::string>& changes = {}) {
        try {
            drawFigure({.file = figure.toStdString(),
                        .picture = out.toStdString(),
                        .workspace = {},
                        .changes = changes},
                       {});
        } catch (const Error& error) {
            return QByteArray("Error: ") + error.what();
        }
        return read(out);
    }
    /// The chosen view through window and figure file, in both formats.
    void compareBoth(const QString& name) {
        type(field<QLineEdit>("figureFile"), path(name + QStringLiteral(".svg")));
        click("figureExport");
        QTRY_VERIFY_WITH_TIMEOUT(!m_dialog->isWriting(), kPatience);
        QVERIFY2(m_dialog->strip()->kind() == MessageKind::Ok,
                 qPrintable(m_dialog->strip()->text()));
        click("figureSave");
        const QString figure = path(name + QLatin1String(kFigureEnding));
        QVERIFY2(QFile::exists(figure), qPrintable(m_dialog->strip()->text()));
        const QByteArray svg = read(path(name + QStringLiteral(".svg")));
        QVERIFY(svg.contains("<text"));
        const QByteArray again = drawn(figure, path(name + QStringLiteral("-2.svg")));
        QVERIFY2(!again.startsWith("Error"), again.constData());
        QVERIFY2(again == svg, qPrintable(name));
        choose("figureFormat", QStringLiteral("PNG"));
        click("figureExport");
        QTRY_VERIFY_WITH_TIMEOUT(!m_dialog->isWriting(), kPatience);
        const QByteArray png = read(path(name + QStringLiteral(".png")));
        QVERIFY(png.size() > 1000);
        if (const QString folder = qEnvironmentVariable("ORRERY_TEST_PICTURES"); !folder.isEmpty())
            QFile::copy(path(name + QStringLiteral(".png")),
                        folder + QStringLiteral("/again-") + name + QStringLiteral(".png"));
        QVERIFY2(drawn(figure, path(name + QStringLiteral("-2.png"))) == png, qPrintable(name));
    }

private Q_SLOTS:
    void initTestCase() {
        loadIcons();
        applyTheme(*qApp, ThemeChoice::Dark);
        m_worker = std::make_unique<BackgroundWorker>();
        m_archive = std::make_unique<Archive>(m_worker.get());
        m_bench = std::make_unique<Bench>();
        const auto made = Workspace::open(workspace(), Workspace::Mode::Create);
        std::string last;
        for (const double beta_r : {2.0, 5.0})
            for (std::uint64_t seed = 1; seed <= 2; ++seed) last = solveInto(*made, beta_r, seed);
        const auto run = reopenSolution(*made, last);
        LoadedWorld loaded = loadWorld("builtin:first_steps");
        m_bench->session.open(loaded);
        m_bench->session.attach(run->solution, QString::fromStdString(last));
        m_world = std::make_unique<WorldPanel>(&m_bench->session);
        m_compare = std::make_unique<CompareView>(m_archive.get(), &m_bench->selection,
                                                  &m_bench->session, m_worker.get(), nullptr);
        m_dialog = std::make_unique<FigureDialog>(
            [this](const DrawsFigure& view, const QString& folder) {
                const auto* widget = dynamic_cast<const QWidget*>(&view);
                return m_compare->isAncestorOf(widget)
                           ? runsFigureSource(*m_compare, m_bench->selection, workspace(), folder)
                           : figureSource(m_bench->session, workspace(), folder);
            },
            nullptr);
    }
    void init() {
        if (m_archive->workspace() == nullptr) m_archive->open(workspace());
        m_bench->show(QSize(1200, 800));
        m_world->resize(600, 500);
        m_world->show();
        m_compare->resize(1500, 900);
        m_compare->show();
        settle();
    }
    void cleanupTestCase() {
        m_dialog.reset();
        m_compare.reset();
        m_world.reset();
        m_bench.reset();
        m_archive.reset();
        m_worker.reset();
    }

    void theWorldAfterAWalk() {
        for (int i = 0; i < 3; ++i) m_bench->session.followPolicy();
        settle();
        openDialog(m_world.get());
        QCOMPARE(field<QComboBox>("figureView")->currentText(), QStringLiteral("World"));
        type(field<QDoubleSpinBox>("figureWidth"), QStringLiteral("120"));
        type(field<QDoubleSpinBox>("figureFont"), QStringLiteral("7"));
        compareBoth(QStringLiteral("world"));
        const Figure figure =
            readFigure(path(QStringLiteral("world.orrery-figure.json")).toStdString());
        QCOMPARE(figure.width, 120.0);
        QCOMPARE(figure.font, 7.0);
        QCOMPARE(figure.source.value(QLatin1String("run")).toString(), m_bench->session.runId());
        QCOMPARE(figure.source.value(QLatin1String("workspace")).toString(),
                 QStringLiteral("w.orrery"));
        QVERIFY(read(path(QStringLiteral("world.svg"))).contains("width=\"120mm\""));
        if (const QString folder = qEnvironmentVariable("ORRERY_TEST_PICTURES");
            !folder.isEmpty()) {
            settlePreview();
            m_dialog->grab().save(folder + QStringLiteral("/dialog-dark.png"));
            applyTheme(*qApp, ThemeChoice::Light);
            settlePreview();
            m_dialog->grab().save(folder + QStringLiteral("/dialog-light.png"));
            applyTheme(*qApp, ThemeChoice::Dark);
        }
    }

    /// The palette that a person chose stands in the file; the program's own may be another then.
    void thePaletteIsTheFigures() {
        setSequentialMap(SequentialMap::Cividis);
        openDialog(m_world.get());
        choose("figureFormat", QStringLiteral("PNG"));
        type(field<QLineEdit>("figureFile"), path(QStringLiteral("palette.png")));
        click("figureExport");
        QTRY_VERIFY_WITH_TIMEOUT(!m_dialog->isWriting(), kPatience);
        click("figureSave");
        setSequentialMap(SequentialMap::Viridis);
        const QString figure = path(QStringLiteral("palette.orrery-figure.json"));
        const QByteArray png = read(path(QStringLiteral("palette.png")));
        QVERIFY(png.size() > 1000);
        QVERIFY(read(figure).contains("\"palette\": \"cividis\""));
        const QString out = path(QStringLiteral("palette-2.png"));
        QVERIFY(drawn(figure, out) == png);
        QVERIFY(drawn(figure, out, {"palette=viridis"}) != png);
        QVERIFY(drawn(figure, out, {"palette=jet"}).contains("viridis"));
    }

    void thePreviewFollowsTheView() {
        openDialog(m_world.get());
        settlePreview();
        const QImage before = m_dialog->preview()->image();
        m_bench->session.stepBack();
        QTRY_VERIFY_WITH_TIMEOUT(m_dialog->preview()->image() != before, kPatience);
    }

    void theLevelsAndTheGraphWithAFoundSet() {
        m_bench->bar->ask(QStringLiteral("V_r < -9"));
        settle();
        m_bench->bands->canvas()->zoomLevels(1.4, 400);
        const auto state = m_bench->session.graphState();
        m_bench->states->canvas()->toggle(*state, true);
        settle();
        openDialog(m_bench->bands);
        compareBoth(QStringLiteral("bands"));
        QVERIFY(read(path(QStringLiteral("bands.svg"))).contains("V_r &lt; -9"));
        choose("figureFormat", QStringLiteral("SVG"));
        choose("figureView", QStringLiteral("State graph around the state"));
        compareBoth(QStringLiteral("states"));
    }

    void viewsOfRuns_data() {
        QTest::addColumn<QString>("view");
        QTest::newRow("interval") << QStringLiteral("Difference of two settings");
        QTest::newRow("parallel") << QStringLiteral("Parameters and results");
        QTest::newRow("difference") << QStringLiteral("Where two runs differ");
        QTest::newRow("chart") << QString();
    }
    void viewsOfRuns() {
        QFETCH(QString, view);
        QTRY_VERIFY_WITH_TIMEOUT(m_compare->compareSet().settings.size() == 2, kPatience);
        openDialog(m_compare->intervalPlot());
        choose("figureFormat", QStringLiteral("SVG"));
        if (view.isEmpty()) view = m_compare->charts()->grid()->charts().front()->figureName();
        choose("figureView", view);
        compareBoth(QStringLiteral("runs-") + QLatin1String(QTest::currentDataTag()));
    }

    void theCommandLineNamesTheFigureFile() {
        openDialog(m_world.get());
        choose("figureFormat", QStringLiteral("PDF"));
        type(field<QLineEdit>("figureFile"), path(QStringLiteral("it's.pdf")));
        click("figureCopy");
        const QString command = QApplication::clipboard()->text();
        QVERIFY2(command.startsWith(QStringLiteral("orrery figure '")), qPrintable(command));
        QVERIFY(command.contains(QStringLiteral("it'\\''s.orrery-figure.json' --out '")));
        QVERIFY(QFile::exists(path(QStringLiteral("it's.orrery-figure.json"))));
        QVERIFY(!QFile::exists(path(QStringLiteral("it's.pdf"))));
        const QByteArray pdf =
            drawn(path(QStringLiteral("it's.orrery-figure.json")),
                  path(QStringLiteral("again.pdf")), {"width=85", "theme=dark", "title=Mine"});
        QVERIFY(pdf.startsWith("%PDF-") && pdf.contains("/ToUnicode"));
    }

    void whatIsMissingIsSaid() {
        const QString file = path(QStringLiteral("world.orrery-figure.json"));
        const QString out = path(QStringLiteral("none.svg"));
        QVERIFY(drawn(file, out, {"run=nobody"}).startsWith("Error"));
        QVERIFY(drawn(file, path(QStringLiteral("none.bmp"))).contains(".svg or .pdf"));
        QVERIFY(drawn(path(QStringLiteral("no.json")), out).contains("cannot be read"));
        QVERIFY(!QFile::exists(out));
        openDialog(m_world.get());
        choose("figureFormat", QStringLiteral("SVG"));
        type(field<QLineEdit>("figureFile"), QStringLiteral("/nowhere/at/all.svg"));
        click("figureExport");
        QTRY_VERIFY_WITH_TIMEOUT(!m_dialog->isWriting(), kPatience);
        QCOMPARE(m_dialog->strip()->kind(), MessageKind::Error);
        QTest::keyClick(m_dialog.get(), Qt::Key_Escape);
        QVERIFY(!m_dialog->isVisible());
    }

    void aWorldThatIsNotSolvedNeedsNoRun() {
        const QString file = path(QStringLiteral("world.orrery-figure.json"));
        const QByteArray svg = drawn(file, path(QStringLiteral("other.svg")),
                                     {"world=builtin:slippery_bridge", "title="});
        QVERIFY2(svg.contains("<svg"), svg.left(200).constData());
        QVERIFY(!svg.contains("Colours: "));
    }
};

ORRERY_WINDOW_TEST(FigureAgainTest)
#include "figure_again_test.moc"
