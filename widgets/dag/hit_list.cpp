#include "widgets/dag/hit_list.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPainter>
#include <QStyledItemDelegate>
#include <QTableView>
#include <QVBoxLayout>

#include "core/solve/solution.h"
#include "widgets/bridge/plan_session.h"
#include "widgets/common/number_text.h"
#include "widgets/common/parts.h"
#include "widgets/common/row_ground.h"
#include "widgets/common/style.h"
#include "widgets/common/tokens.h"
#include "widgets/dag/card_pictures.h"
#include "widgets/dag/hit_model.h"

namespace orrery {

namespace {

constexpr int kHitHeight = 46;
constexpr QSize kHitPicture(62, 40);

/// Draws the picture of a row's world and the numbers; only rows that are seen ask for pictures.
class HitDelegate : public QStyledItemDelegate {
public:
    HitDelegate(HitModel* model, CardPictures* pictures, QObject* parent)
        : QStyledItemDelegate(parent), m_model(model), m_pictures(pictures) {}

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override {
        const Tokens& t = currentTokens();
        const QRectF box(option.rect);
        painter->save();
        const bool isCurrent = paintRowGround(painter, option);
        if (index.column() == HitModel::Picture) {
            if (isCurrent)
                painter->fillRect(QRectF(box.left(), box.top(), 3, box.height()), t.accent);
            const QRectF place(box.left() + 8, box.center().y() - kHitPicture.height() / 2.0,
                               kHitPicture.width(), kHitPicture.height());
            const QImage* picture = m_pictures->picture(m_model->stateAt(index.row()).config);
            if (picture)
                painter->drawImage(place, *picture);
            else
                painter->fillRect(place, t.border);
        } else {
            painter->setFont(numberFont(12, isCurrent ? QFont::DemiBold : QFont::Normal));
            painter->setPen(index.column() == HitModel::Step && !isCurrent ? t.text2 : t.text);
            painter->drawText(box.adjusted(2, 0, -10, 0), Qt::AlignRight | Qt::AlignVCenter,
                              index.data().toString());
        }
        painter->restore();
    }

private:
    HitModel* m_model;
    CardPictures* m_pictures;
};

}  // namespace

HitList::HitList(HitModel* model, QWidget* parent)
    : QWidget(parent),
      m_model(model),
      m_pictures(new CardPictures(kHitPicture, this)),
      m_title(makeLabel({}, "section", this)),
      m_keys(makeRemark(tr("F3 next, Shift+F3 previous"), "hint", this)),
      m_empty(makeLabel({}, "hint", this)),
      m_table(new QTableView(this)) {
    setObjectName(QStringLiteral("hitList"));
    setAccessibleName(tr("Found states"));
    m_title->setObjectName(QStringLiteral("hitTitle"));
    m_empty->setObjectName(QStringLiteral("hitEmpty"));
    m_empty->setWordWrap(true);
    m_empty->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    m_empty->setContentsMargins(16, 4, 16, 4);
    m_table->setObjectName(QStringLiteral("hitTable"));
    m_table->setAccessibleName(tr("Found states: picture, step, number and value"));
    m_table->setModel(model);
    m_table->setItemDelegate(new HitDelegate(model, m_pictures, m_table));
    m_table->setShowGrid(false);
    m_table->setMouseTracking(true);
    m_table->setTabKeyNavigation(false);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    m_table->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_table->verticalHeader()->hide();
    m_table->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    m_table->verticalHeader()->setDefaultSectionSize(kHitHeight);
    QHeaderView* heads = m_table->horizontalHeader();
    heads->setHighlightSections(false);
    heads->setSectionResizeMode(QHeaderView::Stretch);
    heads->setSectionResizeMode(HitModel::Picture, QHeaderView::Fixed);
    heads->resizeSection(HitModel::Picture, kHitPicture.width() + 20);
    heads->setSortIndicator(model->sortColumn(), model->sortOrder());
    m_table->setSortingEnabled(true);
    connect(heads, &QHeaderView::sortIndicatorChanged, this, [this, heads](int column) {
        if (column == HitModel::Picture)
            heads->setSortIndicator(m_model->sortColumn(), m_model->sortOrder());
    });
    auto* head = new QHBoxLayout;
    head->setContentsMargins(16, 6, 16, 0);
    head->addWidget(m_title);
    head->addStretch(1);
    head->addWidget(m_keys);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(4);
    column->addLayout(head);
    column->addWidget(m_empty, 1);
    column->addWidget(m_table, 1);
    setFocusProxy(m_table);
    connect(m_pictures, &CardPictures::ready, m_table->viewport(), qOverload<>(&QWidget::update));
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex& now) {
                if (!m_isShowing && now.isValid()) m_model->goTo(now.row());
            });
    connect(model, &HitModel::listed, this, &HitList::refreshRows);
    connect(&model->session(), &PlanSession::stateChanged, this, &HitList::refreshCurrent);
    connect(&model->session(), &PlanSession::solutionChanged, this, &HitList::restartPictures);
    restartPictures();
    refreshRows();
}

void HitList::restartPictures() {
    const auto solution = m_model->session().solution();
    m_pictures->restart(thumbnailsOf(solution ? solution->graphPointer() : nullptr),
                        devicePixelRatioF());
    m_table->viewport()->update();
}

void HitList::refreshRows() {
    const bool isEmpty = m_model->rowCount() == 0;
    const QString& question = m_model->session().selection().stateMarksText();
    m_title->setText(isEmpty ? tr("Found states")
                             : tr("%1 states").arg(countText(m_model->total())) +
                                   (question.isEmpty() ? QString() : tr(" with %1").arg(question)));
    m_title->setToolTip(m_title->text());
    m_empty->setText(m_model->isWorking()
                         ? tr("Listing the states …")
                         : tr("Nothing is found. Ask for states in the search field (Ctrl+F)."));
    m_empty->setVisible(isEmpty);
    m_keys->setVisible(!isEmpty);
    m_table->setVisible(!isEmpty);
    refreshCurrent();
}

void HitList::refreshCurrent() {
    if (!isVisible()) return;
    const auto state = m_model->session().graphState();
    const int row = state ? m_model->rowOf(*state) : -1;
    m_isShowing = true;
    m_table->setCurrentIndex(row >= 0 ? m_model->index(row, HitModel::Step) : QModelIndex());
    if (row < 0) m_table->clearSelection();
    m_isShowing = false;
    if (row >= 0) m_table->scrollTo(m_model->index(row, HitModel::Step));
}

void HitList::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    refreshCurrent();
}

/// Pictures have the theme's colours.
void HitList::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && m_model) restartPictures();
}

}  // namespace orrery
