#pragma once

#include <QColor>
#include <QString>
#include <QWidget>
#include <vector>

namespace orrery {

/// One bar with a name at its left and up to two numbers at its right.
struct ValueBar {
    QString name;
    double share = 0;       ///< length of the bar, in [0, 1]
    QString value;          ///< first number
    QString second;         ///< second number, quieter; empty: none
    QColor color;           ///< of the bar
    bool isStrong = false;  ///< the name is bold: the largest, or the current one
    bool hasFrame = false;  ///< a dashed goal frame in the bar's colour stands before the name
};

/// Bars under each other, names left, numbers in columns at the right.
class ValueBars : public QWidget {
    Q_OBJECT

public:
    ValueBars(const QString& name, QWidget* parent);

    /// @param valueSymbol, secondSymbol heads under the number columns ("pi_r"); empty: none
    void setBars(std::vector<ValueBar> bars, const QString& valueSymbol = {},
                 const QString& secondSymbol = {});
    const std::vector<ValueBar>& bars() const { return m_bars; }

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return QSize(180, sizeHint().height()); }

Q_SIGNALS:
    void picked(int bar);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;

private:
    std::vector<ValueBar> m_bars;
    QString m_valueSymbol, m_secondSymbol;
};

}  // namespace orrery
