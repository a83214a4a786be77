#include "widgets/common/painted_view.h"

#include <QAccessibleWidget>
#include <QHelpEvent>
#include <QJsonDocument>
#include <QToolTip>
#include <utility>

namespace orrery {

namespace {

QString compact(const QJsonObject& facts) {
    return facts.isEmpty() ? QString()
                           : QString::fromUtf8(QJsonDocument(facts).toJson(QJsonDocument::Compact));
}

/// "value 0.25, states 12": for a person who listens.
QString spokenFacts(const QJsonObject& facts) {
    QStringList parts;
    for (auto fact = facts.begin(); fact != facts.end(); ++fact)
        if (!fact->isArray() && !fact->isObject() && fact.key() != QLatin1String("color"))
            parts << QStringLiteral("%1 %2").arg(fact.key(), fact->toVariant().toString());
    return parts.join(QStringLiteral(", "));
}

/// One spot. The cache of Qt owns it; its view removes it when it shows something else.
class SpotAccess : public QAccessibleInterface {
public:
    SpotAccess(QWidget* view, NamedSpot spot) : m_view(view), m_spot(std::move(spot)) {}

    const NamedSpot& spot() const { return m_spot; }

    bool isValid() const override { return true; }
    QObject* object() const override { return nullptr; }
    QWindow* window() const override { return parent()->window(); }
    QAccessibleInterface* parent() const override {
        return QAccessible::queryAccessibleInterface(m_view);
    }
    QAccessibleInterface* child(int) const override { return nullptr; }
    QAccessibleInterface* childAt(int, int) const override { return nullptr; }
    int childCount() const override { return 0; }
    int indexOfChild(const QAccessibleInterface*) const override { return -1; }
    QString text(QAccessible::Text kind) const override {
        switch (kind) {
            case QAccessible::Name:
                return m_spot.name;
            case QAccessible::Description:
                return spokenFacts(m_spot.facts);
            case QAccessible::UserText:
                return compact(m_spot.facts);
            default:
                return {};
        }
    }
    void setText(QAccessible::Text, const QString&) override {}
    QRect rect() const override {
        return QRect(m_view->mapToGlobal(m_spot.rect.topLeft()), m_spot.rect.size());
    }
    QAccessible::Role role() const override { return QAccessible::Graphic; }
    QAccessible::State state() const override {
        QAccessible::State state;
        state.readOnly = true;
        return state;
    }

private:
    QWidget* m_view;
    NamedSpot m_spot;
};

/// A painted view: its widgets, then its spots as they were when somebody counted them last.
class PaintedAccess : public QAccessibleWidget {
public:
    PaintedAccess(QWidget* widget, const PaintedView* view)
        : QAccessibleWidget(widget, QAccessible::Graphic), m_view(view) {}
    ~PaintedAccess() override { forget(); }

    int childCount() const override {
        renew();
        return QAccessibleWidget::childCount() + static_cast<int>(m_spots.size());
    }
    QAccessibleInterface* child(int index) const override {
        const int spot = index - QAccessibleWidget::childCount();
        if (spot < 0) return QAccessibleWidget::child(index);
        if (m_spots.empty()) renew();
        return spot < static_cast<int>(m_spots.size()) ? spotAt(static_cast<std::size_t>(spot))
                                                       : nullptr;
    }
    int indexOfChild(const QAccessibleInterface* child) const override {
        for (std::size_t i = 0; i < m_spots.size(); ++i)
            if (spotAt(i) == child) return QAccessibleWidget::childCount() + static_cast<int>(i);
        return QAccessibleWidget::indexOfChild(child);
    }
    /// The smallest spot there, which is drawn over those around it.
    QAccessibleInterface* childAt(int x, int y) const override {
        if (QAccessibleInterface* widget = QAccessibleWidget::childAt(x, y)) return widget;
        renew();
        QAccessibleInterface* found = nullptr;
        const auto area = [](const QRect& r) { return qint64{r.width()} * r.height(); };
        for (std::size_t i = 0; i < m_spots.size(); ++i) {
            const QRect rect = spotAt(i)->rect();
            if (rect.contains(x, y) && (found == nullptr || area(rect) <= area(found->rect())))
                found = spotAt(i);
        }
        return found;
    }
    QString text(QAccessible::Text kind) const override {
        return kind == QAccessible::UserText ? compact(m_view->spotFacts())
                                             : QAccessibleWidget::text(kind);
    }

private:
    SpotAccess* spotAt(std::size_t index) const {
        return static_cast<SpotAccess*>(QAccessible::accessibleInterface(m_spots[index]));
    }
    void forget() const {
        for (const QAccessible::Id id : m_spots) QAccessible::deleteAccessibleInterface(id);
        m_spots.clear();
    }
    /// Spots that stayed as they were stay the same objects.
    void renew() const {
        std::vector<NamedSpot> spots = m_view->namedSpots();
        bool isSame = spots.size() == m_spots.size();
        for (std::size_t i = 0; isSame && i < spots.size(); ++i)
            isSame = spotAt(i)->spot() == spots[i];
        if (isSame) return;
        forget();
        for (NamedSpot& spot : spots)
            m_spots.push_back(QAccessible::registerAccessibleInterface(
                new SpotAccess(widget(), std::move(spot))));
    }

    const PaintedView* m_view;
    mutable std::vector<QAccessible::Id> m_spots;
};

QAccessibleInterface* makeAccess(const QString&, QObject* object) {
    const auto* view = dynamic_cast<const PaintedView*>(object);
    return view == nullptr ? nullptr : new PaintedAccess(static_cast<QWidget*>(object), view);
}

}  // namespace

void describePaintedViews() {
    QAccessible::installFactory(&makeAccess);  // Qt takes the same one once
}

QString PaintedView::tipAt(const QPoint& point) const {
    QString tip;
    for (const NamedSpot& spot : namedSpots())
        if (!spot.tip.isEmpty() && spot.rect.contains(point)) tip = spot.tip;
    return tip;
}

bool showTip(QWidget* widget, const PaintedView& view, QEvent* event) {
    if (event->type() != QEvent::ToolTip) return false;
    const auto* help = static_cast<QHelpEvent*>(event);
    const QString tip = view.tipAt(help->pos());
    if (tip.isEmpty() && !widget->toolTip().isEmpty()) return false;  // as any widget
    QToolTip::showText(help->globalPos(), tip, widget);               // none hides the last one
    return true;
}

bool PaintedWidget::event(QEvent* event) {
    return showTip(this, *this, event) || QWidget::event(event);
}

void PaintedWidget::showTipAt(const QPointF& point) {
    QToolTip::showText(mapToGlobal(point.toPoint()), tipAt(point.toPoint()), this);
}

}  // namespace orrery
