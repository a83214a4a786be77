#include "widgets/compare/setting_colors.h"

#include <QCryptographicHash>
#include <algorithm>
#include <array>

namespace orrery {

namespace {

constexpr int kNumColors = 8;
constexpr int kMostKept = 2000;

/// What makes a run's setting: its world and all parameters that change values.
QString settingKey(const RunSheet& sheet, int row) {
    QByteArray text;
    for (const SheetColumn& column : sheet.columns)
        if (countsForSetting(column))
            text += column.key.toUtf8() + '\x1f' +
                    column.text[static_cast<std::size_t>(row)].toUtf8() + '\x1e';
    return QString::fromLatin1(
        QCryptographicHash::hash(text, QCryptographicHash::Sha1).toHex().left(16));
}

}  // namespace

void SettingColors::apply(CompareSet& set) {
    if (!set.sheet) return;
    std::array<int, kNumColors> numUsed{};
    std::vector<QString> keys;
    std::vector<bool> isGiven(set.settings.size(), false);
    for (const Setting& setting : set.settings)
        keys.push_back(settingKey(*set.sheet, setting.rows.front()));
    for (const bool byHand : {true, false})
        for (std::size_t i = 0; i < keys.size(); ++i) {
            const auto known = m_choices.constFind(keys[i]);
            if (isGiven[i] || known == m_choices.constEnd() || known->isByHand != byHand) continue;
            const auto color = static_cast<std::size_t>(known->color);
            if (!byHand && numUsed[color] > 0) continue;
            set.settings[i].color = known->color;
            ++numUsed[color];
            isGiven[i] = true;
        }
    for (std::size_t i = 0; i < keys.size(); ++i) {
        if (isGiven[i]) continue;
        const auto least = std::ranges::min_element(numUsed);
        set.settings[i].color = static_cast<int>(least - numUsed.begin());
        ++*least;
        if (m_choices.size() < kMostKept && !m_choices.contains(keys[i]))
            m_choices.insert(keys[i], {set.settings[i].color, false});
    }
}

void SettingColors::choose(const RunSheet& sheet, int row, int color) {
    m_choices.insert(settingKey(sheet, row), {std::clamp(color, 0, kNumColors - 1), true});
}

QJsonObject SettingColors::save() const {
    QJsonObject state;
    for (auto it = m_choices.constBegin(); it != m_choices.constEnd(); ++it)
        state.insert(it.key(), it->isByHand ? it->color + kNumColors : it->color);
    return state;
}

void SettingColors::restore(const QJsonObject& state) {
    m_choices.clear();
    for (auto it = state.constBegin(); it != state.constEnd(); ++it)
        if (const int number = it.value().toInt(-1); number >= 0 && number < 2 * kNumColors)
            m_choices.insert(it.key(), {number % kNumColors, number >= kNumColors});
}

}  // namespace orrery
