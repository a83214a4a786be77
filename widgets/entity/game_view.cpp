#include "widgets/entity/game_view.h"

#include <QKeyEvent>
#include <QPainter>

#include "widgets/common/parts.h"
#include "widgets/common/tokens.h"
#include "widgets/entity/entity_session.h"
#include "widgets/world/picture_painter.h"

namespace orrery {

namespace {

constexpr int kHeadHeight = 40, kMargin = 16;
constexpr char kKeys[] = "abcdefghijklmnopqrstuvwxyz0123456789";

/// "0", "-0.25", "31".
QString shortText(double value) {
    return QString::number(value, 'g', 5);
}

}  // namespace

QChar optionKey(std::size_t place) {
    return place + 1 < sizeof kKeys ? QLatin1Char(kKeys[place]) : QChar();
}

bool chooseByKey(EntitySession& session, const QString& text) {
    const HandPlay* play = session.play();
    if (play == nullptr || play->decision() == nullptr || text.size() != 1) return false;
    const auto& options = play->decision()->options;
    for (std::size_t i = 0; i < options.size(); ++i)
        if (text[0].toLower() == optionKey(i) && !optionKey(i).isNull()) {
            session.choose(options[i].value);
            return true;
        }
    return false;
}

GameView::GameView(EntitySession* session, QWidget* parent)
    : PaintedWidget(parent), m_session(session) {
    setObjectName(QStringLiteral("entityGame"));
    setAccessibleName(tr("Episode"));
    setFocusPolicy(Qt::StrongFocus);
    setMinimumSize(160, 140);
    connect(session, &EntitySession::changed, this, &GameView::refresh);
    refresh();
}

void GameView::refresh() {
    m_picture =
        m_session->play() != nullptr ? m_session->play()->environment().picture({}) : Picture();
    update();
}

QRect GameView::pictureRect() const {
    return rect().adjusted(kMargin, kHeadHeight, -kMargin, -kMargin);
}

QString GameView::headline() const {
    const HandPlay* play = m_session->play();
    if (play == nullptr) return {};
    QString text = tr("Step %1 · reward %2 · %3 so far")
                       .arg(play->steps())
                       .arg(shortText(play->reward()), shortText(play->total()));
    if (play->isOver())
        text += play->end() == EpisodeEnd::TimeOut ? tr(" · cut off") : tr(" · the end");
    return text;
}

std::vector<NamedSpot> GameView::namedSpots() const {
    std::vector<NamedSpot> spots{{QStringLiteral("headline"),
                                  QRect(0, 0, width(), kHeadHeight),
                                  {{QStringLiteral("text"), headline()}},
                                  {}}};
    const auto named = spotsOf(m_picture, layoutPicture(pictureRect(), m_picture));
    spots.insert(spots.end(), named.begin(), named.end());
    return spots;
}

QJsonObject GameView::spotFacts() const {
    const HandPlay* play = m_session->play();
    return {{QStringLiteral("environment"), m_session->id()},
            {QStringLiteral("steps"), play != nullptr ? static_cast<int>(play->steps()) : -1},
            {QStringLiteral("total"), play != nullptr ? play->total() : 0.0}};
}

void GameView::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const Tokens& tokens = currentTokens();
    painter.fillRect(rect(), tokens.canvas);
    if (m_session->play() == nullptr) {
        painter.setPen(tokens.text2);
        paintEmptyText(painter, rect(), m_session->trouble());
        return;
    }
    painter.setPen(tokens.text);
    painter.drawText(QRect(kMargin, 0, width() - 2 * kMargin, kHeadHeight),
                     Qt::AlignVCenter | Qt::AlignLeft, headline());
    paintPicture(painter, m_picture, layoutPicture(pictureRect(), m_picture), tokens);
    if (!hasFocus()) return;
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(tokens.accent, 2));
    painter.drawRect(rect().adjusted(1, 1, -1, -1));
}

void GameView::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Backspace) return m_session->goBack();
    const bool isPlain = (event->modifiers() & ~Qt::KeypadModifier) == Qt::NoModifier;
    if (isPlain && chooseByKey(*m_session, event->text())) return;
    PaintedWidget::keyPressEvent(event);
}

}  // namespace orrery
