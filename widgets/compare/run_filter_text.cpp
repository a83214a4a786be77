#include "widgets/compare/run_filter_text.h"

#include <QObject>
#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "core/base/text.h"
#include "widgets/compare/run_sheet.h"

namespace orrery {

namespace {

enum class TokenKind { Word, Quoted, Operator, Open, Close, End };

struct Token {
    TokenKind kind = TokenKind::End;
    QString text;
    int begin = 0, end = 0;
};

/// Thrown and caught inside this file only.
struct Wrong {
    FilterProblem problem;
};

bool isOperatorChar(QChar c) {
    return QStringLiteral("=!<>~:").contains(c);
}

std::vector<Token> tokensOf(const QString& text) {
    std::vector<Token> tokens;
    int i = 0;
    const int size = static_cast<int>(text.size());
    while (i < size) {
        const int begin = i;
        const QChar c = text[i];
        if (c.isSpace()) {
            ++i;
            continue;
        }
        if (c == u'"' || c == u'\'') {
            const int close = static_cast<int>(text.indexOf(c, i + 1));
            if (close < 0) throw Wrong{{begin, QObject::tr("the quote is not closed")}};
            i = close + 1;
            tokens.push_back({TokenKind::Quoted, text.mid(begin + 1, close - begin - 1), begin, i});
        } else if (c == u'(' || c == u')') {
            ++i;
            tokens.push_back({c == u'(' ? TokenKind::Open : TokenKind::Close, c, begin, i});
        } else if (isOperatorChar(c)) {
            while (i < size && isOperatorChar(text[i])) ++i;
            tokens.push_back({TokenKind::Operator, text.mid(begin, i - begin), begin, i});
        } else if (c == u'≥' || c == u'≤' || c == u'≠') {
            ++i;
            const QString plain = c == u'≥'   ? QStringLiteral(">=")
                                  : c == u'≤' ? QStringLiteral("<=")
                                              : QStringLiteral("!=");
            tokens.push_back({TokenKind::Operator, plain, begin, i});
        } else {
            while (i < size && !text[i].isSpace() && !isOperatorChar(text[i]) &&
                   !QStringLiteral("()\"≥≤≠").contains(text[i]))
                ++i;
            tokens.push_back({TokenKind::Word, text.mid(begin, i - begin), begin, i});
        }
    }
    tokens.push_back({TokenKind::End, {}, size, size});
    return tokens;
}

bool isWord(const Token& token, const char* word) {
    return token.kind == TokenKind::Word &&
           token.text.compare(QLatin1String(word), Qt::CaseInsensitive) == 0;
}

std::optional<double> numberIn(QString text) {
    text.replace(u'−', u'-');
    double factor = 1;
    if (text.endsWith(u'k')) factor = 1e3;
    if (text.endsWith(u'M')) factor = 1e6;
    if (factor > 1) text.chop(1);
    if (text == QLatin1String("inf")) return std::numeric_limits<double>::infinity();
    const auto number = parseDouble(text.toStdString());
    if (!number) return std::nullopt;
    return *number * factor;
}

}  // namespace

struct RunCondition::Node {
    enum class Kind { And, Or, Not, Compare, Anywhere };
    Kind kind = Kind::Anywhere;
    std::vector<std::unique_ptr<Node>> parts;
    QString field, op, value;
    std::optional<double> number;
};

namespace {

using Node = RunCondition::Node;
using NodePointer = std::unique_ptr<Node>;

/// The state that people mean by a word.
QString stateWord(const QString& word) {
    const QString plain = word.toLower();
    return plain == QLatin1String("done") ? QStringLiteral("finished") : plain;
}

class Parser {
public:
    Parser(std::vector<Token> tokens, const RunSheet& sheet)
        : m_tokens(std::move(tokens)), m_sheet(sheet) {}

    NodePointer parse() {
        if (now().kind == TokenKind::End) return nullptr;
        NodePointer root = parseOr();
        if (now().kind != TokenKind::End) fail(now(), QObject::tr("this is one too many"));
        return root;
    }

private:
    const Token& now() const { return m_tokens[m_at]; }
    Token take() { return m_tokens[m_at++]; }
    [[noreturn]] static void fail(const Token& token, const QString& text) {
        throw Wrong{{token.begin, text}};
    }

