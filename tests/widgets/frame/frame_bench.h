#pragma once

#include <QLabel>
#include <QLineEdit>
#include <QTest>
#include <memory>
#include <optional>

#include "tests/widgets/quiet.h"
#include "widgets/frame/centre_area.h"
#include "widgets/frame/frame.h"
#include "widgets/frame/view_scope.h"

namespace orrery {

/// A view that keeps one number.
class Counter : public QLineEdit, public KeepsState {
public:
    using QLineEdit::QLineEdit;
    QJsonObject saveState() const override { return {{QStringLiteral("text"), text()}}; }
    void restoreState(const QJsonObject& state) override {
        setText(state.value(QStringLiteral("text")).toString());
    }
};

/// Shows a number that all scopes share, or the one that stood when it was frozen.
class NumberScope : public ViewScope {
public:
    NumberScope(const int* common, QObject* parent) : ViewScope(parent), m_common(common) {}
    int number() const { return m_kept.value_or(*m_common); }
    QString text() const override { return QStringLiteral("number %1").arg(number()); }
    QString shortText() const override { return QString::number(number()); }
    bool isFrozen() const override { return m_kept.has_value(); }
    void setFrozen(bool isFrozen) override {
        keep(isFrozen ? std::optional(number()) : std::nullopt);
    }
    Memento memento() const override {
        return [kept = m_kept](ViewScope& scope) { static_cast<NumberScope&>(scope).keep(kept); };
    }
    QJsonObject saveState() const override {
        return m_kept ? QJsonObject{{QStringLiteral("kept"), *m_kept}} : QJsonObject();
    }
    void restoreState(const QJsonObject& state) override {
        keep(state.value(QStringLiteral("kept")).toInt());
    }

private:
    void keep(std::optional<int> number) {
        m_kept = number;
        Q_EMIT changed();
    }

    const int* m_common;
    std::optional<int> m_kept;
};

/// What the views of NumberScope show.
inline int& shownNumber() {
    static int kNumber = 0;
    return kNumber;
}

inline void addScopedView(Frame& frame, const char* name, ViewPlace place) {
    frame.addView(
        {.id = QLatin1String(name),
         .title = QLatin1String(name).toString().toUpper(),
         .icon = {},
         .tip = QStringLiteral("A view that can be frozen"),
         .place = place,
         .makeScope = [](QObject* parent) { return new NumberScope(&shownNumber(), parent); },
         .makeScoped =
             [name](ViewScope&, int number, QWidget* parent) {
                 auto* view = new Counter(parent);
                 view->setObjectName(QLatin1String(name));
                 view->setText(QStringLiteral("made %1").arg(number));
                 return view;
             }});
}

inline std::unique_ptr<Frame> makeFrame() {
    auto frame = std::make_unique<Frame>();
    for (const char* name : {"alpha", "beta", "gamma"})
        frame->addView({.id = QLatin1String(name),
                        .title = QLatin1String(name).toString().toUpper(),
                        .icon = {},
                        .tip = QStringLiteral("A view"),
                        .make = [name](QWidget* parent) {
                            auto* view = new Counter(parent);
                            view->setObjectName(QLatin1String(name));
                            return view;
                        }});
    for (const auto& [name, place] :
         {std::pair{"left", ViewPlace::Left}, std::pair{"right", ViewPlace::Right}})
        frame->addView(
            {.id = QLatin1String(name),
             .title = QLatin1String(name),
             .icon = {},
             .tip = QStringLiteral("A panel"),
             .place = place,
             .make = [](QWidget* parent) { return new QLabel(QStringLiteral("x"), parent); }});
    addScopedView(*frame, "delta", ViewPlace::Centre);
    addScopedView(*frame, "aside", ViewPlace::Right);
    frame->addOwnViews();
    frame->addPerspective({.id = QStringLiteral("one"),
                           .name = QStringLiteral("One"),
                           .icon = {},
                           .tip = {},
                           .centre = R"({"tabs": ["alpha", "beta"], "current": "beta"})",
                           .panels = {QStringLiteral("left"), QStringLiteral("right")}});
    frame->addPerspective(
        {.id = QStringLiteral("two"),
         .name = QStringLiteral("Two"),
         .icon = {},
         .tip = {},
         .centre = R"({"split": "vertical", "sizes": [100, 300],
                       "parts": [{"tabs": ["gamma"]}, {"tabs": ["alpha"]}]})",
         .panels = {QStringLiteral("right"), QStringLiteral("jobs"), QStringLiteral("messages")}});
    frame->setUpFrame();
    frame->resize(1000, 700);
    return frame;
}

inline QStringList shownPanels(const Frame& frame) {
    QStringList shown;
    for (const ViewSpec& spec : frame.views())
        if (spec.place != ViewPlace::Centre && frame.isViewShown(spec.id)) shown << spec.id;
    return shown;
}

/// A frame with views, panels and two perspectives, in an active window.
class FrameBench {
protected:
    std::unique_ptr<Frame> m_frame;

    CentreArea& centre() { return m_frame->centre(); }
    void showFrame() {
        m_frame = makeFrame();
        m_frame->show();
        m_frame->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(m_frame.get(), kPatience));
    }
};

}  // namespace orrery
