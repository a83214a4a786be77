#pragma once

#include <concepts>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/spec/problem.h"
#include "core/world/goal.h"

namespace orrery {

class World;
struct WorldFamily;

/// Words about a world that no computation uses.
struct WorldMetadata {
    std::string name, description, author, version, created, category;
    std::vector<std::string> tags;
};

/// What the files of all families of worlds say.
struct SharedSpec {
    int maxSteps = 100;                ///< >= 0
    std::vector<Goal> possibleGoals;   ///< the list of every human without one of its own
    std::vector<double> goalWeights;   ///< as possibleGoals; empty: 1/n each
    std::vector<HumanGoals> ownGoals;  ///< lists of single humans: by agent index
    WorldMetadata metadata;
};

/// A world as a file gives it, of any family: holds the struct of its family, which is a SharedSpec
/// for which `const WorldFamily& familyOf(const Spec*)` is declared beside it. A copy is another.
class WorldSpec {
public:
    /// Of no family: a world of no cells, which validate() refuses.
    WorldSpec();
    template <std::derived_from<SharedSpec> Spec>
    WorldSpec(Spec spec)  // NOLINT(google-explicit-constructor): a family's spec is a world's
        : m_held(std::make_unique<Of<Spec>>(std::move(spec))) {}

    WorldSpec(const WorldSpec& other) : m_held(other.m_held->copy()) {}
    WorldSpec(WorldSpec&& other) noexcept : m_held(std::exchange(other.m_held, nullptr)) {}
    WorldSpec& operator=(const WorldSpec& other) { return *this = WorldSpec(other); }
    WorldSpec& operator=(WorldSpec&& other) noexcept = default;
    ~WorldSpec() = default;

    const WorldFamily& family() const { return m_held->family(); }

    SharedSpec* operator->() { return &m_held->shared(); }
    const SharedSpec* operator->() const { return &m_held->shared(); }

    /// The struct of the family; null: it is of another.
    template <std::derived_from<SharedSpec> Spec>
    Spec* as() {
        return is<Spec>() ? &static_cast<Of<Spec>&>(*m_held).spec : nullptr;
    }
    template <std::derived_from<SharedSpec> Spec>
    const Spec* as() const {
        return is<Spec>() ? &static_cast<const Of<Spec>&>(*m_held).spec : nullptr;
    }
    template <std::derived_from<SharedSpec> Spec>
    bool is() const {
        return &family() == &familyOf(static_cast<const Spec*>(nullptr));
    }

private:
    struct Held {
        virtual ~Held() = default;
        virtual std::unique_ptr<Held> copy() const = 0;
        virtual SharedSpec& shared() = 0;
        virtual const WorldFamily& family() const = 0;
    };
    template <class Spec>
    struct Of final : Held {
        explicit Of(Spec given) : spec(std::move(given)) {}
        std::unique_ptr<Held> copy() const override { return std::make_unique<Of>(spec); }
        SharedSpec& shared() override { return spec; }
        const WorldFamily& family() const override {
            return familyOf(static_cast<const Spec*>(nullptr));
        }
        Spec spec;
    };

    std::unique_ptr<Held> m_held;  ///< never null but in what was moved from
};

/// Everything wrong with a spec, all at once; empty if makeWorld will accept it.
std::vector<SpecProblem> validate(const WorldSpec& spec);

/// Builds the world.
/// @throws Error (BadInput) with the first problem of validate() that is not a warning
std::shared_ptr<const World> makeWorld(const WorldSpec& spec);

}  // namespace orrery
