#pragma once

#include <QJsonObject>
#include <QRect>
#include <QString>
#include <QWidget>
#include <vector>

namespace orrery {

/// A place in a painted view that a person can point at.
struct NamedSpot {
    QString name;            ///< unique within the view: "cell 3,2", "state t4/s17", "level 6"
    QRect rect;              ///< in the view's pixels
    QJsonObject facts = {};  ///< what is drawn there: its text, value, colour
    QString tip = {};        ///< what is said of it under the mouse

    bool operator==(const NamedSpot&) const = default;
};

/// What a widget is that paints things which are no widgets. Each spot is a child of it in the tree
/// of accessible objects, where screen readers and checks by programs find it. GUI thread only.
class PaintedView {
public:
    virtual ~PaintedView() = default;
    /// What is visible now; at most some thousands.
    virtual std::vector<NamedSpot> namedSpots() const = 0;
    /// Counts and choices of the view: how many of how many are shown.
    virtual QJsonObject spotFacts() const { return {}; }
    /// What is said of a point of the view: the tip of the spot that is there, of several that of
    /// the last one which has any; empty: the view's tool tip, if it has one.
    virtual QString tipAt(const QPoint& point) const;
};

/// The base of most of them: it shows the tip of the place under the mouse.
class PaintedWidget : public QWidget, public PaintedView {
    Q_OBJECT

public:
    using QWidget::QWidget;

protected:
    bool event(QEvent* event) override;
    /// Says at once what is said of a point; nothing: hides what was said.
    void showTipAt(const QPointF& point);
};

/// Shows what a painted view says of the place under the mouse, if the event asks for a tip.
/// @return whether it did
bool showTip(QWidget* widget, const PaintedView& view, QEvent* event);

/// Makes all painted views of the program part of the accessible tree; once is enough.
void describePaintedViews();

}  // namespace orrery
