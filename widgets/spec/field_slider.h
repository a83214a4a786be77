#pragma once

#include <QDoubleSpinBox>
#include <QObject>

#include "core/run/run_fields.h"
#include "widgets/spec/scale_slider.h"

class QLabel;

namespace orrery {

/// A field for a number of a scale, as "0.0003". Keystrokes that were taken are not its own any
/// more: Ctrl+Z undoes what they changed.
class FieldSpin : public QDoubleSpinBox {
    Q_OBJECT

public:
    FieldSpin(const FieldScale& scale, QWidget* parent);

    QString textFromValue(double value) const override;
    double valueFromText(const QString& text) const override;
    QValidator::State validate(QString& text, int& pos) const override;
    void stepBy(int steps) override;

private:
    FieldScale m_scale;
};

/// A field of a spec to turn: its name, a slider, the number. Whoever makes it lays them out.
class FieldSlider : public QObject {
    Q_OBJECT

public:
    /// @param prefix  of the object names: "steer_" gives "steer_slider_beta_r",
    /// "steer_spin_beta_r"
    /// @param nameHtml  what the field is called here
    FieldSlider(const RunField& field, const FieldScale& scale, const QString& prefix,
                const QString& nameHtml, QWidget* parent);

    QLabel* name() const { return m_name; }
    ScaleSlider* slider() const { return m_slider; }
    FieldSpin* spin() const { return m_spin; }

    /// While the handle is held the value stays where that is.
    void setValue(double value);
    void setTip(const QString& tip);
    void setEnabled(bool isEnabled);
    void setVisible(bool isVisible);

Q_SIGNALS:
    /// By a person. Of a slider that does not track, where its handle is left.
    void wished(double value);

private:
    QLabel* m_name;
    ScaleSlider* m_slider;
    FieldSpin* m_spin;
};

}  // namespace orrery
