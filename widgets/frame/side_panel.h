#pragma once

#include <QDockWidget>
#include <functional>

namespace orrery {

struct ViewSpec;

/// A view beside the centre: a dock with a quiet title row, which can float, be moved and closed.
/// Its content is made when it is first shown.
class SidePanel : public QDockWidget {
    Q_OBJECT

public:
    SidePanel(const ViewSpec& spec, QWidget* parent);

    /// Makes the content now.
    QWidget* content();

Q_SIGNALS:
    /// The person pressed the close button.
    void closeRequested();

protected:
    void showEvent(QShowEvent* event) override;

private:
    QWidget* makeTitle(const ViewSpec& spec);

    std::function<QWidget*(QWidget*)> m_make;
    bool m_isMade = false;
};

}  // namespace orrery
