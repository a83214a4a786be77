#pragma once

#include <QWidget>
#include <functional>

namespace orrery {

/// The place of a view in the centre that is made when it is looked at for the first time: a tab
/// that nobody opens costs nothing.
class LatePage : public QWidget {
    Q_OBJECT

public:
    /// @param make  makes the view as a child of the given widget; called once at most
    LatePage(std::function<QWidget*(QWidget* parent)> make, QWidget* parent);

    /// The view, made if it was not.
    QWidget* content();

protected:
    void showEvent(QShowEvent* event) override;

private:
    std::function<QWidget*(QWidget* parent)> m_make;
    QWidget* m_content = nullptr;
};

}  // namespace orrery
