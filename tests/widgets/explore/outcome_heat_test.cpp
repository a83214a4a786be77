#include <QAbstractItemModelTester>
#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <cmath>

#include "app/pictures/figure_picture.h"
#include "core/history/workspace.h"
#include "core/run/jobs/solve_job.h"
#include "core/run/run.h"
#include "tests/support/test_program.h"
#include "tests/widgets/quiet.h"
#include "widgets/common/icons.h"
#include "widgets/common/style.h"
#include "widgets/common/tokens.h"
#include "widgets/compare/outcome_of_set.h"
#include "widgets/explore/outcome_heat.h"
#include "widgets/figure/figure_file.h"
#include "widgets/figure/figure_writer.h"
#include "widgets/plots/chart.h"

using namespace orrery;

namespace {

/// Six runs over beta_r 1, 2, 10 and zeta 1, 2: one failed, one is queued, and (2, 1) has two.
OutcomeTable sample() {
    OutcomeTable table;
    table.axes = {QStringLiteral("beta_r"), QStringLiteral("zeta")};
    table.results = {{QStringLiteral("v_r"), QStringLiteral("V_r")},
                     {QStringLiteral("x_h"), QStringLiteral("X_h")}};
    const auto add = [&](const char* id, double beta_r, double zeta, double v_r,
                         RunState state = RunState::Finished) {
        OutcomeTable::Run run{QLatin1String(id),
                              {QString::number(beta_r), QString::number(zeta)},
                              {beta_r, zeta},
                              {},
                              state};
        if (!std::isnan(v_r))
            run.results = {{QStringLiteral("v_r"), v_r}, {QStringLiteral("x_h"), -v_r / 10}};
        table.runs.push_back(run);
    };
    add("r1", 10, 1, -8);
    add("r2", 1, 1, -2);
    add("r3", 2, 1, -4);
    add("r4", 2, 1, -5);
    add("r5", 1, 2, std::nan(""), RunState::Failed);
    add("r6", 2, 2, -6);
    return table;
}

void keep(QWidget* window, const QString& name) {
    const QString folder = qEnvironmentVariable("ORRERY_TEST_PICTURES");
    if (folder.isEmpty()) return;
    QDir().mkpath(folder);
    window->grab().save(QDir(folder).filePath(name + QStringLiteral(".png")));
}

void solveInto(Workspace& workspace, double beta_r, double zeta) {
    RunSpec spec;
    spec.name = "steps";
    SolveJob job;
    job.world.name = "builtin:first_steps";
    job.solve.beta_r = beta_r;
    job.solve.zeta = zeta;
    spec.job = job;
    QCOMPARE(Run::start(spec, {.workspace = &workspace})->wait().exitStatus, 0);
}

QByteArray read(const QString& name) {
    QFile file(name);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

}  // namespace

/// The table of a sweep over two parameters, driven with mouse and keys.
class OutcomeHeatTest : public QObject {
    Q_OBJECT

    OutcomeHeat m_heat;

