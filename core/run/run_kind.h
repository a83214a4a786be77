#pragma once

#include <functional>
#include <map>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <typeindex>
#include <vector>

#include "core/base/progress.h"
#include "core/checkpoint/checkpoint_folder.h"
#include "core/env/advice.h"
#include "core/run/checkpoint_measure.h"
#include "core/run/run_evaluation.h"
#include "core/run/run_fields.h"
#include "core/run/run_spec.h"
#include "core/run/snapshot.h"
#include "core/run/training_display.h"
#include "core/run/world_ref.h"
#include "core/spec/spec_alias.h"
#include "core/spec/spec_preset.h"
#include "core/train/memory_part.h"
#include "core/train/train_settings.h"

namespace orrery {

class RunContext;
struct RunFacts;
struct RunOutcome;
struct RunRecord;
class Diagnostics;
class ValueReader;
struct YamlMember;
struct YamlNode;

/// The work of a run, on the run's thread.
class RunWork {
public:
    RunWork() = default;
    RunWork(const RunWork&) = delete;
    RunWork& operator=(const RunWork&) = delete;
    virtual ~RunWork() = default;

    /// Reads and checks what the job names. @return the content hash of its worlds
    /// @throws Error (BadInput) with all that is wrong
    virtual std::string prepare() = 0;

    /// Does the rest. @return Finished, Stopped or Diverged, with a line that sums it up
    /// @throws Error
    virtual RunOutcome work() = 0;
};

/// One kind of runs: all that the corridor asks about a job. An entry of the list in kinds.cpp;
/// outside it nobody opens a job to find out what it is.
struct RunKind {
    std::string name;          ///< its section in specs, its verb, and in the database: "solve"
    std::string noun;          ///< in sentences: "solve", "training"
    std::type_index settings;  ///< the struct

    /// Default settings.
    std::function<Job()> fresh;
    std::span<const RunField> fields;  ///< without those of every run
    std::span<const SpecPreset> presets = {};
    /// What fields mean that a spec which the program wrote does not have: it is older than they.
    std::map<std::string, std::string> formerValues = {};
    /// What a form shows at first, in this order; empty: the fields that are not expert.
    std::vector<std::string> firstFields = {};
    /// The live fields in the order of a panel: what is turned most often first.
    std::vector<std::string> steeredFields = {};
    /// Shown beside them: what stays as it is while a run is live.
    std::vector<std::string> fixedFields = {};
    /// What the kind says about its settings, beyond the ranges of single fields.
    std::function<std::vector<SpecProblem>(const Job&)> problems;
    /// The seed of the run becomes that of the settings.
    std::function<void(Job&, std::uint64_t)> takeSeed;
    std::span<const SpecAlias> aliases = {};
    /// Carries out what aliases say, whatever their order.
    std::function<void(Job&, const std::map<std::string, bool, std::less<>>&)> applyAliases = {};
    /// Reads a field of type Rules.
    std::function<void(Job&, const YamlMember&, ValueReader&, SpecPlaces&)> readRules = {};

    /// Of a kind whose original has configurations in Rusty Object Notation: the tree of one as
    /// that of a spec. Tells what is wrong.
    std::function<YamlNode(const YamlNode& config, Diagnostics& out)> fromRon = {};

    /// The worlds that it works on, in their order; empty: it has none.
    std::function<std::vector<WorldRef>(const Job&)> worlds;
    /// Takes such a list in their place, as long as theirs.
    std::function<void(Job&, const std::vector<WorldRef>&)> takeWorlds;
    /// Of a kind that acts in environments: takes the one of that name. @return false if there is
    /// none, or what it shows cannot be learned from
    std::function<bool(Job&, std::string_view name)> takeEnvironment = {};
    std::string placeTitle = {};  ///< of a kind without worlds: what stands in their place

    // Of trainings; they are empty in kinds that are none.
    /// The part of the settings that all trainings have: such a run can be steered, resumed, forked
    /// and evaluated.
    std::function<TrainSettings*(Job&)> training = {};
    std::function<std::int64_t(const Job&)> totalSteps = {};  ///< it ends by itself after so many
    /// The last snapshot of a stored training, of which curves are all that is left; empty: what is
    /// common says it all.
    std::function<std::shared_ptr<const TrainingSnapshot>(
        const Job&, const TrainingSnapshot& common, const NewestMetrics& last)>
        restored = {};
    TrainingDisplay display = {};
    /// What it comes to hold, about and at most. Reads worlds. @throws Error (BadInput)
    std::function<std::vector<MemoryPart>(const Job&, const std::stop_token&)> memory = {};
    std::function<int(const Job&)> numActors = {};  ///< that can be paused; empty: it has none
    /// How good a checkpoint is by the newest values of its curves; nothing if none of those that
    /// it looks at has a finite one.
    std::function<std::optional<CheckpointMeasure>(const NewestMetrics&)> measure = {};
    std::function<bool(std::string_view)> isMeasured = {};  ///< whether it looks at a curve
    /// What a checkpoint is worth. @param spec  as it was learned. @return nothing if stopped
    std::function<std::optional<RunEvaluation>(const RunSpec& spec, const Checkpoint&,
                                               const EvaluationWish&, const ProgressSink&,
                                               std::stop_token)>
        evaluate = {};

    /// The policy of a checkpoint, for environments of the spaces that it was learned in; empty:
    /// none acts in environments. @throws Error (Resource) the learners' library, (Damaged)
    std::function<std::unique_ptr<AdvisingPolicy>(const RunSpec& spec, const Checkpoint&)> policy =
        {};

    /// Empty: such a run cannot be carried out.
    std::function<std::unique_ptr<RunWork>(const Job&, RunContext&)> work = {};
    std::function<JobSnapshot()> firstSnapshot = {};  ///< empty: it shows its progress alone
    std::string memoryAdvice = {};                    ///< what to do where memory ran out
    std::string tookText = {};                        ///< in front of how long it took: "Solved in"

    /// What a run's name says beside its world: in what it differs from the usual, "beta_r 5".
    std::function<std::vector<std::string>(const RunSpec&)> describe;
    /// Adds results out of a run's result.json.
    std::function<void(const nlohmann::ordered_json&, RunFacts&)> addFacts;

    /// Of trainings: `orrery train` starts one where no method is named, and its fields are
    /// options.
    bool isUsual = false;
    bool hasValues = false;  ///< a finished one can be reopened: exact values of a world
    bool hasCurves = false;  ///< its metrics are what it comes to

    bool canStart() const { return static_cast<bool>(work); }
    bool isTraining() const { return static_cast<bool>(training); }
};

/// The kinds that this tree has, in the order in which files and help list them. A run that says
/// nothing else is of the first.
std::vector<const RunKind*> ownKinds();

/// The kinds that the program knows: ownKinds(), or those that its main names.
std::span<const RunKind* const> runKinds();

/// Names them, before anything asks for one.
void useKinds(std::vector<const RunKind*> kinds);

/// Those of them that are trainings and can be started.
std::vector<const RunKind*> trainingKinds();

/// Null if none has that name.
const RunKind* findKind(std::string_view name);

/// The kind of a stored run; null where it is of another version, or its spec cannot be read.
const RunKind* kindOf(const RunRecord& run);

/// Of its kind; false where that is null.
bool hasValues(const RunRecord& run);
bool isTraining(const RunRecord& run);

/// What all trainings have; null if the job is none.
const TrainSettings* trainSettings(const Job& job);

}  // namespace orrery
