#pragma once

#include <QCoreApplication>
#include <QDialogButtonBox>
#include <QEvent>
#include <QFileDialog>
#include <QLineEdit>
#include <QMessageBox>
#include <QPushButton>
#include <QStringList>

namespace orrery {

/// Answers the message boxes of one name as soon as they are shown, while it lives.
class BoxAnswer : public QObject {
public:
    /// @param button  name of the button that is clicked; empty: Cancel
    explicit BoxAnswer(const char* box, const char* button = "")
        : m_box(QLatin1String(box)), m_button(QLatin1String(button)) {
        QCoreApplication::instance()->installEventFilter(this);
    }

    /// What the boxes asked so far.
    QStringList questions() const { return m_questions; }

protected:
    bool eventFilter(QObject* object, QEvent* event) override {
        auto* box = qobject_cast<QMessageBox*>(object);
        if (event->type() == QEvent::Show && box && box->objectName() == m_box) {
            m_questions += box->text();
            QMetaObject::invokeMethod(
                box,
                [this, box] {
                    auto* button = m_button.isEmpty() ? box->button(QMessageBox::Cancel)
                                                      : box->findChild<QPushButton*>(m_button);
                    if (button == nullptr) qFatal("the box has no such button");
                    button->click();
                },
                Qt::QueuedConnection);
        }
        return QObject::eventFilter(object, event);
    }

private:
    const QString m_box, m_button;
    QStringList m_questions;
};

/// Types a name into each file dialog that is shown and accepts it, while it lives.
class FileDialogAnswer : public QObject {
public:
    explicit FileDialogAnswer(QString file) : m_file(std::move(file)) {
        QCoreApplication::instance()->installEventFilter(this);
    }

    int asked() const { return m_asked; }

protected:
    bool eventFilter(QObject* object, QEvent* event) override {
        auto* dialog = qobject_cast<QFileDialog*>(object);
        if (event->type() == QEvent::Show && dialog) {
            ++m_asked;
            QMetaObject::invokeMethod(
                dialog,
                [this, dialog] {
                    auto* name = dialog->findChild<QLineEdit*>(QStringLiteral("fileNameEdit"));
                    if (name == nullptr) qFatal("a file dialog of another program");
                    name->setText(m_file);
                    dialog->findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Save)->click();
                },
                Qt::QueuedConnection);
        }
        return QObject::eventFilter(object, event);
    }

private:
    const QString m_file;
    int m_asked = 0;
};

}  // namespace orrery
