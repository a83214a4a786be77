#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace orrery {

enum class Severity : unsigned char { Error, Warning };

/// One thing to say about a place in an input file. Texts are as found in the file, unescaped.
struct Diagnostic {
    std::string file;  ///< as the user named it
    int line = 1;      ///< from 1
    int column = 1;    ///< from 1, in characters (code points)
    Severity severity = Severity::Error;
    std::string code = {};     ///< "E113", "W210"
    std::string message = {};  ///< what is wrong
    std::string hint = {};     ///< what to do, or empty

    bool operator==(const Diagnostic&) const = default;
};

/// "goal.yaml:12:7: error E113: 'beta' must be >= 0, got -1; write 0 or more". One line of at most
/// 300 bytes of UTF-8 in which control and bidirectional characters are escaped; a long file name
/// keeps its end.
std::string diagnosticLine(const Diagnostic& diagnostic);

/// A JSON object with the members of Diagnostic; severity is "error" or "warning".
std::string diagnosticJson(const Diagnostic& diagnostic);

/// A text from a file, quoted and escaped for use inside a message: 'abc', cut after 40 bytes.
std::string quotedValue(std::string_view text);

/// Collects what is said about one file: at most 20, the rest is counted. When the list is full, an
/// error takes the place of a warning.
class Diagnostics {
public:
    static constexpr std::size_t kMost = 20;

    explicit Diagnostics(std::string file) : m_file(std::move(file)) {}

    struct Place {
        int line = 1;
        int column = 1;
    };

    void error(Place place, std::string code, std::string message, std::string hint = {});
    void warning(Place place, std::string code, std::string message, std::string hint = {});

    bool hasErrors() const { return m_numErrors > 0; }
    int numErrors() const { return m_numErrors; }  ///< omitted ones included
    int omitted() const { return m_omitted; }

    /// Errors first, then warnings, each by line and column.
    std::vector<Diagnostic> sorted() const;

private:
    void add(Diagnostic diagnostic);

    std::string m_file;
    std::vector<Diagnostic> m_list;
    int m_numErrors = 0;
    int m_omitted = 0;
};

}  // namespace orrery
