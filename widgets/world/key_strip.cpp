#include "widgets/world/key_strip.h"

#include <QPainter>
#include <cmath>

#include "widgets/bridge/plan_session.h"
#include "widgets/common/style.h"
#include "widgets/common/tokens.h"
#include "widgets/world/action_keys.h"
#include "widgets/world/play_mode.h"

namespace orrery {

namespace {

constexpr int kKeyRow = 24, kCapHeight = 17;
constexpr double kKeyGap = 14, kInner = 6, kCapMargin = 5;

QFont capFont() {
    return numberFont(10);
}

QFont textFont() {
    return interfaceFont(11);
}

double capWidth(const QString& cap) {
    const double text = QFontMetricsF(capFont()).horizontalAdvance(cap);
    return std::max(static_cast<double>(kCapHeight), std::ceil(text) + 2 * kCapMargin);
}

}  // namespace

KeyStrip::KeyStrip(PlanSession* session, PlayMode* play, QWidget* parent)
    : PaintedWidget(parent), m_session(session), m_play(play) {
    setObjectName(QStringLiteral("keyStrip"));
    setAccessibleName(tr("Keys of play mode"));
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    connect(session, &PlanSession::worldChanged, this, &KeyStrip::refresh);
    connect(play, &PlayMode::changed, this, &KeyStrip::refresh);
    refresh();
}

void KeyStrip::refresh() {
    std::vector<Entry> entries;
    if (m_session->isOpen()) {
        const AgentInfo& agent =
            m_session->world().agents()[static_cast<std::size_t>(m_play->agent())];
        QString arrows;
        std::vector<Entry> letters;
        bool turns = false;
        for (int a = 0; a < std::ssize(agent.actions); ++a) {
            const QString cap = keyOfAction(agent, a);
            const QString name = QString::fromStdString(agent.actions[static_cast<std::size_t>(a)]);
            turns = turns || name == QLatin1String("forward");
            if (QStringLiteral("←↑→↓").contains(cap))
                arrows += cap;
            else
                letters.push_back({cap, cap == QLatin1String("0") ? tr("stay") : name});
        }
        if (!arrows.isEmpty())
            entries.push_back({turns ? QStringLiteral("← ↑ →") : QStringLiteral("← ↑ → ↓"),
                               turns ? tr("turn, go") : tr("move")});
        entries.insert(entries.end(), letters.begin(), letters.end());
        if (m_play->isChoosing()) {
            const auto most = std::min<std::size_t>(9, m_session->successors().size());
            entries = {{QStringLiteral("1 – %1").arg(most), tr("choose what happens")},
                       {tr("Esc"), tr("take back")}};
        } else {
            if (m_session->world().numAgents() > 1)
                entries.push_back({tr("Tab"), tr("next agent")});
            entries.push_back({tr("Enter"), m_play->stepsOnKey() ? tr("step") : tr("commit")});
            entries.push_back({tr("Alt"), tr("hold: successors")});
            entries.push_back({tr("Backspace"), tr("undo step")});
            entries.push_back({QStringLiteral("[ ]"), tr("overlay")});
            entries.push_back({QStringLiteral("R"), tr("reset")});
        }
    }
    if (entries == m_entries) return;
    m_entries = std::move(entries);
    QStringList names;
    for (const Entry& entry : m_entries) names << entry.caps + u' ' + entry.text;
    setAccessibleDescription(names.join(QStringLiteral(", ")));
    setFixedHeight(heightForWidth(width()));
    update();
}

template <typename Use>
int KeyStrip::place(int width, Use use) const {
    const QFontMetricsF metrics(textFont());
    double x = 0;
    int y = 0;
    for (const Entry& entry : m_entries) {
        const double cap = capWidth(entry.caps);
        const double wide = cap + kInner + metrics.horizontalAdvance(entry.text);
        if (x > 0 && x + wide > width) {
            x = 0;
            y += kKeyRow;
        }
        use(entry, QRectF(x, y + (kKeyRow - kCapHeight) / 2.0, cap, kCapHeight));
        x += wide + kKeyGap;
    }
    return m_entries.empty() ? 0 : y + kKeyRow;
}

int KeyStrip::heightForWidth(int width) const {
    return place(width, [](const Entry&, const QRectF&) {});
}

/// Its height is set: layouts would ask for that of both strips, though one is always hidden.
void KeyStrip::resizeEvent(QResizeEvent* event) {
    setFixedHeight(heightForWidth(width()));
    QWidget::resizeEvent(event);
}

void KeyStrip::paintEvent(QPaintEvent*) {
    const Tokens& t = currentTokens();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    place(width(), [&](const Entry& entry, const QRectF& cap) {
        painter.setPen(QPen(t.strongBorder, 1));
        painter.setBrush(t.raised);
        painter.drawRoundedRect(cap.adjusted(0.5, 0.5, -0.5, -0.5), 3, 3);
        painter.setFont(capFont());
        painter.setPen(t.text);
        painter.drawText(cap, Qt::AlignCenter, entry.caps);
        painter.setFont(textFont());
        painter.setPen(t.text2);
        painter.drawText(QRectF(cap.right() + kInner, cap.top() - 4, 300, cap.height() + 8),
                         Qt::AlignLeft | Qt::AlignVCenter, entry.text);
    });
}

}  // namespace orrery
