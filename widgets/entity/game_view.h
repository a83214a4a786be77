#pragma once

#include "core/entity/places_of_things.h"
#include "widgets/common/draws_figure.h"
#include "widgets/common/painted_view.h"
#include "widgets/world/picture_painter.h"

namespace orrery {

class EntitySession;

/// The frame as a picture, what it came to so far, who is asked and what is picked in it, and the
/// keys that play: letters choose, Enter takes the agent's choice, Tab asks for the next decision,
/// Backspace takes back. A click picks a thing, or chooses it where things are chosen.
class GameView : public PaintedWidget, public DrawsFigure {
    Q_OBJECT

public:
    GameView(EntitySession* session, QWidget* parent);

    std::vector<NamedSpot> namedSpots() const override;
    QJsonObject spotFacts() const override;

    QString figureId() const override { return QStringLiteral("entityGame"); }
    QString figureName() const override { return tr("Episode"); }
    QString figureTitle() const override { return headline(); }
    QSizeF figureSize() const override;
    bool hasFigure() const override;
    void paintFigure(QPainter& painter, const FigurePage& page) override;

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;

private:
    struct Drawn {
        PictureLayout layout;
        const Tokens& tokens;
    };
    QRect pictureRect() const;
    QRectF rectOf(std::size_t thing, const PictureLayout& layout) const;
    QString headline() const;
    void refresh();
    bool takesKey(const QKeyEvent& event) const;
    bool playByKey(const QKeyEvent& event);
    void paintLooks(QPainter& painter, const Drawn& drawn) const;
    void paintMarks(QPainter& painter, const Drawn& drawn) const;
    void click(std::size_t thing);

    EntitySession* m_session;
    std::vector<PlaceInPicture> m_places;  ///< [things] of the frame; empty: nobody knows
};

/// The letter or digit that chooses the option with this place in its list; 0: it has none.
QChar optionKey(std::size_t place);
/// Chooses by such a key. @return whether it is one
bool chooseByKey(EntitySession& session, const QString& text);

}  // namespace orrery
