#include "widgets/spec/scale_slider.h"

#include <QSignalBlocker>

namespace orrery {

ScaleSlider::ScaleSlider(const FieldScale& scale, QWidget* parent)
    : QSlider(Qt::Horizontal, parent), m_scale(scale) {
    setRange(0, FieldScale::kPlaces);
    setSingleStep(10);
    setPageStep(100);
    connect(this, &QSlider::sliderMoved, this,
            [this](int place) { Q_EMIT moved(m_scale.value(place)); });
    connect(this, &QSlider::valueChanged, this,
            [this](int place) { Q_EMIT wished(m_scale.value(place)); });
}

void ScaleSlider::setNumber(double number) {
    if (isSliderDown()) return;
    const QSignalBlocker blocker(this);
    setValue(m_scale.place(number));
}

}  // namespace orrery