    QModelIndex at(int row, int column) { return m_heat.model()->index(row, column); }
    QPoint middle(int row, int column) {
        return m_heat.view()->visualRect(at(row, column)).center();
    }
    QString shown(int row, int column) { return at(row, column).data().toString(); }

private Q_SLOTS:
    void initTestCase() {
        loadIcons();
        applyTheme(*qApp, ThemeChoice::Light);
        m_heat.resize(560, 300);
        m_heat.setTable(sample());
        m_heat.show();
        m_heat.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&m_heat, kPatience));
    }

    void rowsAndColumnsAreTheParametersInOrder() {
        const QAbstractItemModelTester tester(
            m_heat.model(), QAbstractItemModelTester::FailureReportingMode::QtTest);
        QCOMPARE(m_heat.model()->rowCount(), 3);
        QCOMPARE(m_heat.model()->columnCount(), 2);
        QCOMPARE(m_heat.model()->headerData(2, Qt::Vertical, Qt::DisplayRole).toString(),
                 QStringLiteral("10"));
        QCOMPARE(m_heat.model()->headerData(1, Qt::Horizontal, Qt::DisplayRole).toString(),
                 QStringLiteral("2"));
        QCOMPARE(shown(0, 0), QStringLiteral("−2.000"));
        QCOMPARE(shown(2, 0), QStringLiteral("−8.000"));
    }

    void severalRunsAreTheirMeanAndSayHowMany() {
        QCOMPARE(m_heat.model()->cell(1, 0).value, -4.5);
        QCOMPARE(at(1, 0).data(OutcomeHeatModel::CountRole).toString(), QStringLiteral("n 2"));
        QVERIFY(at(1, 0).data(Qt::ToolTipRole).toString().contains(QStringLiteral("mean of 2")));
    }

    /// A run without a value is drawn as that, never as a colour.
    void whatIsMissingIsNoValue() {
        QCOMPARE(shown(0, 1), stateOfFailed());
        QCOMPARE(shown(2, 1), QStringLiteral("no run"));
        for (const auto& [row, column] : {std::pair(0, 1), std::pair(2, 1)})
            QVERIFY(!at(row, column).data(OutcomeHeatModel::FillRole).isValid());
        QCOMPARE(m_heat.model()->numMissing(), 2);
        OutcomeTable table = sample();
        table.runs[4].state = RunState::Queued;
        m_heat.setTable(table);
        QCOMPARE(shown(0, 1), QStringLiteral("queued"));
        m_heat.setTable(sample());
    }

    /// The pixel of each cell has the colour that the bar gives its value.
    void colorsAreThoseOfTheBar() {
        QCOMPARE(m_heat.model()->low(), -8.0);
        QCOMPARE(m_heat.model()->high(), -2.0);
        const QImage image = m_heat.view()->viewport()->grab().toImage();
        const OutcomeHeatModel& model = *m_heat.model();
        int numColored = 0;
        for (int row = 0; row < model.rowCount(); ++row)
            for (int column = 0; column < model.columnCount(); ++column) {
                const QVariant fill = at(row, column).data(OutcomeHeatModel::FillRole);
                if (!fill.isValid()) continue;
                ++numColored;
                const QRect cell = m_heat.view()->visualRect(at(row, column));
                const QColor pixel = image.pixelColor(cell.left() + 5, cell.top() + 5);
                QCOMPARE(pixel.name(), fill.value<QColor>().name());
                QCOMPARE(pixel.name(), model.colorOf(model.cell(row, column).value).name());
            }
        QVERIFY(numColored >= 4);
        QVERIFY(m_heat.model()->colorOf(-8) != m_heat.model()->colorOf(-2));
    }

    void pointerAndKeysChooseTheRun() {
        QSignalSpy hovered(m_heat.view(), &OutcomeHeatTable::hovered);
        QSignalSpy picked(m_heat.view(), &OutcomeHeatTable::picked);
        QSignalSpy opened(m_heat.view(), &OutcomeHeatTable::opened);
        QTest::mouseMove(m_heat.view()->viewport(), middle(2, 0));
        QTest::mouseMove(m_heat.view()->viewport(), middle(0, 0));
        QTRY_VERIFY_WITH_TIMEOUT(
            !hovered.isEmpty() && hovered.last()[0].toString() == QStringLiteral("r2"), kPatience);
        QTest::mouseClick(m_heat.view()->viewport(), Qt::LeftButton, {}, middle(0, 0));
        QCOMPARE(picked.last()[0].toString(), QStringLiteral("r2"));
        QTest::keyClick(m_heat.view(), Qt::Key_Down);
        QCOMPARE(picked.last()[0].toString(), QStringLiteral("r3"));
        QVERIFY(opened.isEmpty());
        QTest::keyClick(m_heat.view(), Qt::Key_Return);
        QCOMPARE(opened.last()[0].toString(), QStringLiteral("r3"));
        QTest::mouseClick(m_heat.view()->viewport(), Qt::LeftButton, {}, middle(1, 1));
        QTest::mouseDClick(m_heat.view()->viewport(), Qt::LeftButton, {}, middle(1, 1));
        QCOMPARE(opened.last()[0].toString(), QStringLiteral("r6"));
        const auto count = picked.size();
        m_heat.setCurrentRun(QStringLiteral("r4"));  // from elsewhere: shown, not told
        QCOMPARE(m_heat.view()->currentIndex(), at(1, 0));
        QCOMPARE(picked.size(), count);
    }

    void itIsCopiedWithAllDigits() {
        m_heat.view()->setFocus();
        QTest::keyClick(m_heat.view(), Qt::Key_C, Qt::ControlModifier);
        QCOMPARE(QGuiApplication::clipboard()->text(),
                 QStringLiteral("beta_r \\ zeta\t1\t2\n1\t-2\t\n2\t-4.5\t-6\n10\t-8\t\n"));
    }

    void resultAndSidesAreChosen() {
        auto* results = m_heat.findChild<QComboBox*>(QStringLiteral("outcomeHeatResult"));
        results->setFocus();
        QTest::keyClick(results, Qt::Key_Down);
        QCOMPARE(shown(0, 0), QStringLiteral("0.200"));
        QTest::mouseClick(m_heat.findChild<QPushButton*>(QStringLiteral("outcomeHeatSwap")),
                          Qt::LeftButton);
        QCOMPARE(m_heat.model()->rowCount(), 2);
        QCOMPARE(shown(0, 2), QStringLiteral("0.800"));
        OutcomeHeat other;
        other.setTable(sample());
        other.restoreFigure(m_heat.figureState());
        QCOMPARE(other.resultKey(), QStringLiteral("x_h"));
        QVERIFY(other.isTurned());
        m_heat.restoreFigure(
            {{QStringLiteral("result"), QStringLiteral("v_r")}, {QStringLiteral("turned"), false}});
    }

    void oneParameterIsSentToTheChart() {
        OutcomeTable table = sample();
        table.axes.removeLast();
        m_heat.setTable(table);
        QCOMPARE(m_heat.model()->rowCount(), 0);
        QVERIFY(!m_heat.view()->isVisible());
        m_heat.setTable(sample());
        QVERIFY(m_heat.view()->isVisible());
    }

    /// `orrery figure` draws the same bytes from the stored runs.
    void theFigureIsDrawnAgain() {
        QTemporaryDir folder;
        const std::filesystem::path home =
            folder.filePath(QStringLiteral("w.orrery")).toStdString();
        {
            const auto made = Workspace::open(home, Workspace::Mode::Create);
            for (const double beta_r : {1.0, 2.0})
                for (const double zeta : {1.0, 2.0, 3.0}) solveInto(*made, beta_r, zeta);
        }
        QSet<QString> ids;
        QJsonArray runs;
        for (int k = 1; k <= 6; ++k) {
            ids.insert(QStringLiteral("r0000%1").arg(k));
            runs.append(QStringLiteral("r0000%1").arg(k));
        }
        const CompareSet set = readCompareSet(home, ids);
        QCOMPARE(set.rows.size(), std::size_t{6});
        OutcomeHeat heat;
        heat.setTable(outcomeOfSet(set));
        heat.setResultKey(QStringLiteral("x_h"));
        heat.setTurned(true);
        QCOMPARE(heat.model()->numKnown(), 6);
        OutcomeChart chart;
        chart.setTable(outcomeOfSet(set));
        chart.setAxisKey(QStringLiteral("zeta"));
        QVERIFY(!chart.chart()->content().isXWhole);  // a parameter is no count
        QVERIFY(!chart.chart()->content().title.contains(QStringLiteral("ᵣ")));  // set as a symbol
        for (DrawsFigure* view :
             {static_cast<DrawsFigure*>(&heat), static_cast<DrawsFigure*>(chart.chart())}) {
            Figure figure;
            figure.view = view->figureId();
            figure.state = view->figureState();
            figure.source = {{QStringLiteral("runs"), runs}};
            figure.title = view->figureTitle();
            const QString file = folder.filePath(QStringLiteral("a.orrery-figure.json"));
            writeFigureFile(file.toStdString(), figure);
            for (const char* ending : {"png", "svg"}) {
                const QString here =
                    folder.filePath(QStringLiteral("here.") + QLatin1String(ending));
                const QString again =
                    folder.filePath(QStringLiteral("again.") + QLatin1String(ending));
                writeFigure(*view, figure, here.toStdString());
                drawFigure(
                    {.file = file.toStdString(), .picture = again.toStdString(), .workspace = home},
                    {});
                QVERIFY(read(here).size() > 1000);
                QVERIFY2(read(here) == read(again), qPrintable(figure.view));
            }
        }
    }

    void itLooksRightInBothThemes() {
        for (const ThemeChoice theme : {ThemeChoice::Light, ThemeChoice::Dark}) {
            applyTheme(*qApp, theme);
            m_heat.view()->setCurrentIndex(at(1, 0));
            finishEvents();
            keep(&m_heat, QStringLiteral("outcome-heat-") + nameOf(theme));
            const QImage image = m_heat.grab().toImage();
            const bool isLight = image.pixelColor(2, image.height() / 2).lightness() > 128;
            QCOMPARE(isLight, theme == ThemeChoice::Light);
        }
        applyTheme(*qApp, ThemeChoice::Light);
    }

private:
    static QString stateOfFailed() { return QStringLiteral("failed"); }
};

ORRERY_WINDOW_TEST(OutcomeHeatTest)
#include "outcome_heat_test.moc"
