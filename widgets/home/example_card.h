#pragma once

#include <QFrame>
#include <memory>

#include "widgets/bridge/world_loader.h"

class QLabel;
class QPushButton;

namespace orrery {

/// One example on Home: its picture, what it teaches, and a button that solves it at once.
class ExampleCard : public QFrame {
    Q_OBJECT

public:
    /// @param isFirst  its button is the filled one of the page
    ExampleCard(const LoadedWorld& example, bool isFirst, QWidget* parent);

    /// "took 0.4 s last time"; empty: never solved here.
    void setExperience(const QString& text);
    const QString& world() const { return m_world; }

Q_SIGNALS:
    void chosen(const QString& world);
    void runRequested(const QString& world);

protected:
    void mouseReleaseEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void refreshIcon();

    QString m_world;
    bool m_isFirst;
    QPushButton* m_run;
    QLabel* m_experience;
};

}  // namespace orrery
