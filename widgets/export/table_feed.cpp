#include "widgets/export/table_feed.h"

#include <QAbstractItemModel>
#include <QElapsedTimer>
#include <QHeaderView>
#include <QTableView>
#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>

#include "core/base/error.h"
#include "core/base/output_file.h"
#include "core/base/text.h"

namespace orrery {

namespace {

constexpr int kSliceMs = 8;
constexpr std::size_t kChunkBytes = 1 << 16;
constexpr auto kPatience = std::chrono::milliseconds(50);

std::string numberCell(double value) {
    std::array<char, 40> digits{};
    const int size = std::snprintf(digits.data(), digits.size(), "%.17g", value);
    return {digits.data(), static_cast<std::size_t>(size)};
}

/// What a screen shows as a number, as a file has it: an ASCII minus, no thin blanks.
QString plainNumber(const QString& text) {
    QString plain = text;
    plain.replace(QChar(0x2212), QLatin1Char('-'));
    for (const char16_t blank : {u'\u2009', u'\u202f', u'\u00a0'}) plain.remove(QChar(blank));
    bool isNumber = false;
    plain.toDouble(&isNumber);
    return isNumber ? plain : text;
}

std::string cellOf(const QModelIndex& index, char separator) {
    const QVariant value = index.data(Qt::EditRole);
    switch (value.typeId()) {
        case QMetaType::Double:
        case QMetaType::Float:
            return numberCell(value.toDouble());
        case QMetaType::Int:
        case QMetaType::LongLong:
        case QMetaType::UInt:
        case QMetaType::ULongLong:
            return value.toString().toStdString();
        default:
            return tableCell(plainNumber(index.data(Qt::DisplayRole).toString()), separator);
    }
}

QList<int> shownColumns(const QTableView* view) {
    QList<int> columns;
    const QHeaderView* header = view->horizontalHeader();
    for (int visual = 0; visual < header->count(); ++visual) {
        const int column = header->logicalIndex(visual);
        if (!view->isColumnHidden(column)) columns.append(column);
    }
    return columns;
}

QList<int> allColumns(const QAbstractItemModel* model) {
    QList<int> columns(model->columnCount());
    for (int c = 0; c < columns.size(); ++c) columns[c] = c;
    return columns;
}

}  // namespace

std::string tableCell(const QString& text, char separator) {
    if (separator == ',') return csvCell(text.toStdString());
    QString plain = text;
    for (const char16_t c : {u'\t', u'\n', u'\r'}) plain.replace(QChar(c), QLatin1Char(' '));
    return plain.toStdString();
}

std::shared_ptr<TableLines> TableFeed::start(QAbstractItemModel* model, char separator) {
    return (new TableFeed(model, allColumns(model), separator))->m_lines;
}

std::shared_ptr<TableLines> TableFeed::start(QTableView* view, char separator) {
    return (new TableFeed(view->model(), shownColumns(view), separator))->m_lines;
}

TableFeed::TableFeed(QAbstractItemModel* model, QList<int> columns, char separator)
    : QObject(model),
      m_model(model),
      m_columns(std::move(columns)),
      m_separator(separator),
      m_lines(std::make_shared<TableLines>()) {
    m_lines->rows = model->rowCount();
    const auto giveUp = [this] { end(false); };
    connect(model, &QAbstractItemModel::modelReset, this, giveUp);
    connect(model, &QAbstractItemModel::rowsInserted, this, giveUp);
    connect(model, &QAbstractItemModel::rowsRemoved, this, giveUp);
    connect(model, &QAbstractItemModel::layoutChanged, this, giveUp);
    connect(&m_timer, &QTimer::timeout, this, &TableFeed::feed);
    m_timer.start(0);
}

TableFeed::~TableFeed() {
    m_lines->lines.close();
}

void TableFeed::feed() {
    QElapsedTimer since;
    since.start();
    const int rows = m_model->rowCount();
    while (m_row < rows && m_waiting.size() < kChunkBytes && since.elapsed() < kSliceMs) {
        m_waiting += m_row < 0 ? header() : line(m_row);
        ++m_row;
    }
    m_lines->read = std::max(0, m_row);
    if (!m_waiting.empty() && m_lines->lines.tryPush(m_waiting)) m_waiting.clear();
    if (m_lines.use_count() == 1) return end(false);  // nobody reads any more
    // The worker may be slow: come back when it has written some.
    m_timer.setInterval(m_waiting.size() >= kChunkBytes ? kSliceMs : 0);
    if (m_row >= rows && m_waiting.empty()) end(true);
}

std::string TableFeed::header() const {
    std::string text;
    bool isFirst = true;
    for (const int column : m_columns) {
        if (!isFirst) text += m_separator;
        isFirst = false;
        text += tableCell(m_model->headerData(column, Qt::Horizontal).toString(), m_separator);
    }
    return text + (m_separator == ',' ? "\r\n" : "\n");
}

std::string TableFeed::line(int row) const {
    std::string text;
    bool isFirst = true;
    for (const int column : m_columns) {
        if (!isFirst) text += m_separator;
        isFirst = false;
        text += cellOf(m_model->index(row, column), m_separator);
    }
    return text + (m_separator == ',' ? "\r\n" : "\n");
}

void TableFeed::end(bool isWhole) {
    m_timer.stop();
    m_lines->isWhole = isWhole;
    m_lines->lines.close();
    disconnect(m_model, nullptr, this, nullptr);
    deleteLater();
}

bool writeTable(TableLines& lines, const std::filesystem::path& file, const std::stop_token& stop,
                const ProgressSink& progress) {
    return writeOutput(
        file,
        [&](FileWriter& out) {
            Progress told{.phase = "write", .total = lines.rows, .unit = "rows"};
            const auto start = std::chrono::steady_clock::now();
            auto last = start;
            while (const auto text = lines.lines.pop(stop)) {
                if (stop.stop_requested()) return false;
                out.write(*text);
                const auto now = std::chrono::steady_clock::now();
                if (!progress || now - last < kPatience) continue;
                last = now;
                told.done = lines.read;
                told.seconds = std::chrono::duration<double>(now - start).count();
                told.ratePerSecond = static_cast<double>(told.done) / told.seconds;
                progress(told);
            }
            if (stop.stop_requested()) return false;
            if (!lines.isWhole)
                throw Error("The table changed while " + file.string() +
                                " was being written. Export it again when it is at rest.",
                            Error::Kind::Resource);
            return true;
        },
        stop);
}

}  // namespace orrery
