#include "widgets/entity/batch_view.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QMouseEvent>
#include <QPainter>
#include <QScrollArea>
#include <QSignalBlocker>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

#include "widgets/common/number_text.h"
#include "widgets/common/parts.h"
#include "widgets/common/selection.h"
#include "widgets/common/style.h"
#include "widgets/common/tokens.h"
#include "widgets/entity/entity_session.h"

namespace orrery {

namespace {

constexpr double kBatchCell = 26, kBatchGap = 28, kBatchEdge = 14, kBatchHead = 20,
                 kLeastBatchColumn = 150;

/// The cell at a place of a grid that is filled row by row.
QRectF gridCell(QPointF corner, std::int64_t place, std::int64_t across) {
    const std::int64_t row = place / across, column = place % across;
    return {corner.x() + static_cast<double>(column) * kBatchCell,
            corner.y() + static_cast<double>(row) * kBatchCell, kBatchCell - 2, kBatchCell - 2};
}

QString shareOfCells(std::int64_t part, std::int64_t all) {
    return all > 0 ? percentText(static_cast<double>(part) / static_cast<double>(all))
                   : percentText(0);
}

}  // namespace

BatchPicture::BatchPicture(EntitySession* session, QWidget* parent)
    : PaintedWidget(parent), m_session(session) {
    setObjectName(QStringLiteral("batchPicture"));
    setAccessibleName(tr("Batch"));
    setMouseTracking(true);
}

void BatchPicture::setBatch(PackedBatch batch, bool isOfEpisode) {
    m_batch = std::move(batch);
    m_isOfEpisode = isOfEpisode;
    layOut();
    updateGeometry();
    update();
}

QSize BatchPicture::sizeHint() const {
    return m_size.toSize();
}

void BatchPicture::addLabel(double x, double y, double width, const QString& text, bool isHeading,
                            bool isWaste) {
    m_labels.push_back({{x, y, width, kBatchHead}, text, isHeading, isWaste});
    m_size.setWidth(std::max(m_size.width(), x + width + kBatchEdge));
}

QString BatchPicture::tipOf(std::int64_t item) const {
    const auto at = static_cast<std::size_t>(item);
    const PackedBatch::Item& one = m_batch.items[at];
    const std::int64_t slot = m_batch.packed.inverse[at], width = m_batch.packed.width;
    return tr("%1 of %2: row %3 of the batch, packed into row %4, column %5")
        .arg(QString::fromStdString(one.name),
             QString::fromStdString(m_batch.frames[static_cast<std::size_t>(one.frame)]))
        .arg(item)
        .arg(width > 0 ? slot / width : 0)
        .arg(width > 0 ? slot % width : 0);
}

/// A row a frame, as long as the longest. @return where it ends below
double BatchPicture::addPadded(QPointF corner) {
    const std::int64_t width = m_batch.longest(), all = width * m_batch.numFrames();
    addLabel(corner.x(), corner.y(),
             std::max(kLeastBatchColumn, static_cast<double>(width) * kBatchCell),
             tr("Padded: %1 x %2").arg(m_batch.numFrames()).arg(width), true);
    addLabel(corner.x(), corner.y() + kBatchHead, kLeastBatchColumn,
             tr("%1 of %2 cells empty, %3")
                 .arg(m_batch.emptyPadded())
                 .arg(all)
                 .arg(shareOfCells(m_batch.emptyPadded(), all)),
             false, m_batch.emptyPadded() > 0);
    const double top = corner.y() + 2 * kBatchHead + 4;
    for (std::int64_t row = 0; row < m_batch.numFrames(); ++row) {
        const std::int64_t begin = m_batch.rowBegin[static_cast<std::size_t>(row)],
                           end = m_batch.rowBegin[static_cast<std::size_t>(row) + 1];
        for (std::int64_t column = 0; column < width; ++column) {
            const std::int64_t item = begin + column < end ? begin + column : -1;
            m_cells.push_back(
                {.rect = {corner.x() + static_cast<double>(column) * kBatchCell,
                          top + static_cast<double>(row) * kBatchCell, kBatchCell - 2,
                          kBatchCell - 2},
                 .item = item,
                 .name = tr("padded %1,%2").arg(row).arg(column),
                 .text = {},
                 .tip = item >= 0 ? tipOf(item) : tr("Padding: computed and thrown away"),
                 .isFilled = true});
        }
    }
    return top + static_cast<double>(m_batch.numFrames()) * kBatchCell;
}

double BatchPicture::addPacked(QPointF corner) {
    const PackedRows& packed = m_batch.packed;
    const std::int64_t all = packed.rows * packed.width;
    addLabel(corner.x(), corner.y(),
             std::max(kLeastBatchColumn, static_cast<double>(packed.width) * kBatchCell),
             tr("Packed: %1 x %2").arg(packed.rows).arg(packed.width), true);
    addLabel(corner.x(), corner.y() + kBatchHead, kLeastBatchColumn,
             tr("%1 of %2 cells empty, %3")
                 .arg(m_batch.emptyPacked())
                 .arg(all)
                 .arg(shareOfCells(m_batch.emptyPacked(), all)),
             false, m_batch.emptyPacked() > 0);
    const double top = corner.y() + 2 * kBatchHead + 4;
    for (std::int64_t slot = 0; slot < all; ++slot) {
        const auto at = static_cast<std::size_t>(slot);
        const bool isEmpty = std::isnan(packed.batch[at]);
        const std::int64_t item = isEmpty ? -1 : packed.index[at];
        m_cells.push_back(
            {.rect = gridCell({corner.x(), top}, slot, packed.width),
             .item = item,
             .name = tr("packed %1,%2").arg(slot / packed.width).arg(slot % packed.width),
             .text = {},
             .tip = isEmpty ? tr("Padding that is left") : tipOf(item),
             .isFilled = true});
    }
    return top + static_cast<double>(packed.rows) * kBatchCell;
}

/// The numbers of the packing, side by side below.
void BatchPicture::addIndices(QPointF corner) {
    const PackedRows& packed = m_batch.packed;
    const double wide = std::max(kLeastBatchColumn, static_cast<double>(packed.width) * kBatchCell);
    const auto addNumbers = [&](QPointF at, const QString& title, const auto& textOf) {
        addLabel(at.x(), at.y(), wide, title, true);
        for (std::int64_t slot = 0; slot < packed.rows * packed.width; ++slot) {
            const auto i = static_cast<std::size_t>(slot);
            const bool isEmpty = std::isnan(packed.batch[i]);
            m_cells.push_back({.rect = gridCell({at.x(), at.y() + kBatchHead}, slot, packed.width),
                               .item = isEmpty ? -1 : packed.index[i],
                               .name = QStringLiteral("%1 %2,%3")
                                           .arg(title)
                                           .arg(slot / packed.width)
                                           .arg(slot % packed.width),
                               .text = textOf(i),
                               .tip = isEmpty ? tr("Padding") : tipOf(packed.index[i])});
        }
    };
    addNumbers(corner, QStringLiteral("index"),
               [&](std::size_t i) { return QString::number(packed.index[i]); });
    addNumbers({corner.x() + wide + kBatchGap, corner.y()}, QStringLiteral("batch"),
               [&](std::size_t i) {
                   return std::isnan(packed.batch[i])
                              ? QStringLiteral("nan")
                              : QString::number(static_cast<std::int64_t>(packed.batch[i]));
               });
    const double top =
        corner.y() + kBatchHead + static_cast<double>(packed.rows) * kBatchCell + kBatchHead;
    addLabel(corner.x(), top, wide, QStringLiteral("inverse_index"), true);
    const std::int64_t across = std::max<std::int64_t>(
        8, 2 * packed.width + static_cast<std::int64_t>(kBatchGap / kBatchCell));
    for (std::int64_t item = 0; item < std::ssize(m_batch.items); ++item)
        m_cells.push_back({.rect = gridCell({corner.x(), top + kBatchHead}, item, across),
                           .item = item,
                           .name = tr("inverse %1").arg(item),
                           .text = QString::number(packed.inverse[static_cast<std::size_t>(item)]),
                           .tip = tipOf(item)});
    const double lines =
        std::ceil(static_cast<double>(m_batch.items.size()) / static_cast<double>(across));
    addActors({corner.x(), top + kBatchHead + lines * kBatchCell + kBatchHead});
}

/// actors + offsets = rows of the batch.
void BatchPicture::addActors(QPointF corner) {
    double top = corner.y();
    for (const PackedBatch::Actors& actors : m_batch.actors) {
        addLabel(corner.x(), top, 3 * kLeastBatchColumn,
                 tr("%1: actors + offsets = rows").arg(QString::fromStdString(actors.action)),
                 true);
        top += kBatchHead;
        if (actors.actor.empty()) {
            addLabel(corner.x(), top, kLeastBatchColumn, tr("nobody acts"));
            top += kBatchHead;
        }
        const QString signs[] = {QString(), QStringLiteral("+"), QStringLiteral("=")};
        for (int line = 0; line < 3 && !actors.actor.empty(); ++line) {
            addLabel(corner.x(), top, 16, signs[line]);
            for (std::size_t i = 0; i < actors.actor.size(); ++i) {
                const std::int64_t row = actors.actor[i] + actors.offset[i];
                const std::int64_t shown = line == 0   ? actors.actor[i]
                                           : line == 1 ? actors.offset[i]
                                                       : row;
                m_cells.push_back(
                    {.rect = {corner.x() + 18 + static_cast<double>(i) * (kBatchCell + 4), top,
                              kBatchCell + 2, kBatchCell - 2},
                     .item = row,
                     .name = QStringLiteral("%1 %2 %3")
                                 .arg(QString::fromStdString(actors.action))
                                 .arg(line == 0   ? tr("actor")
                                      : line == 1 ? tr("offset")
                                                  : tr("row"))
                                 .arg(i),
                     .text = QString::number(shown),
                     .tip = tipOf(row)});
            }
            top += kBatchCell;
        }
        top += kBatchHead / 2;
    }
    m_size.setHeight(std::max(m_size.height(), top + kBatchEdge));
}

void BatchPicture::layOut() {
    m_cells.clear();
    m_labels.clear();
    m_size = {200, 60};
    if (m_batch.items.empty()) return;
    const double padded =
        std::max(kLeastBatchColumn, static_cast<double>(m_batch.longest()) * kBatchCell);
    const double left = kBatchEdge, right = left + padded + kBatchGap;
    const double below = std::max(addPadded({left, 4}), addPacked({right, 4}));
    addIndices({left, below + kBatchHead / 2});
    for (const Cell& cell : m_cells) {
        m_size.setWidth(std::max(m_size.width(), cell.rect.right() + kBatchEdge));
        m_size.setHeight(std::max(m_size.height(), cell.rect.bottom() + kBatchEdge));
    }
}

std::optional<std::int64_t> BatchPicture::pickedItem() const {
    const auto picked = m_session->pickedThing();
    if (!picked) return std::nullopt;
    for (std::size_t i = 0; i < m_batch.items.size(); ++i) {
        const PackedBatch::Item& item = m_batch.items[i];
        const bool isFrame =
            m_isOfEpisode
                ? item.frame + std::ssize(m_session->episode()->frames) - m_batch.numFrames() ==
                      static_cast<std::int64_t>(m_session->episode()->shown)
                : item.frame == static_cast<std::int64_t>(m_session->current());
        if (isFrame && item.thing == static_cast<std::int64_t>(*picked))
            return static_cast<std::int64_t>(i);
    }
    return std::nullopt;
}

void BatchPicture::paintInto(QPainter& painter, const Tokens& tokens) const {
    for (const Label& label : m_labels) {
        painter.setFont(interfaceFont(label.isHeading ? 12 : 11,
                                      label.isHeading ? QFont::DemiBold : QFont::Normal));
        painter.setPen(label.isWaste     ? tokens.warning
                       : label.isHeading ? tokens.text
                                         : tokens.text2);
        painter.drawText(label.rect, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextDontClip,
                         label.text);
    }
    const auto picked = pickedItem();
    painter.setFont(numberFont(10));
    for (const Cell& cell : m_cells) {
        const bool isEmpty = cell.item < 0;
        QColor fill = tokens.panel;
        if (!isEmpty) {
            const std::int64_t type = m_batch.items[static_cast<std::size_t>(cell.item)].type;
            const QColor own =
                type < 0 ? tokens.text3
                         : tokens.data[static_cast<std::size_t>(type) % tokens.data.size()];
            fill = cell.isFilled ? own : mixed(tokens.raised, own, 0.25);
        }
        painter.setPen(QPen(tokens.border, 1));
        painter.setBrush(fill);
        painter.drawRoundedRect(cell.rect, 3, 3);
        if (isEmpty) {
            painter.setPen(Qt::NoPen);
            painter.setBrush(QBrush(tokens.strongBorder, Qt::BDiagPattern));
            painter.drawRoundedRect(cell.rect, 3, 3);
        }
        if (!cell.text.isEmpty()) {
            painter.setPen(isEmpty ? tokens.text3 : textOn(fill));
            painter.drawText(cell.rect, Qt::AlignCenter, cell.text);
        }
        if (!picked || cell.item != *picked) continue;
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(tokens.underHeat, 4));
        painter.drawRoundedRect(cell.rect, 3, 3);
        painter.setPen(QPen(tokens.accent, 2.5));
        painter.drawRoundedRect(cell.rect, 3, 3);
    }
}

