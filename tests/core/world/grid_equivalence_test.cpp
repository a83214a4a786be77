#include <QTest>
#include <algorithm>
#include <cmath>
#include <map>

#include "core/base/error.h"
#include "core/base/rng.h"
#include "tests/core/world/grid_bridge.h"
#include "tests/support/random_world.h"
#include "tests/support/test_program.h"

using namespace orrery;
using namespace orrery::reference;
using orrery::test::gridStateOf;
using orrery::test::refStateOf;
using orrery::test::specOf;

namespace {

using Merged = std::map<RefState, double>;

/// One random world as the reference and as the product see it.
struct Pair {
    RandomWorld random;
    RefWorld ref;
    GridWorld product;

    explicit Pair(std::uint64_t seed)
        : random(randomWorld(seed)),
          ref(random.world()),
          product(specOf(random.map, random.parameters)) {}

    /// The product's key of a state.
    /// @throws Error that names world and state if the product takes it for impossible
    Configuration packed(const RefState& state) const {
        try {
            return product.pack(gridStateOf(ref, state));
        } catch (const Error& e) {
            throw Error(std::string(e.what()) + "\n" + random.text() + "\n" + canonicalText(state));
        }
    }
};

std::string distributionText(const char* whose, const Merged& distribution) {
    std::string text = std::string(whose) + ":\n";
    for (const auto& [state, p] : distribution)
        text +=
            "  " + QByteArray::number(p, 'g', 17).toStdString() + " " + canonicalText(state) + "\n";
    return text;
}

/// Empty if both distributions agree to 1e-12, outcomes of probability 0 included.
std::string difference(const Pair& pair, const RefState& state, int profile, const Merged& want,
                       const Merged& got) {
    const auto agree = [](const auto& a, const auto& b) {
        return a.first == b.first && std::abs(a.second - b.second) <= 1e-12;
    };
    if (std::equal(want.begin(), want.end(), got.begin(), got.end(), agree)) return {};
    std::string text = pair.random.text() + "\nstate " + canonicalText(state) + "\nactions";
    for (const int id : pair.ref.profile(profile)) text += " " + std::to_string(id);
    return text + "\n" + distributionText("reference", want) + distributionText("product", got);
}

Merged referenceRow(const Pair& pair, const RefState& state, int profile) {
    Merged merged;
    for (const auto& [p, next] : transitions(pair.ref, state, pair.ref.profile(profile)))
        merged[next] += p;
    return merged;
}

RefState successorOf(const Pair& pair, std::span<const std::uint64_t> words, int t) {
    return refStateOf(pair.ref, pair.product.unpack(words), t);
}

/// A profile in which agents mostly move ahead, sometimes use what they face, so that they meet.
int randomProfile(const RefWorld& world, Rng& rng) {
    int index = 0;
    for (int i = world.numAgents() - 1; i >= 0; --i) {
        const ActSet& set = world.actions[i];
        const auto likely =
            std::find(set.begin(), set.end(), rng.uniform() < 0.75 ? Act::Forward : Act::Toggle);
        auto action = rng.below(set.size());
        if (rng.uniform() < 0.75 && likely != set.end())
            action = static_cast<std::uint64_t>(likely - set.begin());
        index = index * static_cast<int>(set.size()) + static_cast<int>(action);
    }
    return index;
}

RefState randomSuccessor(const Merged& row, Rng& rng) {
    auto chosen = row.begin();
    std::advance(chosen, rng.below(row.size()));
    return chosen->first;
}

}  // namespace

/// The product's transitions against the plain transcription of the rules.
class GridEquivalenceTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void startIsTheSame() {
        for (std::uint64_t seed = 0; seed < 2000; ++seed) {
            const Pair pair(seed);
            QCOMPARE(canonicalText(successorOf(pair, pair.product.initialConfiguration(), 0)),
                     canonicalText(pair.ref.start));
        }
    }

    void singleProfilesHaveTheReferencesOutcomes() {
        long numPairs = 0, numStochastic = 0;
        for (std::uint64_t seed = 0; seed < 6000; ++seed) {
            const Pair pair(seed);
            Rng rng(seed, 1);
            RefState state = pair.ref.start;
            for (int step = 0; step < 80; ++step) {
                // Long walks end in dull states: begin anew now and then.
                if (step >= 20 && step % 2 == 0) state = scatteredState(pair.ref, rng);
                const int profile = randomProfile(pair.ref, rng);
                const Merged want = referenceRow(pair, state, profile);
                Merged got;
                for (const Outcome& o : pair.product.outcomes(
                         pair.packed(state), state.t, static_cast<ActionProfileIndex>(profile)))
                    got[successorOf(pair, o.successor, state.t + 1)] += o.probability;
                const std::string text = difference(pair, state, profile, want, got);
                QVERIFY2(text.empty(), text.c_str());
                ++numPairs;
                numStochastic += want.size() > 1;
                state = randomSuccessor(want, rng);
            }
        }
        qInfo("%ld pairs, %ld of them with several outcomes", numPairs, numStochastic);
        QVERIFY(numPairs == 480000 && numStochastic > 60000);
    }

    void expansionsHaveTheReferencesRows() {
        long numPairs = 0;
        for (std::uint64_t seed = 10000; numPairs < 700000; ++seed) {
            const Pair pair(seed);
            const int numProfiles = pair.ref.numProfiles();
            const auto words = static_cast<std::size_t>(pair.product.keyWords());
            const auto expander = pair.product.makeExpander();
            Rng rng(seed, 2);
            Expansion expansion;
            RefState state = pair.ref.start;
            for (int k = 0; k < (numProfiles > 500 ? 2 : 6); ++k) {
                if (k > 0) state = scatteredState(pair.ref, rng);
                for (int walk = 0; walk < (k > 0 ? 1 : 8); ++walk)
                    state = randomSuccessor(referenceRow(pair, state, randomProfile(pair.ref, rng)),
                                            rng);
                expander->expand(pair.packed(state), state.t, expansion);
                QCOMPARE(expansion.count.size(), static_cast<std::size_t>(numProfiles));
                std::size_t entry = 0;
                bool isDeterministic = true;
                for (int profile = 0; profile < numProfiles; ++profile) {
                    Merged got;
                    isDeterministic = isDeterministic && expansion.count[profile] == 1;
                    for (int j = 0; j < expansion.count[profile]; ++j, ++entry)
                        got[successorOf(pair, {&expansion.key[entry * words], words},
                                        state.t + 1)] += expansion.probability[entry];
                    QCOMPARE(got.size(), static_cast<std::size_t>(expansion.count[profile]));
                    const std::string text =
                        difference(pair, state, profile, referenceRow(pair, state, profile), got);
                    QVERIFY2(text.empty(), text.c_str());
                }
                QCOMPARE(entry, expansion.probability.size());
                QCOMPARE(expansion.key.size(), entry * words);
                QCOMPARE(expansion.deterministic, isDeterministic);
                numPairs += numProfiles;
            }
        }
    }
};

ORRERY_TEST(GridEquivalenceTest)
#include "grid_equivalence_test.moc"
