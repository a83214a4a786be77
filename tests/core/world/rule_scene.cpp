#include "tests/core/world/rule_scene.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>

#include "core/base/error.h"
#include "tests/core/world/grid_bridge.h"

namespace orrery::test {
namespace {

using namespace orrery::reference;
using Distribution = std::map<RefState, double>;

Act actOfLetter(char letter) {
    static const std::map<char, Act> kActs = {
        {'.', Act::Still},   {'L', Act::Left},   {'R', Act::Right},
        {'F', Act::Forward}, {'P', Act::Pickup}, {'D', Act::Drop},
        {'T', Act::Toggle},  {'X', Act::Done},   {'B', Act::Build}};
    return kActs.at(letter);
}

std::string textOf(const std::string& whose, const Distribution& distribution) {
    std::string text = whose + ":\n";
    for (const auto& [state, p] : distribution) {
        char number[40];
        std::snprintf(number, sizeof number, "  %.15g ", p);
        text += number + canonicalText(state) + "\n";
    }
    return text;
}

bool areEqual(const Distribution& a, const Distribution& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const auto& x, const auto& y) {
        return x.first == y.first && std::abs(x.second - y.second) <= 1e-12;
    });
}

RefParameters completed(RefParameters p, const std::string& directions) {
    if (p.actions.empty()) p.actions = {actionSetNamed("ObjectActions")};
    for (const char letter : directions)
        p.orientations.push_back(static_cast<int>(std::string("ESWN").find(letter)));
    p.canEnterMagicWalls.resize(directions.size(), false);
    return p;
}

}  // namespace

RuleScene::RuleScene(const std::vector<std::string>& map, const std::string& directions,
                     RefParameters parameters)
    : m_map(map),
      m_parameters(completed(std::move(parameters), directions)),
      m_world(parseWorld(map, m_parameters)) {
    state = m_world.start;
}

std::string RuleScene::check(const std::string& actions,
                             const std::function<void(RefState&)>& change) const {
    return check(actions, std::vector<Expected>{{1.0, change}});
}

std::string RuleScene::check(const std::string& actions,
                             const std::vector<Expected>& expected) const {
    Distribution want;
    for (const Expected& outcome : expected) {
        RefState next = state;
        ++next.t;
        for (AgentState& agent : next.agents) agent.forced = -1;
        outcome.change(next);
        std::sort(next.mobile.begin(), next.mobile.end());
        std::sort(next.items.begin(), next.items.end());
        want[next] += outcome.probability;
    }
    std::vector<int> ids;
    for (std::size_t i = 0; i < actions.size(); ++i) {
        const ActSet& set = m_world.actions[i];
        ids.push_back(static_cast<int>(std::find(set.begin(), set.end(), actOfLetter(actions[i])) -
                                       set.begin()));
    }
    Distribution reference, single, expanded;
    for (const auto& [p, next] : transitions(m_world, state, ids)) reference[next] += p;

    const GridWorld product(specOf(m_map, m_parameters));
    const Configuration key = product.pack(gridStateOf(m_world, state));
    const ActionProfileIndex profile = product.profileIndex(ids);
    const auto next = [&](std::span<const std::uint64_t> words) {
        return refStateOf(m_world, product.unpack(words), state.t + 1);
    };
    for (const Outcome& outcome : product.outcomes(key, state.t, profile))
        single[next(outcome.successor)] += outcome.probability;
    Expansion all;
    product.makeExpander()->expand(key, state.t, all);
    std::size_t entry = 0;
    for (ActionProfileIndex p = 0; p < profile; ++p) entry += all.count[p];
    const auto words = static_cast<std::size_t>(product.keyWords());
    for (int k = 0; k < all.count[profile]; ++k, ++entry)
        expanded[next({&all.key[entry * words], words})] += all.probability[entry];

    std::string text;
    if (!areEqual(want, reference)) text += textOf("reference", reference);
    if (!areEqual(want, single)) text += textOf("product, single row", single);
    if (!areEqual(want, expanded)) text += textOf("product, expansion", expanded);
    return text.empty() ? text : "actions " + actions + "\n" + textOf("by hand", want) + text;
}

}  // namespace orrery::test