void BatchPicture::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.fillRect(rect(), currentTokens().canvas);
    paintInto(painter, currentTokens());
}

std::vector<NamedSpot> BatchPicture::namedSpots() const {
    std::vector<NamedSpot> spots;
    const auto picked = pickedItem();
    for (const Cell& cell : m_cells)
        spots.push_back({cell.name,
                         cell.rect.toAlignedRect(),
                         {{QStringLiteral("text"), cell.text},
                          {QStringLiteral("empty"), cell.item < 0},
                          {QStringLiteral("picked"), picked && cell.item == *picked}},
                         cell.tip});
    return spots;
}

QJsonObject BatchPicture::spotFacts() const {
    return {{QStringLiteral("frames"), static_cast<int>(m_batch.numFrames())},
            {QStringLiteral("width"), static_cast<int>(m_batch.longest())},
            {QStringLiteral("emptyPadded"), static_cast<int>(m_batch.emptyPadded())},
            {QStringLiteral("emptyPacked"), static_cast<int>(m_batch.emptyPacked())}};
}

void BatchPicture::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton) return;
    const auto cell = std::ranges::find_if(
        m_cells, [&](const Cell& one) { return one.rect.contains(event->position()); });
    if (cell == m_cells.end() || cell->item < 0) return;
    const PackedBatch::Item item = m_batch.items[static_cast<std::size_t>(cell->item)];
    if (m_isOfEpisode)
        m_session->showFrame(static_cast<std::size_t>(
            item.frame + std::ssize(m_session->episode()->frames) - m_batch.numFrames()));
    else
        m_session->showEpisode(static_cast<std::size_t>(item.frame));
    if (item.type >= 0) m_session->pickThing(static_cast<std::size_t>(item.thing));
}

