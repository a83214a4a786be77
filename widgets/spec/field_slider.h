#pragma once

#include <QDoubleSpinBox>
#include <QObject>

#include "widgets/spec/field_scale.h"

class QLabel;
class QSlider;
class QToolButton;

namespace orrery {

/// A field for a number of a scale, as "0.0003", or "inf" where that takes it. Keystrokes that were
/// taken are not its own any more: Ctrl+Z undoes what they changed.
class FieldSpin : public QDoubleSpinBox {
    Q_OBJECT

public:
    FieldSpin(const FieldScale& scale, QWidget* parent);

    /// May be infinite.
    double number() const;
    void setNumber(double number);

    QString textFromValue(double value) const override;
    double valueFromText(const QString& text) const override;
    QValidator::State validate(QString& text, int& pos) const override;
    void stepBy(int steps) override;

private:
    bool isInfinity(const QString& word) const;

    FieldScale m_scale;
};

/// A field of a spec to turn: its name, a slider, the number, a button that resets it. Whoever
/// makes it lays them out.
class FieldSlider : public QObject {
    Q_OBJECT

public:
    /// @param prefix  of the object names: "steer_" gives "steer_slider_beta_r",
    /// "steer_spin_beta_r"
    /// @param nameHtml  what the field is called here
    FieldSlider(const RunField& field, const FieldScale& scale, const QString& prefix,
                QString nameHtml, QWidget* parent);

    QLabel* name() const { return m_name; }
    QSlider* slider() const { return m_slider; }
    FieldSpin* spin() const { return m_spin; }
    /// Shown while the value is marked as changed.
    QToolButton* addReset(const QString& name);

    /// While the handle is held the value stays where that is.
    void setValue(double value);
    void setTip(const QString& tip);
    void setEnabled(bool isEnabled);
    void setVisible(bool isVisible);
    /// Bold: it differs from what it is reset to.
    void setChanged(bool isChanged);

Q_SIGNALS:
    /// By a person. Of a slider that does not track, where its handle is left.
    void wished(double value);

private:
    QString m_nameHtml, m_prefix, m_field;
    FieldScale m_scale;
    QLabel* m_name;
    QSlider* m_slider;
    FieldSpin* m_spin;
    QToolButton* m_reset = nullptr;
};

}  // namespace orrery
