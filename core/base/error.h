#pragma once

#include <stdexcept>
#include <string>

namespace orrery {

/// Something a person can put right. The text says what happened, where, and what to do about it.
/// A broken promise between our own functions is an assert, never an Error; stopping is a result.
class Error : public std::runtime_error {
public:
    /// What kind of trouble it is; the program's exit status follows from it (see exitStatus).
    enum class Kind {
        Failed,    ///< the work could not be done
        BadInput,  ///< a file, option or field is wrong
        Differs,   ///< a verification found other values
        Diverged,  ///< the numbers left the finite range
        Damaged,   ///< stored data are broken or of a newer version
        Resource,  ///< something is missing, locked, full or read-only
    };

    explicit Error(const std::string& text, Kind kind = Kind::Failed)
        : std::runtime_error(text), m_kind(kind) {}

    Kind kind() const { return m_kind; }

    /// The exit status that the program ends with: 1 to 6, in the order of Kind.
    int exitStatus() const { return static_cast<int>(m_kind) + 1; }

private:
    Kind m_kind;
};

/// What a file, an option or a field has wrong.
inline Error badInput(const std::string& text) {
    return Error(text, Error::Kind::BadInput);
}

}  // namespace orrery
