#include "widgets/common/motion.h"

#include <QProxyStyle>

namespace orrery {

namespace {

bool& reduced() {
    static bool isReduced = false;
    return isReduced;
}

class MotionStyle : public QProxyStyle {
public:
    explicit MotionStyle(QStyle* base) : QProxyStyle(base) {}

    int styleHint(StyleHint hint, const QStyleOption* option, const QWidget* widget,
                  QStyleHintReturn* result) const override {
        if (reduced() && (hint == SH_Widget_Animation_Duration || hint == SH_Widget_Animate))
            return 0;
        return QProxyStyle::styleHint(hint, option, widget, result);
    }
};

}  // namespace

void setReducedMotion(bool isReduced) {
    reduced() = isReduced;
}

bool hasReducedMotion() {
    return reduced();
}

QStyle* makeMotionStyle(QStyle* base) {
    return new MotionStyle(base);
}

}  // namespace orrery
