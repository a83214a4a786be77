// The arithmetic of the convolution over cells. Included by one source file for each instruction
// set, inside an unnamed namespace.

using Numbers = float __attribute__((vector_size(64), aligned(4), may_alias));
using Marks = std::uint8_t __attribute__((vector_size(16), aligned(1), may_alias));
using Flags = std::int32_t __attribute__((vector_size(64)));
constexpr int kLanes = 16;

/// Where in `columns` the neighbours of one cell begin.
struct Neighbours {
    std::ptrdiff_t begin[9];
    int count = 0;

    Neighbours(const CellKernelInput& in, const std::int16_t* codes, int y, int x) {
        for (int ty = 0; ty < 3; ++ty) {
            const int ny = y + ty - 1;
            if (ny < 0 || ny >= in.height) continue;
            for (int tx = 0; tx < 3; ++tx) {
                const int nx = x + tx - 1;
                if (nx < 0 || nx >= in.width) continue;
                const std::ptrdiff_t code = codes[ny * in.width + nx];
                if (code != 0) begin[count++] = (code * 9 + ty * 3 + tx) * in.channels;
            }
        }
    }
};

void forward(const CellKernelInput& in, const float* columns, const float* bias, float* out,
             std::uint8_t* from) {
    for (std::int64_t n = 0; n < in.numStates; ++n) {
        const std::int16_t* codes = in.codes + n * in.height * in.width;
        for (int by = 0; by < in.height / 2; ++by) {
            for (int bx = 0; bx < in.width / 2; ++bx) {
                const Neighbours cells[4] = {{in, codes, 2 * by, 2 * bx},
                                             {in, codes, 2 * by, 2 * bx + 1},
                                             {in, codes, 2 * by + 1, 2 * bx},
                                             {in, codes, 2 * by + 1, 2 * bx + 1}};
                for (int c = 0; c < in.channels; c += kLanes) {
                    Numbers best = {};
                    Flags which = Flags{} + 4;
                    for (int k = 0; k < 4; ++k) {
                        Numbers sum = *reinterpret_cast<const Numbers*>(bias + c);
                        for (int i = 0; i < cells[k].count; ++i)
                            sum +=
                                *reinterpret_cast<const Numbers*>(columns + cells[k].begin[i] + c);
                        // A NaN stays, so that a diverged network shows.
                        const Flags isMore = (sum > best) | (sum != sum);
                        best = isMore ? sum : best;
                        which = isMore ? Flags{} + k : which;
                    }
                    *reinterpret_cast<Numbers*>(out + c) = best;
                    *reinterpret_cast<Marks*>(from + c) = __builtin_convertvector(which, Marks);
                }
                out += in.channels;
                from += in.channels;
            }
        }
    }
}

void backward(const CellKernelInput& in, const std::uint8_t* from, const float* gradient,
              float* columns, float* bias) {
    for (std::int64_t n = 0; n < in.numStates; ++n) {
        const std::int16_t* codes = in.codes + n * in.height * in.width;
        for (int by = 0; by < in.height / 2; ++by) {
            for (int bx = 0; bx < in.width / 2; ++bx) {
                for (int k = 0; k < 4; ++k) {
                    const Neighbours cell(in, codes, 2 * by + k / 2, 2 * bx + k % 2);
                    for (int c = 0; c < in.channels; c += kLanes) {
                        const Flags which = __builtin_convertvector(
                            *reinterpret_cast<const Marks*>(from + c), Flags);
                        const Flags isMine = which == Flags{} + k;
                        const Numbers mine =
                            isMine ? *reinterpret_cast<const Numbers*>(gradient + c) : Numbers{};
                        *reinterpret_cast<Numbers*>(bias + c) += mine;
                        for (int i = 0; i < cell.count; ++i)
                            *reinterpret_cast<Numbers*>(columns + cell.begin[i] + c) += mine;
                    }
                }
                gradient += in.channels;
                from += in.channels;
            }
        }
    }
}
