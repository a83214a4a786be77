#include <algorithm>
#include <atomic>
#include <chrono>
#include <mutex>

#include "core/base/error.h"
#include "core/base/memory.h"
#include "core/base/text.h"
#include "core/base/thread_team.h"
#include "core/dag/big_array.h"
#include "core/solve/attained_masks.h"
#include "core/solve/kept_phase1.h"
#include "core/solve/kernel.h"
#include "core/solve/level_store.h"
#include "core/solve/solution.h"
#include "core/solve/solve_plan.h"
#include "core/solve/solve_progress.h"
#include "core/solve/solve_traced.h"
#include "core/trace/work_trace.h"

namespace orrery {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::int64_t kChunk = 256;  ///< configurations that a thread takes at a time
constexpr std::size_t kSlack = 8;     ///< lanes that a kernel may read beyond an array

double secondsSince(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

/// The continuation values of one level, by configuration from `begin` on.
struct Continuation {
    ConfigIndex begin = 0;
    BigArray<double> w_h, w_h_e, v_r;
};

/// What each thread adds up for itself, on cache lines of its own.
struct alignas(128) WorkerSums {
    double phase1Seconds = 0, phase2Seconds = 0;
    std::int64_t products = 0;
    double minV_r = 0, maxV_r = 0;
};

class Solver {
public:
    Solver(std::shared_ptr<const StateGraph> graph, const SolveSpec& spec, const SolveHooks& hooks,
           std::stop_token stop, KeptPhase1* kept)
        : m_graph(std::move(graph)),
          m_spec(spec),
          m_hooks(hooks),
          m_stop(std::move(stop)),
          m_plan(*m_graph, spec, hooks.believedOthers),
          m_kernel(kernelFor(cpuLevel())),
          m_team(spec.threads > 0 ? spec.threads : processorCount()),
          m_levels(std::make_unique<LevelStore>(*m_graph, spec.storage, m_plan.numGoals(),
                                                !spec.phase1Only)),
          m_progress(*m_graph, hooks.progress) {
        for (int t = 0; t < m_team.size(); ++t)
            m_scratch.push_back(std::make_unique<KernelScratch>(m_plan));
        if (kept != nullptr && kept->prepare(*m_graph, m_plan)) m_kept = kept;
        m_isPhase1Kept = m_kept != nullptr && m_kept->isComplete();
        m_sums.resize(m_team.size());
        m_budget = spec.memoryBudget > 0 ? spec.memoryBudget
                                         : static_cast<std::int64_t>(availableMemory() / 10 * 7);
    }

    /// What each thread does when goes there, too.
    void traceInto(WorkTrace& trace) {
        m_trace = &trace;
        trace.setThreads(m_team.size());
    }

    std::shared_ptr<const Solution> run(SolveStatistics* statistics) {
        const auto start = Clock::now();
        if (!markAttained(*m_graph, m_team, m_stop, m_attained)) return nullptr;
        const int last = m_graph->numLevels() - 1;
        if (!fillTerminal(last)) return nullptr;
        m_progress.add(m_graph->levelSize(last));
        noteTerminal(last, secondsSince(start));
        for (int step = last - 1; step >= 0; --step) {
            const auto levelStart = Clock::now();
            if (!solveLevel(step)) return nullptr;
            finishLevel(step, secondsSince(levelStart));
            std::swap(m_next, m_now);
        }
        for (const WorkerSums& sums : m_sums) {
            m_statistics.phase1Seconds += sums.phase1Seconds;
            m_statistics.phase2Seconds += sums.phase2Seconds;
            m_statistics.products += sums.products;
        }
        if (m_kept != nullptr) m_kept->setComplete();
        m_statistics.states = m_progress.total();
        m_statistics.seconds = secondsSince(start);
        if (statistics != nullptr) *statistics = m_statistics;
        m_progress.report(0, true);
        return std::make_shared<const Solution>(m_graph, m_spec, std::move(m_levels),
                                                m_hooks.believedOthers);
    }

private:
    void makeRoom(Continuation& level, int step) const {
        level.begin = m_graph->levelBegin(step);
        const std::size_t configs = m_graph->levelEnd(step) - level.begin;
        const std::size_t lanes = static_cast<std::size_t>(m_plan.kernel().lanes);
        if (!m_isPhase1Kept) level.w_h.resize(configs * lanes + kSlack);
        if (m_spec.phase1Only) return;
        level.w_h_e.resize(configs * lanes + kSlack);
        level.v_r.resize(configs);
    }

    bool fillTerminal(int last) {
        makeRoom(m_next, last);
        return m_team.forChunks(m_next.begin, m_graph->levelEnd(last), 4096, m_stop,
                                [&](std::int64_t begin, std::int64_t end, int thread) {
                                    const std::int64_t traced = traceBegin();
                                    KernelOutput& out = m_scratch[thread]->output();
                                    std::fill_n(out.v_h, m_plan.kernel().lanes, 0.0);
                                    std::fill_n(out.v_h_e, m_plan.kernel().lanes, 0.0);
                                    out.v_r = m_spec.terminal_v_r;
                                    for (auto c = static_cast<ConfigIndex>(begin); c < end; ++c)
                                        keepContinuation(m_next, c, out);
                                    traceTerminal(last, begin, end, thread, traced);
                                });
    }

    /// What arriving in configuration c is worth.
    void keepContinuation(Continuation& level, ConfigIndex c, const KernelOutput& out) const {
        const KernelPlan& plan = m_plan.kernel();
        const std::size_t at = (c - level.begin) * static_cast<std::size_t>(plan.lanes);
        const double discount = m_plan.hasDurations() ? 1.0 : m_plan.discount_h();
        const double attained = m_plan.hasDurations() ? -1.0 : 1.0;
        for (int h = 0; h < plan.humans; ++h) {
            const KernelHuman& human = plan.human[h];
            std::uint64_t goals = m_attained[std::size_t{c} * plan.humans + h];
            const std::size_t lane = at + static_cast<std::size_t>(human.laneBegin);
            for (int g = 0; g < human.goals; ++g, goals >>= 1) {
                if (!m_isPhase1Kept)
                    level.w_h[lane + g] =
                        (goals & 1U) ? attained
                                     : discount * m_levels->rounded(out.v_h[human.laneBegin + g]);
                if (!m_spec.phase1Only)
                    level.w_h_e[lane + g] =
                        (goals & 1U) ? attained
                                     : discount * m_levels->rounded(out.v_h_e[human.laneBegin + g]);
            }
        }
        if (!m_spec.phase1Only) level.v_r[c - level.begin] = out.v_r;
    }

    bool solveLevel(int step) {
        makeRoom(m_now, step);
        const std::int64_t bytes = m_levels->levelBytes(*m_graph, step);
        const std::int64_t used = m_levels->memoryBytes() + m_graph->storedBytes() + workBytes();
        const bool spill = used + bytes > m_budget;
        if (spill && m_hooks.spillFolder.empty())
            throw Error("The values do not fit: level " + std::to_string(step) + " needs " +
                            std::to_string(bytes >> 20) + " MiB, " + std::to_string(used >> 20) +
                            " of " + std::to_string(m_budget >> 20) +
                            " MiB are used, and all levels together take " +
                            std::to_string(allLevelBytes() >> 20) +
                            " MiB. Raise --memory, store floats, or give a folder on disk",
                        Error::Kind::Resource);
        m_levels->allocate(*m_graph, step, spill ? m_hooks.spillFolder : std::filesystem::path());
        m_failedConfig = m_graph->numConfigs();
        m_chunkSums.assign(
            (m_graph->levelEnd(step) - m_graph->levelBegin(step) + kChunk - 1) / kChunk, 0.0);
        for (WorkerSums& sums : m_sums) {
            sums.minV_r = 0;
            sums.maxV_r = -std::numeric_limits<double>::infinity();
        }
        const bool whole =
            m_team.forChunks(m_graph->levelBegin(step), m_graph->levelEnd(step), kChunk, m_stop,
                             [&](std::int64_t begin, std::int64_t end, int thread) {
                                 solveChunk(step, static_cast<ConfigIndex>(begin),
                                            static_cast<ConfigIndex>(end), thread);
                             });
        if (m_failedConfig < m_graph->numConfigs()) failNoGoal(step);
        return whole;
    }

    void solveChunk(int step, ConfigIndex begin, ConfigIndex end, int thread) {
        KernelScratch& scratch = *m_scratch[thread];
        WorkerSums& sums = m_sums[thread];
        const std::int64_t traced = traceBegin(), productsBefore = sums.products;
        const KernelPlan& plan = m_plan.kernel();
        KernelOutput& out = scratch.output();
        KernelInput in;
        const std::size_t lanes = static_cast<std::size_t>(plan.lanes);
        if (!m_isPhase1Kept) in.w_h = m_next.w_h.data() - m_next.begin * lanes;
        if (!m_spec.phase1Only) {
            in.w_h_e = m_next.w_h_e.data() - m_next.begin * lanes;
            in.v_r = m_next.v_r.data() - m_next.begin;
        }
        in.discount_r = m_plan.discount_r();
        std::int64_t states = 0;
        double sumV_r = 0;
        for (ConfigIndex c = begin; c < end; ++c) {
            if (!m_graph->inLevel(step, c)) continue;
            ++states;
            const ConfigRows rows = m_graph->rows(c);
            in.successor = rows.successor;
            in.count = rows.count;
            in.probability = rows.probability;
            in.attained = &m_attained[std::size_t{c} * plan.humans];
            if (m_kept != nullptr) m_kept->point(step, c - m_now.begin, out);
            if (!m_isPhase1Kept)
                m_plan.applyRules(*m_graph, {step, c}, scratch.values, scratch.belief,
                                  scratch.habit, in);
            // Every sixteenth configuration is timed: reading the clock costs a tenth of the work.
            const bool timed = c % 16 == 0;
            const auto before = timed ? Clock::now() : Clock::time_point();
            if (!m_isPhase1Kept) m_kernel.phase1(plan, in, out);
            const auto between = timed ? Clock::now() : before;
            if (!m_spec.phase1Only) {
                m_kernel.phase2(plan, in, out);
                if (timed) sums.phase2Seconds += 16 * secondsSince(between);
                noteRobot(out, c, sums);
                sumV_r += out.v_r;
            }
            sums.phase1Seconds += 16 * std::chrono::duration<double>(between - before).count();
            sums.products += std::int64_t{rows.numEntries} * m_plan.numGoals();
            keep(step, c, scratch);
            keepContinuation(m_now, c, out);
        }
        m_chunkSums[(begin - m_graph->levelBegin(step)) / kChunk] = sumV_r;
        m_progress.add(states);
        m_progress.report(step, false);
        if (m_trace != nullptr) traceChunk(step, thread, states, productsBefore, traced);
    }

    std::int64_t traceBegin() const { return m_trace != nullptr ? m_trace->now() : 0; }

    void traceChunk(int step, int thread, std::int64_t states, std::int64_t productsBefore,
                    std::int64_t begin) {
        const WorkerSums& sums = m_sums[thread];
        const std::int64_t end = m_trace->now();
        // The share of all of the thread's timed states: a chunk alone times only a few.
        const double both = sums.phase1Seconds + sums.phase2Seconds;
        const double share = m_spec.phase1Only ? 1.0 : both > 0 ? sums.phase1Seconds / both : 0.0;
        const std::int64_t goals = std::max(1, m_plan.numGoals());
        m_trace->add({.kind = WorkKind::kSolve,
                      .thread = thread,
                      .beginNs = begin,
                      .endNs = end,
                      .work = {.level = step,
                               .lastLevel = step,
                               .busyNs = end - begin,
                               .phase1Ns = static_cast<std::int64_t>(
                                   share * static_cast<double>(end - begin)),
                               .states = states,
                               .entries = (sums.products - productsBefore) / goals}});
    }

    void traceTerminal(int last, std::int64_t begin, std::int64_t end, int thread,
                       std::int64_t traced) {
        if (m_trace == nullptr) return;
        std::int64_t states = 0;
        for (auto c = static_cast<ConfigIndex>(begin); c < end; ++c)
            if (m_graph->inLevel(last, c)) ++states;
        m_trace->addUntilNow(
            {.kind = WorkKind::kSolve, .thread = thread, .work = {.level = last, .states = states}},
            traced);
    }

    void noteRobot(const KernelOutput& out, ConfigIndex c, WorkerSums& sums) {
        sums.minV_r = std::min(sums.minV_r, out.v_r);
        sums.maxV_r = std::max(sums.maxV_r, out.v_r);
        if (out.failedHuman < 0) return;
        std::uint32_t seen = m_failedConfig.load();
        while (c < seen && !m_failedConfig.compare_exchange_weak(seen, c)) {
        }
    }

    void keep(int step, ConfigIndex c, KernelScratch& scratch) {
        const KernelPlan& plan = m_plan.kernel();
        const KernelOutput& out = scratch.output();
        double v_h[64 * 16];
        double v_h_e[64 * 16];
        int n = 0;
        for (int h = 0; h < plan.humans; ++h)
            for (int g = 0; g < plan.human[h].goals; ++g, ++n) {
                v_h[n] = out.v_h[plan.human[h].laneBegin + g];
                v_h_e[n] = out.v_h_e[plan.human[h].laneBegin + g];
            }
        m_levels->write(step, c - m_now.begin, v_h, &out.v_r, v_h_e);
    }

    [[noreturn]] void failNoGoal(int step) {
        const ConfigIndex c = m_failedConfig;
        const World& world = m_graph->world();
        KernelScratch& scratch = *m_scratch[0];
        std::string human = "a human";
        std::string goals;
        // The one state is solved again to name the human.
        m_failedConfig = m_graph->numConfigs();
        solveChunk(step, c, c + 1, 0);
        const int h = scratch.output().failedHuman;
        if (h >= 0) {
            const HumanGoals& list = world.goals()[h];
            human = world.agents()[list.agent].name;
            for (std::size_t g = 0; g < list.goals.size() && g < 8; ++g)
                goals += (g > 0 ? "; " : "") + goalText(list.goals[g]);
            if (list.goals.size() > 8) goals += "; ...";
        }
        throw Error("X_h is 0: " + human + " can reach none of its goals (" + goals +
                        ") from step " + std::to_string(step) + ", state " + std::to_string(c) +
                        " (" + describe(world, m_graph->configuration(c)) +
                        "). Add a goal that stays in reach, or set x_h_floor",
                    Error::Kind::Failed);
    }

    void noteTerminal(int last, double seconds) {
        const double v_r = m_spec.phase1Only ? 0.0 : m_spec.terminal_v_r;
        m_statistics.levels.push_back({.step = last,
                                       .states = m_graph->levelSize(last),
                                       .seconds = seconds,
                                       .meanV_r = v_r,
                                       .minV_r = v_r,
                                       .maxV_r = v_r});
        if (m_hooks.levelDone) m_hooks.levelDone(m_statistics.levels.back());
    }

    void finishLevel(int step, double seconds) {
        SolveStatistics::Level level{
            .step = step, .states = m_graph->levelSize(step), .seconds = seconds};
        double sum = 0;
        level.maxV_r = -std::numeric_limits<double>::infinity();
        for (const WorkerSums& sums : m_sums) {
            level.minV_r = std::min(level.minV_r, sums.minV_r);
            level.maxV_r = std::max(level.maxV_r, sums.maxV_r);
        }
        // By chunk, not by thread, so that the sum is the same for every number of threads.
        for (const double chunk : m_chunkSums) sum += chunk;
        level.meanV_r = level.states > 0 ? sum / static_cast<double>(level.states) : 0;
        m_statistics.levels.push_back(level);
        if (m_hooks.levelDone) m_hooks.levelDone(level);
    }

    std::int64_t workBytes() const {
        return m_attained.bytes() + m_next.w_h.bytes() + m_next.w_h_e.bytes() + m_next.v_r.bytes() +
               m_now.w_h.bytes() + m_now.w_h_e.bytes() + m_now.v_r.bytes() +
               (m_kept != nullptr ? m_kept->bytes() : 0);
    }

    std::int64_t allLevelBytes() const {
        std::int64_t total = 0;
        for (int t = 0; t + 1 < m_graph->numLevels(); ++t)
            total += m_levels->levelBytes(*m_graph, t);
        return total;
    }

    std::shared_ptr<const StateGraph> m_graph;
    const SolveSpec m_spec;
    const SolveHooks& m_hooks;
    std::stop_token m_stop;
    SolvePlan m_plan;
    Kernel m_kernel;
    ThreadTeam m_team;
    std::unique_ptr<LevelStore> m_levels;
    std::vector<std::unique_ptr<KernelScratch>> m_scratch;  // [threads]
    std::vector<WorkerSums> m_sums;                         // [threads]
    BigArray<std::uint64_t> m_attained;                     // [N x H]
    WorkTrace* m_trace = nullptr;                           // null: nobody asks
    KeptPhase1* m_kept = nullptr;  // null: phase 1 is forgotten state by state
    bool m_isPhase1Kept = false;   // phase 1 is read from m_kept
    Continuation m_next, m_now;
    std::vector<double> m_chunkSums;  // [chunks of the level] V_r
    std::int64_t m_budget = 0;
    std::atomic<ConfigIndex> m_failedConfig{0};
    SolveProgress m_progress;
    SolveStatistics m_statistics;
};

}  // namespace

Kernel kernelFor(CpuLevel level) {
#if defined(__x86_64__)
    if (level == CpuLevel::Avx512) return kernelAvx512();
    if (level == CpuLevel::Avx2) return kernelAvx2();
#endif
    (void)level;
    return kernelBaseline();
}

std::shared_ptr<const Solution> solve(std::shared_ptr<const StateGraph> graph,
                                      const SolveSpec& spec, const SolveHooks& hooks,
                                      std::stop_token stop, SolveStatistics* statistics) {
    return Solver(std::move(graph), spec, hooks, std::move(stop), nullptr).run(statistics);
}

std::shared_ptr<const Solution> solveTraced(std::shared_ptr<const StateGraph> graph,
                                            const SolveSpec& spec, const SolveHooks& hooks,
                                            std::stop_token stop, SolveStatistics* statistics,
                                            WorkTrace& trace) {
    Solver solver(std::move(graph), spec, hooks, std::move(stop), nullptr);
    solver.traceInto(trace);
    return solver.run(statistics);
}

std::shared_ptr<const Solution> solveKeeping(std::shared_ptr<const StateGraph> graph,
                                             const SolveSpec& spec, const SolveHooks& hooks,
                                             std::stop_token stop, SolveStatistics* statistics,
                                             KeptPhase1& kept) {
    return Solver(std::move(graph), spec, hooks, std::move(stop), &kept).run(statistics);
}

}  // namespace orrery
