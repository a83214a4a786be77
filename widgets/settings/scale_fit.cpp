#include "widgets/settings/scale_fit.h"

#include <QCoreApplication>
#include <algorithm>

namespace orrery {

int fittingScale(int percent, const QSize& screen) {
    constexpr int kPlain = 100;
    const int most = std::min(kPlain * screen.width() / kLeastPoints.width(),
                              kPlain * screen.height() / kLeastPoints.height());
    return std::clamp(percent, kPlain, std::max(kPlain, most));
}

QString scaleRemark(int percent, const QSize& screen) {
    const int used = fittingScale(percent, screen);
    if (used == percent) return {};
    return QCoreApplication::translate("ScaleFit",
                                       "%1 % would leave less than %2 x %3 points of this screen: "
                                       "%4 % is used.")
        .arg(percent)
        .arg(kLeastPoints.width())
        .arg(kLeastPoints.height())
        .arg(used);
}

}  // namespace orrery
