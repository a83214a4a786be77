#pragma once

#include <concepts>
#include <memory>
#include <typeindex>
#include <utility>

namespace orrery {

struct RunKind;

/// What a run does: the settings of one kind of runs, in the struct that the kind has for them
/// (run_kind.h). A value: a copy has settings of its own. Nobody but a kind's own files, and those
/// that show its settings, need know the struct.
class Job {
public:
    Job();  ///< the default settings of the first kind
    template <typename Settings>
    requires(!std::same_as<Settings, Job>)
        // NOLINTNEXTLINE(google-explicit-constructor): a job is its settings
        Job(Settings settings)
        : m_own(std::make_unique<Own<Settings>>(std::move(settings))) {}
    Job(const Job& other) : m_own(other.m_own->copy()) {}
    Job& operator=(const Job& other) {
        m_own = other.m_own->copy();
        return *this;
    }
    // One that was moved from may only be given another value, or end.
    Job(Job&&) noexcept = default;
    Job& operator=(Job&&) noexcept = default;
    ~Job() = default;

    const RunKind& kind() const;

    /// Null if the settings are of another kind.
    template <typename Settings>
    const Settings* find() const {
        return m_own->type() == typeid(Settings)
                   ? &static_cast<const Own<Settings>&>(*m_own).settings
                   : nullptr;
    }
    template <typename Settings>
    Settings* find() {
        return const_cast<Settings*>(std::as_const(*this).find<Settings>());
    }

    template <typename Settings>
    bool is() const {
        return find<Settings>() != nullptr;
    }

    /// @throws std::logic_error if the settings are of another kind
    template <typename Settings>
    const Settings& as() const {
        if (const Settings* settings = find<Settings>()) return *settings;
        throwOtherKind();
    }
    template <typename Settings>
    Settings& as() {
        return const_cast<Settings&>(std::as_const(*this).as<Settings>());
    }

    friend bool operator==(const Job& a, const Job& b) { return a.m_own->equals(*b.m_own); }

private:
    struct Any {
        virtual ~Any() = default;
        virtual std::unique_ptr<Any> copy() const = 0;
        virtual bool equals(const Any& other) const = 0;
        virtual std::type_index type() const = 0;
    };
    template <typename Settings>
    struct Own : Any {
        explicit Own(Settings given) : settings(std::move(given)) {}
        std::unique_ptr<Any> copy() const override { return std::make_unique<Own>(settings); }
        bool equals(const Any& other) const override {
            return type() == other.type() && settings == static_cast<const Own&>(other).settings;
        }
        std::type_index type() const override { return typeid(Settings); }

        Settings settings;
    };

    [[noreturn]] void throwOtherKind() const;

    std::unique_ptr<Any> m_own;
};

}  // namespace orrery
