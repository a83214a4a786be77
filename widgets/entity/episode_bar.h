#pragma once

#include <QWidget>

class QComboBox;
class QLabel;
class QPushButton;
class QSlider;
class QToolButton;

namespace orrery {

class EntitySession;

/// Below the picture: which of the environments, first, play and next frame, the frames to scrub
/// over, how fast, and going on by hand from a frame that is past.
class EpisodeBar : public QWidget {
    Q_OBJECT

public:
    EpisodeBar(EntitySession* session, QWidget* parent);

protected:
    void changeEvent(QEvent* event) override;

private:
    QToolButton* addButton(const char* name, const QString& tip);
    void goNext();
    void refresh();
    void refreshIcons();

    EntitySession* m_session;
    QComboBox* m_which;
    QToolButton *m_first, *m_play, *m_next;
    QSlider* m_slider;
    QLabel* m_place;
    QComboBox* m_speed;
    QPushButton* m_takeOver;
};

/// The picture with the bar below it.
QWidget* makeEpisodePanel(EntitySession* session, QWidget* parent);

}  // namespace orrery
