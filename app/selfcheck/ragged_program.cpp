#include "app/selfcheck/ragged_program.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <regex>
#include <set>
#include <string>
#include <tuple>
#include <variant>
#include <vector>

#include "app/selfcheck/ragged_values.h"
#include "core/base/error.h"
#include "core/ragged/ragged_arithmetic.h"
#include "core/ragged/ragged_cat.h"
#include "core/ragged/ragged_view.h"

namespace orrery {

namespace {

/// What a step gives.
using RaggedResult =
    std::variant<RaggedBuffer<float>, RaggedBuffer<std::int64_t>, RaggedBuffer<bool>, std::int64_t,
                 bool, std::string, Wholes, std::optional<PackedRows>>;

RaggedIndex indexOf(const OracleNode& node) {
    const std::string text = node.compact();
    if (text.front() == '[') return wholes(node);
    if (text.front() != '{') return std::int64_t{node.integer()};
    if (node.has("np")) return wholes(node.at("np"));
    const OracleNode ends = node.at("slice");
    const auto end = [&](std::size_t i) -> std::optional<std::int64_t> {
        if (ends.at(i).isNull()) return {};
        return ends.at(i).integer();
    };
    return RaggedSlice{end(0), end(1), end(2)};
}

std::set<std::string> numbersIn(const std::string& text) {
    static const std::regex kNumber("[0-9]+");
    return {std::sregex_token_iterator(text.begin(), text.end(), kNumber),
            std::sregex_token_iterator()};
}

/// Whether each item lies where it is said to, alone, the items of a sequence side by side.
bool isSound(const PackedRows& packed, const Wholes& rowBegin) {
    std::vector<bool> isTaken(packed.index.size());
    for (std::size_t i = 0; i + 1 < rowBegin.size(); ++i)
        for (std::int64_t item = rowBegin[i]; item < rowBegin[i + 1]; ++item) {
            const std::int64_t place = packed.inverse[static_cast<std::size_t>(item)],
                               first = packed.inverse[static_cast<std::size_t>(rowBegin[i])];
            const auto at = static_cast<std::size_t>(place);
            if (at >= isTaken.size() || isTaken[at] || packed.index[at] != item ||
                packed.batch[at] != static_cast<float>(i) || place - first != item - rowBegin[i] ||
                place / packed.width != first / packed.width)
                return false;
            isTaken[at] = true;
        }
    for (std::size_t at = 0; at < isTaken.size(); ++at)
        if (!isTaken[at] && (packed.index[at] != 0 || !std::isnan(packed.batch[at]))) return false;
    return true;
}

/// The buffers and views of one type by name. Those of a map stay where they are, as views need it.
template <class T>
struct Registers {
    std::map<std::string, RaggedBuffer<T>> buffers;
    std::map<std::string, RaggedView<T>> views;

    bool has(const std::string& name) const {
        return buffers.contains(name) || views.contains(name);
    }
    /// Most operations want a buffer: here the compiler says so, in Python an error.
    RaggedBuffer<T>& buffer(const OracleNode& name) {
        const auto found = buffers.find(name.text());
        if (found == buffers.end())
            throw badInput(name.path() + ": there is no such buffer of this type");
        return found->second;
    }
    RaggedView<T>& view(const OracleNode& name) {
        const auto found = views.find(name.text());
        if (found == views.end())
            throw badInput(name.path() + ": there is no such view of this type");
        return found->second;
    }
    RaggedBuffer<T> copy(const OracleNode& name) {
        return views.contains(name.text()) ? view(name).materialize() : buffer(name);
    }
    void addTexts(std::string& text) const {
        for (const auto& [name, buffer] : buffers) text += name + ' ' + buffer.text() + '\n';
        for (const auto& [name, view] : views)
            text += name + ' ' + view.materialize().text() + '\n';
    }
};

class Program {
public:
    explicit Program(Tally& tally) : m_tally(tally) {}

    void step(const OracleNode& step) {
        const OracleNode expect = step.at("expect");
        if (expect.has("error")) return checkRefused(step);
        try {
            compare(step, run(step));
        } catch (const Error& error) {
            m_tally.fail(step.path(), error.what());
        }
    }

private:
    template <class T>
    Registers<T>& registers() {
        return std::get<Registers<T>>(m_registers);
    }

    RaggedResult run(const OracleNode& step) {
        const std::string op = step.at("op").text();
        if (op == "cat")
            return byType(step.at("buffers").at(0), step, &Program::cat<float>,
                          &Program::cat<std::int64_t>, &Program::cat<bool>);
        if (step.has("dtype") && op != "push") {
            const std::string type = step.at("dtype").text();
            return type == "f32"   ? made<float>(op, step)
                   : type == "i64" ? made<std::int64_t>(op, step)
                                   : made<bool>(op, step);
        }
        return byType(step.at("self"), step, &Program::of<float>, &Program::of<std::int64_t>,
                      &Program::of<bool>);
    }

