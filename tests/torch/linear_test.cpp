// Proves that the LibTorch target compiles, links, runs and differentiates beside Qt Test.

#include <torch/nn/modules/linear.h>
#include <torch/optim/sgd.h>
#include <torch/utils.h>

#include <QTest>

#include "tests/support/test_program.h"

class TorchLinearTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        torch::manual_seed(1);
        at::set_num_threads(1);
    }

    void gradientOfTheSquareErrorIsExact() {
        // y = 3 x - 2 at x = 5 is 13; the error against 10 is 3, so dL/dw = 2 * 3 * 5, dL/db = 2
        // * 3.
        torch::nn::Linear layer(1, 1);
        const torch::NoGradGuard off;
        layer->weight.fill_(3.0);
        layer->bias.fill_(-2.0);
        {
            const torch::AutoGradMode on(true);
            const torch::Tensor y = layer->forward(torch::full({1, 1}, 5.0));  // [1, 1]
            (y - 10.0).square().sum().backward();
        }
        QCOMPARE(layer->weight.grad().item<float>(), 30.0F);
        QCOMPARE(layer->bias.grad().item<float>(), 6.0F);
    }

    void trainingFindsTheLayerThatMadeTheData() {
        // Data without noise from y = W x + b, so the least-squares solution is (W, b) itself.
        const torch::Tensor weight = torch::tensor({{2.0, -1.0, 0.5}, {0.0, 3.0, -2.0}});  // [2, 3]
        const torch::Tensor bias = torch::tensor({0.25, -4.0});                            // [2]
        const torch::Tensor x = torch::randn({64, 3}, torch::kDouble);  // [64, 3]
        const torch::Tensor y = x.matmul(weight.to(torch::kDouble).t()) + bias.to(torch::kDouble);

        torch::nn::Linear layer(3, 2);
        layer->to(torch::kDouble);
        torch::optim::SGD optimizer(layer->parameters(), torch::optim::SGDOptions(0.2));
        double first = 0;
        double last = 0;
        for (int step = 0; step < 400; ++step) {
            optimizer.zero_grad();
            const torch::Tensor loss = (layer->forward(x) - y).square().mean();
            loss.backward();
            optimizer.step();
            last = loss.item<double>();
            if (step == 0) first = last;
        }
        QVERIFY2(first > 0.1, qPrintable(QStringLiteral("first loss %1").arg(first)));
        QVERIFY2(last < 1e-12, qPrintable(QStringLiteral("last loss %1").arg(last)));
        // 400 steps shrink the error far below this; what is left is rounding in double.
        QVERIFY(torch::allclose(layer->weight, weight.to(torch::kDouble), 0.0, 1e-6));
        QVERIFY(torch::allclose(layer->bias, bias.to(torch::kDouble), 0.0, 1e-6));
    }
};

ORRERY_TEST(TorchLinearTest)
#include "linear_test.moc"
