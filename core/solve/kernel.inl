// The arithmetic of both phases for one configuration, on L lanes (goals) at once. Included by one
// source file for each instruction set, inside an unnamed namespace. Source: spec empo 3 and 4.

using V = simd::Lanes<kLanes>;
using Vector = V::Vector;
constexpr double kInfinity = __builtin_huge_val();

/// How a configuration's rows are to be read.
template <bool Det, bool Dur>
struct RowReader {
    const KernelPlan& plan;
    const KernelInput& in;
    const std::uint32_t* rowBegin;

    /// The expected continuation value of a row on kLanes lanes from `lane` on.
    [[gnu::always_inline]] inline Vector expect(const double* w, std::uint32_t row,
                                                int lane) const {
        const auto stride = static_cast<std::size_t>(plan.lanes);
        const auto value = [&](std::uint32_t successor) __attribute__((always_inline)) {
            const Vector stored = V::load(w + successor * stride + lane);
            if constexpr (!Dur) return stored;
            return V::select(stored < V::fill(0.0), V::fill(1.0), stored * plan.discount_h[row]);
        };
        if constexpr (Det) return value(in.successor[row]);
        std::uint32_t entry = rowBegin[row];
        const std::uint32_t end = rowBegin[row + 1];
        Vector sum = value(in.successor[entry]) * plan.palette[in.probability[entry]];
        for (++entry; entry < end; ++entry)
            sum += value(in.successor[entry]) * plan.palette[in.probability[entry]];
        return sum;
    }

    /// The expected V_r of a row, discounted.
    [[gnu::always_inline]] inline double expectRobot(std::uint32_t row) const {
        double sum = 0;
        if constexpr (Det) {
            sum = in.v_r[in.successor[row]];
        } else {
            for (std::uint32_t entry = rowBegin[row]; entry < rowBegin[row + 1]; ++entry)
                sum += in.v_r[in.successor[entry]] * plan.palette[in.probability[entry]];
        }
        if constexpr (Dur) return sum * plan.discount_r[row];
        return sum * in.discount_r;
    }
};

void countRows(const KernelPlan& plan, const KernelInput& in, std::uint32_t* rowBegin) {
    std::uint32_t entry = 0;
    for (std::uint32_t row = 0; row < plan.rows; ++row) {
        rowBegin[row] = entry;
        entry += in.count[row];
    }
    rowBegin[plan.rows] = entry;
}

/// q[a] += belief * OPT over the other agents' profiles of the expectation, for one human.
template <bool Det, bool Dur, bool Optimistic>
void humanQ(const RowReader<Det, Dur>& rows, const KernelHuman& human, const double* belief,
            int lane, double* q) {
    const KernelPlan& plan = rows.plan;
    const int robots = plan.nonHumanCount;
    const double uniform = 1.0 / human.othersCount;
    for (int a = 0; a < human.actions; ++a) {
        Vector sum{};
        const std::uint32_t own = static_cast<std::uint32_t>(a) * human.actionStride;
        for (int k = 0; k < human.othersCount; ++k) {
            const double p = belief == nullptr ? uniform : belief[a * human.othersCount + k];
            if (p == 0.0) continue;
            const std::uint32_t base = own + human.othersOffset[k];
            Vector best = rows.expect(rows.in.w_h, base + plan.nonHumanOffset[0], lane);
            for (int r = 1; r < robots; ++r) {
                const Vector next = rows.expect(rows.in.w_h, base + plan.nonHumanOffset[r], lane);
                best = Optimistic ? V::max(best, next) : V::min(best, next);
            }
            sum += best * p;
        }
        V::store(q + a * plan.goalStride, sum);
    }
}

/// pi = softmax(beta (Q - max Q)), or uniform over the exact maxima; mixed with the habit.
void boltzmann(const KernelPlan& plan, int actions, const double* habit, const double* q,
               double* pi) {
    Vector top = V::load(q);
    for (int a = 1; a < actions; ++a) top = V::max(top, V::load(q + a * plan.goalStride));
    Vector total{};
    for (int a = 0; a < actions; ++a) {
        const Vector below = V::load(q + a * plan.goalStride) - top;
        const Vector e = plan.beta_h == kInfinity
                             ? V::select(below == V::fill(0.0), V::fill(1.0), V::fill(0.0))
                             : V::exp(below * plan.beta_h);
        V::store(pi + a * plan.goalStride, e);
        total += e;
    }
    for (int a = 0; a < actions; ++a) {
        Vector p = V::load(pi + a * plan.goalStride) / total;
        if (habit != nullptr && plan.nu > 0.0) p = p * (1.0 - plan.nu) + plan.nu * habit[a];
        V::store(pi + a * plan.goalStride, p);
    }
}

