#include "widgets/common/symbol_text.h"

#include <QFontMetricsF>
#include <QPainter>
#include <QRegularExpression>
#include <vector>

#include "widgets/common/number_text.h"
#include "widgets/common/style.h"

namespace orrery {

namespace {

struct Part {
    QString text;
    double scale = 1;  ///< of the main letter's size
    double shift = 0;  ///< down, in main sizes
};

/// One letter, or the name of a Greek one, before the first sub- or superscript; names of fields
/// such as num_training_steps are none.
bool isSymbol(const QString& text) {
    static const QRegularExpression kMark(QStringLiteral("[_^]"));
    const qsizetype mark = text.indexOf(kMark);
    if (mark < 0) return true;
    const QString letter = text.left(mark).section(QLatin1Char('/'), -1);
    return letter.size() <= 1 || greekLetter(letter) != letter;
}

std::vector<Part> partsOf(const QString& symbol) {
    if (!isSymbol(symbol)) return {{symbol}};
    std::vector<Part> parts(1);
    for (const QChar c : symbol) {
        // Names of fields have no ^: v_h_e is v_h^e. What follows it is a word: v_h_e_kind.
        if (c == QLatin1Char('_') && parts.size() == 3)
            parts.push_back({QStringLiteral(" ")});
        else if (c == QLatin1Char('_') && parts.size() > 3)
            parts.back().text += QLatin1Char(' ');
        else if (c == QLatin1Char('_') && parts.size() == 1)
            parts.push_back({{}, 0.76, 0.24});
        else if (c == QLatin1Char('_') || c == QLatin1Char('^'))
            parts.push_back({{}, 0.76, -0.36});
        else
            parts.back().text += c;
    }
    // Names of Greek letters are written out in symbols.
    parts.front().text = greekLetter(parts.front().text);
    return parts;
}

}  // namespace

double paintSymbol(QPainter& painter, const QPointF& baseline, double pixels, const QString& symbol,
                   int weight) {
    double x = 0;
    for (const Part& part : partsOf(symbol)) {
        const QFont font = interfaceFont(pixels * part.scale, weight);
        painter.setFont(font);
        painter.drawText(baseline + QPointF(x, part.shift * pixels), part.text);
        x += QFontMetricsF(font).horizontalAdvance(part.text);
    }
    return x;
}

double symbolWidth(double pixels, const QString& symbol, int weight) {
    double x = 0;
    for (const Part& part : partsOf(symbol))
        x += QFontMetricsF(interfaceFont(pixels * part.scale, weight)).horizontalAdvance(part.text);
    return x;
}

}  // namespace orrery
