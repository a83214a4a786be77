#include "widgets/entity/actor_grid.h"

#include <QMouseEvent>
#include <QPainter>
#include <algorithm>

#include "widgets/common/number_text.h"
#include "widgets/common/selection.h"
#include "widgets/common/style.h"
#include "widgets/common/tokens.h"
#include "widgets/entity/entity_session.h"

namespace orrery {

namespace {

constexpr double kGridRow = 26, kGridHead = 26, kGridGap = 4, kGridMargin = 16, kGridNames = 74;
constexpr double kLeastGridColumn = 34;
constexpr std::int64_t kMostGridColumns =
    6;  ///< choices side by side; more stand one below the other

}  // namespace

ActorGrid::ActorGrid(EntitySession* session, QWidget* parent)
    : PaintedWidget(parent), m_session(session) {
    setObjectName(QStringLiteral("actorGrid"));
    setAccessibleName(tr("What is decided"));
    setMouseTracking(true);
    for (const auto signal : {&EntitySession::changed, &EntitySession::advised})
        connect(session, signal, this, &ActorGrid::refresh);
    connect(&session->selection(), &Selection::currentChanged, this, [this](SelectionKind kind) {
        if (kind == SelectionKind::Entity) refresh();
    });
    refresh();
}

QSize ActorGrid::sizeHint() const {
    return {240, static_cast<int>(m_height)};
}

QSizeF ActorGrid::figureSize() const {
    return {std::max(240.0, static_cast<double>(width())), std::max(60.0, m_height)};
}

void ActorGrid::refresh() {
    layOut(width());
    if (m_table != nullptr) {
        std::vector<CellModel::Row> rows;
        for (const Cell& cell : m_cells)
            rows.push_back(
                {.cells = {CellModel::word(QString::fromStdString(
                               m_session->spaces().actions[cell.action].name)),
                           CellModel::word(cell.who), CellModel::word(cell.what),
                           CellModel::word(cell.isAllowed ? tr("yes") : tr("no")),
                           cell.share ? CellModel::value(*cell.share) : CellModel::word({}),
                           CellModel::word(cell.isTaken ? tr("taken") : QString())}});
        m_table->setTable({tr("Action"), tr("Who"), tr("Choice"), tr("Allowed"),
                           tr("Probability (learned)"), tr("Taken")},
                          std::move(rows));
    }
    updateGeometry();
    update();
}

QAbstractItemModel* ActorGrid::tableModel() {
    if (m_table == nullptr) {
        m_table = new CellModel(this);
        refresh();
    }
    return m_table;
}

void ActorGrid::resizeEvent(QResizeEvent* event) {
    PaintedWidget::resizeEvent(event);
    layOut(width());
    updateGeometry();
}

ActorGrid::Cell ActorGrid::cellOf(std::size_t action, std::int64_t decider,
                                  std::int64_t option) const {
    const EnvironmentSpaces& spaces = m_session->spaces();
    const EntityFrame& frame = *m_session->frame();
    const std::int64_t actor = actorOf(spaces, frame.seen, action, decider);
    Cell cell{.action = action, .decider = decider, .option = option};
    cell.who =
        actor < 0 ? tr("Game") : thingName(spaces, frame.things, static_cast<std::size_t>(actor));
    cell.what = optionName(spaces, frame, action, option);
    cell.isAllowed = isAllowed(spaces, frame.seen, action, decider, option);
    if (frame.advice && !frame.advice->probabilities[action].empty())
        cell.share = frame.advice->probabilities[action][static_cast<std::size_t>(
            decider * numOptions(spaces, frame.seen, action) + option)];
    if (action < frame.taken.size() && decider < std::ssize(frame.taken[action].indices))
        cell.isTaken = frame.taken[action].indices[static_cast<std::size_t>(decider)] == option;
    if (const HandPlay::Decision* now = m_session->decision())
        cell.isAsked =
            now->options.front().value >= 0 && now->action == action && now->decider == decider;
    return cell;
}

/// Deciders below each other, choices side by side.
double ActorGrid::addMatrix(std::size_t action, double top, double width) {
    const EnvironmentSpaces& spaces = m_session->spaces();
    const EntityFrame& frame = *m_session->frame();
    const std::int64_t options = numOptions(spaces, frame.seen, action),
                       deciders = numDeciders(spaces, frame.seen, action);
    const double left = kGridMargin + kGridNames,
                 column = std::max(kLeastGridColumn,
                                   (width - kGridMargin - left) / static_cast<double>(options));
    for (std::int64_t k = 0; k < options; ++k)
        m_texts.push_back({.rect = {left + static_cast<double>(k) * column, top, column, 18},
                           .text = optionName(spaces, frame, action, k),
                           .align = Qt::AlignCenter});
    top += 18;
    for (std::int64_t i = 0; i < deciders; ++i) {
        const std::int64_t actor = actorOf(spaces, frame.seen, action, i);
        for (std::int64_t k = 0; k < options; ++k) {
            Cell cell = cellOf(action, i, k);
            cell.rect = {left + static_cast<double>(k) * column + 2, top + 2, column - 4,
                         kGridRow - 4};
            if (k == 0)
                m_texts.push_back({.rect = {kGridMargin, top, kGridNames - 6, kGridRow},
                                   .text = cell.who,
                                   .isPicked = actor >= 0 && m_session->pickedThing() ==
                                                                 static_cast<std::size_t>(actor)});
            m_cells.push_back(std::move(cell));
        }
        top += kGridRow;
    }
    return top + kGridGap;
}

/// Of each decider a list of what it can choose.
double ActorGrid::addTargets(std::size_t action, double top, double width) {
    const EnvironmentSpaces& spaces = m_session->spaces();
    const EntityFrame& frame = *m_session->frame();
    const std::int64_t options = numOptions(spaces, frame.seen, action);
    for (std::int64_t i = 0; i < numDeciders(spaces, frame.seen, action); ++i) {
        m_texts.push_back({.rect = {kGridMargin, top, width - 2 * kGridMargin, 18},
                           .text = tr("by %1").arg(cellOf(action, i, 0).who)});
        top += 18;
        for (std::int64_t k = 0; k < options; ++k) {
            Cell cell = cellOf(action, i, k);
            cell.rect = {kGridMargin + kGridNames, top + 2, width - 2 * kGridMargin - kGridNames,
                         kGridRow - 6};
            m_texts.push_back(
                {.rect = {kGridMargin, top, kGridNames - 6, kGridRow}, .text = cell.what});
            m_cells.push_back(std::move(cell));
            top += kGridRow - 2;
        }
    }
    return top + kGridGap;
}

void ActorGrid::layOut(double width) {
    m_cells.clear();
    m_texts.clear();
    m_height = 0;
    const EntityFrame* frame = m_session->frame();
    if (frame == nullptr || frame->end != EpisodeEnd::None) return;
    const EnvironmentSpaces& spaces = m_session->spaces();
    double top = 0;
    for (std::size_t action = 0; action < spaces.actions.size(); ++action) {
        if (numDeciders(spaces, frame->seen, action) == 0 ||
            numOptions(spaces, frame->seen, action) == 0)
            continue;
        m_texts.push_back({.rect = {kGridMargin, top, width - 2 * kGridMargin, kGridHead},
                           .text = QString::fromStdString(spaces.actions[action].name),
                           .isHeading = true});
        top += kGridHead;
        const bool isMatrix = spaces.actions[action].kind == ActionSpace::Kind::Choice &&
                              numOptions(spaces, frame->seen, action) <= kMostGridColumns;
        top = isMatrix ? addMatrix(action, top, width) : addTargets(action, top, width);
    }
    m_height = top;
}

void ActorGrid::paint(QPainter& painter, const Tokens& tokens) const {
    for (const Text& text : m_texts) {
        const QFont font =
            interfaceFont(text.isHeading ? 12 : 11,
                          text.isHeading || text.isPicked ? QFont::DemiBold : QFont::Normal);
        painter.setFont(font);
        painter.setPen(text.isHeading || text.isPicked ? tokens.text : tokens.text2);
        painter.drawText(
            text.rect, static_cast<int>(text.align),
            QFontMetricsF(font).elidedText(text.text, Qt::ElideRight, text.rect.width()));
    }
    for (const Cell& cell : m_cells) {
        const double share = cell.share.value_or(0);
        const QColor fill =
            cell.isAllowed ? mixed(tokens.raised, tokens.accent, 0.65 * share) : tokens.panel;
        painter.setPen(QPen(cell.isAsked ? tokens.accent : tokens.border, 1));
        painter.setBrush(fill);
        painter.drawRoundedRect(cell.rect, 4, 4);
        if (!cell.isAllowed) {
            painter.setPen(Qt::NoPen);
            painter.setBrush(QBrush(tokens.strongBorder, Qt::BDiagPattern));
            painter.drawRoundedRect(cell.rect, 4, 4);
        }
        QFont font = numberFont(11);
        font.setStrikeOut(!cell.isAllowed);
        painter.setFont(font);
        painter.setPen(cell.isAllowed ? textOn(fill) : tokens.text3);
        const QString text = cell.share       ? QString::number(share, 'f', 2)
                             : cell.isAllowed ? QString()
                                              : QStringLiteral("–");
        painter.drawText(cell.rect, Qt::AlignCenter, text);
        if (!cell.isTaken) continue;
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(tokens.accent, 2.5));
        painter.drawRoundedRect(cell.rect.adjusted(1, 1, -1, -1), 4, 4);
    }
}

