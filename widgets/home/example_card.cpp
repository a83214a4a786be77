#include "widgets/home/example_card.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QMouseEvent>
#include <QPushButton>
#include <QVBoxLayout>

#include "widgets/common/icons.h"
#include "widgets/common/parts.h"
#include "widgets/common/tokens.h"
#include "widgets/home/world_thumb.h"

namespace orrery {

namespace {

constexpr int kPictureHeight = 138;

/// The sentence without the word that opens all of them.
QString lesson(QString sentence) {
    static const QString kOpening = QStringLiteral("Teaches ");
    if (sentence.startsWith(kOpening)) sentence.remove(0, kOpening.size());
    sentence.replace(0, 1, sentence.left(1).toUpper());
    return sentence;
}

}  // namespace

ExampleCard::ExampleCard(const LoadedWorld& example, bool isFirst, QWidget* parent)
    : QFrame(parent),
      m_world(QString::fromStdString(example.name)),
      m_isFirst(isFirst),
      m_run(new QPushButton(tr("Run"), this)),
      m_experience(makeLabel({}, "hint", this)) {
    const QString stem = m_world.section(QLatin1Char(':'), -1);
    setObjectName(QStringLiteral("card_") + stem);
    setProperty("look", QStringLiteral("homeCard"));
    setProperty("first", isFirst);
    setFocusPolicy(Qt::StrongFocus);
    setCursor(Qt::PointingHandCursor);
    setAccessibleName(tr("Example %1. %2").arg(example.title, lesson(example.sentence)));
    setToolTip(tr("A click opens the world; Run solves it, too"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(1, 1, 1, 12);
    layout->setSpacing(0);
    auto* picture = new WorldThumb(*example.world, this);
    picture->setFixedHeight(kPictureHeight);
    layout->addWidget(picture);
    auto* text = new QVBoxLayout;
    text->setContentsMargins(15, 12, 15, 0);
    text->setSpacing(4);
    text->addWidget(makeLabel(example.title, "section", this));
    QLabel* sentence = makeLabel(lesson(example.sentence), "name", this);
    sentence->setWordWrap(true);
    sentence->setMinimumHeight(46);
    sentence->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    text->addWidget(sentence, 1);
    auto* row = new QHBoxLayout;
    row->setSpacing(12);
    m_run->setObjectName(QStringLiteral("run_") + stem);
    m_run->setProperty("look", isFirst ? QStringLiteral("primary") : QStringLiteral("plainRun"));
    m_run->setMinimumWidth(90);
    m_run->setToolTip(tr("Opens %1 and solves it exactly").arg(example.title));
    m_run->setAccessibleName(tr("Run %1").arg(example.title));
    row->addWidget(m_run);
    row->addWidget(m_experience);
    row->addStretch(1);
    row->addWidget(makeLabel(tr("Plan"), "hint", this));
    text->addSpacing(4);
    text->addLayout(row);
    layout->addLayout(text, 1);
    connect(m_run, &QPushButton::clicked, this, [this] { Q_EMIT runRequested(m_world); });
    refreshIcon();
}

void ExampleCard::setExperience(const QString& text) {
    m_experience->setText(text);
}

void ExampleCard::mouseReleaseEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton && rect().contains(event->position().toPoint()))
        Q_EMIT chosen(m_world);
}

void ExampleCard::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Space)
        Q_EMIT chosen(m_world);
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
