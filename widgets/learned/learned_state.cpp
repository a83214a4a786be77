#include "widgets/learned/learned_state.h"

#include <QPainter>
#include <algorithm>
#include <utility>

#include "widgets/bridge/plan_session.h"
#include "widgets/common/number_text.h"
#include "widgets/common/style.h"
#include "widgets/common/symbol_text.h"
#include "widgets/common/tokens.h"
#include "widgets/common/trust_mark.h"

namespace orrery {

namespace {

constexpr int kHead = 50, kLineHigh = 22, kFoot = 6;
constexpr double kStateMargin = 0, kNumberWide = 82;
constexpr std::size_t kMostActions = 4;

}  // namespace

LearnedState::LearnedState(PlanSession* session, QWidget* parent)
    : PaintedWidget(parent), m_session(session) {
    setObjectName(QStringLiteral("learnedState"));
    setAccessibleName(tr("Learned numbers of the state"));
    setToolTip(tr("What a training had learned about this state, beside the exact numbers"));
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    connect(session, &PlanSession::stateChanged, this, &LearnedState::refresh);
    connect(session, &PlanSession::worldChanged, this, &LearnedState::refresh);
    hide();
}

void LearnedState::setErrors(std::shared_ptr<const LearnedErrors> errors) {
    m_errors = std::move(errors);
    refresh();
}

void LearnedState::addLines(const ValueOf& quantity, std::size_t state) {
    const NumbersOfState numbers = numbersOf(*m_errors, quantity, state);
    std::vector<std::size_t> order(numbers.exact.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    if (quantity.kind == ValueKind::Pi_r) {
        std::ranges::stable_sort(order, std::ranges::greater{},
                                 [&](std::size_t i) { return numbers.exact[i]; });
        order.resize(std::min(order.size(), kMostActions));
    }
    for (const std::size_t i : order)
        m_lines.push_back({.symbol = QLatin1String(factsOf(quantity.kind).symbol),
                           .name = numbers.names[i],
                           .exact = numbers.exact[i],
                           .learned = numbers.learned[i],
                           .isSeen = numbers.isSeen[i]});
}

void LearnedState::refresh() {
    m_lines.clear();
    std::int64_t state = -1;
    if (m_errors && m_session->isOpen(*m_errors->world)) {
        const StateItem& item = m_session->state();
        if (const auto config = m_errors->graph().find(item.words, item.step))
            state = m_errors->indexOf({item.step, *config});
    }
    if (state >= 0) {
        const auto at = static_cast<std::size_t>(state);
        addLines({ValueKind::V_h_e}, at);
        addLines({ValueKind::X_h}, at);
        addLines({ValueKind::V_r}, at);
        addLines({ValueKind::Pi_r}, at);
        m_title = tr("Exact and learned");
        m_remark =
            tr("step %1 · %2 visits")
                .arg(countText(m_errors->step), countText(m_errors->error.byState[at].visits));
        QStringList told;
        for (const Line& line : m_lines)
            told << tr("%1 %2: exact %3, learned %4")
                        .arg(line.symbol, line.name, valueText(line.exact),
                             line.isSeen ? valueText(line.learned) : trustText(TrustKind::Unseen));
        setAccessibleDescription(told.join(u'\n'));
    }
    setVisible(!m_lines.empty());
    updateGeometry();
    update();
}

QSize LearnedState::sizeHint() const {
    return {260, kHead + kLineHigh * static_cast<int>(m_lines.size()) + kFoot};
}

void LearnedState::paintEvent(QPaintEvent*) {
    const Tokens& t = currentTokens();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(t.text);
    painter.setFont(interfaceFont(13, QFont::DemiBold));
    painter.drawText(QPointF(kStateMargin, 20), m_title);
    painter.setFont(interfaceFont(11));
    painter.setPen(t.text3);
    const double right = width() - kStateMargin;
    painter.drawText(QRectF(0, 6, right, 18), Qt::AlignRight | Qt::AlignVCenter, m_remark);
    const QRectF exact(right - 2 * kNumberWide, 28, kNumberWide, 18);
    const QRectF learned(right - kNumberWide, 28, kNumberWide, 18);
    painter.drawText(exact, Qt::AlignRight | Qt::AlignVCenter, trustText(TrustKind::Exact));
    painter.drawText(learned, Qt::AlignRight | Qt::AlignVCenter, trustText(TrustKind::Learned));
    for (std::size_t i = 0; i < m_lines.size(); ++i) {
        const Line& line = m_lines[i];
        const double top = kHead + kLineHigh * static_cast<double>(i);
        painter.setPen(t.text2);
        const double wide =
            paintSymbol(painter, QPointF(kStateMargin, top + 15), 12, line.symbol, 500);
        painter.setFont(interfaceFont(12));
        const double left = kStateMargin + wide + 8;
        const QString name = painter.fontMetrics().elidedText(
            line.name, Qt::ElideRight, static_cast<int>(exact.left() - left));
        painter.drawText(QRectF(left, top, exact.left() - left, kLineHigh), Qt::AlignVCenter, name);
        painter.setFont(numberFont(12));
        const auto number = [&](const QRectF& column, double value, TrustKind kind) {
            const QString text = kind == TrustKind::Unseen ? trustText(kind) : valueText(value);
            const QRectF box(column.left(), top, column.width(), kLineHigh);
            painter.setPen(kind == TrustKind::Unseen ? t.text3 : t.text);
            painter.drawText(box, Qt::AlignRight | Qt::AlignVCenter, text);
            const double end = box.right() - painter.fontMetrics().horizontalAdvance(text);
            paintTrustMark(painter, QPointF(end - 9, box.center().y()), kind, t);
        };
        number(exact, line.exact, TrustKind::Exact);
        number(learned, line.learned, line.isSeen ? TrustKind::Learned : TrustKind::Unseen);
    }
}

std::vector<NamedSpot> LearnedState::namedSpots() const {
    std::vector<NamedSpot> spots;
    for (std::size_t i = 0; i < m_lines.size(); ++i) {
        const Line& line = m_lines[i];
        spots.push_back({QStringLiteral("%1 %2").arg(line.symbol, line.name),
                         QRect(0, kHead + kLineHigh * static_cast<int>(i), width(), kLineHigh),
                         {{QStringLiteral("exact"), line.exact},
                          {QStringLiteral("learned"), line.learned},
                          {QStringLiteral("seen"), line.isSeen}}});
    }
    return spots;
}

}  // namespace orrery
