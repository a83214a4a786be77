#pragma once

#include <QWidget>

namespace orrery {

struct Tokens;

/// Where a number comes from: computed exactly; learned; a learner's target; or the default of an
/// entry that was never visited.
enum class TrustKind { Exact, Learned, Target, Unseen };

/// Draws a kind's mark, 8 pixels wide: a filled square, a filled disc, a ring, a hatched square.
void paintTrustMark(QPainter& painter, const QPointF& centre, TrustKind kind, const Tokens& tokens);

/// "exact", "learned", "target", "unseen": for tips and tables.
QString trustText(TrustKind kind);

/// The mark beside a number.
class TrustMark : public QWidget {
    Q_OBJECT

public:
    explicit TrustMark(QWidget* parent, TrustKind kind = TrustKind::Exact);

    TrustKind kind() const { return m_kind; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    TrustKind m_kind;
};

}  // namespace orrery
