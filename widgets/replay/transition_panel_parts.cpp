#include <QComboBox>
#include <QEvent>
#include <QFrame>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QScrollBar>
#include <QStyle>
#include <QStyledItemDelegate>
#include <QTableView>
#include <QVBoxLayout>
#include <algorithm>

#include "widgets/common/parts.h"
#include "widgets/common/style.h"
#include "widgets/common/tokens.h"
#include "widgets/common/trust_mark.h"
#include "widgets/replay/term_model.h"
#include "widgets/replay/transition_panel.h"
#include "widgets/world/state_picture.h"

// What the transition panel is made of, and the room for the columns of its terms.

namespace orrery {

namespace {

constexpr int kPanelMargin = 12;
constexpr int kTermNumber = 56;  ///< pixels of a term's number beside its bar

/// Draws a term's bar under its number and the mark of a value.
class TermDelegate : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override {
        const Tokens& t = currentTokens();
        const QRectF box(option.rect);
        const bool isTaken = index.data(TermModel::TakenRole).toBool();
        painter->save();
        painter->setRenderHint(QPainter::Antialiasing);
        if ((option.state & QStyle::State_Selected) != 0)
            painter->fillRect(box, t.currentRow);
        else if (isTaken)
            painter->fillRect(box, mixed(t.panel, t.setTint, 0.5));
        if (index.column() == TermModel::Term) {
            const double share = index.data(TermModel::ShareRole).toDouble();
            const QRectF bar(box.left() + 6, box.center().y() - 4,
                             std::max(0.0, box.width() - kTermNumber - 12) * share, 8);
            painter->setPen(Qt::NoPen);
            painter->setBrush(t.warning);
            if (bar.width() >= 1) painter->drawRoundedRect(bar, 2, 2);
        }
        double left = 4;
        if (const QVariant trust = index.data(TermModel::TrustRole); trust.isValid()) {
            paintTrustMark(*painter, QPointF(box.left() + 8, box.center().y()),
                           static_cast<TrustKind>(trust.toInt()), t);
            left = 16;
        }
        const QVariant font = index.data(Qt::FontRole);
        painter->setFont(font.isValid() ? font.value<QFont>() : interfaceFont(12, QFont::DemiBold));
        painter->setPen(t.text);
        const QRectF cell = box.adjusted(left, 0, -6, 0);
        painter->drawText(cell, index.data(Qt::TextAlignmentRole).toInt(),
                          painter->fontMetrics().elidedText(index.data().toString(), Qt::ElideRight,
                                                            static_cast<int>(cell.width())));
        painter->restore();
    }
};

}  // namespace

void TransitionPanel::nameParts() {
    m_title->setObjectName(QStringLiteral("transitionTitle"));
    m_facts->setObjectName(QStringLiteral("transitionFacts"));
    m_facts->setWordWrap(true);
    m_remark->setObjectName(QStringLiteral("transitionRemark"));
    m_remark->setWordWrap(true);
    m_targetText->setObjectName(QStringLiteral("targetNumber"));
    m_predictionText->setObjectName(QStringLiteral("predictionNumber"));
    m_exactText->setObjectName(QStringLiteral("exactNumber"));
    m_error->setObjectName(QStringLiteral("targetError"));
    m_sum->setObjectName(QStringLiteral("termSum"));
    m_formula->setTextFormat(Qt::RichText);
    m_formula->setWordWrap(true);
    m_before->setObjectName(QStringLiteral("pictureBefore"));
    m_after->setObjectName(QStringLiteral("pictureAfter"));
    m_quantity->setObjectName(QStringLiteral("targetQuantity"));
    m_quantity->setAccessibleName(tr("Quantity"));
    m_quantity->setToolTip(
        tr("Whose target is shown: the humans' ability to reach a goal, or the "
           "robots' value of an action"));
    m_quantity->addItems({tr("Goal ability"), tr("Robot value")});
    m_choice->setObjectName(QStringLiteral("targetChoice"));
    m_choice->setAccessibleName(tr("Human and goal, or robot action"));
    m_choice->setToolTip(tr("Of which human and goal, or of which robot action"));
}

void TransitionPanel::makeTable() {
    m_table->setObjectName(QStringLiteral("targetTerms"));
    m_table->setAccessibleName(tr("Target, term by term"));
    m_table->setModel(m_terms);
    m_table->setItemDelegate(new TermDelegate(m_table));
    m_table->setShowGrid(false);
    m_table->setFrameShape(QFrame::NoFrame);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->setTabKeyNavigation(false);
    m_table->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_table->verticalHeader()->hide();
    m_table->verticalHeader()->setDefaultSectionSize(kTermHeight);
    m_table->horizontalHeader()->setHighlightSections(false);
}

