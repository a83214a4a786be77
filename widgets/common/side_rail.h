#pragma once

#include <QFrame>
#include <QList>

class QStackedWidget;
class QToolButton;
class QVBoxLayout;

namespace orrery {

/// The rail at the window's left edge: one entry a page, the current one lit. The pages stand in a
/// stack that the owner places beside it.
class SideRail : public QFrame {
    Q_OBJECT

public:
    explicit SideRail(QWidget* parent = nullptr);

    QStackedWidget* pages() const { return m_pages; }
    void addPage(QWidget* page, const QString& name, const QString& icon, const QString& tip);
    void showPage(int page);
    int currentPage() const;

protected:
    void changeEvent(QEvent* event) override;

private:
    void refreshIcons();

    QStackedWidget* m_pages;
    QVBoxLayout* m_layout;
    QList<QToolButton*> m_buttons;
    QList<QString> m_icons;
};

}  // namespace orrery
