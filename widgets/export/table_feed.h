#pragma once

#include <QList>
#include <QObject>
#include <QPointer>
#include <QTimer>
#include <atomic>
#include <filesystem>
#include <memory>
#include <stop_token>
#include <string>

#include "core/base/bounded_queue.h"
#include "core/base/progress.h"

class QAbstractItemModel;
class QTableView;

namespace orrery {

/// The lines of a table on their way from the model, which only the GUI thread may read, to a
/// worker that writes them.
struct TableLines {
    BoundedQueue<std::string> lines{64};  ///< closed when no more follow
    std::atomic<std::int64_t> rows = 0;   ///< of the model
    std::atomic<std::int64_t> read = 0;
    std::atomic<bool> isWhole = false;  ///< set before closing: every row is there, and none has
                                        ///< changed meanwhile
};

/// Reads a table row by row in slices of a few milliseconds while the window goes on: a header,
/// then every row as the view shows them. Numbers are written with all digits the model gives
/// (%.17g for its own numbers) and a plain minus. Deletes itself at the end. GUI thread only.
class TableFeed : public QObject {
    Q_OBJECT

public:
    /// All columns of a model.
    /// @param separator  ',' quotes as RFC 4180; '\t' replaces tabs and line ends by blanks
    static std::shared_ptr<TableLines> start(QAbstractItemModel* model, char separator);
    /// The columns that a view shows, in its order.
    static std::shared_ptr<TableLines> start(QTableView* view, char separator);
    ~TableFeed() override;

private:
    TableFeed(QAbstractItemModel* model, QList<int> columns, char separator);
    void feed();
    std::string header() const;
    std::string line(int row) const;
    void end(bool isWhole);

    QPointer<QAbstractItemModel> m_model;
    const QList<int> m_columns;
    const char m_separator;
    std::shared_ptr<TableLines> m_lines;
    QTimer m_timer;
    int m_row = -1;  ///< -1: the header is next
    std::string m_waiting;
};

/// Writes the lines of a feed to a file. False if stopped.
/// @throws Error (Resource) if the file cannot be written or the table changed meanwhile
bool writeTable(TableLines& lines, const std::filesystem::path& file, const std::stop_token& stop,
                const ProgressSink& progress);

/// A text as one cell.
std::string tableCell(const QString& text, char separator);

}  // namespace orrery
