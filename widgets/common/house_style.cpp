#include "widgets/common/house_style.h"

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QAbstractSpinBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QFontMetrics>
#include <QPainter>
#include <QProxyStyle>
#include <QStyleOptionHeader>
#include <QStyledItemDelegate>
#include <algorithm>

#include "widgets/common/icons.h"
#include "widgets/common/motion.h"
#include "widgets/common/style.h"
#include "widgets/common/tokens.h"

namespace orrery {

namespace {

/// The icon of ours that stands for one of Qt's; empty: Qt's own.
QString nameOf(QStyle::StandardPixmap pixmap) {
    switch (pixmap) {
        case QStyle::SP_FileDialogBack:
        case QStyle::SP_ArrowBack:
        case QStyle::SP_ArrowLeft:
            return QStringLiteral("go-previous");
        case QStyle::SP_ArrowForward:
        case QStyle::SP_ArrowRight:
            return QStringLiteral("go-next");
        case QStyle::SP_FileDialogToParent:
        case QStyle::SP_ArrowUp:
            return QStringLiteral("go-up");
        case QStyle::SP_FileDialogNewFolder:
            return QStringLiteral("folder-new");
        case QStyle::SP_FileDialogListView:
            return QStringLiteral("view-list");
        case QStyle::SP_FileDialogDetailedView:
            return QStringLiteral("table");
        case QStyle::SP_DirHomeIcon:
        case QStyle::SP_ComputerIcon:
        case QStyle::SP_DesktopIcon:
            return QStringLiteral("go-home");
        case QStyle::SP_DirIcon:
        case QStyle::SP_DirOpenIcon:
        case QStyle::SP_DirClosedIcon:
        case QStyle::SP_DirLinkIcon:
        case QStyle::SP_DirLinkOpenIcon:
        case QStyle::SP_DriveHDIcon:
        case QStyle::SP_DriveNetIcon:
            return QStringLiteral("folder");
        case QStyle::SP_FileIcon:
        case QStyle::SP_FileLinkIcon:
            return QStringLiteral("document-new");
        case QStyle::SP_LineEditClearButton:
            return QStringLiteral("window-close");
        default:
            return {};
    }
}

/// Signs of message boxes, in the colour of what they mean.
QIcon signOf(QStyle::StandardPixmap pixmap, const Tokens& tokens) {
    switch (pixmap) {
        case QStyle::SP_MessageBoxInformation:
            return coloredIcon(QStringLiteral("dialog-information"), tokens.info);
        case QStyle::SP_MessageBoxQuestion:
            return coloredIcon(QStringLiteral("help-contents"), tokens.accent);
        case QStyle::SP_MessageBoxWarning:
            return coloredIcon(QStringLiteral("dialog-warning"), tokens.warning);
        case QStyle::SP_MessageBoxCritical:
            return coloredIcon(QStringLiteral("dialog-error"), tokens.error);
        default:
            return {};
    }
}

/// Whether the style sheet frames the widget itself while it has the focus.
bool hasOwnRing(const QWidget* widget) {
    return qobject_cast<const QAbstractButton*>(widget) || qobject_cast<const QComboBox*>(widget);
}

QRect markRect(const QStyleOptionHeader& header, const QRect& label) {
    constexpr int kMark = 10, kGap = 3, kEdge = 1, kTextSize = 11;  // the style sheet's text size
    const int text = QFontMetrics(interfaceFont(kTextSize)).horizontalAdvance(header.text);
    const QRect& all = header.rect;
    const int left = header.textAlignment.testFlag(Qt::AlignRight)
                         ? std::max(label.right() + 1 - text - kGap - kMark, all.left() + kEdge)
                         : std::min(label.left() + text + kGap, all.right() + 1 - kEdge - kMark);
    return {left, all.center().y() - kMark / 2, kMark, kMark};
}

class HouseStyle : public QProxyStyle {
public:
    explicit HouseStyle(QStyle* base) : QProxyStyle(base) {}