BatchView::BatchView(EntitySession* session, QWidget* parent)
    : QWidget(parent),
      m_session(session),
      m_which(new QComboBox(this)),
      m_picture(new BatchPicture(session, this)) {
    setObjectName(QStringLiteral("entityBatch"));
    m_which->setObjectName(QStringLiteral("batchFrames"));
    m_which->setAccessibleName(tr("Frames"));
    m_which->setToolTip(tr("Which frames the batch is made of"));
    m_which->addItem(tr("Environments side by side"));
    m_which->addItem(tr("Steps of the episode"));
    auto* row = new QHBoxLayout;
    row->setContentsMargins(12, 6, 12, 0);
    row->addWidget(m_which);
    row->addStretch(1);
    auto* area = new QScrollArea(this);
    area->setObjectName(QStringLiteral("batchScroll"));
    area->setWidgetResizable(true);
    area->setFrameShape(QFrame::NoFrame);
    area->setWidget(m_picture);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(4);
    column->addLayout(row);
    column->addWidget(area, 1);
    connect(m_which, &QComboBox::activated, this, &BatchView::refresh);
    connect(m_session, &EntitySession::changed, this, &BatchView::refresh);
    connect(&m_session->selection(), &Selection::currentChanged, this, [this](SelectionKind kind) {
        if (kind == SelectionKind::Entity) m_picture->update();
    });
    refresh();
}