void TransitionPanel::layOut() {
    auto* column = new QVBoxLayout(m_inside);
    column->setContentsMargins(kPanelMargin, 10, kPanelMargin, 10);
    column->setSpacing(6);
    column->addWidget(m_title);
    column->addWidget(m_facts);
    column->addWidget(makePictures());
    auto* choices = new QHBoxLayout;
    choices->addWidget(m_quantity);
    choices->addWidget(m_choice, 1);
    column->addLayout(choices);
    column->addWidget(makeNumbers());
    addHeading(column, tr("Target, term by term"));
    column->addWidget(m_formula);
    column->addWidget(m_table);
    column->addWidget(m_sum);
    column->addWidget(m_remark);
    column->addStretch(1);
    setWidget(m_inside);
    setFocusProxy(m_quantity);
}

QWidget* TransitionPanel::makePictures() {
    m_pictures = new QWidget(m_inside);
    auto* grid = new QGridLayout(m_pictures);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(12);
    const auto add = [&](int column, StatePicture* picture, const char* name, const QString& tip) {
        grid->addWidget(picture, 0, column);
        auto* inspect = new QPushButton(tr("Inspect"), m_pictures);
        inspect->setObjectName(QLatin1String(name));
        inspect->setToolTip(tip);
        grid->addWidget(inspect, 1, column, Qt::AlignLeft);
        grid->setColumnStretch(column, 1);
        connect(inspect, &QPushButton::clicked, this,
                [this, column] { Q_EMIT inspectRequested(column == 0 ? 0 : 1 + m_successor); });
    };
    add(0, m_before, "inspectBefore", tr("Shows the state and its exact values in the inspector"));
    add(1, m_after, "inspectAfter", tr("Shows the state and its exact values in the inspector"));
    return m_pictures;
}

QWidget* TransitionPanel::makeNumbers() {
    m_numbers = new QWidget(m_inside);
    auto* line = new QHBoxLayout(m_numbers);
    line->setContentsMargins(0, 0, 0, 0);
    line->setSpacing(8);
    const auto addCard = [&](const QString& name, TrustKind kind, QLabel* number,
                             QLabel* more) -> TrustMark* {
        auto* card = new QFrame(m_numbers);
        card->setProperty("look", "card");
        auto* column = new QVBoxLayout(card);
        column->setContentsMargins(10, 6, 10, 6);
        column->setSpacing(2);
        auto* head = new QHBoxLayout;
        auto* mark = new TrustMark(card, kind);
        head->addWidget(mark);
        head->addWidget(makeLabel(name, "label", card), 1);
        column->addLayout(head);
        column->addWidget(number);
        if (more != nullptr) column->addWidget(more);
        column->addStretch(1);
        line->addWidget(card, 1);
        return mark;
    };
    addCard(tr("Target"), TrustKind::Target, m_targetText, m_error);
    m_predictionMark = addCard(tr("Prediction"), TrustKind::Learned, m_predictionText, nullptr);
    m_exactCard = addCard(tr("Exact"), TrustKind::Exact, m_exactText, nullptr)->parentWidget();
    return m_numbers;
}

/// The content may be narrower than the view: a scroll area saves itself a scroll bar so.
bool TransitionPanel::eventFilter(QObject* watched, QEvent* event) {
    if (watched == m_inside && event->type() == QEvent::Resize) layOutTerms();
    return QScrollArea::eventFilter(watched, event);
}

/// Gives each column what it needs and the bars the rest.
void TransitionPanel::layOutTerms() {
    const bool isGoal = m_quantity->currentIndex() == kGoalAbility;
    const int widths[] = {70, 52, 84, 52, 82};
    // What is behind a scroll bar of the panel or of the table cannot be read.
    const bool hasBar = m_terms->rowCount() > kMostLines;
    int rest = m_inside->width() - 2 * kPanelMargin -
               (hasBar ? m_table->verticalScrollBar()->sizeHint().width() : 0);
    for (int column = 0; column < TermModel::Term; ++column) {
        m_table->setColumnWidth(column, widths[column]);
        rest -= widths[column];
    }
    if (!isGoal) rest += widths[TermModel::Policy];
    const bool hasStates = rest >= kTermNumber;
    if (!hasStates) rest += widths[TermModel::Successor];
    m_table->setColumnHidden(TermModel::Policy, !isGoal);
    m_table->setColumnHidden(TermModel::Successor, !hasStates);
    m_table->setColumnWidth(TermModel::Term, std::max(rest, kTermNumber));
}

}  // namespace orrery
