// Attention within one frame: forwards, and backwards by the chain rule. Included by one source for
// each instruction set. Loops run over keys or over the numbers of a head, so that compilers make
// vectors of them.

using Index = std::int64_t;

/// e^x for x <= 0, to 1e-7 of it: powers of two by the exponent, a polynomial for the rest.
[[gnu::always_inline]] static inline float expOf(float x) {
    constexpr float kLog2e = 1.44269504F, kLn2High = 0.693359375F, kLn2Low = -2.12194440e-4F;
    constexpr float kRound = 12582912.0F;  // 1.5 * 2^23: adding it rounds to whole numbers
    const float clamped = x < -87.0F ? -87.0F : x;
    const float shifted = clamped * kLog2e + kRound;
    const float n = shifted - kRound;
    const float r = (clamped - n * kLn2High) - n * kLn2Low;
    float p = 1.9875691500e-4F;
    p = p * r + 1.3981999507e-3F;
    p = p * r + 8.3334519073e-3F;
    p = p * r + 4.1665795894e-2F;
    p = p * r + 1.6666665459e-1F;
    p = p * r + 5.0000001201e-1F;
    p = p * (r * r) + r + 1.0F;
    const std::int32_t exponent = static_cast<std::int32_t>(n) << 23;
    std::int32_t bits;
    __builtin_memcpy(&bits, &p, sizeof(bits));
    bits += exponent;
    float result;
    __builtin_memcpy(&result, &bits, sizeof(result));
    return x < -87.0F ? 0.0F : result;
}

static Index paddedOf(Index items) {
    return (items + 15) / 16 * 16;
}

/// [headSize x padded] of the columns of a head.
static void transpose(const float* rows, Index items, Index width, Index headSize, Index padded,
                      float* out) {
    for (Index c = 0; c < headSize; ++c) {
        for (Index j = 0; j < items; ++j) out[c * padded + j] = rows[j * width + c];
        for (Index j = items; j < padded; ++j) out[c * padded + j] = 0;
    }
}

/// out[j] = sum over c of x[c] * columns[c][j]
static void multiply(const float* x, const float* columns, Index headSize, Index padded,
                     float* __restrict out) {
    for (Index j = 0; j < padded; ++j) out[j] = 0;
    for (Index c = 0; c < headSize; ++c) {
        const float factor = x[c];
        const float* const column = columns + c * padded;
        for (Index j = 0; j < padded; ++j) out[j] += factor * column[j];
    }
}

[[gnu::always_inline]] static inline void addScaled(float* __restrict to, const float* from,
                                                    float factor, Index count) {
    for (Index c = 0; c < count; ++c) to[c] += factor * from[c];
}

/// In lanes of its own order, the same for every instruction set.
static float dot(const float* a, const float* b, Index count) {
    float lanes[16] = {};
    Index c = 0;
    for (; c + 16 <= count; c += 16)
        for (Index lane = 0; lane < 16; ++lane) lanes[lane] += a[c + lane] * b[c + lane];
    float sum = 0;
    for (; c < count; ++c) sum += a[c] * b[c];
    for (Index half = 8; half > 0; half /= 2)
        for (Index lane = 0; lane < half; ++lane) lanes[lane] += lanes[lane + half];
    return sum + lanes[0];
}

/// The vector of a pair: a row of the table itself, or one made in `made`.
static const float* vectorOf(const RelativeFrame& relative, const RelativeVectors& side,
                             Index items, Index headSize, Index i, Index j, float* made) {
    const Index pair = i * items + j;
    const Index shift = side.shift != nullptr ? side.shift[j] : 0;
    const Index each = side.table != nullptr ? relative.rowsEach : 0;
    if (each == 1 && relative.share == nullptr && side.weight == nullptr)
        return side.table + (relative.row[pair] + shift) * headSize;
    for (Index c = 0; c < headSize; ++c) made[c] = 0;
    for (Index b = 0; b < each; ++b)
        addScaled(made, side.table + (relative.row[pair * each + b] + shift) * headSize,
                  relative.share != nullptr ? relative.share[pair * each + b] : 1.0F, headSize);
    if (side.weight == nullptr) return made;
    const Index kind = side.kind != nullptr ? side.kind[j] : 0;
    const float* const weight = side.weight + kind * headSize * 3;
    const float* const bias = side.bias + kind * headSize;
    const float* const feature = relative.features + pair * 3;
    for (Index c = 0; c < headSize; ++c)
        made[c] += bias[c] + weight[c * 3] * feature[0] + weight[c * 3 + 1] * feature[1] +
                   weight[c * 3 + 2] * feature[2];
    return made;
}

