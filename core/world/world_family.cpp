#include "core/world/world_family.h"

#include <utility>

#include "core/base/error.h"

namespace orrery {

namespace {

std::vector<const WorldFamily*>& familiesOfProgram() {
    static std::vector<const WorldFamily*> families = ownFamilies();
    return families;
}

/// The spec of no family.
struct NoSpec : SharedSpec {};

const WorldFamily& familyOf(const NoSpec*) {
    static constexpr WorldFamily kNone;
    return kNone;
}

}  // namespace

WorldSpec::WorldSpec() : WorldSpec(NoSpec{}) {}

std::vector<SpecProblem> validate(const WorldSpec& spec) {
    if (spec.family().validate == nullptr) return {{.field = "map", .text = "there is none"}};
    return spec.family().validate(spec);
}

std::shared_ptr<const World> makeWorld(const WorldSpec& spec) {
    if (spec.family().make == nullptr) throw Error("There is no map.", Error::Kind::BadInput);
    return spec.family().make(spec);
}

std::span<const WorldFamily* const> worldFamilies() {
    return familiesOfProgram();
}

void useFamilies(std::vector<const WorldFamily*> families) {
    familiesOfProgram() = std::move(families);
}

}  // namespace orrery
