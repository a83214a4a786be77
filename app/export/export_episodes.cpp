#include "app/export/export_episodes.h"

#include <chrono>
#include <cmath>
#include <nlohmann/json.hpp>
#include <string>

#include "app/export/npz.h"
#include "core/base/output_file.h"
#include "core/base/rng.h"
#include "core/base/text.h"

namespace orrery {
namespace {

using Json = nlohmann::json;

std::vector<std::string> columnsOf(const World& world) {
    std::vector<std::string> names{"episode", "step", "config"};
    for (const Variable& variable : world.variables()) names.push_back(variable.name);
    names.insert(names.end(), {"profile", "joint_action", "v_r"});
    for (const HumanGoals& human : world.goals())
        names.push_back("goal." + world.agents()[static_cast<std::size_t>(human.agent)].name);
    return names;
}

/// Takes the states of the episodes one after the other.
class EpisodeRows {
public:
    explicit EpisodeRows(const World& world) : m_world(world), m_values(world.variables().size()) {}
    virtual ~EpisodeRows() = default;
    EpisodeRows(const EpisodeRows&) = delete;
    EpisodeRows& operator=(const EpisodeRows&) = delete;

    void add(std::int64_t number, const Episode& episode) {
        for (const Episode::Moment& moment : episode.moments) {
            m_world.valuate(moment.words, m_values);
            row(number, moment, episode.goals);
        }
    }
    virtual void finish() = 0;

protected:
    virtual void row(std::int64_t number, const Episode::Moment& moment,
                     const std::vector<int>& goals) = 0;

    std::string action(const Episode::Moment& moment) const {
        return moment.profile < 0
                   ? std::string()
                   : m_world.profileText(static_cast<ActionProfileIndex>(moment.profile));
    }
    const World& m_world;
    std::vector<int> m_values;  ///< of the state at hand
};

class CsvRows : public EpisodeRows {
public:
    CsvRows(const World& world, FileWriter& out) : EpisodeRows(world), m_out(out) {
        std::string line;
        for (const std::string& name : columnsOf(world))
            line += (line.empty() ? "" : ",") + csvCell(name);
        m_out.write(line + "\n");
    }
    void finish() override {}

protected:
    void row(std::int64_t number, const Episode::Moment& moment,
             const std::vector<int>& goals) override {
        std::string line = std::to_string(number) + "," + std::to_string(moment.step) + "," +
                           (moment.config < 0 ? "" : std::to_string(moment.config));
        for (const int value : m_values) line += "," + std::to_string(value);
        line += "," + (moment.profile < 0 ? "" : std::to_string(moment.profile)) + "," +
                csvCell(action(moment)) + "," +
                (std::isnan(moment.v_r) ? "" : formatDouble(moment.v_r));
        for (std::size_t h = 0; h < m_world.goals().size(); ++h)
            line += "," + (h < goals.size() && goals[h] >= 0 ? std::to_string(goals[h]) : "");
        m_out.write(line + "\n");
    }

private:
    FileWriter& m_out;
};

class JsonRows : public EpisodeRows {
public:
    JsonRows(const World& world, FileWriter& out) : EpisodeRows(world), m_out(out) {
        m_out.write("{\"world\": " + text(Json(world.name())) +
                    ",\n \"columns\": " + text(Json(columnsOf(world))) + ",\n \"rows\": [");
    }
    void finish() override { m_out.write("\n]}\n"); }

protected:
    void row(std::int64_t number, const Episode::Moment& moment,
             const std::vector<int>& goals) override {
        const auto known = [](std::int64_t value) { return value < 0 ? Json() : Json(value); };
        auto cells = Json::array({number, moment.step, known(moment.config)});
        for (const int value : m_values) cells.push_back(value);
        cells.push_back(known(moment.profile));
        cells.push_back(moment.profile < 0 ? Json() : Json(action(moment)));
        cells.push_back(std::isnan(moment.v_r) ? Json() : Json(moment.v_r));
        for (std::size_t h = 0; h < m_world.goals().size(); ++h)
            cells.push_back(h < goals.size() ? known(goals[h]) : Json());
        m_out.write(m_separator + text(cells));
        m_separator = ",\n";
    }

private:
    static std::string text(const Json& json) {
        return json.dump(-1, ' ', false, Json::error_handler_t::replace);
    }

