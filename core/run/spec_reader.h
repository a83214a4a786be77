#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>

#include "core/files/value_reader.h"
#include "core/files/yaml_tree.h"
#include "core/run/run_kind.h"

namespace orrery {

/// Adds the error that a member is none of the known ones, with the nearest of them.
void refuseMember(const YamlMember& member, const std::string& place,
                  const std::vector<std::string>& known, Diagnostics& out);

/// Fills a RunSpec from the tree of a spec file and remembers where each field stands.
/// For one file, by one thread.
class SpecReader {
public:
    explicit SpecReader(Diagnostics& out) : m_out(out), m_values(out) {}

    /// The whole file: fields of every run and one section named as a job.
    void readRun(const YamlNode& root, RunSpec& spec);

    /// A file that holds fields of type Rules alone; they are checked.
    void readRules(const YamlNode& root, Job& job);

    /// Adds what validate() says about fields that had no error so far.
    void checkWhole(const RunSpec& spec);

    const SpecPlaces& places() const { return m_places; }

private:
    void report(const std::string& field, const std::string& text);
    bool isBad(std::string field) const;
    void readFormat(const YamlNode& node);
    void readSection(const YamlMember& section, RunSpec& spec);
    void readMembers(const YamlNode& map, const std::string& place, const std::string& prefix,
                     RunSpec& spec);
    static bool isAlias(const YamlMember& member, const RunKind& kind);
    void readPreset(const YamlNode& section, RunSpec& spec);
    void readAliases(const YamlNode& section, RunSpec& spec);
    void readField(const YamlMember& member, const RunField& field, RunSpec& spec);
    std::optional<FieldValue> valueOf(const YamlNode& node, const SpecField& field);
    void readRuleList(const YamlMember& member, Job& job);
    void refuseSecond(const Diagnostics::Place& place, const std::string& first,
                      const std::string& second);
    void refuseBoth(const YamlNode& section, const std::string& gamma, const std::string& rho);

    Diagnostics& m_out;
    ValueReader m_values;
    Diagnostics::Place m_section;                ///< of the job's name
    SpecPlaces m_places;                         ///< of the fields' values
    std::set<std::string> m_bad;                 ///< fields with an error
    std::map<std::string, std::string> m_given;  ///< as the file names it, by its name
};

}  // namespace orrery
