#include "app/export/export_training.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "app/export/npz.h"
#include "app/export/stored_run.h"
#include "core/base/error.h"
#include "core/base/file_descriptor.h"
#include "core/base/output_file.h"
#include "core/base/text.h"
#include "core/checkpoint/checkpoint_manifest.h"
#include "core/encode/agent_order.h"
#include "core/history/workspace.h"
#include "core/run/archive/stored_replay.h"
#include "core/run/archive/stored_spec.h"
#include "core/run/best_checkpoint.h"
#include "core/run/jobs/exact_solution.h"
#include "core/run/jobs/train_job.h"
#include "core/train/empo/empo_training.h"

namespace orrery {
namespace {

const char* const kNoWeights = "it has no weights. Export its values or policies.";
constexpr std::size_t kMostAsked = 100'000;  ///< states in one question: some 100 MB

/// What the learner says of one world's states.
struct ListedStates {
    std::shared_ptr<const World> world;
    /// As an evaluation lists them. Of a world that is not solved exactly: without exact numbers,
    /// and the states' configurations say nothing.
    ExactError values;
    /// [S, agents, 3] x, y and direction (NaN where there is none); of such a world only.
    std::vector<double> places;
};

/// One world's states as rows of numbers.
class LearnedRows {
public:
    LearnedRows(ListedStates listed, ExportContent content)
        : m_listed(std::move(listed)), m_content(content) {
        const World& world = *m_listed.world;
        m_columns = {"step", "configuration", "visits"};
        if (!m_listed.places.empty())
            for (const AgentInfo& agent : world.agents())
                for (const char* variable : {".x", ".y", ".direction"})
                    m_columns.push_back(agent.name + variable);
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
    std::size_t rows() const { return m_listed.values.byState.size(); }

    void row(std::size_t state, std::vector<double>& out) const {
        const ExactError& values = m_listed.values;
        const ExactError::StateError& at = values.byState[state];
        const bool isSolved = m_listed.places.empty();
        out = {static_cast<double>(at.state.step),
               isSolved ? static_cast<double>(at.state.config) : kAbsent,
               static_cast<double>(at.visits)};
        if (!isSolved) append(m_listed.places, state, 3 * m_listed.world->agents().size(), out);
        const bool isSeen = values.isSeen[state] != 0;
        const ExactError::Numbers& learned = values.learned;
        if (m_content == ExportContent::Policies) {
            appendSeen(learned.pi_r, state, m_columns.size() - out.size(), isSeen, out);
            return;
        }
        appendSeen(learned.v_r, state, 1, isSeen, out);
        appendSeen(learned.x_h, state, m_listed.world->goals().size(), isSeen, out);
        const std::size_t numGoals = m_columns.size() - out.size();
        for (std::size_t g = 0; g < numGoals; ++g) {
            const std::size_t place = state * numGoals + g;
            out.push_back(values.isSeen_v_h_e[place] != 0 ? learned.v_h_e[place] : kAbsent);
        }
    }

private:
    template <typename T>
    static void append(const std::vector<T>& all, std::size_t state, std::size_t width,
                       std::vector<double>& out) {
        for (std::size_t i = 0; i < width; ++i) out.push_back(all[state * width + i]);
    }
    static void appendSeen(const std::vector<float>& all, std::size_t state, std::size_t width,
                           bool isSeen, std::vector<double>& out) {
        if (isSeen)
            append(all, state, width, out);
        else
            out.insert(out.end(), width, kAbsent);
    }

    ListedStates m_listed;
    ExportContent m_content;
    std::vector<std::string> m_columns;
};

/// The rows of all worlds, one after the other; of several with the world's number in front.
/// Columns that a world lacks are absent in its rows.
class LearnedTable {
public:
    explicit LearnedTable(std::vector<LearnedRows> worlds) : m_worlds(std::move(worlds)) {
        if (m_worlds.size() > 1) m_columns.emplace_back("world");
        for (const LearnedRows& world : m_worlds)
            for (const std::string& column : world.columns())
                if (std::ranges::find(m_columns, column) == m_columns.end())
                    m_columns.push_back(column);
        for (const LearnedRows& world : m_worlds) {
            std::vector<std::size_t>& places = m_places.emplace_back();
            for (const std::string& column : world.columns())
                places.push_back(static_cast<std::size_t>(std::ranges::find(m_columns, column) -
                                                          m_columns.begin()));
            m_rows += world.rows();
        }
    }

    const std::vector<std::string>& columns() const { return m_columns; }
    std::size_t rows() const { return m_rows; }