    int styleHint(StyleHint hint, const QStyleOption* option, const QWidget* widget,
                  QStyleHintReturn* result) const override {
        if (hint == SH_ComboBox_Popup) return 0;  // a menu would not obey the style sheet
        if (hint == SH_DialogButtonLayout) return QDialogButtonBox::GnomeLayout;
        if (hasReducedMotion() &&
            (hint == SH_Widget_Animation_Duration || hint == SH_Widget_Animate))
            return 0;
        return QProxyStyle::styleHint(hint, option, widget, result);
    }

    /// A line that has no room ends with an ellipsis, whoever draws it.
    void drawItemText(QPainter* painter, const QRect& rect, int flags, const QPalette& palette,
                      bool isEnabled, const QString& text,
                      QPalette::ColorRole role) const override {
        const bool isLine =
            !(flags & (Qt::TextWordWrap | Qt::TextWrapAnywhere)) && !text.contains(u'\n');
        const int mnemonic = flags & (Qt::TextShowMnemonic | Qt::TextHideMnemonic);
        // The width that makes room; a mnemonic between two letters counts as wider when shortened.
        const bool isTooLong =
            isLine &&
            painter->fontMetrics().size(mnemonic | Qt::TextSingleLine, text).width() > rect.width();
        const QString shown = isTooLong ? painter->fontMetrics().elidedText(text, Qt::ElideRight,
                                                                            rect.width(), mnemonic)
                                        : text;
        QProxyStyle::drawItemText(painter, rect, flags, palette, isEnabled, shown, role);
    }

    /// The mark of the sorted column stands beside its name, on the side where there is room.
    QRect subElementRect(SubElement element, const QStyleOption* option,
                         const QWidget* widget) const override {
        const auto* header = qstyleoption_cast<const QStyleOptionHeader*>(option);
        if (element != SE_HeaderArrow || !header)
            return QProxyStyle::subElementRect(element, option, widget);
        const QStyle* labels = widget ? widget->style() : this;  // the style sheet has the margins
        return markRect(*header, labels->subElementRect(SE_HeaderLabel, option, widget));
    }

    void drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                       const QWidget* widget) const override {
        if (element == PE_FrameFocusRect && hasOwnRing(widget)) return;
        const auto* header = qstyleoption_cast<const QStyleOptionHeader*>(option);
        if (element != PE_IndicatorHeaderArrow || !header)
            return QProxyStyle::drawPrimitive(element, option, painter, widget);
        if (header->sortIndicator == QStyleOptionHeader::None) return;
        // Qt's "down" is the ascending order.
        const bool isUp = header->sortIndicator == QStyleOptionHeader::SortDown;
        QIcon(QStringLiteral(":/icons/%1-%2.svg")
                  .arg(isUp ? QStringLiteral("arrow-up") : QStringLiteral("arrow"),
                       currentTokens().isDark ? QStringLiteral("dark") : QStringLiteral("light")))
            .paint(painter, header->rect);
    }

    QIcon standardIcon(StandardPixmap pixmap, const QStyleOption* option,
                       const QWidget* widget) const override {
        const Tokens& tokens = currentTokens();
        if (QIcon sign = signOf(pixmap, tokens); !sign.isNull()) return sign;
        if (const QString name = nameOf(pixmap); !name.isEmpty()) return themedIcon(name, tokens);
        return QProxyStyle::standardIcon(pixmap, option, widget);
    }

    using QProxyStyle::polish;
    void polish(QWidget* widget) override {
        // The list of a completer is a window of its own, so nothing lies behind it.
        if (widget->windowType() == Qt::Popup && qobject_cast<QAbstractItemView*>(widget))
            widget->setProperty("look", QStringLiteral("popup"));
        // Qt's own delegate of these lists knows no style sheet.
        if (widget->inherits("QComboBoxListView"))
            if (auto* list = qobject_cast<QAbstractItemView*>(widget);
                list->itemDelegate()->inherits("QComboBoxDelegate"))
                list->setItemDelegate(new QStyledItemDelegate(list));
        // Some were made without arrows: a number that can be stepped looks like one everywhere.
        if (auto* spin = qobject_cast<QAbstractSpinBox*>(widget))
            spin->setButtonSymbols(QAbstractSpinBox::UpDownArrows);
        QProxyStyle::polish(widget);
    }
};

}  // namespace

QStyle* makeHouseStyle(QStyle* base) {
    return new HouseStyle(base);
}

}  // namespace orrery