    NodePointer parseOr() {
        NodePointer left = parseAnd();
        while (isWord(now(), "or")) {
            take();
            left = joined(Node::Kind::Or, std::move(left), parseAnd());
        }
        return left;
    }
    NodePointer parseAnd() {
        NodePointer left = parseNot();
        while (now().kind != TokenKind::End && now().kind != TokenKind::Close &&
               !isWord(now(), "or")) {
            if (isWord(now(), "and")) take();
            left = joined(Node::Kind::And, std::move(left), parseNot());
        }
        return left;
    }
    NodePointer parseNot() {
        if (!isWord(now(), "not")) return parsePrimary();
        take();
        auto node = std::make_unique<Node>();
        node->kind = Node::Kind::Not;
        node->parts.push_back(parseNot());
        return node;
    }
    NodePointer parsePrimary() {
        const Token token = take();
        if (token.kind == TokenKind::Open) {
            NodePointer inner = parseOr();
            if (now().kind != TokenKind::Close) fail(now(), QObject::tr("a ) is missing here"));
            take();
            return inner;
        }
        if (token.kind != TokenKind::Word && token.kind != TokenKind::Quoted) {
            --m_at;
            fail(token, QObject::tr("a field such as beta_r or a word belongs here"));
        }
        if (isWord(token, "and") || isWord(token, "or")) {
            --m_at;
            fail(token, QObject::tr("a condition is missing before “%1”").arg(token.text));
        }
        if (now().kind != TokenKind::Operator) return anywhere(token);
        return comparison(token);
    }
    static NodePointer anywhere(const Token& token) {
        auto node = std::make_unique<Node>();
        node->value = token.text;
        return node;
    }
    NodePointer comparison(const Token& field) {
        const SheetColumn* column = m_sheet.column(fieldKey(field.text));
        if (column == nullptr) fail(field, unknownText(field.text));
        const Token op = take();
        static const QStringList kKnown = {
            QStringLiteral("="),  QStringLiteral("=="), QStringLiteral("!="),
            QStringLiteral("<"),  QStringLiteral("<="), QStringLiteral(">"),
            QStringLiteral(">="), QStringLiteral("~"),  QStringLiteral(":")};
        if (!kKnown.contains(op.text))
            fail(op, QObject::tr("“%1” is no comparison; use = != < <= > >= ~ or :").arg(op.text));
        const Token value = now();
        if (value.kind != TokenKind::Word && value.kind != TokenKind::Quoted)
            fail(value, QObject::tr("a value for %1 is missing here").arg(column->key));
        take();
        auto node = std::make_unique<Node>();
        node->kind = Node::Kind::Compare;
        node->field = column->key;
        node->op = op.text == QLatin1String("==") ? QStringLiteral("=") : op.text;
        node->value = column->kind == SheetKind::State ? stateWord(value.text) : value.text;
        node->number = numberIn(value.text);
        const bool isOrder = op.text.startsWith(u'<') || op.text.startsWith(u'>');
        if (isOrder && !node->number)
            fail(value, QObject::tr("%1 needs a number here").arg(op.text));
        if (isOrder && column->kind != SheetKind::Number)
            fail(op, QObject::tr("%1 is no number; use = ~ or :").arg(column->key));
        return node;
    }
    static QString fieldKey(const QString& typed) {
        const QString key = typed.toLower();
        if (key == QLatin1String("tags")) return QStringLiteral("tag");
        if (key == QLatin1String("status")) return QStringLiteral("state");
        if (key == QLatin1String("run")) return QStringLiteral("name");
        return key;
    }
    QString unknownText(const QString& typed) const {
        std::vector<std::string> keys;
        for (const SheetColumn& column : m_sheet.columns) keys.push_back(column.key.toStdString());
        const auto near = closestName(typed.toStdString(), keys);
        const QString text = QObject::tr("there is no field “%1”").arg(typed);
        return near ? text + QObject::tr("; did you mean %1?").arg(QString::fromStdString(*near))
                    : text;
    }
    static NodePointer joined(Node::Kind kind, NodePointer left, NodePointer right) {
        auto node = std::make_unique<Node>();
        node->kind = kind;
        node->parts.push_back(std::move(left));
        node->parts.push_back(std::move(right));
        return node;
    }

