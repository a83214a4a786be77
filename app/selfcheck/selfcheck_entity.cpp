#include "app/selfcheck/selfcheck_entity.h"

#include "app/selfcheck/entity_batches.h"
#include "app/selfcheck/entity_rollouts.h"
#include "app/selfcheck/entity_seed.h"
#include "app/selfcheck/oracle_node.h"
#include "app/selfcheck/ragged_program.h"
#include "app/selfcheck/tally.h"
#include "core/base/error.h"
#include "core/base/file_descriptor.h"
#include "core/train/entity/entity_training.h"

namespace orrery {

namespace {

constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 30;

bool isRagged(const OracleNode& document) {
    if (!document.has("cases")) return false;
    const OracleNode cases = document.at("cases");
    return cases.size() > 0 && cases.at(0).has("steps");
}

void each(const OracleNode& list, const std::stop_token& stop,
          const std::function<void(const OracleNode&)>& check) {
    for (std::size_t i = 0; i < list.size() && !stop.stop_requested(); ++i) check(list.at(i));
}

}  // namespace

OracleResult checkEntityOracle(const std::filesystem::path& file,
                               const std::function<void(const std::string& line)>& report,
                               const std::stop_token& stop) {
    const OracleNode document = readOracleDocument(file);
    Tally tally(report);
    if (isRagged(document)) {
        each(document.at("cases"), stop,
             [&](const OracleNode& one) { checkRaggedProgram(one.at("steps"), tally); });
    } else if (document.has("rollouts")) {
        each(document.at("rollouts"), stop,
             [&](const OracleNode& one) { checkEntityRollout(one, tally); });
    } else if (document.has("batch")) {
        each(document.at("batch"), stop,
             [&](const OracleNode& one) { checkEntityBatch(one, tally); });
        each(document.at("list_env"), stop,
             [&](const OracleNode& one) { checkEntityScript(one, tally); });
    } else if (document.has("states_3x3")) {
        checkEntitySeed(document, tally);
    } else if (document.has("input_norm") || document.has("gae")) {
        entityLibrary().compare(
            readFile(file, kMostBytes),
            [&](const OracleValue& value) {
                tally.number(value.where, value.inFile, value.computed,
                             {.relative = value.relative, .absolute = value.absolute});
            },
            stop);
    } else {
        throw badInput("this is no oracle file of the entity stack that this version knows");
    }
    return {tally.compared(), tally.passed(), tally.failed(), stop.stop_requested()};
}

}  // namespace orrery
