#pragma once

#include <QPointer>
#include <QToolButton>

namespace orrery {

class ViewScope;

/// The small mark at a view that says what it shows and whether it follows: "t 6 · s 1 204 · live".
/// A click freezes the view or lets it follow again. Hidden without a scope.
class ScopeChip : public QToolButton {
    Q_OBJECT

public:
    explicit ScopeChip(QWidget* parent = nullptr);

    /// @param view  the title of the view
    void setScope(ViewScope* scope, const QString& view);
    ViewScope* scope() const { return m_scope; }
    /// Shows the text of the scope as it is now. It takes at most so much; a shorter one is shown
    /// where it would take more.
    void setRoom(int width);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

Q_SIGNALS:
    /// The person wants the view to be frozen or to follow.
    void freezeRequested(bool isFrozen);

protected:
    void changeEvent(QEvent* event) override;

private:
    void refresh();
    void fit();

    QPointer<ViewScope> m_scope;
    QString m_view;
    int m_room = 400;
};

}  // namespace orrery
