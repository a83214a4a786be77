#include "widgets/train/chart_plan.h"

namespace orrery {

namespace {

constexpr std::array<ChartPlan, 9> kCharts{{
    {"train/error",
     "Error to exact",
     "mean |learned − exact|",
     true,
     {{{"Exact/v_h_e", "V_h^e", 0}, {"Exact/pi_r", "pi_r", 1}, {"Exact/pi_h", "pi_h", 2}}}},
    {"train/loss",
     "Loss",
     "log",
     true,
     {{{"Loss/v_h_e", "V_h^e", 0},
       {"Loss/x_h", "X_h", 2},
       {"Loss/u_r", "U_r", 3},
       {"Loss/q_r", "Q_r", 1},
       {"Loss/v_r", "V_r", 4},
       {"Loss/q_h", "Q_h", 5}}}},
    {"train/q_r",
     "Q_r",
     "mean of a batch",
     false,
     {{{"Predictions/q_r_mean", "prediction", 1}, {"Targets/q_r_mean", "target", 2}}}},
    {"train/exploration",
     "Exploration",
     "share of actions",
     false,
     {{{"Exploration/epsilon_r", "epsilon_r", 2}, {"Exploration/epsilon_h", "epsilon_h", 0}}},
     true},
    {"train/power",
     "Effective beta_r",
     "",
     false,
     {{{"Warmup/effective_beta_r", "beta_r", 3}}},
     true},
    {"train/speed",
     "Speed",
     "per second",
     true,
     {{{"Rates/training_steps_per_second", "training steps", 0},
       {"Rates/environment_steps_per_second", "env steps", 1}}}},
    {"train/gradient",
     "Gradient norm",
     "log",
     true,
     {{{"GradNorm/v_h_e", "V_h^e", 0}, {"GradNorm/x_h", "X_h", 2}, {"GradNorm/q_r", "Q_r", 1}}}},
    {"train/v_h_e",
     "V_h^e",
     "mean of a batch",
     false,
     {{{"Predictions/v_h_e_mean", "prediction", 0}, {"Targets/v_h_e_mean", "target", 2}}}},
    {"train/x_h",
     "X_h",
     "mean of a batch",
     false,
     {{{"Predictions/x_h_mean", "prediction", 0}, {"Targets/x_h_mean", "target", 2}}}},
}};

}  // namespace

std::span<const ChartPlan> trainCharts() {
    return kCharts;
}

}  // namespace orrery
