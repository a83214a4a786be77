#pragma once

#include <QWidget>

namespace orrery {

/// The 8-pixel mark beside an exact number: a filled square. Other kinds of numbers get other
/// shapes.
class TrustMark : public QWidget {
    Q_OBJECT

public:
    explicit TrustMark(QWidget* parent);

protected:
    void paintEvent(QPaintEvent* event) override;
};

}  // namespace orrery