    using Method = RaggedResult (Program::*)(const OracleNode&);
    RaggedResult byType(const OracleNode& name, const OracleNode& step, Method ofFloat,
                        Method ofWhole, Method ofTruth) {
        if (registers<float>().has(name.text())) return (this->*ofFloat)(step);
        if (registers<std::int64_t>().has(name.text())) return (this->*ofWhole)(step);
        return (this->*ofTruth)(step);
    }

    template <class T>
    RaggedResult kept(const OracleNode& step, RaggedBuffer<T> buffer) {
        if (step.has("dst")) registers<T>().buffers.insert_or_assign(step.at("dst").text(), buffer);
        return buffer;
    }

    template <class T>
    RaggedResult made(const std::string& op, const OracleNode& step) {
        if (op == "new") return kept(step, RaggedBuffer<T>(step.at("features").integer()));
        const auto cells = cellsOf<T>(step.at("data"));
        if (op == "from_flattened")
            return kept(step, RaggedBuffer<T>::fromFlattened(cells, step.at("features").integer(),
                                                             wholes(step.at("lengths"))));
        const Wholes shape = wholes(step.at("shape"));
        return kept(step, RaggedBuffer<T>::fromFlattened(
                              cells, shape.at(2),
                              Wholes(static_cast<std::size_t>(shape.at(0)), shape.at(1))));
    }

    template <class T>
    RaggedResult cat(const OracleNode& step) {
        std::vector<const RaggedBuffer<T>*> all;
        const OracleNode names = step.at("buffers");
        for (std::size_t i = 0; i < names.size(); ++i)
            all.push_back(&registers<T>().buffer(names.at(i)));
        return kept(step, orrery::cat<T>(all, step.at("dim").integer()));
    }

    /// What is done with a buffer or view "self".
    template <class T>
    RaggedResult of(const OracleNode& step) {
        const std::string op = step.at("op").text();
        if (op == "view" || op == "isub" || op == "translate_rotate" || op == "materialize")
            return withView<T>(op, step);
        if (op == "push" || op == "push_empty" || op == "extend" || op == "clear")
            return changed<T>(op, step);
        if (op == "add" || op == "mul" || op == "add_scalar" || op == "mul_scalar")
            return computed<T>(op, step);
        const OracleNode name = step.at("self");
        if (op == "peek") return registers<T>().copy(name);
        if (registers<T>().views.contains(name.text())) {
            const RaggedView<T>& view = registers<T>().view(name);
            if (op == "size0") return view.size0();
            if (op == "size1_at") return view.size1(step.at("i").integer());
            if (op == "size2") return view.size2();
        }
        RaggedBuffer<T>& self = registers<T>().buffer(name);
        if (op == "clone") return kept(step, self);
        if (op == "eq") return self == registers<T>().buffer(step.at("other"));
        if (op == "ne") return !(self == registers<T>().buffer(step.at("other")));
        if (op == "size0") return self.size0();
        if (op == "size1") return self.lengths();
        if (op == "size1_at") return self.size1(step.at("i").integer());
        if (op == "size2") return self.size2();
        if (op == "items") return self.items();
        if (op == "len") return std::ssize(self.flat());
        if (op == "str") return self.text();
        if (op == "padpack") return self.padpack();
        if (op == "indices") return kept(step, self.indices(step.at("dim").integer()));
        if (op == "flat_indices") return kept(step, self.flatIndices());
        if (op == "index_int") return kept(step, self.gather(Wholes{step.at("i").integer()}));
        if (op == "index_sequences") return kept(step, self.gather(wholes(step.at("i"))));
        throw badInput(step.path() + ": there is no operation " + op);
    }

    template <class T>
    RaggedResult withView(const std::string& op, const OracleNode& step) {
        if (op == "view") {
            const OracleNode index = step.at("index");
            RaggedView<T> view =
                registers<T>()
                    .buffer(step.at("self"))
                    .view(indexOf(index.at(0)), indexOf(index.at(1)), indexOf(index.at(2)));
            RaggedBuffer<T> shown = view.materialize();
            if (step.has("dst"))
                registers<T>().views.insert_or_assign(step.at("dst").text(), std::move(view));
            return shown;
        }
        RaggedView<T>& self = registers<T>().view(step.at("self"));
        if (op == "materialize") return kept(step, self.materialize());
        if constexpr (!std::is_same_v<T, bool>)
            if (op == "isub") self -= registers<T>().view(step.at("other"));
        if constexpr (std::is_same_v<T, float>)
            if (op == "translate_rotate")
                translateRotate(self, registers<T>().view(step.at("translation")),
                                registers<T>().view(step.at("rotation")));
        return self.materialize();
    }

