#pragma once

#include <QPlainTextEdit>

namespace orrery {

/// A text of several lines. Qt's own reads the first format of what is pasted without a look
/// whether there is one: it crashes where the clipboard is empty (seen in 6.4).
class TextEdit : public QPlainTextEdit {
    Q_OBJECT

public:
    using QPlainTextEdit::QPlainTextEdit;

protected:
    void insertFromMimeData(const QMimeData* source) override;
};

}  // namespace orrery
