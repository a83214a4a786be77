#include "widgets/home/example_card.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QMouseEvent>
#include <QPushButton>
#include <QVBoxLayout>
#include <algorithm>

#include "widgets/common/icons.h"
#include "widgets/common/parts.h"
#include "widgets/common/tokens.h"

namespace orrery {

namespace {

constexpr int kPictureHeight = 138, kUsualWidth = 280;

}  // namespace

ExampleCard::ExampleCard(const CardText& text, QWidget* picture, bool isFirst, QWidget* parent)
    : QFrame(parent),
      m_isFirst(isFirst),
      m_run(new QPushButton(text.button, this)),
      m_experience(makeLabel({}, "hint", this)) {
    setObjectName(QStringLiteral("card_") + text.stem);
    setProperty("look", QStringLiteral("homeCard"));
    setProperty("first", isFirst);
    setFocusPolicy(Qt::StrongFocus);
    setCursor(Qt::PointingHandCursor);
    setAccessibleName(tr("Example %1. %2").arg(text.title, text.sentence));
    setToolTip(text.tip);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(1, 1, 1, 12);
    layout->setSpacing(0);
    m_picture = picture;
    picture->setParent(this);
    picture->setFixedHeight(kPictureHeight);
    layout->addWidget(picture);
    auto* column = new QVBoxLayout;
    column->setContentsMargins(15, 12, 15, 0);
    column->setSpacing(4);
    column->addWidget(makeLabel(text.title, "section", this));
    QLabel* sentence = makeLabel(text.sentence, "name", this);
    sentence->setWordWrap(true);
    sentence->setMinimumHeight(3 * sentence->fontMetrics().lineSpacing());
    sentence->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    column->addWidget(sentence, 1);
    auto* row = new QHBoxLayout;
    row->setSpacing(10);
    m_run->setObjectName(QStringLiteral("run_") + text.stem);
    m_run->setProperty("look", isFirst ? QStringLiteral("primary") : QStringLiteral("plainRun"));
    m_run->setMinimumWidth(80);
    m_run->setToolTip(text.buttonTip);
    m_run->setAccessibleName(text.button + QLatin1Char(' ') + text.title);
    row->addWidget(m_run);
    m_experience->setObjectName(QStringLiteral("time_") + text.stem);
    row->addWidget(m_experience, 1);  // where there is no room for both, the place is left out
    row->addWidget(makeRemark(text.place, "hint", this));
    column->addSpacing(4);
    column->addLayout(row);
    layout->addLayout(column, 1);
    connect(m_run, &QPushButton::clicked, this, &ExampleCard::runRequested);
    refreshIcon();
}

void ExampleCard::setPictureWidth(int width) {
    m_picture->setFixedHeight(std::max(kPictureHeight, width * kPictureHeight / kUsualWidth));
}

void ExampleCard::setExperience(const QString& text) {
    m_experience->setText(text);
}

void ExampleCard::mouseReleaseEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton && rect().contains(event->position().toPoint()))
        Q_EMIT chosen();
}

void ExampleCard::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Space)
        Q_EMIT chosen();
    else
        QFrame::keyPressEvent(event);
}

void ExampleCard::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange) refreshIcon();
    QFrame::changeEvent(event);
}

void ExampleCard::refreshIcon() {
    const Tokens& tokens = currentTokens();
    const QString name = QStringLiteral("media-playback-start");
    m_run->setIcon(m_isFirst ? coloredIcon(name, tokens.onAccent) : themedIcon(name, tokens));
}

}  // namespace orrery
