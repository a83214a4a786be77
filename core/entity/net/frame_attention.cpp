#include "core/entity/net/frame_attention.h"

#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>
#include <torch/csrc/autograd/custom_function.h>

#include <array>
#include <cmath>

namespace orrery {

AttentionKernel attentionKernel(CpuLevel level) {
#if defined(__x86_64__)
    if (level == CpuLevel::Avx512) return attentionAvx512();
    if (level == CpuLevel::Avx2) return attentionAvx2();
#else
    (void)level;
#endif
    return attentionBaseline();
}

namespace {

/// The tensors of a call, in the order in which gradients are given back.
enum Slot : std::size_t {
    kQuery,
    kKey,
    kValue,
    kKeyTable,
    kValueTable,
    kKeyWeight,
    kKeyBias,
    kValueWeight,
    kValueBias,
    kGate,
    kFeatures,
    kKeep,
    kNumSlots
};
constexpr std::size_t kWithGradient = kFeatures;  // those before it
using Slots = std::array<at::Tensor, kNumSlots>;

const float* dataOf(const at::Tensor& tensor) {
    return tensor.defined() ? tensor.const_data_ptr<float>() : nullptr;
}

/// Runs a kernel over all frames.
class Frames {
public:
    Frames(const Slots& slots, int heads, const AttentionRows& rows)
        : m_slots(slots),
          m_heads(heads),
          m_rows(rows),
          m_width(slots[kQuery].defined() ? slots[kQuery].size(1) : heads),
          m_headSize(m_width / heads) {}

    std::int64_t headSize() const { return m_headSize; }

    /// @param probability  [heads, pairs]: of each head, frame by frame; here frame by frame, of
    /// each
    ///                     the heads
    template <class Kernel>
    void run(Kernel kernel, const at::Tensor& probability, const at::Tensor& y,
             const at::Tensor& dy, const Slots& gradients) const {
        std::vector<float> scratch;
        for (std::size_t frame = 0; frame + 1 < m_rows.rowBegin.size(); ++frame) {
            const std::int64_t begin = m_rows.rowBegin[frame],
                               items = m_rows.rowBegin[frame + 1] - begin;
            if (items == 0) continue;
            const auto needed = static_cast<std::size_t>(attentionScratch(items, m_headSize));
            if (scratch.size() < needed) scratch.resize(needed);
            const std::int64_t pair = m_rows.pairBegin[frame];
            AttentionFrame one{
                .items = static_cast<int>(items),
                .heads = m_heads,
                .headSize = static_cast<int>(m_headSize),
                .scale = 1.F / std::sqrt(static_cast<float>(m_headSize)),
                .q = dataOf(m_slots[kQuery]) + begin * m_width,
                .k = dataOf(m_slots[kKey]) + begin * m_width,
                .v = dataOf(m_slots[kValue]) + begin * m_width,
                .visible = m_rows.visible.empty() ? nullptr : m_rows.visible.data() + begin,
                .keep = at(m_slots[kKeep], pair * m_heads),
                .probability = writable(probability) + pair * m_heads,
                .y = writable(y, begin * m_width),
                .dy = at(dy, begin * m_width),
                .dq = writable(gradients[kQuery], begin * m_width),
                .dk = writable(gradients[kKey], begin * m_width),
                .dv = writable(gradients[kValue], begin * m_width)};
            if (m_rows.pairs != nullptr) one.relative = relativeOf(begin, pair, gradients);
            kernel(one, scratch.data());
        }
    }

private:
    static const float* at(const at::Tensor& tensor, std::int64_t offset) {
        return tensor.defined() ? dataOf(tensor) + offset : nullptr;
    }
    static float* writable(const at::Tensor& tensor, std::int64_t offset) {
        return tensor.defined() ? tensor.mutable_data_ptr<float>() + offset : nullptr;
    }
    static float* writable(const at::Tensor& tensor) { return writable(tensor, 0); }

    RelativeFrame relativeOf(std::int64_t begin, std::int64_t pair, const Slots& gradients) const {
        const RelativePairs& pairs = *m_rows.pairs;
        const std::int32_t* const kind = m_rows.kind.empty() ? nullptr : m_rows.kind.data() + begin;
        RelativeFrame relative{
            .rowsEach = m_rows.rowsEach,
            .row = pairs.row.data() + pair * m_rows.rowsEach,
            .share = pairs.share.empty() ? nullptr : pairs.share.data() + pair * m_rows.rowsEach,
            .features = at(m_slots[kFeatures], pair * 3),
            .keys = {.table = dataOf(m_slots[kKeyTable]),
                     .weight = dataOf(m_slots[kKeyWeight]),
                     .bias = dataOf(m_slots[kKeyBias]),
                     .kind = kind,
                     .tableGradient = writable(gradients[kKeyTable]),
                     .weightGradient = writable(gradients[kKeyWeight]),
                     .biasGradient = writable(gradients[kKeyBias])},
            .values = {.table = dataOf(m_slots[kValueTable]),
                       .shift =
                           m_rows.valueShift.empty() ? nullptr : m_rows.valueShift.data() + begin,
                       .weight = dataOf(m_slots[kValueWeight]),
                       .bias = dataOf(m_slots[kValueBias]),
                       .kind = kind,
                       .tableGradient = writable(gradients[kValueTable]),
                       .weightGradient = writable(gradients[kValueWeight]),
                       .biasGradient = writable(gradients[kValueBias])},
            .gate = at(m_slots[kGate], begin * m_headSize),
            .gateGradient = writable(gradients[kGate], begin * m_headSize)};
        return relative;
    }