/// -1 in the lanes whose goal holds already.
V::Integer attainedLanes(std::uint64_t attained, int lane) {
    V::Integer mask{};
    for (int k = 0; k < kLanes; ++k)
        mask[k] = lane + k < 64 && (attained >> (lane + k) & 1U) != 0 ? -1 : 0;
    return mask;
}

template <bool Det, bool Dur>
void phase1Rows(const KernelPlan& plan, const KernelInput& in, KernelOutput& out) {
    const RowReader<Det, Dur> rows{plan, in, out.rowBegin};
    const double* belief = in.belief;
    for (int h = 0; h < plan.humans; ++h) {
        const KernelHuman& human = plan.human[h];
        double* pi = out.pi_h + static_cast<std::size_t>(h) * out.maxActions * plan.goalStride;
        for (int lane = 0; lane < human.goals; lane += kLanes) {
            const int at = human.laneBegin + lane;
            double* q = out.q_h + lane;
            if (plan.optimistic)
                humanQ<Det, Dur, true>(rows, human, belief, at, q);
            else
                humanQ<Det, Dur, false>(rows, human, belief, at, q);
            const double* habit = in.habit == nullptr ? nullptr : in.habit + h * out.maxActions;
            boltzmann(plan, human.actions, habit, q, pi + lane);
            // Where the goal holds already: V = 0 and all mass on action 0.
            const V::Integer done = attainedLanes(in.attained[h], lane);
            Vector value{};
            for (int a = 0; a < human.actions; ++a) {
                double* p = pi + a * plan.goalStride + lane;
                value += V::load(p) * V::load(q + a * plan.goalStride);
                V::store(p, V::select(done, V::fill(a == 0 ? 1.0 : 0.0), V::load(p)));
            }
            V::store(out.v_h + at, V::select(done, V::fill(0.0), value));
        }
        if (belief != nullptr) belief += human.actions * human.othersCount;

        double total = 0;
        double* marginal = out.marginal + h * out.maxActions;
        for (int a = 0; a < human.actions; ++a) {
            marginal[a] = 0;
            for (int g = 0; g < human.goals; ++g)
                marginal[a] += human.weight[g] * pi[a * plan.goalStride + g];
            total += marginal[a];
        }
        for (int a = 0; a < human.actions; ++a) marginal[a] /= total;
    }
}

double scalarExp(double x) {
    return V::exp(V::fill(x))[0];
}
double scalarLog(double x) {
    return V::log(V::fill(x))[0];
}

/// pi_r proportional to (-Q_r)^-beta_r, in log space; uniform over the exact best if infinite.
void robotPolicy(const KernelPlan& plan, const double* q_r, double* pi_r) {
    double best = -kInfinity;
    for (int r = 0; r < plan.robotCount; ++r) {
        if (plan.beta_r == kInfinity)
            pi_r[r] = q_r[r];
        else
            pi_r[r] = -plan.beta_r * scalarLog(-q_r[r]);
        best = pi_r[r] > best ? pi_r[r] : best;
    }
    double total = 0;
    for (int r = 0; r < plan.robotCount; ++r) {
        if (plan.beta_r == kInfinity)
            pi_r[r] = pi_r[r] == best ? 1.0 : 0.0;
        else
            pi_r[r] = scalarExp(pi_r[r] - best);
        total += pi_r[r];
    }
    for (int r = 0; r < plan.robotCount; ++r) pi_r[r] /= total;
}

template <bool Det, bool Dur>
double robotQ(const KernelPlan& plan, const RowReader<Det, Dur>& rows, KernelOutput& out) {
    for (int m = 0; m < plan.jointCount; ++m) {
        double p = 1.0;
        for (int h = 0; h < plan.humans; ++h)
            p *= out.marginal[h * out.maxActions + plan.jointActions[m * plan.humans + h]];
        out.mu[m] = p;
    }
    for (int r = 0; r < plan.robotCount; ++r) {
        double q = 0;
        for (int m = 0; m < plan.jointCount; ++m)
            if (out.mu[m] != 0.0)
                q += out.mu[m] * rows.expectRobot(plan.jointOffset[m] + plan.robotOffset[r]);
        out.q_r[r] = q;
    }
    robotPolicy(plan, out.q_r, out.pi_r);
    if constexpr (!Dur) return plan.omega[0];
    double w = 0;
    for (int r = 0; r < plan.robotCount; ++r)
        for (int m = 0; m < plan.jointCount; ++m)
            w += out.pi_r[r] * out.mu[m] * plan.omega[plan.jointOffset[m] + plan.robotOffset[r]];
    return w;
}

