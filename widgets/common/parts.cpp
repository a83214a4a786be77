#include "widgets/common/parts.h"

#include <QFormLayout>
#include <QFrame>
#include <QHBoxLayout>
#include <QHelpEvent>
#include <QLabel>
#include <QSpinBox>
#include <QStackedWidget>
#include <QStyle>
#include <QStylePainter>
#include <QTextDocument>
#include <QToolTip>
#include <QVBoxLayout>

namespace orrery {

namespace {

/// Shortens a line of plain text that has no room, and tells the whole of it in a tip.
class ElidedLabel : public QLabel {
public:
    ElidedLabel(const QString& text, QWidget* parent) : QLabel(text, parent) {
        setProperty("elides", true);
    }

protected:
    bool event(QEvent* event) override {
        if (event->type() == QEvent::ToolTip && toolTip().isEmpty() && isCut()) {
            QToolTip::showText(static_cast<QHelpEvent*>(event)->globalPos(), text(), this);
            return true;
        }
        return QLabel::event(event);
    }

    void paintEvent(QPaintEvent* event) override {
        if (!isCut()) return QLabel::paintEvent(event);
        QStylePainter painter(this);
        const QRect room = contentsRect().marginsRemoved({margin(), margin(), margin(), margin()});
        painter.drawItemText(room, static_cast<int>(alignment()), palette(), isEnabled(),
                             fontMetrics().elidedText(text(), Qt::ElideRight, room.width()),
                             foregroundRole());
    }

private:
    bool isCut() const {
        const bool isPlain = textFormat() == Qt::PlainText ||
                             (textFormat() == Qt::AutoText && !Qt::mightBeRichText(text()));
        return isPlain && !wordWrap() && !text().contains(u'\n') &&
               minimumSizeHint().width() > width();
    }
};

}  // namespace

void paintEmptyText(QPainter& painter, const QRectF& room, const QString& text) {
    painter.drawText(room.adjusted(kEmptyRoom, 0, -kEmptyRoom, 0),
                     Qt::AlignCenter | Qt::TextWordWrap, text);
}

QLabel* makeLabel(const QString& text, const char* look, QWidget* parent) {
    auto* label = new ElidedLabel(text, parent);
    label->setProperty("look", QLatin1String(look));
    return label;
}

QString breakable(const QString& text) {
    constexpr int kLongestWord = 16;
    QString broken;
    int length = 0;
    for (const QChar character : text) {
        length = character.isSpace() ? 0 : length + 1;
        if (length > kLongestWord && !character.isLowSurrogate()) {
            broken += QChar(0x200b);
            length = 1;
        }
        broken += character;
    }
    return broken;
}

QLabel* makeRemark(const QString& text, const char* look, QWidget* parent) {
    class Remark : public QLabel {
    public:
        using QLabel::QLabel;
        QSize minimumSizeHint() const override {
            return QSize(0, QLabel::minimumSizeHint().height());
        }

    protected:
        void paintEvent(QPaintEvent* event) override {
            if (width() >= QLabel::minimumSizeHint().width()) QLabel::paintEvent(event);
        }
    };
    auto* label = new Remark(text, parent);
    label->setProperty("look", QLatin1String(look));
    label->setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Preferred);
    return label;
}

QFrame* makeLine(QWidget* parent) {
    auto* line = new QFrame(parent);
    line->setProperty("look", QStringLiteral("line"));
    line->setFixedHeight(1);
    return line;
}

QLabel* addHeading(QVBoxLayout* layout, const QString& text, const QString& remark) {
    QWidget* parent = layout->parentWidget();
    auto* row = new QHBoxLayout;
    row->setContentsMargins(0, 0, 0, 0);
    row->addWidget(makeLabel(text, "section", parent));
    row->addStretch(1);
    QLabel* right = makeLabel(remark, "hint", parent);
    row->addWidget(right);
    layout->addLayout(row);
    return right;
}

QSpinBox* addNumberRow(QFormLayout* form, const char* name, const QString& text, int low, int high,
                       int value) {
    auto* box = new QSpinBox(form->parentWidget());
    box->setObjectName(QLatin1String(name));
    box->setAccessibleName(text);
    box->setAlignment(Qt::AlignRight);
    box->setRange(low, high);
    box->setToolTip(QObject::tr("%1 to %2; arrow keys and the wheel change it").arg(low).arg(high));
    box->setValue(value);
    form->addRow(text, box);
    return box;
}

void sizeByShownPage(QStackedWidget* pages) {
    const auto refresh = [pages] {
        for (int i = 0; i < pages->count(); ++i) {
            const bool isShown = i == pages->currentIndex();
            const auto policy = isShown ? QSizePolicy::Preferred : QSizePolicy::Ignored;
            pages->widget(i)->setSizePolicy(policy, policy);
        }
        pages->updateGeometry();
    };
    QObject::connect(pages, &QStackedWidget::currentChanged, pages, refresh);
    refresh();
}

void restyle(QWidget* widget) {
    widget->style()->unpolish(widget);
    widget->style()->polish(widget);
    widget->update();
}

}  // namespace orrery
