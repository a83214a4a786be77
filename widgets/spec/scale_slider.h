#pragma once

#include <QSlider>

#include "widgets/spec/field_scale.h"

namespace orrery {

/// A slider for the numbers of a scale.
class ScaleSlider : public QSlider {
    Q_OBJECT

public:
    ScaleSlider(const FieldScale& scale, QWidget* parent);

    /// While the handle is held it stays.
    void setNumber(double number);

Q_SIGNALS:
    /// By a person: the number at the handle.
    void moved(double number);
    /// The same where the handle is left, if the slider does not track.
    void wished(double number);

private:
    FieldScale m_scale;
};

}  // namespace orrery
