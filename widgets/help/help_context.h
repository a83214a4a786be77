#pragma once

#include <QObject>
#include <QString>

class QWidget;

namespace orrery {

class Frame;

/// Where the manual speaks of a control: "world#overlays". Looks at the control and then at what it
/// lies in: a dynamic property "helpAnchor", a known object name, the page of the view.
/// "index" where nothing says more.
QString helpAddressOf(const QWidget* control, const Frame& frame);

/// What What's This says of a control, as HTML: its own text if it has one, else its name and tip;
/// then a link into the manual.
QString whatsThisOf(const QWidget* control, const Frame& frame);

/// Answers F1 in windows beside the program's and What's This everywhere. Lives as long as the
/// frame.
class HelpContext : public QObject {
    Q_OBJECT

public:
    explicit HelpContext(Frame* frame);

    bool eventFilter(QObject* watched, QEvent* event) override;

Q_SIGNALS:
    void helpRequested(const QString& address);

private:
    Frame* m_frame;
};

}  // namespace orrery