    const Slots& m_slots;
    int m_heads;
    const AttentionRows& m_rows;
    std::int64_t m_width, m_headSize;
};

/// Autograd takes no tensors that are undefined: one without numbers stands for them.
at::Tensor orEmpty(const at::Tensor& tensor) {
    return tensor.defined() ? tensor : at::empty({0}, at::kFloat);
}
at::Tensor whereThere(const at::Tensor& tensor) {
    return tensor.defined() && tensor.numel() > 0 ? tensor.contiguous() : at::Tensor();
}

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

/// What backward needs beside tensors.
struct AttentionCall : torch::CustomClassHolder {
    int heads = 1;
    std::shared_ptr<const AttentionRows> rows;
};

struct FrameAttention : torch::autograd::Function<FrameAttention> {
    static variable_list forward(AutogradContext* context, const at::Tensor& q, const at::Tensor& k,
                                 const at::Tensor& v, const at::Tensor& keyTable,
                                 const at::Tensor& valueTable, const at::Tensor& keyWeight,
                                 const at::Tensor& keyBias, const at::Tensor& valueWeight,
                                 const at::Tensor& valueBias, const at::Tensor& gate,
                                 const at::Tensor& features, const at::Tensor& keep,
                                 const c10::intrusive_ptr<AttentionCall>& call) {
        const at::NoGradGuard off;
        Slots slots{q,       k,           v,         keyTable, valueTable, keyWeight,
                    keyBias, valueWeight, valueBias, gate,     features,   keep};
        for (at::Tensor& slot : slots) slot = whereThere(slot);
        const at::Tensor probability =
            at::empty({call->rows->numPairs() * call->heads}, q.options());
        const at::Tensor y = at::empty(q.sizes(), q.options());
        Frames(slots, call->heads, *call->rows)
            .run(attentionKernel(cpuLevel()).forward, probability, y, {}, {});
        variable_list saved;
        for (const at::Tensor& slot : slots) saved.push_back(orEmpty(slot));
        saved.push_back(probability);
        context->save_for_backward(std::move(saved));
        context->saved_data["call"] = c10::IValue::make_capsule(call);
        context->mark_non_differentiable({probability});
        return {y, probability};
    }

    static variable_list backward(AutogradContext* context, const variable_list& gradients) {
        const at::NoGradGuard off;
        const auto held = context->saved_data["call"].toCapsule();
        const auto& call = static_cast<const AttentionCall&>(*held);
        const variable_list saved = context->get_saved_variables();
        Slots slots, out;
        for (std::size_t i = 0; i < kNumSlots; ++i) slots[i] = whereThere(saved[i]);
        for (std::size_t i = 0; i < kWithGradient; ++i)
            if (slots[i].defined()) out[i] = at::zeros_like(slots[i]);
        Frames(slots, call.heads, *call.rows)
            .run(attentionKernel(cpuLevel()).backward, saved[kNumSlots], {},
                 gradients[0].contiguous(), out);
        variable_list all(out.begin(), out.end());
        all.emplace_back();  // of the call
        return all;
    }
};

}  // namespace

at::Tensor frameAttention(const at::Tensor& q, const at::Tensor& k, const at::Tensor& v, int heads,
                          const std::shared_ptr<const AttentionRows>& rows,
                          const RelativeTensors& relative, const at::Tensor& keep,
                          at::Tensor* probabilities) {
    auto call = c10::make_intrusive<AttentionCall>();
    call->heads = heads;
    call->rows = rows;
    const variable_list out = FrameAttention::apply(
        q, k, v, orEmpty(relative.keys), orEmpty(relative.values), orEmpty(relative.keyWeight),
        orEmpty(relative.keyBias), orEmpty(relative.valueWeight), orEmpty(relative.valueBias),
        orEmpty(relative.gate), orEmpty(relative.features), orEmpty(keep), call);
    if (probabilities != nullptr) *probabilities = out[1];
    return out[0];
}

}  // namespace orrery