/// V_h^e of one human on kLanes lanes.
template <bool Det, bool Dur>
Vector goalAbility(const RowReader<Det, Dur>& rows, int h, int lane, const KernelOutput& out) {
    const KernelPlan& plan = rows.plan;
    const KernelHuman& human = plan.human[h];
    const double* pi =
        out.pi_h + static_cast<std::size_t>(h) * out.maxActions * plan.goalStride + lane;
    Vector value{};
    for (int a = 0; a < human.actions; ++a) {
        Vector sum{};
        const std::uint32_t own = static_cast<std::uint32_t>(a) * human.actionStride;
        for (int k = 0; k < human.othersCount; ++k) {
            double p = 1.0;
            int other = 0;
            for (int j = 0; j < plan.humans; ++j) {
                if (j == h) continue;
                p *= out.marginal[j * out.maxActions +
                                  human.othersAgents[k * (plan.humans - 1) + other++]];
            }
            if (p == 0.0) continue;
            const std::uint32_t base = own + human.othersOffset[k];
            Vector inner{};
            for (int r = 0; r < plan.robotCount; ++r)
                inner +=
                    rows.expect(rows.in.w_h_e, base + plan.robotOffset[r], human.laneBegin + lane) *
                    out.pi_r[r];
            sum += inner * p;
        }
        value += sum * V::load(pi + a * plan.goalStride);
    }
    return value;
}

template <bool Det, bool Dur>
void phase2Rows(const KernelPlan& plan, const KernelInput& in, KernelOutput& out) {
    const RowReader<Det, Dur> rows{plan, in, out.rowBegin};
    const double w = robotQ<Det, Dur>(plan, rows, out);
    double mean = 0;
    out.failedHuman = -1;
    for (int h = 0; h < plan.humans; ++h) {
        const KernelHuman& human = plan.human[h];
        double x = 0;
        for (int lane = 0; lane < human.goals; lane += kLanes) {
            const Vector value = goalAbility<Det, Dur>(rows, h, lane, out);
            V::store(out.v_h_e + human.laneBegin + lane, value);
            const Vector power = plan.zeta == 1.0 ? value : V::pow(value, plan.zeta);
            for (int k = 0; k < kLanes && lane + k < human.goals; ++k)
                x += human.weight[lane + k] * power[k];
        }
        if (x < plan.x_h_floor) x = plan.x_h_floor;
        if (!(x > 0.0) && out.failedHuman < 0) out.failedHuman = h;
        out.x_h[h] = x;
        mean += scalarExp(-plan.xi * scalarLog(x > 0.0 ? x : 1.0));
    }
    mean /= plan.humans;
    out.u_r = -scalarExp(plan.eta * scalarLog(mean));
    double expected = 0;
    for (int r = 0; r < plan.robotCount; ++r) expected += out.pi_r[r] * out.q_r[r];
    out.v_r = w * out.u_r + expected;
}

void phase1(const KernelPlan& plan, const KernelInput& in, KernelOutput& out) {
    const bool durations = plan.discount_h != nullptr;
    if (in.count == nullptr) {
        durations ? phase1Rows<true, true>(plan, in, out) : phase1Rows<true, false>(plan, in, out);
        return;
    }
    countRows(plan, in, out.rowBegin);
    durations ? phase1Rows<false, true>(plan, in, out) : phase1Rows<false, false>(plan, in, out);
}

/// Needs the policies that phase1 left in `out` for the same configuration.
void phase2(const KernelPlan& plan, const KernelInput& in, KernelOutput& out) {
    const bool durations = plan.discount_h != nullptr;
    if (in.count == nullptr) {
        durations ? phase2Rows<true, true>(plan, in, out) : phase2Rows<true, false>(plan, in, out);
        return;
    }
    countRows(plan, in, out.rowBegin);
    durations ? phase2Rows<false, true>(plan, in, out) : phase2Rows<false, false>(plan, in, out);
}