/// Adds the gradient of a pair's vector to what it was made of.
static void addGradient(const RelativeFrame& relative, const RelativeVectors& side, Index items,
                        Index headSize, Index i, Index j, const float* gradient) {
    const Index pair = i * items + j;
    if (side.tableGradient != nullptr) {
        const Index shift = side.shift != nullptr ? side.shift[j] : 0;
        for (Index b = 0; b < relative.rowsEach; ++b)
            addScaled(side.tableGradient +
                          (relative.row[pair * relative.rowsEach + b] + shift) * headSize,
                      gradient,
                      relative.share != nullptr ? relative.share[pair * relative.rowsEach + b] : 1.0F,
                      headSize);
    }
    if (side.weightGradient == nullptr) return;
    const Index kind = side.kind != nullptr ? side.kind[j] : 0;
    float* const weight = side.weightGradient + kind * headSize * 3;
    const float* const feature = relative.features + pair * 3;
    for (Index c = 0; c < headSize; ++c)
        for (Index f = 0; f < 3; ++f) weight[c * 3 + f] += gradient[c] * feature[f];
    addScaled(side.biasGradient + kind * headSize, gradient, 1.0F, headSize);
}

static bool isRelative(const RelativeVectors& side) {
    return side.table != nullptr || side.weight != nullptr;
}

/// Shares of the keys for one query: softmax of the scores, those that are not seen being -1e9.
static void softmax(const AttentionFrame& frame, Index i, float* __restrict score,
                    float* __restrict probability) {
    const Index items = frame.items;
    if (frame.visible != nullptr && frame.visible[i] != 0)
        for (Index j = 0; j < items; ++j)
            if (frame.visible[j] == 0) score[j] = -1e9F;
    float highest = score[0];
    for (Index j = 1; j < items; ++j) highest = score[j] > highest ? score[j] : highest;
    float sum = 0;
    for (Index j = 0; j < items; ++j) score[j] = expOf(score[j] - highest);
    for (Index j = 0; j < items; ++j) sum += score[j];
    const float factor = 1.0F / sum;
    for (Index j = 0; j < items; ++j) probability[j] = score[j] * factor;
}

static void forward(const AttentionFrame& frame, float* scratch) {
    const Index items = frame.items, headSize = frame.headSize, width = frame.heads * headSize,
                padded = paddedOf(items);
    float* const keys = scratch;
    float* const score = keys + headSize * padded;
    float* const made = score + padded;
    const RelativeFrame& relative = frame.relative;
    const bool hasKeys = isRelative(relative.keys), hasValues = isRelative(relative.values);
    for (Index head = 0; head < frame.heads; ++head) {
        const Index column = head * headSize;
        transpose(frame.k + column, items, width, headSize, padded, keys);
        for (Index i = 0; i < items; ++i) {
            const float* const query = frame.q + i * width + column;
            multiply(query, keys, headSize, padded, score);
            if (hasKeys)
                for (Index j = 0; j < items; ++j)
                    score[j] += dot(
                        query, vectorOf(relative, relative.keys, items, headSize, i, j, made),
                        headSize);
            for (Index j = 0; j < items; ++j) score[j] *= frame.scale;
            const Index first = (head * items + i) * items;
            float* const probability = frame.probability + first;
            softmax(frame, i, score, probability);
            float* const y = frame.y + i * width + column;
            for (Index c = 0; c < headSize; ++c) y[c] = 0;
            for (Index j = 0; j < items; ++j) {
                const float share =
                    frame.keep != nullptr ? probability[j] * frame.keep[first + j] : probability[j];
                addScaled(y, frame.v + j * width + column, share, headSize);
                if (!hasValues) continue;
                const float* const vector =
                    vectorOf(relative, relative.values, items, headSize, i, j, made);
                if (relative.gate == nullptr) {
                    addScaled(y, vector, share, headSize);
                } else {
                    const float* const gate = relative.gate + j * headSize;
                    for (Index c = 0; c < headSize; ++c) y[c] += share * gate[c] * vector[c];
                }
            }
        }
    }
}

