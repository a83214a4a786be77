#include "tests/perf/entity_training.h"

#include <stop_token>

#include "core/base/file_descriptor.h"
#include "core/entity/envs/entity_environments.h"
#include "core/run/jobs/entity_job.h"
#include "core/run/run_spec.h"
#include "core/train/entity/driver/entity_method.h"

namespace orrery::perf {

EntitySpec entitySpecNamed(const std::string& name) {
    const std::string file = std::string(ORRERY_ENTITY_SPECS) + '/' + name + ".yaml";
    const RunSpec spec = runSpecFromJson(readFile(file, 1 << 20), file);
    EntitySpec entity = spec.job.as<EntityJob>().entity;
    entity.seed = spec.seed;
    return entity;
}

EntityRequest entityRequestOf(const EntitySpec& spec) {
    const auto maker = [](const EntityPlaceSpec& place) {
        return [place] { return makeEnvironment(place); };
    };
    return {
        .spec = spec, .environment = maker(spec.env), .evalEnvironment = maker(spec.evalPlace())};
}

Curves entityCurves(const EntitySpec& spec, const std::function<bool(const Curves&)>& isDone) {
    Curves curves;
    std::stop_source stop;
    TrainHooks hooks;
    hooks.metric = [&](std::int64_t step, const std::string& key, double value) {
        curves[key].emplace_back(step, value);
    };
    hooks.boundary = [&](const Progress&) -> std::int64_t {
        if (isDone && isDone(curves)) stop.request_stop();
        return 0;
    };
    const auto method = makeEntity(entityRequestOf(spec));
    train(*method, {.cadence = {.metricInterval = 1, .checkpointSeconds = 0}}, hooks,
          stop.get_token());
    return curves;
}

}  // namespace orrery::perf
