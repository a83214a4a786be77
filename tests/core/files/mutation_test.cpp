#include <QTest>
#include <algorithm>
#include <string>
#include <vector>

#include "core/base/cpu.h"
#include "core/base/rng.h"
#include "core/files/world_writer.h"
#include "test_files.h"
#include "tests/support/places.h"
#include "tests/support/test_program.h"

namespace {

std::vector<std::string> samples() {
    std::vector<std::string> texts;
    for (const std::string& folder :
         {dataPath("keys"), dataPath("oracle"), orrery::sourcePath("resources/worlds")})
        for (const std::string& path : worldsIn(folder)) {
            texts.push_back(contentOf(path));
            texts.push_back(writeWorldJson(orrery::readWorldFile(path).spec));
        }
    return texts;
}

/// One random damage to a text.
class Damage {
public:
    Damage(orrery::Rng& rng, const std::vector<std::string>& texts) : m_rng(rng), m_texts(texts) {}

    void apply(std::string& text) {
        const std::size_t at = below(text.size() + 1);
        switch (below(9)) {
            case 0:
                text.resize(at);
                break;
            case 1:
                if (at < text.size()) text[at] = static_cast<char>(text[at] ^ (1 << below(8)));
                break;
            case 2:
                text.insert(at, 1, static_cast<char>(below(256)));
                break;
            case 3:
                text.erase(at, below(40));
                break;
            case 4:
                replaceNumber(text);
                break;
            case 5:
                text.insert(at, pick(kHostile));
                break;
            case 6:
                nest(text, at);
                break;
            case 7:
                text.insert(at, text.substr(below(text.size() + 1), below(200)));
                break;
            default:
                splice(text, at);
        }
    }

private:
    std::size_t below(std::size_t n) { return m_rng.below(n); }
    const std::string& pick(const std::vector<std::string>& list) {
        return list[below(list.size())];
    }

    void replaceNumber(std::string& text) {
        std::size_t at = text.find_first_of("0123456789", below(text.size() + 1));
        if (at == std::string::npos) return;
        std::size_t end = std::min(text.find_first_not_of("0123456789.", at), text.size());
        text.replace(at, end - at, pick(kNumbers));
    }
    void nest(std::string& text, std::size_t at) {
        const std::size_t depth = below(3) == 0 ? 100'000 : 1 + below(80);
        std::string bomb;
        const std::string& open = pick(kOpeners);
        for (std::size_t i = 0; i < depth; ++i) bomb += open;
        text.insert(at, bomb);
    }
    void splice(std::string& text, std::size_t at) {
        const std::string& other = pick(m_texts);
        text.insert(at, other.substr(below(other.size()), below(300)));
    }

    static const std::vector<std::string> kNumbers, kHostile, kOpeners;
    orrery::Rng& m_rng;
    const std::vector<std::string>& m_texts;
};

const std::vector<std::string> Damage::kNumbers = {"-1",
                                                   "-0",
                                                   "2147483648",
                                                   "18446744073709551616",
                                                   "1e308",
                                                   "1e309",
                                                   "-1e-400",
                                                   ".nan",
                                                   ".inf",
                                                   "0x10",
                                                   "1,5",
                                                   "1_000",
                                                   "+1",
                                                   "1e",
                                                   std::string(5000, '9'),
                                                   "~",
                                                   "\"\"",
                                                   "[]",
                                                   "{}",
                                                   "true"};
const std::vector<std::string> Damage::kHostile = {std::string(1, '\0'),
                                                   "\xEF\xBB\xBF",
                                                   "\xC0\xAF",
                                                   "\xED\xA0\x80",
                                                   "\xE2\x80\xAE",
                                                   "\x1b[2J",
                                                   "\r",
                                                   "\t",
                                                   "\\u0000",
                                                   "\\ud800",
                                                   "&a ",
                                                   "*a ",
                                                   "!!x ",
                                                   "<<: ",
                                                   "---\n",
                                                   "...\n",
                                                   "? ",
                                                   "| ",
                                                   "> ",
                                                   "%YAML 9\n",
                                                   "\"",
                                                   "'",
                                                   "#",
                                                   ": ",
                                                   "- ",
                                                   std::string(70000, 'a'),
                                                   std::string(3000, '\n')};
const std::vector<std::string> Damage::kOpeners = {
    "[", "{", "[[a],", "{a: ", "- ", "? ", "a: ", "\"", "&a ", "!!x ", "{\"a\":[", "\n  "};

}  // namespace

class MutationTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// Whatever the bytes are, there is a spec that can be written and read again, or an error with
    /// its place, within a second.
    void damagedFilesGiveASpecOrAnError() {
        const std::vector<std::string> texts = samples();
        orrery::Rng rng(20260101);
        Damage damage(rng, texts);
        int accepted = 0, refused = 0;
        const double end = orrery::threadCpuMs() + 12'000;
        while (accepted + refused < 20'000 && orrery::threadCpuMs() < end) {
            std::string text = texts[rng.below(texts.size())];
            for (std::size_t n = 1 + rng.below(3); n > 0; --n) damage.apply(text);
            const double begin = (1e-3 * orrery::threadCpuMs());
            const orrery::WorldFile file = orrery::parseWorld(text, "m.yaml");
            QVERIFY2((1e-3 * orrery::threadCpuMs()) - begin < 1, text.substr(0, 2000).c_str());
            for (const orrery::Diagnostic& diagnostic : file.diagnostics)
                checkLine(diagnostic, text);
            if (file.hasErrors) {
                ++refused;
                continue;
            }
            ++accepted;
            for (const std::string& again :
                 {writeWorldYaml(file.spec), writeWorldJson(file.spec)}) {
                const orrery::WorldFile copy = orrery::parseWorld(again, "again");
                QVERIFY2(!copy.hasErrors, (linesOf(copy) + again).c_str());
                std::string difference = differences(file.spec, copy.spec);
                if (!difference.empty()) difference.append("\n").append(text);
                QVERIFY2(difference.empty(), difference.c_str());
            }
        }
        QVERIFY2(accepted > 100 && refused > 300,
                 (std::to_string(accepted) + " " + std::to_string(refused)).c_str());
    }

    void everyTruncationGivesASpecOrAnError() {
        for (const char* name : {"keys/metadata.yaml", "oracle/p05.yaml"}) {
            const std::string text = contentOf(dataPath(name));
            for (std::size_t size = 0; size < text.size(); ++size) {
                const orrery::WorldFile file = orrery::parseWorld(text.substr(0, size), "t.yaml");
                QVERIFY(file.hasErrors ==
                        (!file.diagnostics.empty() &&
                         file.diagnostics[0].severity == orrery::Severity::Error));
                // What precedes the map's last row is never a world.
                if (size < text.rfind("We")) QVERIFY(file.hasErrors);
            }
        }
    }

private:
    static void checkLine(const orrery::Diagnostic& diagnostic, const std::string& text) {
        const auto numLines =
            1 + std::ranges::count_if(text, [](char c) { return c == '\n' || c == '\r'; });
        QVERIFY(diagnostic.line >= 1 && diagnostic.line <= numLines);
        QVERIFY(diagnostic.column >= 1 && diagnostic.column <= std::ssize(text) + 1);
        const std::string line = diagnosticLine(diagnostic);
        QVERIFY2(line.size() <= 300, line.c_str());
        QVERIFY(std::ranges::none_of(
            line, [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; }));
    }
};

ORRERY_TEST(MutationTest)
#include "mutation_test.moc"