/// What the share of key j is worth to the result, and the gradients of its relative vector.
static float relativeValueGradient(const AttentionFrame& frame, Index i, Index j, const float* dy,
                                   float share, float* made, float* gradient) {
    const RelativeFrame& relative = frame.relative;
    const Index headSize = frame.headSize;
    const float* const vector =
        vectorOf(relative, relative.values, frame.items, headSize, i, j, made);
    float worth = 0;
    if (relative.gate == nullptr) {
        worth = dot(dy, vector, headSize);
        for (Index c = 0; c < headSize; ++c) gradient[c] = share * dy[c];
    } else {
        const float* const gate = relative.gate + j * headSize;
        float* const gateGradient = relative.gateGradient + j * headSize;
        for (Index c = 0; c < headSize; ++c) gradient[c] = gate[c] * dy[c];
        worth = dot(gradient, vector, headSize);
        for (Index c = 0; c < headSize; ++c) {
            gateGradient[c] += share * vector[c] * dy[c];
            gradient[c] *= share;
        }
    }
    addGradient(relative, relative.values, frame.items, headSize, i, j, gradient);
    return worth;
}

static void backward(const AttentionFrame& frame, float* scratch) {
    const Index items = frame.items, headSize = frame.headSize, width = frame.heads * headSize,
                padded = paddedOf(items);
    float* const values = scratch;
    float* const worth = values + headSize * padded;
    float* const made = worth + padded;
    float* const gradient = made + headSize;
    const RelativeFrame& relative = frame.relative;
    const bool hasKeys = isRelative(relative.keys), hasValues = isRelative(relative.values);
    for (Index head = 0; head < frame.heads; ++head) {
        const Index column = head * headSize;
        transpose(frame.v + column, items, width, headSize, padded, values);
        for (Index i = 0; i < items; ++i) {
            const float* const dy = frame.dy + i * width + column;
            const Index first = (head * items + i) * items;
            const float* const probability = frame.probability + first;
            multiply(dy, values, headSize, padded, worth);
            for (Index j = 0; j < items; ++j) {
                const float keep = frame.keep != nullptr ? frame.keep[first + j] : 1.0F;
                const float share = probability[j] * keep;
                addScaled(frame.dv + j * width + column, dy, share, headSize);
                if (hasValues)
                    worth[j] += relativeValueGradient(frame, i, j, dy, share, made, gradient);
                worth[j] *= keep;
            }
            float mean = 0;
            for (Index j = 0; j < items; ++j) mean += probability[j] * worth[j];
            const float* const query = frame.q + i * width + column;
            float* const dq = frame.dq + i * width + column;
            for (Index j = 0; j < items; ++j) {
                const float dScore = probability[j] * (worth[j] - mean) * frame.scale;
                if (dScore == 0) continue;
                addScaled(dq, frame.k + j * width + column, dScore, headSize);
                addScaled(frame.dk + j * width + column, query, dScore, headSize);
                if (!hasKeys) continue;
                addScaled(dq, vectorOf(relative, relative.keys, items, headSize, i, j, made), dScore,
                          headSize);
                for (Index c = 0; c < headSize; ++c) gradient[c] = dScore * query[c];
                addGradient(relative, relative.keys, items, headSize, i, j, gradient);
            }
        }
    }
}
