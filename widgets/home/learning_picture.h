#pragma once

#include <QWidget>

namespace orrery {

/// Two errors that fall towards the exact line: the picture of learning.
class LearningPicture : public QWidget {
    Q_OBJECT

public:
    using QWidget::QWidget;

protected:
    void paintEvent(QPaintEvent* event) override;
};

}  // namespace orrery
