#pragma once

#include <QLabel>
#include <QStringList>

namespace orrery {

/// Where one is: from the world or the runs down to the state. It takes what the toolbar has left;
/// where that is too little, the middle of the first gives way to an ellipsis, then the first
/// parts, then the middle of the last; the tip has it whole.
class CrumbLabel : public QLabel {
public:
    explicit CrumbLabel(QWidget* parent);

    /// @param parts  rich text, from the whole to what is meant now
    void setParts(const QStringList& parts);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void fit();
    bool tryText(const QString& text);  ///< whether it has room
    bool shorten(const QString& part, const QString& before, const QString& after, qsizetype least);

    QStringList m_parts;
};

}  // namespace orrery
