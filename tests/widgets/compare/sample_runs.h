#pragma once

#include <memory>
#include <vector>

#include "widgets/compare/run_sheet.h"

namespace orrery {

/// A made-up sheet: run i of `count` (newest first) has beta_r 2 or 5 by turns, seed i / 2, and a
/// value that follows from both.
inline std::shared_ptr<const RunSheet> sampleSheet(int count) {
    std::vector<RunRecord> runs;
    std::vector<RunFacts> facts;
    for (int i = count - 1; i >= 0; --i) {
        RunRecord run;
        run.id = "r" + std::to_string(10000 + i);
        run.ordinal = i;
        run.name = "maze - " + std::to_string(i);
        run.state = i % 7 == 3 ? RunState::Failed : RunState::Finished;
        run.worldHash = "hash";
        run.codeVersion = "0.1.0";
        run.seed = static_cast<std::uint64_t>(i / 2);
        run.createdUtc = "2026-03-01T12:00:00.000Z";
        if (i % 10 == 0) run.tags = {"draft", "paper"};
        RunFacts own;
        own.run = run.id;
        own.worldName = i % 3 == 0 ? "Hedge maze" : "First steps";
        const double beta_r = i % 2 == 0 ? 5 : 2;
        own.parameters = {{"beta_r", i % 2 == 0 ? "5.0" : "2.0", beta_r},
                          {"zeta", "2.0", 2.0},
                          {"optimistic", "false", 0.0},
                          {"threads", std::to_string(i % 4), i % 4},
                          {"seed", std::to_string(i / 2), i / 2}};
        own.results = {{"v_r", "x", -beta_r - 0.001 * i},
                       {"x_h", "x", 0.5},
                       {"states", "x", 3040},
                       {"seconds", "x", 0.01 * i}};
        if (run.state == RunState::Failed) own.results.clear();
        runs.push_back(std::move(run));
        facts.push_back(std::move(own));
    }
    return makeSheet(std::move(runs), std::move(facts));
}

}  // namespace orrery
