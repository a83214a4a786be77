#pragma once

#include <QDoubleSpinBox>
#include <QString>
#include <optional>

#include "core/run/run_kind.h"

namespace orrery {

/// How a live field lies on a slider of kPlaces + 1 places: evenly in its logarithm, or evenly.
/// Values beyond the slider's ends can be typed.
struct SteerScale {
    static constexpr int kPlaces = 1000;

    double low = 0, high = 1;  ///< at the ends of the slider
    bool isLog = false;
    bool isWhole = false;
    double least = 0, most = 1;  ///< that can be typed

    /// The nearest place of a value.
    int place(double value) const;
    /// With two significant digits.
    double value(int place) const;
};

/// The scale of a field that may be changed while a run trains.
SteerScale steerScaleOf(const RunField& field);

/// What a live field is called wherever it is named, with its name in files: "rate of V_h^e
/// (lr_v_h_e)"; a name that is no live field's is given back.
QString steerName(const RunKind& kind, const QString& field);

/// A field for a number of any size, "0.0003"; steps multiply it where the scale is logarithmic.
class SteerSpin : public QDoubleSpinBox {
    Q_OBJECT

public:
    SteerSpin(const SteerScale& scale, QWidget* parent);

    QString textFromValue(double value) const override;
    double valueFromText(const QString& text) const override;
    QValidator::State validate(QString& text, int& pos) const override;
    void stepBy(int steps) override;

private:
    SteerScale m_scale;
};

/// A number as fields take it: "0.0003", "64".
QString steerText(double value);

/// A value of a change as steerText() writes it; what is no number stays as it is.
QString steerText(const QString& value);

}  // namespace orrery
