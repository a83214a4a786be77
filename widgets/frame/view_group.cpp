#include "widgets/frame/view_group.h"

#include <QVariant>

#include "widgets/common/parts.h"
#include "widgets/frame/view_tab_bar.h"

namespace orrery {

namespace {

constexpr char kViewId[] = "viewId";
constexpr int kLeastWidth = 200, kLeastHeight = 100;

}  // namespace

ViewGroup::ViewGroup(bool isBare, QWidget* parent) : QTabWidget(parent), m_isBare(isBare) {
    setObjectName(QStringLiteral("viewGroup"));
    auto* tabs = new ViewTabBar(this);
    setTabBar(tabs);
    connect(tabs, &ViewTabBar::carried, this, &ViewGroup::carried);
    connect(tabs, &ViewTabBar::dropped, this, &ViewGroup::dropped);
    connect(tabs, &ViewTabBar::putBack, this, &ViewGroup::putBack);
    setDocumentMode(true);
    setMovable(true);
    setTabsClosable(!isBare);
    setUsesScrollButtons(true);
    setElideMode(Qt::ElideRight);
    tabBar()->setExpanding(false);
    tabBar()->setDrawBase(false);
    tabBar()->setVisible(!isBare);
    tabBar()->setFocusPolicy(Qt::TabFocus);
    tabBar()->setAccessibleName(tr("Views"));
}

void ViewGroup::addView(QWidget* view, const QString& id, const QString& title, const QString& tip,
                        int at) {
    view->setProperty(kViewId, id);
    view->setMinimumSize(kLeastWidth, kLeastHeight);  // whatever its bars would like
    const int index = insertTab(at, view, title);
    setTabToolTip(index, tip);
    if (m_isBare) tabBar()->hide();
}

int ViewGroup::indexOfView(const QString& id) const {
    for (int i = 0; i < count(); ++i)
        if (idAt(i) == id) return i;
    return -1;
}

QString ViewGroup::idAt(int index) const {
    const QWidget* view = widget(index);
    return view ? view->property(kViewId).toString() : QString();
}

void ViewGroup::setCurrent(bool isCurrent) {
    if (property("current").toBool() == isCurrent) return;
    setProperty("current", isCurrent);
    tabBar()->setProperty("current", isCurrent);
    restyle(tabBar());
}

}  // namespace orrery