void ActorGrid::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    paint(painter, currentTokens());
}

void ActorGrid::paintFigure(QPainter& painter, const FigurePage& page) {
    painter.setRenderHint(QPainter::Antialiasing);
    layOut(page.size.width());
    paint(painter, *page.tokens);
    layOut(width());
}

std::vector<NamedSpot> ActorGrid::namedSpots() const {
    std::vector<NamedSpot> spots;
    for (const Cell& cell : m_cells) {
        QString tip = tr("%1: %2").arg(cell.who, cell.what);
        if (!cell.isAllowed)
            tip += tr(", not allowed now");
        else if (cell.share)
            tip += tr(", %1 (learned)").arg(percentText(*cell.share));
        if (cell.isTaken) tip += tr(", taken in this step");
        spots.push_back(
            {tr("%1 %2 %3")
                 .arg(QString::fromStdString(m_session->spaces().actions[cell.action].name),
                      cell.who, cell.what),
             cell.rect.toAlignedRect(),
             {{QStringLiteral("allowed"), cell.isAllowed},
              {QStringLiteral("taken"), cell.isTaken},
              {QStringLiteral("share"), cell.share.value_or(-1)}},
             tip});
    }
    return spots;
}

QJsonObject ActorGrid::spotFacts() const {
    const auto struck = std::ranges::count_if(m_cells, [](const Cell& c) { return !c.isAllowed; });
    return {{QStringLiteral("cells"), static_cast<int>(m_cells.size())},
            {QStringLiteral("struck"), static_cast<int>(struck)}};
}

void ActorGrid::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton) return;
    const auto cell = std::ranges::find_if(
        m_cells, [&](const Cell& one) { return one.rect.contains(event->position()); });
    if (cell == m_cells.end() || !cell->isAllowed || m_session->decision() == nullptr) return;
    const std::int64_t option = cell->option;
    for (const HandPlay::Open& open : m_session->play()->open())
        if (open.action == cell->action && open.decider == cell->decider) {
            m_session->turnTo(open);  // the cells are made anew
            return m_session->choose(option);
        }
}

}  // namespace orrery
