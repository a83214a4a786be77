#include "widgets/help/tour_guide.h"

#include <QApplication>
#include <QEvent>
#include <QPushButton>
#include <QTimer>
#include <QWidget>

#include "widgets/common/message_strip.h"
#include "widgets/help/callout.h"

namespace orrery {

TourGuide::TourGuide(QWidget* window) : QObject(window), m_window(window) {}

TourGuide::~TourGuide() = default;

void TourGuide::start(const Tour& tour) {
    end();
    takeHintAway();
    m_tour = tour;
    m_callout = new Callout(m_window);
    m_callout->setObjectName(QStringLiteral("tourCallout"));
    QPushButton* close = m_callout->addButton("tourEnd", tr("End"));
    m_back = m_callout->addButton("tourBack", tr("Back"));
    m_next = m_callout->addButton("tourNext", tr("Next"));
    connect(close, &QPushButton::clicked, this, &TourGuide::end);
    connect(m_back, &QPushButton::clicked, this, [this] { showStep(m_step - 1); });
    connect(m_next, &QPushButton::clicked, this, [this] { showStep(m_step + 1); });
    connect(m_callout, &Callout::escaped, this, &TourGuide::end);
    qApp->installEventFilter(this);
    showStep(0);
    m_next->setFocus(Qt::OtherFocusReason);
}

void TourGuide::end() {
    if (!m_tour) return;
    const QString id = m_tour->id;
    m_tour.reset();
    qApp->removeEventFilter(this);
    if (m_callout) {
        m_callout->hide();
        m_callout->deleteLater();
        m_callout = nullptr;
    }
    Q_EMIT ended(id);
}

void TourGuide::showStep(int step) {
    if (!m_tour || step < 0) return;
    if (step >= std::ssize(m_tour->steps)) return end();
    m_step = step;
    const TourStep& shown = current();
    if (!shown.perspective.isEmpty()) Q_EMIT perspectiveNeeded(shown.perspective);
    const auto count = m_tour->steps.size();
    m_callout->setText(tr("%1 · %2 of %3").arg(m_tour->title).arg(step + 1).arg(count), shown.text);
    m_back->setEnabled(step > 0);
    const bool isLast = step + 1 == static_cast<int>(count);
    m_next->setText(isLast ? tr("Done") : tr("Next"));
    m_callout->setTarget(shown.target);
}

void TourGuide::note(const QString& deed) {
    if (!m_tour || current().done.isEmpty() || deed != current().done) return;
    // After what was done has been shown.
    QTimer::singleShot(0, this, [this, step = m_step] {
        if (m_tour && m_step == step) showStep(step + 1);
    });
}

void TourGuide::showHint(const QString& text, QWidget* area) {
    if (m_tour || m_hint) return;
    m_hint = new MessageStrip(area->parentWidget());
    m_hint->setObjectName(QStringLiteral("hintStrip"));
    m_hint->findChild<QPushButton*>(QStringLiteral("messageAction"))
        ->setObjectName(QStringLiteral("hintClose"));
    m_hint->floatOver(area);
    connect(m_hint, &MessageStrip::acted, this, &TourGuide::closeHint);
    connect(m_hint, &MessageStrip::closed, this, &TourGuide::closeHint);
    m_hint->showWhileTrue(text, tr("Got it"));
}

void TourGuide::takeHintAway() {
    if (!m_hint) return;
    m_hint->clear();
    m_hint->deleteLater();
    m_hint = nullptr;
}

void TourGuide::closeHint() {
    if (!m_hint) return;
    takeHintAway();
    Q_EMIT hintClosed();
}

bool TourGuide::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() != QEvent::MouseButtonRelease || !m_tour || !m_callout) return false;
    const auto* widget = qobject_cast<const QWidget*>(watched);
    const QWidget* target = m_callout->target();
    if (widget && target && (widget == target || target->isAncestorOf(widget)))
        note(QStringLiteral("click"));
    return false;
}

}  // namespace orrery
