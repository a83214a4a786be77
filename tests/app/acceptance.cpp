#include "tests/app/acceptance.h"

#include <cmath>
#include <limits>

namespace orrery {

namespace {

/// Fields of a line; commas in quotes are text.
std::vector<QByteArray> fieldsOf(const QByteArray& line) {
    std::vector<QByteArray> fields(1);
    bool isQuoted = false;
    for (const char letter : line) {
        if (letter == '"')
            isQuoted = !isQuoted;
        else if (letter == ',' && !isQuoted)
            fields.emplace_back();
        else
            fields.back() += letter;
    }
    return fields;
}

}  // namespace

void AcceptanceScript::init() {
    QVERIFY2(m_failed.isEmpty(), "an earlier step failed: " + m_failed);
}

void AcceptanceScript::cleanup() {
    if (!QTest::currentTestFailed() || !m_failed.isEmpty()) return;
    m_failed = QTest::currentTestFunction();
    ui.shot(QStringLiteral("failed-") + QString::fromLatin1(m_failed));
}

ValueRows::ValueRows(const QByteArray& csv) {
    const QList<QByteArray> lines = csv.split('\n');
    const std::vector<QByteArray> names = fieldsOf(lines.value(0).trimmed());
    for (std::size_t i = 0; i < names.size(); ++i) m_columns[names[i].toStdString()] = i;
    for (qsizetype i = 1; i < lines.size(); ++i) {
        const QByteArray line = lines[i].trimmed();
        if (line.isEmpty()) continue;
        std::vector<double> row;
        for (const QByteArray& field : fieldsOf(line))
            row.push_back(field.isEmpty() ? std::numeric_limits<double>::quiet_NaN()
                                          : field.toDouble());
        const std::pair key(static_cast<qint64>(row[0]), static_cast<qint64>(row[1]));
        m_rows.emplace(key, std::move(row));
    }
}

double ValueRows::at(qint64 step, qint64 config, const std::string& column) const {
    return m_rows.at({step, config}).at(m_columns.at(column));
}

std::vector<std::string> ValueRows::columnsBeginning(const std::string& text) const {
    std::vector<std::string> found;
    for (const auto& [name, index] : m_columns)
        if (name.starts_with(text)) found.push_back(name);
    return found;
}

}  // namespace orrery
