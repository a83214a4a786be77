#include <ATen/ATen.h>

#include <QTest>
#include <cmath>

#include "core/nn/parameters.h"
#include "tests/support/test_program.h"

using namespace orrery;

/// How the numbers of layers begin.
class ParametersTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void rowsAreOrthogonalAndOfOneLength_data() {
        QTest::addColumn<int>("outputs");
        QTest::addColumn<int>("inputs");
        QTest::newRow("wide") << 5 << 12;
        QTest::newRow("tall") << 12 << 5;
        QTest::newRow("square") << 64 << 64;
    }
    void rowsAreOrthogonalAndOfOneLength() {
        QFETCH(int, outputs);
        QFETCH(int, inputs);
        ParameterMaker make(7);
        const at::Tensor w =
            make.orthogonal("w", {outputs, inputs}, std::sqrt(2.0)).detach().to(at::kDouble);
        const at::Tensor products = outputs <= inputs ? w.mm(w.t()) : w.t().mm(w);
        const at::Tensor wanted = 2 * at::eye(std::min(outputs, inputs), at::kDouble);
        QVERIFY((products - wanted).abs().max().item<double>() < 1e-5);
    }

    void kaimingKeepsTheSizeOfWhatIsRectified() {
        ParameterMaker make(3);
        const at::Tensor w = make.kaiming("w", {512, 400}, std::sqrt(2.0)).detach();
        QVERIFY(std::abs(w.mean().item<double>()) < 1e-3);
        QVERIFY(std::abs(w.std().item<double>() - std::sqrt(2.0 / 400)) < 1e-3);
        // Of a kernel all that one output reads counts.
        const at::Tensor kernel = make.kaiming("k", {64, 32, 3, 3}, 1).detach();
        QVERIFY(std::abs(kernel.std().item<double>() - std::sqrt(1.0 / (32 * 9))) < 1e-3);
    }

    void layersBeginAsTheyAreTold() {
        ParameterMaker make(1);
        const LinearLayer plain(make, "plain", 16, 8);
        QVERIFY(plain.weight.abs().max().item<double>() <= 0.25);
        QVERIFY(plain.bias.abs().max().item<double>() > 0);
        const LinearLayer small(make, "small", 16, 8,
                                {.kind = LayerStart::Kind::Orthogonal, .gain = 0.01});
        QVERIFY(std::abs(small.weight.norm().item<double>() - 0.01 * std::sqrt(8.0)) < 1e-6);
        QCOMPARE(small.bias.abs().max().item<double>(), 0.0);
        const ConvolutionLayer cells(make, "cells", 3, 4, {.kind = LayerStart::Kind::Normal});
        QCOMPARE(cells.weight.sizes().vec(), (std::vector<std::int64_t>{4, 3, 3, 3}));
        QCOMPARE(bytesOf(make.take()), 4 * (16 * 8 + 8 + 16 * 8 + 8 + 3 * 4 * 9 + 4));
    }

    void numbersFollowFromSeedAndNameAlone() {
        ParameterMaker one(5), other(5), third(6);
        other.normal("first", {3});
        const at::Tensor a = one.orthogonal("w", {4, 4}, 1);
        QVERIFY(at::equal(a, other.orthogonal("w", {4, 4}, 1)));
        QVERIFY(!at::equal(a, third.orthogonal("w", {4, 4}, 1)));
    }
};

ORRERY_TEST(ParametersTest)
#include "parameters_test.moc"