void BatchView::refresh() {
    const bool isOfEpisode = m_which->currentIndex() == 1;
    m_picture->setBatch(packedBatchOf(*m_session, isOfEpisode), isOfEpisode);
    if (m_table == nullptr) return;
    const PackedBatch& batch = m_picture->batch();
    std::vector<CellModel::Row> rows;
    for (std::size_t i = 0; i < batch.items.size(); ++i) {
        const PackedBatch::Item& item = batch.items[i];
        const std::int64_t slot = batch.packed.inverse[i];
        const auto number = [](std::int64_t value) {
            return CellModel::count(static_cast<double>(value));
        };
        rows.push_back(
            {.cells = {number(static_cast<std::int64_t>(i)),
                       CellModel::word(QString::fromStdString(
                           batch.frames[static_cast<std::size_t>(item.frame)])),
                       CellModel::word(QString::fromStdString(item.name)), number(item.thing),
                       number(batch.rowBegin[static_cast<std::size_t>(item.frame)]), number(slot),
                       number(slot / batch.packed.width), number(slot % batch.packed.width)}});
    }
    m_table->setTable({tr("Row"), tr("Frame"), tr("Thing"), tr("Index in frame"), tr("Offset"),
                       tr("inverse_index"), tr("Packed row"), tr("Packed column")},
                      std::move(rows));
}

QAbstractItemModel* BatchView::tableModel() {
    if (m_table == nullptr) {
        m_table = new CellModel(this);
        refresh();
    }
    return m_table;
}

QSizeF BatchView::figureSize() const {
    return QSizeF(m_picture->sizeHint());
}

void BatchView::paintFigure(QPainter& painter, const FigurePage& page) {
    painter.setRenderHint(QPainter::Antialiasing);
    const QSizeF own = figureSize();
    const double scale =
        std::min(page.size.width() / own.width(), page.size.height() / own.height());
    painter.scale(scale, scale);
    m_picture->paintInto(painter, *page.tokens);
}

}  // namespace orrery
