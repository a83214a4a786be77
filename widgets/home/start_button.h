#pragma once

#include <QAbstractButton>

namespace orrery {

/// A wide button with an icon, a title over a sentence, and its shortcut.
class StartButton : public QAbstractButton {
    Q_OBJECT

public:
    StartButton(const QString& icon, const QString& title, const QString& sentence,
                const QString& keys, QWidget* parent);

    QSize sizeHint() const override;
    /// Without the keys, which are left out where there is no room.
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QString m_icon, m_sentence, m_keys;
};

}  // namespace orrery