    void row(std::size_t number, std::vector<double>& out) const {
        std::size_t w = 0;
        for (; number >= m_worlds[w].rows(); ++w) number -= m_worlds[w].rows();
        std::vector<double> own;
        m_worlds[w].row(number, own);
        out.assign(m_columns.size(), kAbsent);
        if (m_worlds.size() > 1) out[0] = static_cast<double>(w + 1);
        for (std::size_t i = 0; i < own.size(); ++i) out[m_places[w][i]] = own[i];
    }

private:
    std::vector<LearnedRows> m_worlds;
    std::vector<std::string> m_columns;
    std::vector<std::vector<std::size_t>> m_places;  ///< [world][its column]
    std::size_t m_rows = 0;
};

bool writeCsv(const LearnedTable& table, FileWriter& out) {
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

bool writeJson(const LearnedTable& table, const std::string& run, FileWriter& out) {
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

bool writeNpz(const LearnedTable& table, FileWriter& out) {
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

/// The weight of U_r in an exact V_r; in a learned one it is 1. Source: spec empo 4.
double unitWeight(double gamma_r) {
    return gamma_r == 1 ? 1 : (1 - gamma_r) / -std::log(gamma_r);
}

/// Puts what a learner says of further states behind what is there.
void addValues(const LearnedValues& learned, double weight, ExactError& values) {
    ExactError::Numbers& all = values.learned;
    const auto append = [](auto& to, const auto& from) {
        to.insert(to.end(), from.begin(), from.end());
    };
    append(all.x_h, learned.x_h);
    append(all.pi_r, learned.pi_r);
    append(values.isSeen, learned.isVisited);
    for (const float v_r : learned.v_r) all.v_r.push_back(static_cast<float>(v_r * weight));
    const auto numStates = static_cast<std::size_t>(learned.numStates);
    for (std::size_t s = 0; s < numStates; ++s)
        for (std::size_t h = 0; h < learned.v_h_e.size(); ++h) {
            const std::size_t numGoals = learned.v_h_e[h].size() / numStates;
            for (std::size_t g = s * numGoals; g < (s + 1) * numGoals; ++g) {
                all.v_h_e.push_back(learned.v_h_e[h][g]);
                values.isSeen_v_h_e.push_back(learned.isVisited_v_h_e[h][g]);
            }
        }
}

/// Where a state's agents are and look, in the world's order.
void addPlaces(const EncodingShape& shape, std::span<const std::byte> state,
               const std::vector<int>& order, std::vector<double>& places) {
    const auto agents = partsOf(shape, state).agents;
    const std::size_t begin = places.size();
    places.resize(begin + 3 * order.size(), kAbsent);
    for (std::size_t slot = 0; slot < order.size(); ++slot) {
        const auto numbers = agents.subspan(slot * EncodingShape::kAgentNumbers);
        double* const place = places.data() + begin + 3 * static_cast<std::size_t>(order[slot]);
        place[0] = numbers[0];
        place[1] = numbers[1];
        for (std::size_t direction = 0; direction < 4; ++direction)
            if (numbers[2 + direction] != 0) place[2] = static_cast<double>(direction);
    }
}

/// The states of a world that the training's buffer knows. Partial if stopped.
ListedStates visitedOf(const StoredReplay& stored, std::size_t world, const std::stop_token& stop,
                       const ProgressSink& progress) {
    const ReplaySnapshot& replay = *stored.shown.replay;
    const std::vector<VisitedState> states = visitedStates(replay, static_cast<int>(world));
    const double weight = unitWeight(stored.spec.job.as<TrainJob>().empo.gamma_r);
    ListedStates listed{.world = stored.worlds[world], .values = {}, .places = {}};
    const std::vector<int> order = encodedAgentOrder(*listed.world);
    for (std::size_t begin = 0; begin < states.size() && !stop.stop_requested();
         begin += kMostAsked) {
        if (progress)
            progress({.phase = "values",
                      .done = static_cast<std::int64_t>(begin),
                      .total = std::ssize(states),
                      .unit = "states"});
        ValueQuestion question{.layout = static_cast<int>(world)};
        for (std::size_t i = begin; i < std::min(begin + kMostAsked, states.size()); ++i) {
            const auto bytes = replay.state(states[i].state);
            question.states.insert(question.states.end(), bytes.begin(), bytes.end());
            addPlaces(replay.shape(), bytes, order, listed.places);
            listed.values.byState.push_back(
                {.state = {.step = states[i].step}, .visited = true, .visits = states[i].visits});
        }
        addValues(valuesOfStored(stored, question).live, weight, listed.values);
    }
    return listed;
}

/// All states of the worlds that are solved, [worlds]; nothing if there is none or if stopped.
std::vector<ExactError> solvedStates(const EvaluateRequest& request, const std::stop_token& stop,
                                     const ProgressSink& progress) {
    if (std::ranges::count(request.exact, nullptr) == std::ssize(request.exact)) return {};
    std::vector<ExactError> errors = empoLibrary().evaluate(request, progress, stop).errors;
    for (std::size_t w = 0; w < errors.size(); ++w)
        if (request.exact[w] && errors[w].isSeen.size() != errors[w].byState.size())
            throw Error(
                "The learners' library does not give values of single states: build it anew.",
                Error::Kind::Resource);
    return errors;
}

/// What a checkpoint says of the states that can be listed, [worlds]; fewer if stopped.
std::vector<ListedStates> listedStates(const Workspace& workspace, const std::string& run,
                                       const std::string& choice, const std::stop_token& stop,
                                       const ProgressSink& progress) {
    const Checkpoint checkpoint = chosenCheckpoint(workspace, run, choice);
    const std::int64_t step = checkpoint.manifest().step;
    const RunSpec spec = storedSpecAt(workspace, run, step);
    const TrainJob& job = requireTrainJob(spec, "Run " + run);
    EvaluateRequest request{.spec = job.empo,
                            .worlds = requireWorlds(worldRefs(job)),
                            .checkpoint = checkpoint.folder()};
    for (const auto& world : request.worlds)
        request.exact.push_back(
            exactSolutionOf(world, job.empo, job.exactStates, stop, progress).solution);
    std::vector<ExactError> solved = solvedStates(request, stop, progress);
    std::optional<StoredReplay> stored;
    std::vector<ListedStates> listed;
    for (std::size_t w = 0; w < request.worlds.size() && !stop.stop_requested(); ++w) {
        if (request.exact[w]) {
            listed.push_back(
                {.world = request.worlds[w], .values = std::move(solved.at(w)), .places = {}});
            continue;
        }
        if (!stored) stored = openStoredReplay(workspace, run, std::to_string(step));
        listed.push_back(visitedOf(*stored, w, stop, progress));
    }
    return listed;
}

}  // namespace

void exportWeights(const Workspace& workspace, const std::string& run, const std::string& choice,
                   const std::filesystem::path& file) {
    requireTraining(workspace, run, kNoWeights);
    const Checkpoint checkpoint = chosenCheckpoint(workspace, run, choice);
    TensorMap weights = checkpoint.tensors("model.safetensors");
    weights.setText("run", run);
    weights.setText("step", std::to_string(checkpoint.manifest().step));
    writeSafetensors(file, weights);
}

bool exportCheckpoint(const Workspace& workspace, const std::string& run, const std::string& choice,
                      const std::filesystem::path& folder, const std::stop_token& stop,
                      const ProgressSink& progress) {
    requireTraining(workspace, run, kNoWeights);
    const Checkpoint checkpoint = chosenCheckpoint(workspace, run, choice);
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    std::vector<std::string> names;
    for (const CheckpointFile& file : checkpoint.manifest().files) names.push_back(file.name);
    names.emplace_back(kManifestName);  // last: what has one is whole
    std::filesystem::remove(folder / kManifestName, error);
    Progress told{.phase = "copy", .total = std::ssize(names), .unit = "files"};
    for (const std::string& name : names) {
        if (stop.stop_requested()) {
            for (const std::string& copied : names) std::filesystem::remove(folder / copied, error);
            std::filesystem::remove(folder, error);  // if it is empty
            return false;
        }
        std::filesystem::copy_file(checkpoint.folder() / name, folder / name,
                                   std::filesystem::copy_options::overwrite_existing, error);
        if (error) throwFileError("write", folder / name, error.value());
        ++told.done;
        if (progress) progress(told);
    }
    return true;
}

bool exportLearned(const Workspace& workspace, const std::string& run, const std::string& choice,
                   ExportContent content, ExportFormat format, const std::filesystem::path& file,
                   const std::stop_token& stop, const ProgressSink& progress) {
    requireTraining(workspace, run, kNoWeights);
    std::vector<LearnedRows> worlds;
    for (ListedStates& listed : listedStates(workspace, run, choice, stop, progress))
        worlds.emplace_back(std::move(listed), content);
    if (stop.stop_requested()) return false;
    const LearnedTable table(std::move(worlds));
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
