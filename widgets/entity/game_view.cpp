#include "widgets/entity/game_view.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <algorithm>

#include "widgets/common/number_text.h"
#include "widgets/common/parts.h"
#include "widgets/common/selection.h"
#include "widgets/common/style.h"
#include "widgets/common/tokens.h"
#include "widgets/entity/entity_session.h"

namespace orrery {

namespace {

constexpr int kHeadHeight = 40, kMargin = 16;
constexpr double kLeastLook = 0.02;  ///< lines that would be thinner are left out
constexpr double kLeastLabel = 0.05, kWidestLook = 7;
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
    if (session.decision() == nullptr || text.size() != 1) return false;
    const auto& options = session.decision()->options;
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
    for (const auto signal : {&EntitySession::advised, &EntitySession::attentionChanged})
        connect(session, signal, this, qOverload<>(&QWidget::update));
    connect(&session->selection(), &Selection::currentChanged, this, [this](SelectionKind kind) {
        if (kind == SelectionKind::Entity) update();
    });
    refresh();
}

void GameView::refresh() {
    const EntityFrame* frame = m_session->frame();
    m_places = frame != nullptr ? placesOfThings(m_session->spaces(), frame->seen, frame->picture)
                                : std::vector<PlaceInPicture>();
    if (frame != nullptr && m_places.size() != frame->things.size()) m_places.clear();
    update();
}

QRect GameView::pictureRect() const {
    return rect().adjusted(kMargin, kHeadHeight, -kMargin, -kMargin);
}

QRectF GameView::rectOf(std::size_t thing, const PictureLayout& layout) const {
    const PlaceInPicture& place = m_places[thing];
    return layout.rect(place.corner, static_cast<double>(place.width),
                       static_cast<double>(place.height));
}

QString GameView::headline() const {
    const EntityFrame* frame = m_session->frame();
    if (frame == nullptr) return {};
    QString text = tr("Step %1 · reward %2 · %3 so far")
                       .arg(m_session->step())
                       .arg(shortText(frame->reward), shortText(m_session->total()));
    if (frame->end != EpisodeEnd::None)
        text += frame->end == EpisodeEnd::TimeOut ? tr(" · cut off") : tr(" · the end");
    if (frame->advice)
        text += tr(" · the agent expects %1 more").arg(significantText(frame->advice->value));
    return text;
}

std::vector<NamedSpot> GameView::namedSpots() const {
    std::vector<NamedSpot> spots{{QStringLiteral("headline"),
                                  QRect(0, 0, width(), kHeadHeight),
                                  {{QStringLiteral("text"), headline()}},
                                  {}}};
    const EntityFrame* frame = m_session->frame();
    if (frame == nullptr) return spots;
    const PictureLayout layout = layoutPicture(pictureRect(), frame->picture);
    if (m_places.empty()) {
        const auto named = spotsOf(frame->picture, layout);
        spots.insert(spots.end(), named.begin(), named.end());
    }
    for (std::size_t i = 0; i < m_places.size(); ++i) {
        const ObservedThing& thing = frame->things[i];
        const QString name = thingName(m_session->spaces(), frame->things, i);
        spots.push_back({name,
                         rectOf(i, layout).toAlignedRect(),
                         {{QStringLiteral("index"), static_cast<int>(i)},
                          {QStringLiteral("picked"), m_session->pickedThing() == i},
                          {QStringLiteral("hidden"), thing.isHidden}},
                         QString::fromStdString(textOf(m_session->spaces(), thing))});
    }
    return spots;
}

QJsonObject GameView::spotFacts() const {
    const EntityEpisode* episode = m_session->episode();
    return {
        {QStringLiteral("environment"), m_session->id()},
        {QStringLiteral("steps"), episode != nullptr ? static_cast<int>(m_session->step()) : -1},
        {QStringLiteral("frames"),
         episode != nullptr ? static_cast<int>(episode->frames.size()) : 0},
        {QStringLiteral("advised"), m_session->hasAdvice()},
        {QStringLiteral("playing"), m_session->isPlaying()},
        {QStringLiteral("total"), m_session->total()}};
}

/// From the picked thing to those that it looks at, as wide as it does.
void GameView::paintLooks(QPainter& painter, const Drawn& drawn) const {
    const auto picked = m_session->pickedThing();
    if (!picked || !m_session->attention().hasLines || m_places.empty()) return;
    const std::vector<float> looks = m_session->looksOf(*picked);
    const QPointF from = rectOf(*picked, drawn.layout).center();
    QColor color = drawn.tokens.accent;
    std::vector<std::pair<QPointF, double>> labels;
    for (std::size_t i = 0; i < std::min(looks.size(), m_places.size()); ++i) {
        const auto look = static_cast<double>(looks[i]);
        if (i == *picked || look < kLeastLook) continue;
        const QPointF to = rectOf(i, drawn.layout).center();
        color.setAlphaF(std::min(1.F, 0.35F + looks[i]));
        painter.setPen(QPen(color, std::max(1.0, kWidestLook * look), Qt::SolidLine, Qt::RoundCap));
        painter.drawLine(from, to);
        if (look >= kLeastLabel) labels.emplace_back((from + to) / 2, look);
    }
    const QFont font = numberFont(10);
    painter.setFont(font);
    for (const auto& [at, look] : labels) {
        const QString text = QString::number(look, 'f', 2);
        const double width = QFontMetricsF(font).horizontalAdvance(text) + 10;
        const QRectF box(at.x() - width / 2, at.y() - 8, width, 16);
        painter.setPen(QPen(drawn.tokens.accent, 1));
        painter.setBrush(drawn.tokens.panel);
        painter.drawRoundedRect(box, 8, 8);
        painter.setPen(drawn.tokens.text);
        painter.drawText(box, Qt::AlignCenter, text);
    }
}

/// Who is asked, what can be chosen, what is hidden and what is picked.
void GameView::paintMarks(QPainter& painter, const Drawn& drawn) const {
    if (m_places.empty()) return;
    painter.setBrush(Qt::NoBrush);
    const auto outline = [&](std::size_t thing, const QPen& pen, double inset) {
        painter.setPen(pen);
        painter.drawRect(rectOf(thing, drawn.layout).adjusted(inset, inset, -inset, -inset));
    };
    const EntityFrame& frame = *m_session->frame();
    for (std::size_t i = 0; i < m_places.size(); ++i)
        if (frame.things[i].isHidden) outline(i, QPen(drawn.tokens.text3, 1, Qt::DashLine), 3);
    if (const HandPlay::Decision* decision = m_session->decision()) {
        for (const auto& option : decision->options)
            if (option.thing >= 0)
                outline(static_cast<std::size_t>(option.thing),
                        QPen(drawn.tokens.accent, 1.5, Qt::DotLine), 2);
        if (decision->actor >= 0)
            outline(static_cast<std::size_t>(decision->actor), QPen(drawn.tokens.ok, 2), 2);
    }
    if (const auto picked = m_session->pickedThing()) {
        outline(*picked, QPen(drawn.tokens.underHeat, 5), 1);
        outline(*picked, QPen(drawn.tokens.accent, 3), 1);
    }
}

void GameView::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const Tokens& tokens = currentTokens();
    painter.fillRect(rect(), tokens.canvas);
    const EntityFrame* frame = m_session->frame();
    if (frame == nullptr) {
        painter.setPen(tokens.text2);
        paintEmptyText(painter, rect(), m_session->trouble());
        return;
    }
    painter.setPen(tokens.text);
    const QRect head(kMargin, 0, width() - 2 * kMargin, kHeadHeight);
    painter.drawText(head, Qt::AlignVCenter | Qt::AlignLeft,
                     painter.fontMetrics().elidedText(headline(), Qt::ElideRight, head.width()));
    const Drawn drawn{layoutPicture(pictureRect(), frame->picture), tokens};
    paintPicture(painter, frame->picture, drawn.layout, tokens);
    paintLooks(painter, drawn);
    paintMarks(painter, drawn);
    if (!hasFocus()) return;
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(tokens.accent, 2));
    painter.drawRect(rect().adjusted(1, 1, -1, -1));
}

