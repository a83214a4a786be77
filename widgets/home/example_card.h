#pragma once

#include <QFrame>
#include <QString>

class QLabel;
class QPushButton;

namespace orrery {

/// What a card says.
struct CardText {
    QString stem;      ///< of object names: "card_STEM", "run_STEM"
    QString title;     ///< "Locked pantry"
    QString sentence;  ///< what one sees or learns
    QString button;    ///< "Run"
    QString place;     ///< perspective that opens: "Plan"
    QString tip;       ///< what a click on the card does
    QString buttonTip;
};

/// One example on Home: a picture, what it teaches, and a button that starts it at once.
class ExampleCard : public QFrame {
    Q_OBJECT

public:
    /// @param picture  becomes a child; its height is set here
    /// @param isFirst  its button is the filled one of the page
    ExampleCard(const CardText& text, QWidget* picture, bool isFirst, QWidget* parent);

    /// The picture is as high as suits a card of this width.
    void setPictureWidth(int width);
    /// "solved in 0.4 s", or how long it takes about.
    void setExperience(const QString& text);

Q_SIGNALS:
    void chosen();
    void runRequested();

protected:
    void mouseReleaseEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void refreshIcon();

    bool m_isFirst;
    QWidget* m_picture = nullptr;
    QPushButton* m_run;
    QLabel* m_experience;
};

}  // namespace orrery
