#include "widgets/spec/preset_box.h"

#include <QSignalBlocker>

namespace orrery {

PresetBox::PresetBox(QWidget* parent) : QComboBox(parent) {
    setAccessibleName(tr("Preset"));
    setToolTip(tr("A row of values that belong together; the fields that it names become them"));
    setPlaceholderText(tr("values of your own"));
    connect(this, &QComboBox::activated, this, [this](int index) {
        if (index >= 0 && index < static_cast<int>(m_kind->presets.size()))
            Q_EMIT chosen(&m_kind->presets[static_cast<std::size_t>(index)]);
    });
}

void PresetBox::follow(const RunSpec& spec) {
    const QSignalBlocker blocker(this);
    if (m_kind != &spec.job.kind()) {
        m_kind = &spec.job.kind();
        clear();
        for (const SpecPreset& preset : m_kind->presets) {
            addItem(QString::fromStdString(preset.name));
            setItemData(count() - 1, QString::fromStdString(preset.meaning), Qt::ToolTipRole);
        }
    }
    const SpecPreset* preset = presetOf(spec);
    setCurrentIndex(preset == nullptr ? -1 : static_cast<int>(preset - m_kind->presets.data()));
}

}  // namespace orrery
