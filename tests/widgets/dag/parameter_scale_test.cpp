#include "widgets/dag/parameter_scale.h"

#include <QTest>
#include <cmath>
#include <limits>

#include "core/run/jobs/solve_job.h"
#include "tests/support/test_program.h"
#include "widgets/spec/field_text.h"

using namespace orrery;

class ParameterScaleTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyPlaceHasAValueThatLeadsBackToIt() {
        for (const ParameterScale& scale : parameterScales()) {
            double before = -1;
            for (int place = 0; place <= FieldScale::kPlaces; ++place) {
                const double value = scale.value(place);
                QVERIFY2(value >= before, scale.field);
                before = value;
                // Three digits: neighbours may share a value.
                QVERIFY2(std::abs(scale.place(value) - place) <= 1 ||
                             scale.value(scale.place(value)) == value,
                         scale.field);
            }
        }
    }

    void theEndsAreWhatTheScaleSays() {
        for (const ParameterScale& scale : parameterScales()) {
            const double last = scale.value(FieldScale::kPlaces);
            QCOMPARE(std::isinf(last), scale.takesInfinity);
            if (!scale.takesInfinity) QCOMPARE(last, scale.high);
            QCOMPARE(scale.value(0), scale.takesZero ? 0.0 : scale.low);
            QCOMPARE(scale.place(1e9), FieldScale::kPlaces);
        }
    }

    void everyValueOfASliderIsARightSpec() {
        for (const ParameterScale& scale : parameterScales())
            for (int place = 0; place <= FieldScale::kPlaces; place += 50) {
                RunSpec spec;
                spec.job = SolveJob{};
                SolveSpec& solve = spec.job.as<SolveJob>().solve;
                solve.gamma_r.reset();
                solve.rho_r = 0.01;
                const RunField& field = *findField("solve", scale.field);
                QCOMPARE(parameterScale(field), &scale);
                QCOMPARE(takeFieldText(field, numberFieldText(scale.value(place)), spec),
                         QString());
                QVERIFY2(validate(solve).empty(), scale.field);
                QCOMPARE(static_cast<float>(exploredValue(solve, scale)),
                         static_cast<float>(scale.value(place)));
            }
        QVERIFY(parameterScale(*findField("solve", "nu")) == nullptr);
    }

    void aRateIsToldAsADiscountAndTakenAsARate() {
        SolveSpec run, spec;
        run.gamma_h.reset();
        run.rho_h = 0.1;
        const ParameterScale& gamma = parameterScales()[2];
        QCOMPARE(gamma.field, "gamma_h");
        QCOMPARE(exploredValue(run, gamma), std::exp(-0.1));
        takeExploredValue(spec, gamma, run);
        QVERIFY(!spec.gamma_h);
        QCOMPARE(*spec.rho_h, 0.1);
        QCOMPARE(spec, run);
    }

    void theMarkNamesWhatDiffers() {
        SolveSpec run, wanted;
        run.beta_r = 5;
        wanted.beta_r = 7.5;
        const QString html = explorationHtml(wanted, run);
        QVERIFY2(html.contains(QStringLiteral("7.5 (run has 5)")), qPrintable(html));
        QVERIFY(!html.contains(QStringLiteral("ζ")));
        wanted.beta_r = std::numeric_limits<double>::infinity();
        QVERIFY(explorationHtml(wanted, run).contains(QStringLiteral("∞")));
        QVERIFY(explorationHtml(run, run).isEmpty());
    }
};

ORRERY_TEST(ParameterScaleTest)
#include "parameter_scale_test.moc"
