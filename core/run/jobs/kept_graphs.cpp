#include "core/run/jobs/kept_graphs.h"

#include <algorithm>
#include <system_error>
#include <vector>

namespace orrery {

std::filesystem::path graphFile(const std::filesystem::path& workspaceFolder, const World& world,
                                bool unrolled) {
    return workspaceFolder / "graphs" /
           (world.contentHash() + (unrolled ? "-unrolled" : "") + ".graph");
}

int trimGraphs(const std::filesystem::path& workspaceFolder, std::int64_t bytes) {
    struct Kept {
        std::filesystem::file_time_type used;
        std::filesystem::path file;
        std::int64_t bytes;
    };
    std::vector<Kept> kept;
    std::error_code ignored;  // a graph that vanishes meanwhile needs no trimming
    for (const auto& entry :
         std::filesystem::directory_iterator(workspaceFolder / "graphs", ignored))
        if (entry.path().extension() == ".graph" && entry.is_regular_file(ignored))
            kept.push_back({entry.last_write_time(ignored), entry.path(),
                            static_cast<std::int64_t>(entry.file_size(ignored))});
    std::ranges::sort(kept, std::ranges::greater{}, &Kept::used);
    std::int64_t total = 0;
    int removed = 0;
    for (const Kept& graph : kept) {
        total += graph.bytes;
        if (total > bytes && std::filesystem::remove(graph.file, ignored)) ++removed;
    }
    return removed;
}

}  // namespace orrery
