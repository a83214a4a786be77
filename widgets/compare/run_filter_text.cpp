#include "widgets/compare/run_filter_text.h"

#include <algorithm>
#include <string>

#include "core/filter/read_filter.h"
#include "widgets/compare/run_sheet.h"

namespace orrery {

namespace {

/// Where a word alone is looked for.
constexpr const char* kSearched[] = {"name", "id", "world", "note", "tag"};

FilterFields fieldsOf(const RunSheet& sheet) {
    FilterFields fields;
    fields.example = "beta_r >= 5";
    fields.findsWords = true;
    for (const SheetColumn& column : sheet.columns)
        fields.add(
            {.name = column.key.toStdString(),
             .type = column.kind == SheetKind::Number ? FilterType::Mixed : FilterType::Text});
    fields.addAlias("tags", "tag");
    fields.addAlias("status", "state");
    fields.addAlias("run", "name");
    return fields;
}

/// A Compare or Word and the columns that it asks.
struct SheetLeaf {
    const FilterNode* node;
    QString value;
    std::vector<const SheetColumn*> columns;  ///< of a Compare its left side alone
    const SheetColumn* other = nullptr;       ///< its right side, if that is a column
};

SheetLeaf leafOf(const FilterNode& node, const RunSheet& sheet) {
    const auto columnOf = [&](const std::string& key) {
        return sheet.column(QString::fromStdString(key));
    };
    SheetLeaf leaf{&node, {}, {}};
    if (node.kind == FilterNode::Kind::Word) {
        leaf.value = QString::fromStdString(node.left.text);
        for (const char* key : kSearched)
            if (const SheetColumn* column = columnOf(key)) leaf.columns.push_back(column);
        return leaf;
    }
    leaf.value = QString::fromStdString(node.right.text);
    if (node.right.field >= 0) leaf.other = columnOf(node.right.text);
    if (const SheetColumn* column = columnOf(node.left.text)) {
        leaf.columns.push_back(column);
        if (column->kind == SheetKind::State) leaf.value = leaf.value.toLower();
        if (column->kind == SheetKind::State && leaf.value == QLatin1String("done"))
            leaf.value = QStringLiteral("finished");
    }
    return leaf;
}

bool hasTag(const RunRecord& run, const QString& wanted) {
    return std::ranges::any_of(run.tags, [&](const std::string& tag) {
        return QString::fromStdString(tag).compare(wanted, Qt::CaseInsensitive) == 0;
    });
}

bool holdsAt(const SheetLeaf& leaf, const RunSheet& sheet, std::size_t row) {
    const auto contains = [&](const SheetColumn* column) {
        return column->text[row].contains(leaf.value, Qt::CaseInsensitive);
    };
    if (leaf.node->kind == FilterNode::Kind::Word)
        return std::ranges::any_of(leaf.columns, contains);
    if (leaf.columns.empty()) return false;
    const SheetColumn& column = *leaf.columns.front();
    const FilterSign sign = leaf.node->sign;
    if (column.kind == SheetKind::Number && leaf.other && leaf.other->kind == SheetKind::Number)
        return compares(column.number[row], sign, leaf.other->number[row]);
    if (column.kind == SheetKind::Number && leaf.node->right.number)
        return compares(column.number[row], sign, *leaf.node->right.number);
    const bool isNot = sign == FilterSign::NotEqual;
    if (column.kind == SheetKind::Tags && sign != FilterSign::Contains)
        return hasTag(sheet.runs[row], leaf.value) != isNot;
    if (sign == FilterSign::Contains || (sign == FilterSign::Is && column.kind != SheetKind::State))
        return contains(&column);
    return (column.text[row].compare(leaf.value, Qt::CaseInsensitive) == 0) != isNot;
}

}  // namespace

RunCondition::RunCondition(const QString& text, const RunSheet& sheet)
    : m_root(readFilter(text.toStdString(), fieldsOf(sheet))) {}

std::vector<char> RunCondition::apply(const RunSheet& sheet) const {
    std::vector<char> holds(sheet.runs.size(), 1);
    if (!m_root) return holds;
    std::vector<SheetLeaf> leaves;
    visitLeaves(*m_root, [&](const FilterNode& node) { leaves.push_back(leafOf(node, sheet)); });
    for (std::size_t row = 0; row < holds.size(); ++row)
        holds[row] = filterHolds(*m_root, [&](const FilterNode& node) {
            return holdsAt(leaves[static_cast<std::size_t>(node.leaf)], sheet, row);
        });
    return holds;
}

QStringList takeChips(const QString& text, const RunSheet& sheet, QString& rest) {
    rest = text.trimmed();
    const auto root = readFilter(text.toStdString(), fieldsOf(sheet));
    if (!root) return {};
    const bool isChain = root->kind == FilterNode::Kind::And;
    const std::vector<FilterNode> parts = isChain ? root->parts : std::vector{*root};
    QStringList chips, others;
    for (const FilterNode& part : parts) {
        // With or, not or parentheses the parts do not stand for themselves.
        if (!part.parts.empty()) return {};
        const QString written = text.mid(part.column - 1, part.end - part.column);
        const bool isChip = part.kind == FilterNode::Kind::Compare && part.sign == FilterSign::Is;
        (isChip ? chips : others) << written;
    }
    rest = others.join(QStringLiteral(" and "));
    return chips;
}

}  // namespace orrery
