#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace orrery {

/// The first thing that is wrong in what a program answered.
struct ProtocolProblem {
    std::int64_t line = 0;  ///< counted from 1; 0: nothing is wrong
    std::string text = {};
};

/// Holds the answers of a program that serves a game against the protocol, a line each: the first
/// says its spaces, the others what was seen, or states. Any bytes.
/// Source: resources/specs/environment_protocol.md.
ProtocolProblem checkProtocol(std::string_view answers);

}  // namespace orrery
