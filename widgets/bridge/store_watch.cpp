#include "widgets/bridge/store_watch.h"

#include <array>
#include <chrono>
#include <functional>
#include <optional>
#include <system_error>

#include "core/history/history_reader.h"
#include "widgets/bridge/background_worker.h"

namespace orrery {

namespace {

constexpr int kLookMs = 200;
constexpr std::chrono::seconds kListPause{1};

/// What the list of runs shows, without heartbeats.
std::size_t digestOf(const std::vector<RunRecord>& runs) {
    std::size_t digest = runs.size();
    const auto add = [&](std::size_t part) { digest = digest * 1'000'003 + part; };
    const std::hash<std::string> hash;
    for (const RunRecord& run : runs) {
        add(hash(run.id));
        add(run.state ? static_cast<std::size_t>(*run.state) : 99);
        for (const std::string* text : {&run.name, &run.note, &run.trashedUtc, &run.endedUtc})
            add(hash(*text));
        for (const std::string& tag : run.tags) add(hash(tag));
    }
    return digest;
}

}  // namespace

struct StoreWatch::Eye {
    /// Size and time of the last change of the database and of what was not yet written back into
    /// it.
    struct FileMarks {
        std::array<std::uintmax_t, 2> sizes{};
        std::array<std::filesystem::file_time_type, 2> times{};
        bool operator==(const FileMarks&) const = default;

        static FileMarks of(const std::filesystem::path& database) {
            FileMarks marks;
            const std::array<std::filesystem::path, 2> files = {database,
                                                                database.string() + "-wal"};
            for (std::size_t i = 0; i < files.size(); ++i) {
                std::error_code error;
                const std::uintmax_t size = std::filesystem::file_size(files[i], error);
                if (error) continue;
                marks.sizes[i] = size;
                marks.times[i] = std::filesystem::last_write_time(files[i], error);
            }
            return marks;
        }
    };
    struct Seen {
        bool hasRows = false, hasList = false;
    };

    Seen look() {
        Seen seen;
        const FileMarks now = FileMarks::of(database);
        seen.hasRows = marks != now;
        isListDue |= seen.hasRows;
        marks = now;
        const auto time = std::chrono::steady_clock::now();
        if (!isListDue || time - listed < kListPause) return seen;
        isListDue = false;
        listed = time;
        if (!reader) reader.emplace(database);
        const std::size_t newest = digestOf(reader->listRuns({.withTrash = true}));
        seen.hasList = digest != newest;  // the first one after a change is always told
        digest = newest;
        return seen;
    }

    std::filesystem::path database;
    std::optional<HistoryReader> reader;
    FileMarks marks;
    std::optional<std::size_t> digest;
    std::chrono::steady_clock::time_point listed{};
    bool isListDue = false;
};

StoreWatch::StoreWatch(QObject* parent) : QObject(parent), m_worker(new BackgroundWorker(this)) {
    m_timer.setInterval(kLookMs);
    connect(&m_timer, &QTimer::timeout, this, &StoreWatch::look);
}

StoreWatch::~StoreWatch() {
    delete m_worker;  // before what its job looks at
}

void StoreWatch::start(const std::filesystem::path& databaseFile) {
    m_eye = std::make_shared<Eye>();
    m_eye->database = databaseFile;
    m_eye->marks = Eye::FileMarks::of(databaseFile);
    m_timer.start();
}

void StoreWatch::look() {
    if (m_isLooking) return;
    m_isLooking = true;
    m_worker->append<Eye::Seen>([eye = m_eye](std::stop_token) { return eye->look(); },
                                [this](Eye::Seen seen) {
                                    m_isLooking = false;
                                    if (seen.hasRows) Q_EMIT rowsWritten();
                                    if (seen.hasList) Q_EMIT listChanged();
                                },
                                // Whoever reads for a person says what is wrong with the file.
                                [this](const QString&) { m_isLooking = false; });
}

}  // namespace orrery
