#pragma once

#include <memory>
#include <string>

#include "app/cli/verb.h"
#include "core/history/workspace.h"
#include "core/run/run.h"

namespace orrery {

/// How a verb carries out a training.
struct TrainDuty {
    Workspace* workspace = nullptr;  ///< null: nothing is stored
    std::string parent = {};         ///< of a forked run
    std::string resumedId = {};      ///< of a run that is resumed
    bool json = false;
};

/// Trains to the end, with a line of progress, and prints what came of it. A stop request makes a
/// checkpoint first.
/// @return the verb's status: 4 if the training diverged
/// @throws Error as Run::start
int carryOutTraining(RunSpec spec, const TrainDuty& duty, VerbContext& context);

/// `--print-commits`: a line for each transaction that is safe on disk.
DbWriter::Options commitPrinting(bool wanted, Console& console);

}  // namespace orrery
