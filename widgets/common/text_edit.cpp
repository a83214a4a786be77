#include "widgets/common/text_edit.h"

#include <QMimeData>

namespace orrery {

void TextEdit::insertFromMimeData(const QMimeData* source) {
    if (source != nullptr && !source->formats().isEmpty())
        QPlainTextEdit::insertFromMimeData(source);
}

}  // namespace orrery
