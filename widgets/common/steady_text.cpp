#include "widgets/common/steady_text.h"

#include <QLabel>
#include <QTimer>
#include <chrono>

namespace orrery {

namespace {

constexpr std::chrono::milliseconds kReading{200};

/// A text without its numbers.
QString wordsOf(const QString& text) {
    QString words = text;
    return words.removeIf([](QChar c) { return !c.isLetter(); });
}

class SteadyText : public QTimer {
public:
    static constexpr QLatin1String kName{"steadyText"};

    explicit SteadyText(QLabel* label) : QTimer(label), m_label(label) {
        setObjectName(kName);
        setSingleShot(true);
        setInterval(kReading);
        callOnTimeout(this, [this] { show(); });
    }
    void set(const QString& text) {
        m_text = text;
        if (!isActive() || wordsOf(text) != wordsOf(m_label->text())) show();
    }

private:
    void show() {
        if (m_label->text() == m_text) return;
        m_label->setText(m_text);
        start();
    }

    QLabel* m_label;
    QString m_text;
};

}  // namespace

void setSteadyText(QLabel* label, const QString& text) {
    auto* steady = static_cast<SteadyText*>(
        label->findChild<QTimer*>(SteadyText::kName, Qt::FindDirectChildrenOnly));
    (steady != nullptr ? steady : new SteadyText(label))->set(text);
}

}  // namespace orrery