    template <class T>
    RaggedResult changed(const std::string& op, const OracleNode& step) {
        RaggedBuffer<T>& self = registers<T>().buffer(step.at("self"));
        if (op == "push_empty") self.pushEmpty();
        if (op == "clear") self.clear();
        if (op == "extend") self.extend(registers<T>().copy(step.at("other")));
        if (op == "push") {
            const Wholes shape = wholes(step.at("shape"));
            // As Python's arrays are taken: a flat one that is empty is a sequence without items.
            if (shape.size() != 2 && shape != Wholes{0})
                throw badInput(step.path() + ": a sequence has 2 dimensions");
            self.push(shape[0], cellsOf<T>(step.at("data")));
        }
        return self;
    }

    template <class T>
    RaggedResult computed(const std::string& op, const OracleNode& step) {
        RaggedBuffer<T>& self = registers<T>().buffer(step.at("self"));
        if constexpr (std::is_same_v<T, bool>) {
            throw badInput(step.path() + ": truth values have no " + op);
        } else {
            if (step.has("scalar")) {
                const T scalar = cellOf<T>(step.at("scalar"));
                return kept(step, op == "add_scalar" ? self + scalar : self * scalar);
            }
            const RaggedBuffer<T>& other = registers<T>().buffer(step.at("other"));
            return kept(step, op == "add" ? self + other : self * other);
        }
    }

    std::string texts() const {
        std::string text;
        std::apply([&](const auto&... one) { (one.addTexts(text), ...); }, m_registers);
        return text;
    }

    /// What the original refuses is refused, its message with the same sizes, and nothing changes.
    void checkRefused(const OracleNode& step) {
        const std::string before = texts();
        const OracleNode expect = step.at("expect");
        try {
            const RaggedResult result = run(step);
            // The original cannot pack more than one feature, though only lengths matter.
            const auto* packed = std::get_if<std::optional<PackedRows>>(&result);
            m_tally.truth(step.path() + ": a refusal, or a sound packing", true,
                          packed != nullptr && *packed && isSound(**packed, rowBegin(step)));
        } catch (const Error& error) {
            m_tally.truth(step.path() + ": the sizes of the message, in \"" + error.what() + '"',
                          true,
                          expect.at("error").text() == "PanicException" ||
                              std::ranges::includes(numbersIn(error.what()),
                                                    numbersIn(expect.at("message").text())));
        }
        m_tally.truth(step.path() + ": nothing is changed", true, texts() == before);
    }

    Wholes rowBegin(const OracleNode& step) {
        const auto copied = [&](const auto& registers) -> std::optional<Wholes> {
            const auto found = registers.buffers.find(step.at("self").text());
            if (found == registers.buffers.end()) return {};
            const auto rows = found->second.rowBegin();
            return Wholes(rows.begin(), rows.end());
        };
        if (auto rows = copied(registers<float>())) return *rows;
        if (auto rows = copied(registers<std::int64_t>())) return *rows;
        return copied(registers<bool>()).value_or(Wholes{0});
    }

    void compare(const OracleNode& step, const RaggedResult& result) {
        const OracleNode expect = step.at("expect");
        if (expect.has("buffer"))
            return std::visit(
                [&](const auto& one) {
                    if constexpr (requires { one.rowBegin(); })
                        compareRagged(expect.at("buffer"), one, m_tally);
                    else
                        m_tally.fail(step.path(), "no buffer came");
                },
                result);
        const OracleNode value = expect.at("value");
        if (const auto* whole = std::get_if<std::int64_t>(&result))
            m_tally.number(value.path(), value.number(), static_cast<double>(*whole), {});
        else if (const auto* truth = std::get_if<bool>(&result))
            m_tally.truth(value.path(), value.truth(), *truth);
        else if (const auto* text = std::get_if<std::string>(&result))
            m_tally.text(value.path(), value.text(), *text);
        else if (const auto* all = std::get_if<Wholes>(&result))
            compareWholes(value, *all, m_tally);
        else if (const auto* packed = std::get_if<std::optional<PackedRows>>(&result))
            comparePacking(value, *packed);
        else
            m_tally.fail(step.path(), "a buffer came where a value was expected");
    }

    void comparePacking(const OracleNode& inFile, const std::optional<PackedRows>& packed) {
        if (!m_tally.truth(inFile.path() + ": it packs", !inFile.isNull(), packed.has_value()) ||
            !packed)
            return;
        compareWholes(inFile.at("shape"), {packed->rows, packed->width}, m_tally);
        compareWholes(inFile.at("index"), packed->index, m_tally);
        compareCells<float>(inFile.at("batch"), packed->batch, m_tally);
        compareWholes(inFile.at("inverse_index"), packed->inverse, m_tally);
    }

    Tally& m_tally;
    std::tuple<Registers<float>, Registers<std::int64_t>, Registers<bool>> m_registers;
};

}  // namespace

void checkRaggedProgram(const OracleNode& steps, Tally& tally) {
    Program program(tally);
    for (std::size_t i = 0; i < steps.size(); ++i) program.step(steps.at(i));
}

}  // namespace orrery
