#include <ATen/ATen.h>

#include <QTest>
#include <cmath>

#include "core/nn/adam.h"
#include "tests/support/test_program.h"

using namespace orrery;

class AdamTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void adamTakesTheStepsItIsKnownFor_data() {
        QTest::addColumn<bool>("isDecoupled");
        QTest::addColumn<double>("epsilon");
        QTest::newRow("Adam") << false << 1e-8;
        QTest::newRow("AdamW") << true << 1e-8;
        QTest::newRow("AdamW, large epsilon") << true << 1e-2;
    }
    void adamTakesTheStepsItIsKnownFor() {
        QFETCH(bool, isDecoupled);
        QFETCH(double, epsilon);
        at::Tensor x = at::tensor({1.0F, -2.0F}).requires_grad_();
        at::Tensor idle = at::tensor({5.0F}).requires_grad_();
        Adam adam({{"x", x}, {"idle", idle}},
                  {.epsilon = epsilon, .weightDecay = 0.1, .isDecoupled = isDecoupled});
        double m[2] = {}, v[2] = {}, value[2] = {1, -2};
        for (int t = 1; t <= 50; ++t) {
            adam.zeroGradients();
            (x * x * at::tensor({1.0F, 3.0F})).sum().backward();
            adam.step(0.05);
            for (int i = 0; i < 2; ++i) {
                const double slope = 2 * value[i] * (i == 0 ? 1 : 3);
                const double gradient = slope + (isDecoupled ? 0 : 0.1 * value[i]);
                if (isDecoupled) value[i] -= 0.05 * 0.1 * value[i];
                m[i] = 0.9 * m[i] + 0.1 * gradient;
                v[i] = 0.999 * v[i] + 0.001 * gradient * gradient;
                value[i] -= 0.05 * (m[i] / (1 - std::pow(0.9, t))) /
                            (std::sqrt(v[i] / (1 - std::pow(0.999, t))) + epsilon);
                QVERIFY(std::abs(x[i].item<double>() - value[i]) < 1e-5);
            }
        }
        QCOMPARE(idle.item<float>(), 5.0F);
        QCOMPARE(adam.state()[2].name, std::string("x.step"));
        QCOMPARE(adam.state()[2].tensor.item<float>(), 50.0F);
        QCOMPARE(adam.state()[5].tensor.item<float>(), 0.0F);
    }

    void gradientsAreClippedToACommonNorm() {
        at::Tensor a = at::zeros({2}).requires_grad_();
        at::Tensor b = at::zeros({1}).requires_grad_();
        Adam adam({{"a", a}, {"b", b}}, {});
        (a * at::tensor({2.0F, 3.0F})).sum().add((b * 6).sum()).backward();
        QVERIFY(std::abs(adam.clipGradients(3.5).item<double>() - 7) < 1e-5);
        QVERIFY(at::allclose(a.grad(), at::tensor({1.0F, 1.5F}), 0, 1e-5));
        QVERIFY(at::allclose(b.grad(), at::tensor({3.0F}), 0, 1e-5));
        QVERIFY(std::abs(adam.clipGradients(100).item<double>() - 3.5) < 1e-5);
        QVERIFY(at::allclose(b.grad(), at::tensor({3.0F}), 0, 1e-5));
    }
};

ORRERY_TEST(AdamTest)
#include "adam_test.moc"
