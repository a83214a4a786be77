#pragma once

#include <QWidget>

namespace orrery {

/// Two curves with their bands, as Compare draws a study.
class StudyPicture : public QWidget {
    Q_OBJECT

public:
    using QWidget::QWidget;

protected:
    void paintEvent(QPaintEvent* event) override;
};

}  // namespace orrery