bool GameView::hasFigure() const {
    return m_session->frame() != nullptr;
}

QSizeF GameView::figureSize() const {
    return hasFigure() ? QSizeF(pictureRect().size()) : QSizeF(320, 240);
}

void GameView::paintFigure(QPainter& painter, const FigurePage& page) {
    painter.setRenderHint(QPainter::Antialiasing);
    const EntityFrame& frame = *m_session->frame();
    const Drawn drawn{layoutPicture(QRectF(QPointF(), page.size), frame.picture), *page.tokens};
    paintPicture(painter, frame.picture, drawn.layout, *page.tokens);
    paintLooks(painter, drawn);
    paintMarks(painter, drawn);
}

bool GameView::takesKey(const QKeyEvent& event) const {
    switch (event.key()) {
        case Qt::Key_Space:
        case Qt::Key_Backspace:
        case Qt::Key_Left:
        case Qt::Key_Right:
        case Qt::Key_Return:
        case Qt::Key_Enter:
            return (event.modifiers() & ~Qt::KeypadModifier) == Qt::NoModifier;
        default:
            return false;
    }
}

bool GameView::event(QEvent* event) {
    if (event->type() == QEvent::ShortcutOverride &&
        takesKey(static_cast<const QKeyEvent&>(*event))) {
        event->accept();
        return true;
    }
    // Tab goes through those who decide, then on to the next widget.
    if (event->type() == QEvent::KeyPress &&
        static_cast<const QKeyEvent*>(event)->key() == Qt::Key_Tab &&
        static_cast<const QKeyEvent*>(event)->modifiers() == Qt::NoModifier &&
        m_session->turnToNext())
        return true;
    return PaintedWidget::event(event);
}