    std::vector<Token> m_tokens;
    const RunSheet& m_sheet;
    std::size_t m_at = 0;
};

bool compareNumbers(double a, const QString& op, double b) {
    if (op == QLatin1String("=") || op == QLatin1String(":") || op == QLatin1String("~"))
        return a == b;
    if (op == QLatin1String("!=")) return a != b;
    if (std::isnan(a)) return false;
    if (op == QLatin1String("<")) return a < b;
    if (op == QLatin1String("<=")) return a <= b;
    if (op == QLatin1String(">")) return a > b;
    return a >= b;
}

bool hasTag(const RunRecord& run, const QString& wanted) {
    return std::ranges::any_of(run.tags, [&](const std::string& tag) {
        return QString::fromStdString(tag).compare(wanted, Qt::CaseInsensitive) == 0;
    });
}

bool compareAt(const Node& node, const RunSheet& sheet, const SheetColumn& column,
               std::size_t row) {
    const bool isNot = node.op == QLatin1String("!=");
    if (column.kind == SheetKind::Number && node.number)
        return compareNumbers(column.number[row], node.op, *node.number);
    if (column.kind == SheetKind::Tags && node.op != QLatin1String("~"))
        return hasTag(sheet.runs[row], node.value) != isNot;
    const QString& text = column.text[row];
    const bool isPart = node.op == QLatin1String("~") ||
                        (node.op == QLatin1String(":") && column.kind != SheetKind::State);
    if (isPart) return text.contains(node.value, Qt::CaseInsensitive);
    return (text.compare(node.value, Qt::CaseInsensitive) == 0) != isNot;
}

std::vector<char> evaluate(const Node& node, const RunSheet& sheet) {
    const std::size_t count = sheet.runs.size();
    std::vector<char> holds(count, 0);
    if (node.kind == Node::Kind::Compare) {
        const SheetColumn* column = sheet.column(node.field);
        if (column == nullptr) return holds;
        for (std::size_t row = 0; row < count; ++row)
            holds[row] = compareAt(node, sheet, *column, row) ? 1 : 0;
        return holds;
    }
    if (node.kind == Node::Kind::Anywhere) {
        for (const char* key : {"name", "id", "world", "note", "tag"}) {
            const SheetColumn* column = sheet.column(QLatin1String(key));
            for (std::size_t row = 0; column != nullptr && row < count; ++row)
                if (!holds[row])
                    holds[row] = column->text[row].contains(node.value, Qt::CaseInsensitive);
        }
        return holds;
    }
    holds = evaluate(*node.parts[0], sheet);
    if (node.kind == Node::Kind::Not) {
        for (char& hold : holds) hold = !hold;
        return holds;
    }
    const std::vector<char> right = evaluate(*node.parts[1], sheet);
    for (std::size_t row = 0; row < count; ++row)
        holds[row] =
            node.kind == Node::Kind::And ? holds[row] && right[row] : holds[row] || right[row];
    return holds;
}

}  // namespace

RunCondition::RunCondition() = default;
RunCondition::~RunCondition() = default;
RunCondition::RunCondition(RunCondition&&) noexcept = default;
RunCondition& RunCondition::operator=(RunCondition&&) noexcept = default;

std::optional<RunCondition> RunCondition::read(const QString& text, const RunSheet& sheet,
                                               FilterProblem& problem) {
    try {
        RunCondition condition;
        condition.m_root = Parser(tokensOf(text), sheet).parse();
        return condition;
    } catch (const Wrong& wrong) {
        problem = wrong.problem;
        return std::nullopt;
    }
}

std::vector<char> RunCondition::apply(const RunSheet& sheet) const {
    if (!m_root) return std::vector<char>(sheet.runs.size(), 1);
    return evaluate(*m_root, sheet);
}

QStringList takeChips(const QString& text, QString& rest) {
    rest = text.trimmed();
    std::vector<Token> tokens;
    try {
        tokens = tokensOf(text);
    } catch (const Wrong&) {
        return {};
    }
    // With or, not or parentheses the parts do not stand for themselves.
    for (const Token& token : tokens)
        if (token.kind == TokenKind::Open || isWord(token, "or") || isWord(token, "not")) return {};
    QStringList chips, others;
    std::size_t at = 0;
    while (tokens[at].kind != TokenKind::End) {
        if (isWord(tokens[at], "and")) {
            ++at;
            continue;
        }
        const bool isTerm = at + 2 < tokens.size() && tokens[at + 1].kind == TokenKind::Operator &&
                            tokens[at + 2].kind != TokenKind::End;
        const Token& last = tokens[at + (isTerm ? 2 : 0)];
        const QString part = text.mid(tokens[at].begin, last.end - tokens[at].begin);
        (isTerm && tokens[at + 1].text == QLatin1String(":") ? chips : others) << part;
        at += isTerm ? 3 : 1;
    }
    rest = others.join(QStringLiteral(" and "));
    return chips;
}

}  // namespace orrery
