#pragma once

#include <algorithm>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/env/picture.h"
#include "core/run/job.h"
#include "core/trace/stage_spans.h"
#include "core/train/training_flow.h"
#include "core/train/training_snapshot.h"
#include "core/train/training_stage.h"

namespace orrery {

struct TrainSnapshot;

/// A chart of a training's curves. Names and titles may have symbols as "V_h^e".
struct CurveChart {
    struct Line {
        std::string curve;  ///< "Loss/v_h_e"
        std::string name;   ///< in the legend
        int color = 0;      ///< index of the data colours
    };
    std::string id;  ///< of a window's state: "train/loss"
    std::string title;
    std::string unit = {};
    std::vector<Line> lines = {};
    bool isLog = false;
    bool isPlanned = false;         ///< follows from the step alone: there is nothing to smooth
    std::string withoutExact = {};  ///< why it is empty where no world is solved exactly
};

/// One line of what a training is doing now.
struct TrainingFact {
    using Value = std::variant<std::string, std::int64_t, double>;
    std::string part, what;
    Value value;
};

/// What an actor of a training sees and does at a moment.
struct ActorView {
    Picture picture = {};
    std::string remark = {};  ///< below it: "human0 goes to 3,1", or what went wrong
    /// What is in the picture, as a table.
    std::vector<std::string> columns = {};
    std::vector<std::vector<TrainingFact::Value>> rows = {};
};

/// A choice that sets several fields at once, above the others in a form.
struct FormSwitch {
    std::string label, tip;
    std::vector<std::string> choices;
    std::function<int(const Job&)> chosen;
    std::function<void(Job&, int)> choose = {};
    std::string mixedField = {};  ///< the last choice only comes about: by this field and its like
};

/// How the trainings of a kind are shown: all that a window, a report or a figure asks about a
/// method beside its fields.
struct TrainingDisplay {
    std::string stepName = "step";            ///< of x axes
    std::string unitName = "training steps";  ///< what steps count
    std::string axisName = "training step";   ///< where axes are chosen
    std::string beginning = "Starts";         ///< what it does until it has numbers
    /// In their order: whether it works first, then why.
    std::vector<CurveChart> charts = {};
    /// That a condition of its end looks at most, while there is no curve yet.
    std::vector<std::string> stopCurves = {};
    /// How the curves begin that say what it comes to, in reports and in tables of runs.
    std::vector<std::string> resultCurves = {"Loss/"};
    /// Which curves say what an episode comes to, its reward in sum, its steps, and the share that
    /// ends well; empty: none. Compare lays those of all kinds on one chart.
    std::string returnCurve = {}, lengthCurve = {}, successCurve = {};
    std::optional<FormSwitch> formSwitch = {};
    /// In their order, those beyond the last step too; empty: it has none.
    std::function<std::vector<TrainingStage>(const Job&)> stages = {};
    /// What is said above the fields that can be steered.
    std::function<std::string(const Job&)> steeringRemark = {};
    /// Of a live field that holds a rate at the start, which falls or follows a schedule by itself:
    /// what it is at a step; nothing of others. Empty: there are none.
    std::function<std::optional<double>(const Job& job, std::string_view field, std::int64_t step)>
        rateNow = {};
    /// Beside what is there of every training. @param job  with the changes made so far
    std::function<std::vector<TrainingFact>(const Job& job, const TrainingSnapshot&)> facts = {};
    /// Of all kinds of spans that its recordings may have.
    std::vector<SpanWords> spans = commonSpans();
    std::function<TrainingFlow(const Job& job, const TrainingSnapshot&)> flow = {};
    /// Of the flow's actors; null: they have nothing to show.
    /// @param actor  index into TrainingFlow::actors
    std::function<ActorView(const TrainSnapshot&, std::size_t actor, const PictureWish&)>
        actorView = {};
    /// What speed depends on most: trainings with the same text are about as fast; empty: all are.
    std::function<std::string(const Job&)> speedKey = {};

    bool isResult(std::string_view curve) const {
        return std::ranges::any_of(resultCurves,
                                   [&](const auto& b) { return curve.starts_with(b); });
    }
};

}  // namespace orrery
