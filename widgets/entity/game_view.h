#pragma once

#include "core/env/picture.h"
#include "widgets/common/painted_view.h"

namespace orrery {

class EntitySession;

/// The episode as a picture, what it came to so far, and the keys that play it: letters choose,
/// Backspace takes back.
class GameView : public PaintedWidget {
    Q_OBJECT

public:
    GameView(EntitySession* session, QWidget* parent);

    std::vector<NamedSpot> namedSpots() const override;
    QJsonObject spotFacts() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    QRect pictureRect() const;
    QString headline() const;
    void refresh();

    EntitySession* m_session;
    Picture m_picture;
};

/// The letter or digit that chooses the option with this place in its list; 0: it has none.
QChar optionKey(std::size_t place);
/// Chooses by such a key. @return whether it is one
bool chooseByKey(EntitySession& session, const QString& text);

}  // namespace orrery
