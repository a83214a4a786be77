#pragma once

#include <QWidget>

namespace orrery {

/// The example's boards side by side, as Entities shows them.
class BoardsPicture : public QWidget {
    Q_OBJECT

public:
    using QWidget::QWidget;

protected:
    void paintEvent(QPaintEvent* event) override;
};

}  // namespace orrery
