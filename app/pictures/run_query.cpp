#include "app/pictures/run_query.h"

#include "widgets/compare/run_filter_text.h"
#include "widgets/compare/run_sheet.h"

namespace orrery {

std::unordered_set<std::string> runsWhere(const std::filesystem::path& workspaceFolder,
                                          const std::string& text) {
    const auto sheet = readSheet(workspaceFolder, nullptr);
    const std::vector<char> holds =
        RunCondition(QString::fromStdString(text), *sheet).apply(*sheet);
    std::unordered_set<std::string> ids;
    for (std::size_t row = 0; row < holds.size(); ++row)
        if (holds[row] != 0) ids.insert(sheet->runs[row].id);
    return ids;
}

}  // namespace orrery
