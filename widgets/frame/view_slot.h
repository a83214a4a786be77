#pragma once

#include <QString>
#include <QWidget>

namespace orrery {

/// The place of a view in its group. The view itself stays a child of the whole centre, under the
/// groups, and follows its place: given another parent, the style of each of its widgets would be
/// worked out anew, which takes longer than all else that moving a view does.
class ViewSlot : public QWidget {
    Q_OBJECT

public:
    /// @param view  stays as it is, shown or hidden, until this is shown or settles
    ViewSlot(QWidget* view, QString id);

    /// Null once it is released.
    QWidget* view() const { return m_view; }
    const QString& id() const { return m_id; }
    /// Puts the view where this is, or hides it where this is not to be seen.
    void settle();
    /// Lets go of the view, which stays as it is.
    QWidget* release();

    QSize sizeHint() const override;

Q_SIGNALS:
    void placed();
    /// The view is hidden, and had the keyboard.
    void keyboardLost();

protected:
    void moveEvent(QMoveEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;

private:
    QWidget* m_view;
    QString m_id;
};

}  // namespace orrery
