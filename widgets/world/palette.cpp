#include "widgets/world/palette.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <algorithm>

#include "widgets/common/grid_keys.h"
#include "widgets/common/tokens.h"
#include "widgets/world/piece_painter.h"
#include "widgets/world/world_editor.h"

namespace orrery {

namespace {

constexpr double kBox = 32, kBoxGap = 4, kColor = 20;

}  // namespace

Palette::Palette(WorldEditor* editor, QWidget* parent) : PaintedWidget(parent), m_editor(editor) {
    setObjectName(QStringLiteral("palette"));
    setAccessibleName(tr("Objects to paint with"));
    setFocusPolicy(Qt::StrongFocus);
    QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
    connect(editor, &WorldEditor::specChanged, this, &Palette::refresh);
    connect(editor, &WorldEditor::toolChanged, this, qOverload<>(&QWidget::update));
    connect(editor, &WorldEditor::modeChanged, this, qOverload<>(&QWidget::update));
    refresh();
}

void Palette::refresh() {
    const WorldSpec& spec = m_editor->spec();
    std::vector<WorldBrush> entries = editingOf(spec).brushes(spec);
    const bool isOther = entries.size() != m_entries.size();
    m_entries = std::move(entries);
    m_cursor = std::min(m_cursor, m_entries.empty() ? 0 : m_entries.size() - 1);
    if (isOther) updateGeometry();
    update();
}

bool Palette::hasColors() const {
    return std::ranges::any_of(m_entries, &WorldBrush::isColored);
}

int Palette::columns() const {
    return std::max(1, static_cast<int>((width() + kBoxGap) / (kBox + kBoxGap)));
}

QRectF Palette::entryRect(std::size_t index) const {
    const int column = static_cast<int>(index) % columns();
    const int row = static_cast<int>(index) / columns();
    return QRectF(column * (kBox + kBoxGap), row * (kBox + kBoxGap), kBox, kBox);
}

QRectF Palette::colorRect(std::size_t index) const {
    const double top = entryRect(m_entries.size() - 1).bottom() + 8;
    return QRectF(static_cast<double>(index) * (kColor + 8), top, kColor, kColor);
}

QRectF Palette::rectOf(const std::string& code) const {
    for (std::size_t i = 0; i < m_entries.size(); ++i)
        if (codeOf(m_entries[i]) == code) return entryRect(i);
    return {};
}

int Palette::heightForWidth(int width) const {
    const int wide = std::max(1, static_cast<int>((width + kBoxGap) / (kBox + kBoxGap)));
    const int rows = (static_cast<int>(m_entries.size()) + wide - 1) / wide;
    return static_cast<int>(rows * (kBox + kBoxGap) + (hasColors() ? kColor + 8 : 0));
}

QSize Palette::sizeHint() const {
    const int wide = static_cast<int>(6 * (kBox + kBoxGap));
    return QSize(wide, heightForWidth(width() > 100 ? width() : wide));
}

void Palette::paintEvent(QPaintEvent*) {
    const Tokens& t = currentTokens();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const bool paints = m_editor->isOn();
    for (std::size_t i = 0; i < m_entries.size(); ++i) {
        const QRectF box = entryRect(i);
        const std::string& code = codeOf(m_entries[i]);
        const bool isBrush = paints && code == m_editor->brush();
        painter.setPen(Qt::NoPen);
        painter.setBrush(t.canvas);
        painter.drawRoundedRect(box, 4, 4);
        const QRectF cell = box.adjusted(2, 2, -2, -2);
        painter.setOpacity(paints ? 1 : 0.6);
        paintPiece(painter, Piece{}, cell, t);
        PieceLook look;
        const Piece piece = editingOf(m_editor->spec()).pieceOf(code);
        look.letter = piece.isHuman   ? QStringLiteral("A")
                      : piece.isRobot ? QStringLiteral("R")
                                      : QString();
        paintPiece(painter, piece, cell, t, look);
        painter.setOpacity(1);
        painter.setBrush(Qt::NoBrush);
        painter.setPen(isBrush ? QPen(t.accent, 3) : QPen(t.border, 1));
        painter.drawRoundedRect(box.adjusted(1, 1, -1, -1), 4, 4);
        if (hasFocus() && i == m_cursor) {
            painter.setPen(QPen(t.accent, 1.5, Qt::DotLine));
            painter.drawRoundedRect(box.adjusted(4, 4, -4, -4), 3, 3);
        }
    }
    if (!hasColors()) return;
    for (std::size_t i = 0; i < WorldBrush::kNumColors; ++i) {
        painter.setPen(i == m_color ? QPen(t.accent, 3) : QPen(t.border, 1));
        painter.setBrush(t.world[i]);
        painter.drawRoundedRect(colorRect(i).adjusted(2, 2, -2, -2), 4, 4);
    }
}

void Palette::pick(std::size_t index) {
    if (index >= m_entries.size()) return;
    m_cursor = index;
    m_editor->setBrush(codeOf(m_entries[index]));
    if (!m_editor->isOn()) m_editor->setOn(true);
    update();
}

void Palette::mousePressEvent(QMouseEvent* event) {
    for (std::size_t i = 0; i < m_entries.size(); ++i)
        if (entryRect(i).contains(event->position())) return pick(i);
    for (std::size_t i = 0; i < WorldBrush::kNumColors && !m_entries.empty(); ++i) {
        if (!colorRect(i).contains(event->position())) continue;
        const bool wasColored =
            m_cursor < m_entries.size() && codeOf(m_entries[m_cursor]) == m_editor->brush();
        m_color = i;
        if (wasColored && m_entries[m_cursor].isColored()) pick(m_cursor);
        return update();
    }
}

void Palette::keyPressEvent(QKeyEvent* event) {
    if (const auto step = gridStep(event->key(), columns())) {
        const int last = std::max(0, static_cast<int>(m_entries.size()) - 1);
        m_cursor =
            static_cast<std::size_t>(std::clamp(static_cast<int>(m_cursor) + *step, 0, last));
        return update();
    }
    switch (event->key()) {
        case Qt::Key_Space:
        case Qt::Key_Return:
            return pick(m_cursor);
        case Qt::Key_C:
            m_color = (m_color + 1) % WorldBrush::kNumColors;
            return update();
        default:
            QWidget::keyPressEvent(event);
    }
}

}  // namespace orrery
