#include "app/export_training.h"

#include <limits>
#include <nlohmann/json.hpp>
#include <vector>

#include "app/npz.h"
#include "core/base/error.h"
#include "core/base/output_file.h"
#include "core/base/text.h"
#include "core/history/workspace.h"
#include "core/run/best_checkpoint.h"
#include "core/run/exact_solution.h"
#include "core/run/reopen.h"
#include "core/train/learn_library.h"

namespace orrery {
namespace {

constexpr double kAbsent = std::numeric_limits<double>::quiet_NaN();

TrainJob jobOf(const Workspace& workspace, const std::string& run) {
    const RunSpec spec = storedSpec(workspace, run);
    const auto* job = std::get_if<TrainJob>(&spec.job);
    if (job == nullptr)
        throw Error("Run " + run + " is a solve: it has no weights. Export its values or policies.",
                    Error::Kind::BadInput);
    return *job;
}

/// What one evaluation says, as rows of numbers.
class LearnedRows {
public:
    LearnedRows(const World& world, const ExactError& values, ExportContent content)
        : m_world(world), m_values(values), m_content(content) {
        m_columns = {"step", "configuration", "visits"};
        if (content == ExportContent::Policies) {
            for (const std::string& action : robotProfiles(world).names)
                m_columns.push_back("pi_r[" + action + "]");
            return;
        }
        m_columns.emplace_back("v_r");
        for (const HumanGoals& human : world.goals())
            m_columns.push_back("x_h." + world.agents()[human.agent].name);
        for (const HumanGoals& human : world.goals())
            for (const Goal& goal : human.goals)
                m_columns.push_back("v_h_e." + world.agents()[human.agent].name + "[" +
                                    goalText(goal) + "]");
    }

    const std::vector<std::string>& columns() const { return m_columns; }
    std::size_t rows() const { return m_values.byState.size(); }

    void row(std::size_t state, std::vector<double>& out) const {
        const ExactError::StateError& at = m_values.byState[state];
        out = {static_cast<double>(at.state.step), static_cast<double>(at.state.config),
               static_cast<double>(at.visits)};
        const bool isSeen = m_values.isSeen[state] != 0;
        const ExactError::Numbers& learned = m_values.learned;
        if (m_content == ExportContent::Policies) {
            append(learned.pi_r, state, m_columns.size() - out.size(), isSeen, out);
            return;
        }
        out.push_back(isSeen ? learned.v_r[state] : kAbsent);
        const std::size_t numHumans = m_world.goals().size();
        append(learned.x_h, state, numHumans, isSeen, out);
        const std::size_t numGoals = m_columns.size() - out.size();
        for (std::size_t g = 0; g < numGoals; ++g) {
            const std::size_t place = state * numGoals + g;
            out.push_back(m_values.isSeen_v_h_e[place] != 0 ? learned.v_h_e[place] : kAbsent);
        }
    }

private:
    static void append(const std::vector<float>& all, std::size_t state, std::size_t width,
                       bool isSeen, std::vector<double>& out) {
        for (std::size_t i = 0; i < width; ++i)
            out.push_back(isSeen ? all[state * width + i] : kAbsent);
    }

    const World& m_world;
    const ExactError& m_values;
    ExportContent m_content;
    std::vector<std::string> m_columns;
};

bool writeCsv(const LearnedRows& table, FileWriter& out) {
    std::string text;
    for (const std::string& column : table.columns())
        text += (text.empty() ? "" : ",") + csvCell(column);
    text += "\n";
    std::vector<double> row;
    for (std::size_t state = 0; state < table.rows(); ++state) {
        table.row(state, row);
        for (std::size_t c = 0; c < row.size(); ++c) {
            if (c > 0) text += ",";
            if (row[c] == row[c]) text += formatDouble(row[c]);
        }
        text += "\n";
        if (text.size() < (1U << 20U)) continue;
        out.write(text);
        text.clear();
    }
    out.write(text);
    return true;
}

bool writeJson(const LearnedRows& table, const std::string& run, FileWriter& out) {
    nlohmann::ordered_json json{{"run", run}, {"columns", table.columns()}};
    auto& rows = json["rows"] = nlohmann::ordered_json::array();
    std::vector<double> row;
    for (std::size_t state = 0; state < table.rows(); ++state) {
        table.row(state, row);
        auto list = nlohmann::ordered_json::array();
        for (const double value : row)
            list.push_back(value == value ? nlohmann::ordered_json(value) : nullptr);
        rows.push_back(std::move(list));
    }
    out.write(json.dump() + "\n");
    return true;
}

bool writeNpz(const LearnedRows& table, FileWriter& out) {
    NpzWriter npz(out);
    const auto numRows = static_cast<std::int64_t>(table.rows());
    const auto numColumns = static_cast<std::int64_t>(table.columns().size());
    npz.array("table", NpzWriter::Type::Double, {numRows, numColumns}, [&](auto& array) {
        std::vector<double> row;
        for (std::size_t state = 0; state < table.rows(); ++state) {
            table.row(state, row);
            array.add(std::span<const double>(row));
        }
        return true;
    });
    npz.finish();
    return true;
}

}  // namespace

void exportWeights(const Workspace& workspace, const std::string& run, const std::string& choice,
                   const std::filesystem::path& file) {
    jobOf(workspace, run);
    const Checkpoint checkpoint = chosenCheckpoint(workspace, run, choice);
    TensorMap weights = checkpoint.tensors("model.safetensors");
    weights.setText("run", run);
    weights.setText("step", std::to_string(checkpoint.manifest().step));
    writeSafetensors(file, weights);
}

bool exportLearned(const Workspace& workspace, const std::string& run, const std::string& choice,
                   ExportContent content, ExportFormat format, const std::filesystem::path& file,
                   const std::stop_token& stop, const ProgressSink& progress) {
    const TrainJob job = jobOf(workspace, run);
    EvaluateRequest request;
    request.spec = job.empo;
    request.worlds = worldsOf(job);
    request.checkpoint = chosenCheckpoint(workspace, run, choice).folder();
    if (request.worlds.size() != 1)
        throw Error("Run " + run + " trained on several worlds; only those of one are exported.",
                    Error::Kind::BadInput);
    const ExactSolution exact =
        exactSolutionOf(request.worlds[0], job.empo, job.exactStates, stop, progress);
    if (stop.stop_requested()) return false;
    if (!exact.solution)
        throw Error("The states of run " + run + " cannot be listed: " + exact.whyNot,
                    Error::Kind::BadInput);
    request.exact = {exact.solution};
    TrainHooks hooks;
    hooks.boundary = [&](const Progress& now) {
        if (progress) progress(now);
        return std::int64_t{0};
    };
    const Evaluation evaluation = loadLearnLibrary().evaluate(request, hooks, stop);
    if (stop.stop_requested() || evaluation.errors.empty()) return false;
    const ExactError& found = evaluation.errors[0];
    if (found.isSeen.size() != found.byState.size())
        throw Error("The learners' library does not give values of single states: build it anew.",
                    Error::Kind::Resource);
    const LearnedRows table(*request.worlds[0], evaluation.errors[0], content);
    return writeOutput(
        file,
        [&](FileWriter& out) {
            switch (format) {
                case ExportFormat::Json:
                    return writeJson(table, run, out);
                case ExportFormat::Npz:
                    return writeNpz(table, out);
                case ExportFormat::Csv:
                    break;
            }
            return writeCsv(table, out);
        },
        stop);
}

}  // namespace orrery