    FileWriter& m_out;
    std::string m_separator = "\n";
};

class NpzRows : public EpisodeRows {
public:
    NpzRows(const World& world, FileWriter& out)
        : EpisodeRows(world), m_npz(out), m_variables(m_values.size()) {}
    void finish() override {
        m_npz.array("episode", m_numbers);
        m_npz.array("step", m_steps);
        m_npz.array("config", m_configs);
        for (std::size_t v = 0; v < m_variables.size(); ++v)
            m_npz.array("state." + m_world.variables()[v].name, m_variables[v]);
        m_npz.array("profile", m_profiles);
        m_npz.array("v_r", m_v_r);
        m_npz.array("goal", NpzWriter::Type::Int64,
                    {std::ssize(m_numbers), std::ssize(m_world.goals())},
                    [this](NpzWriter::Array& array) {
                        array.add(m_goals);
                        return true;
                    });
        m_npz.finish();
    }

protected:
    void row(std::int64_t number, const Episode::Moment& moment,
             const std::vector<int>& goals) override {
        m_numbers.push_back(number);
        m_steps.push_back(moment.step);
        m_configs.push_back(moment.config);
        m_profiles.push_back(moment.profile);
        m_v_r.push_back(moment.v_r);
        for (std::size_t v = 0; v < m_variables.size(); ++v) m_variables[v].push_back(m_values[v]);
        for (std::size_t h = 0; h < m_world.goals().size(); ++h)
            m_goals.push_back(h < goals.size() ? goals[h] : -1);
    }

private:
    NpzWriter m_npz;
    std::vector<std::int64_t> m_numbers, m_steps, m_configs, m_profiles, m_goals;
    std::vector<double> m_v_r;
    std::vector<std::vector<std::int64_t>> m_variables;
};

std::unique_ptr<EpisodeRows> rowsOf(const World& world, ExportFormat format, FileWriter& out) {
    if (format == ExportFormat::Csv) return std::make_unique<CsvRows>(world, out);
    if (format == ExportFormat::Json) return std::make_unique<JsonRows>(world, out);
    return std::make_unique<NpzRows>(world, out);
}

}  // namespace

Episode sampledEpisode(const Solution& solution, std::uint64_t seed, std::int64_t number) {
    const StateGraph& graph = solution.graph();
    Rng rng(seed, static_cast<std::uint64_t>(number));
    const std::vector<int> anyGoals(solution.world().goals().size(), -1);
    const auto steps =
        solution.rollout({.step = 0, .config = graph.levelMember(0, 0)}, anyGoals, rng);
    Episode episode;
    episode.goals = steps.front().goals;
    for (const RolloutStep& step : steps) {
        const auto words = graph.configuration(step.state.config);
        episode.moments.push_back({.step = step.state.step,
                                   .config = static_cast<std::int64_t>(step.state.config),
                                   .words = {words.begin(), words.end()},
                                   .profile = static_cast<std::int64_t>(step.profile),
                                   .v_r = solution.v_r(step.state)});
    }
    episode.moments.back().profile = -1;
    return episode;
}

bool exportEpisodes(const World& world, std::int64_t count, const EpisodeSource& source,
                    ExportFormat format, const std::filesystem::path& file,
                    const std::stop_token& stop, const ProgressSink& progress) {
    const auto begin = std::chrono::steady_clock::now();
    return writeOutput(
        file,
        [&](FileWriter& out) {
            const auto rows = rowsOf(world, format, out);
            double told = 0;
            for (std::int64_t k = 0; k < count; ++k) {
                if (stop.stop_requested()) return false;
                rows->add(k, source(k));
                const std::chrono::duration<double> passed =
                    std::chrono::steady_clock::now() - begin;
                if (!progress || passed.count() - told < 0.1) continue;
                told = passed.count();
                progress({.phase = "write",
                          .done = k + 1,
                          .total = count,
                          .unit = "episodes",
                          .seconds = told});
            }
            rows->finish();
            return true;
        },
        stop);
}

}  // namespace orrery
