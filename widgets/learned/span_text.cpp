#include "widgets/learned/span_text.h"

#include "widgets/common/number_text.h"
#include "widgets/common/tokens.h"

namespace orrery {

QString spanName(const SpanWords& words) {
    return QString::fromStdString(words.title);
}

QString spanPlainName(const SpanWords& words) {
    return plainSymbol(spanName(words));
}

QColor spanColor(const SpanWords& words, const Tokens& t) {
    return partColor(words.color, t);
}

}  // namespace orrery
