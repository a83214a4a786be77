#pragma once

#include <QDockWidget>
#include <QPointer>
#include <functional>

namespace orrery {

class ScopeChip;
class ViewScope;
struct ViewSpec;

/// A view beside the centre: a dock with a quiet title row, which can float, be moved and closed.
/// Its content is made when it is first shown.
class SidePanel : public QDockWidget {
    Q_OBJECT

public:
    SidePanel(const ViewSpec& spec, QWidget* parent);

    /// The object name of the panel of a view.
    static QString nameOf(const QString& viewId) { return QStringLiteral("panel_") + viewId; }

    /// What the panel shows, made if it was not; scrolled where it is higher than the panel.
    QWidget* content();
    /// The same; null until it is made.
    QWidget* made() const { return m_content; }
    /// Shows the chip of a scope in the title row. Null: none.
    void setScope(ViewScope* scope);

Q_SIGNALS:
    /// The person pressed the close button.
    void closeRequested();
    // The person asked for it in the menu of the title row or by the chip.
    void duplicateRequested();
    void freezeRequested(bool isFrozen);

protected:
    bool event(QEvent* event) override;
    void showEvent(QShowEvent* event) override;

private:
    void fillTitle();
    void showTitleMenu(const QPoint& global);
    void stayOnScreen();

    QString m_id, m_tip;
    std::function<QWidget*(QWidget*)> m_make;
    QPointer<ViewScope> m_scope;
    ScopeChip* m_chip = nullptr;
    QWidget* m_content = nullptr;
};

}  // namespace orrery
