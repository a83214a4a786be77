#pragma once

#include <QComboBox>

#include "core/run/preset.h"

namespace orrery {

/// The presets of a spec's kind to choose from. While a spec agrees with none it says so.
class PresetBox : public QComboBox {
    Q_OBJECT

public:
    explicit PresetBox(QWidget* parent = nullptr);

    /// Lists the presets of the spec's kind and shows the one that it agrees with.
    void follow(const RunSpec& spec);

Q_SIGNALS:
    /// By a person; never null.
    void chosen(const SpecPreset* preset);

private:
    const RunKind* m_kind = nullptr;
};

}  // namespace orrery
