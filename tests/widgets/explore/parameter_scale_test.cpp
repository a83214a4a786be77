#include "widgets/explore/parameter_scale.h"

#include <QTest>
#include <cmath>
#include <limits>

#include "tests/support/test_program.h"

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
                SolveSpec spec;
                spec.gamma_r.reset();
                spec.rho_r = 0.01;
                setExploredValue(spec, scale, scale.value(place));
                QVERIFY2(validate(spec).empty(), scale.field);
                QCOMPARE(exploredValue(spec, scale), scale.value(place));
            }
    }

    void aRateIsToldAsADiscount() {
        SolveSpec spec;
        spec.gamma_h.reset();
        spec.rho_h = 0.1;
        const ParameterScale& gamma = parameterScales()[2];
        QCOMPARE(gamma.field, "gamma_h");
        QCOMPARE(exploredValue(spec, gamma), std::exp(-0.1));
        setExploredValue(spec, gamma, 0.9);
        QVERIFY(!spec.rho_h);
        QCOMPARE(*spec.gamma_h, 0.9);
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
