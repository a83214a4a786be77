#pragma once

#include <QScrollArea>
#include <functional>

namespace orrery {

/// The place of a view in the centre. The view is made when it is first asked for, so that a tab
/// that nobody opens costs nothing; where there is less room than it needs, it is scrolled.
class ViewPage : public QScrollArea {
    Q_OBJECT

public:
    /// @param make  makes the view as a child of the given widget; called once at most
    ViewPage(std::function<QWidget*(QWidget* parent)> make, QWidget* parent);

    /// The view, made if it was not.
    QWidget* content();

protected:
    void showEvent(QShowEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void squeeze();

    std::function<QWidget*(QWidget* parent)> m_make;
    QWidget* m_view = nullptr;
};

}  // namespace orrery
