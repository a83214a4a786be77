#include "core/train/entity/learned_spaces.h"

#include "core/base/error.h"
#include "core/entity/feature_map.h"
#include "core/entity/files/sample_file.h"

namespace orrery {

namespace {

constexpr const char *kLearned = "learned.msgpack", *kShown = "shown.msgpack";

EntityLayout layoutIn(const Checkpoint& checkpoint, const char* name) {
    try {
        return entityLayoutOf(unpackSampleHead(checkpoint.text(name)).spaces);
    } catch (const Error& error) {
        throw Error("The file " + std::string(name) + " of the checkpoint '" +
                        checkpoint.folder().string() + "' is damaged: " + error.what(),
                    Error::Kind::Damaged);
    }
}

}  // namespace

bool showSame(const EntityLayout& a, const EntityLayout& b) {
    return spacesOf(a) == spacesOf(b);
}

void saveSpaces(CheckpointWriter& writer, const EntityLayout& learned, const EntityLayout& shown) {
    writer.text(kLearned, packSampleHead({.spaces = spacesOf(learned)}));
    writer.text(kShown, packSampleHead({.spaces = spacesOf(shown)}));
}

EntityLayout learnedSpaces(const Checkpoint& checkpoint, const EntityLayout& shown) {
    return checkpoint.has(kLearned) ? layoutIn(checkpoint, kLearned) : shown;
}

bool wereShown(const Checkpoint& checkpoint, const EntityLayout& shown) {
    return !checkpoint.has(kShown) || showSame(layoutIn(checkpoint, kShown), shown);
}

}  // namespace orrery