bool GameView::playByKey(const QKeyEvent& event) {
    switch (event.key()) {
        case Qt::Key_Space:
            m_session->setPlaying(!m_session->isPlaying());
            return true;
        case Qt::Key_Backspace:
            m_session->goBack();
            return true;
        case Qt::Key_Left:
            if (m_session->episode() != nullptr && m_session->episode()->shown > 0)
                m_session->showFrame(m_session->episode()->shown - 1);
            return true;
        case Qt::Key_Right:
            if (m_session->episode() != nullptr)
                m_session->showFrame(m_session->episode()->shown + 1);
            return true;
        case Qt::Key_Return:
        case Qt::Key_Enter:
            m_session->takeAgentsChoice();
            return true;
        default:
            return chooseByKey(*m_session, event.text());
    }
}

void GameView::keyPressEvent(QKeyEvent* event) {
    const bool isPlain = (event->modifiers() & ~Qt::KeypadModifier) == Qt::NoModifier;
    if (!isPlain || !playByKey(*event)) PaintedWidget::keyPressEvent(event);
}

void GameView::mousePressEvent(QMouseEvent* event) {
    PaintedWidget::mousePressEvent(event);
    if (event->button() != Qt::LeftButton || m_session->frame() == nullptr) return;
    const PictureLayout layout = layoutPicture(pictureRect(), m_session->frame()->picture);
    // Of several in one place the one above, and after it those below.
    std::vector<std::size_t> here;
    for (std::size_t i = m_places.size(); i-- > 0;)
        if (rectOf(i, layout).contains(event->position())) here.push_back(i);
    if (here.empty()) return m_session->selection().clearCurrent(SelectionKind::Entity);
    const auto picked = m_session->pickedThing();
    const auto at = picked ? std::ranges::find(here, *picked) : here.end();
    click(at == here.end() || at + 1 == here.end() ? here.front() : at[1]);
}

/// Chooses it where things are chosen; else picks it, and asks it where it has to decide.
void GameView::click(std::size_t thing) {
    if (const HandPlay::Decision* decision = m_session->decision()) {
        for (const auto& option : decision->options)
            if (option.thing == static_cast<std::int64_t>(thing))
                return m_session->choose(option.value);
        for (const HandPlay::Open& open : m_session->play()->open())
            if (open.actor == static_cast<std::int64_t>(thing)) return m_session->turnTo(open);
    }
    m_session->pickThing(thing);
}

}  // namespace orrery
