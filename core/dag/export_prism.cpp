#include <string>
#include <vector>

#include "core/dag/export.h"
#include "core/dag/export_stream.h"

namespace orrery {

namespace {

/// `name` with everything that PRISM does not allow in an identifier replaced by '_'.
std::string identifier(std::string_view name) {
    std::string text;
    for (const char c : name) {
        const bool plain =
            (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
        text += plain ? c : '_';
    }
    if (text.empty() || (text[0] >= '0' && text[0] <= '9')) text.insert(0, "_");
    return text;
}

std::vector<std::string> profileNames(const World& world) {
    std::vector<std::string> names;
    for (ActionProfileIndex profile = 0; profile < world.numProfiles(); ++profile) {
        const std::vector<int> actions = world.profileActions(profile);
        std::string name;
        for (int agent = 0; agent < world.numAgents(); ++agent) {
            if (agent > 0) name += '_';
            name += world.agents()[agent].actions[actions[agent]];
        }
        names.push_back(identifier(name));
    }
    return names;
}

std::string goalLabel(const World& world, const HumanGoals& own, std::size_t g) {
    const Goal& goal = own.goals[g];
    std::string label = world.agents()[own.agent].name + "_goal" + std::to_string(g) +
                        (goal.isRectangle ? "_in_" : "_at_") + std::to_string(goal.x1) + "_" +
                        std::to_string(goal.y1);
    if (goal.isRectangle) label += "_" + std::to_string(goal.x2) + "_" + std::to_string(goal.y2);
    return identifier(label);
}

/// Writes the three files of one graph.
class PrismExport {
public:
    PrismExport(const StateGraph& graph, const ProgressSink& progress)
        : m_graph(graph),
          m_world(graph.world()),
          m_numbers(graph),
          m_report(progress, 3 * m_numbers.total()) {}

    bool run(const std::filesystem::path& stem, const std::stop_token& stop) {
        const auto file = [&stem](const char* suffix) {
            std::filesystem::path path = stem;
            return path += suffix;
        };
        const bool written =
            writeExport(file(".tra"), stop, [this](ExportStream& out) { writeTransitions(out); }) &&
            writeExport(file(".sta"), stop, [this](ExportStream& out) { writeStates(out); }) &&
            writeExport(file(".lab"), stop, [this](ExportStream& out) { writeLabels(out); });
        if (written) m_report.finish();
        return written;
    }

private:
    /// Calls visit(number, config) for the states of a level, in order, until a stop.
    template <class Visit>
    void forLevel(const ExportStream& out, int step, Visit&& visit) {
        std::int64_t number = m_numbers.first(step);
        for (ConfigIndex c = m_graph.levelBegin(step);
             c < m_graph.levelEnd(step) && !out.isStopped(); ++c) {
            if (!m_graph.inLevel(step, c)) continue;
            visit(number++, c);
            m_report.advance(step);
        }
    }

    int lastStep() const { return m_graph.numLevels() - 1; }

    void writeTransitions(ExportStream& out) {
        const GraphCounts counts = m_graph.counts();
        const std::vector<std::string> names = profileNames(m_world);
        out << counts.states << ' ' << counts.actionRows << ' ' << counts.transitionEntries << '\n';
        for (int step = 0; step < lastStep() && !out.isStopped(); ++step) {
            m_numbers.select(step + 1);
            forLevel(out, step, [&](std::int64_t number, ConfigIndex config) {
                forEachOutcome(m_graph, config,
                               [&](ActionProfileIndex profile, double p, ConfigIndex successor) {
                                   out << number << ' ' << std::int64_t{profile} << ' '
                                       << m_numbers.of(successor) << ' ' << p << ' '
                                       << names[profile] << '\n';
                               });
            });
        }
        forLevel(out, lastStep(), [](std::int64_t, ConfigIndex) {});
    }

    void writeStates(ExportStream& out) {
        out << "(step";
        for (const Variable& variable : m_world.variables())
            out << ',' << identifier(variable.name);
        out << ")\n";
        std::vector<int> values(m_world.variables().size());
        for (int step = 0; step < m_graph.numLevels(); ++step) {
            forLevel(out, step, [&](std::int64_t number, ConfigIndex config) {
                m_world.valuate(m_graph.configuration(config), values);
                out << number << ":(" << step;
                for (const int value : values) out << ',' << value;
                out << ")\n";
            });
        }
    }

    void writeLabels(ExportStream& out) {
        out << "0=\"init\" 1=\"deadlock\" 2=\"terminal\"";
        int next = 3;
        for (const HumanGoals& own : m_world.goals())
            for (std::size_t g = 0; g < own.goals.size(); ++g)
                out << ' ' << next++ << "=\"" << goalLabel(m_world, own, g) << '"';
        out << '\n';
        for (int step = 0; step < m_graph.numLevels(); ++step)
            forLevel(out, step, [&](std::int64_t number, ConfigIndex config) {
                writeLabelsOf(out, number, step, config);
            });
    }

    void writeLabelsOf(ExportStream& out, std::int64_t number, int step, ConfigIndex config) {
        m_labels.clear();
        if (number == 0) m_labels.push_back(0);
        if (step == lastStep()) m_labels.insert(m_labels.end(), {1, 2});
        int label = 3;
        const auto numHumans = static_cast<int>(m_world.goals().size());
        for (int human = 0; human < numHumans; ++human) {
            const std::uint64_t attained =
                m_world.attainedGoals(m_graph.configuration(config), human);
            for (std::size_t g = 0; g < m_world.goals()[human].goals.size(); ++g, ++label)
                if ((attained >> g & 1U) != 0) m_labels.push_back(label);
        }
        if (m_labels.empty()) return;
        out << number << ':';
        for (const int holds : m_labels) out << ' ' << holds;
        out << '\n';
    }

    const StateGraph& m_graph;
    const World& m_world;
    StateNumbers m_numbers;
    ExportProgress m_report;
    std::vector<int> m_labels;  ///< of one state
};

}  // namespace

bool exportPrism(const StateGraph& graph, const std::filesystem::path& stem,
                 const std::stop_token& stop, const ProgressSink& progress) {
    return PrismExport(graph, progress).run(stem, stop);
}

}  // namespace orrery
