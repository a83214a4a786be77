#pragma once

#include <QTemporaryDir>
#include <chrono>
#include <filesystem>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "core/history/db_writer.h"
#include "tests/support/wait_until.h"

namespace orrery::test {

/// A point of a curve.
inline RunEvent metric(std::int64_t step, const std::string& key, double value) {
    return {.body = event::Metric{step, key, value}};
}

/// What the writer told, from its own thread.
struct Told {
    std::mutex mutex;
    std::vector<Commit> commits;
    std::vector<WriterTrouble> troubles;

    DbWriter::Options options() {
        DbWriter::Options options{.retryPause = std::chrono::milliseconds(10),
                                  .requestPatience = kHang,
                                  .endPatience = std::chrono::milliseconds(200)};
        options.onCommit = [this](const Commit& commit) {
            const std::lock_guard lock(mutex);
            commits.push_back(commit);
        };
        options.onTrouble = [this](const WriterTrouble& trouble) {
            const std::lock_guard lock(mutex);
            troubles.push_back(trouble);
        };
        return options;
    }
    std::vector<WriterTrouble::Kind> kinds() {
        const std::lock_guard lock(mutex);
        std::vector<WriterTrouble::Kind> all;
        for (const WriterTrouble& trouble : troubles) all.push_back(trouble.kind);
        return all;
    }
};

/// The folder of a workspace.
class WriterFolder {
protected:
    std::unique_ptr<QTemporaryDir> m_folder;
    std::filesystem::path path() const { return m_folder->filePath("w.orrery").toStdString(); }
};

}  // namespace orrery::test
