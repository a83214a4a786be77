#pragma once

#include <QStringList>
#include <QWidget>

class QHBoxLayout;

namespace orrery {

/// Parts of a filter as chips, each with a cross that takes it away.
class ChipRow : public QWidget {
    Q_OBJECT

public:
    explicit ChipRow(QWidget* parent = nullptr);

    void setChips(const QStringList& chips);
    const QStringList& chips() const { return m_chips; }

Q_SIGNALS:
    void removed(int chip);

private:
    void rebuild();

    QStringList m_chips;
    QHBoxLayout* m_layout;
};

}  // namespace orrery
