#include <algorithm>
#include <string_view>

#include "core/base/text.h"
#include "core/run/field_parts.h"
#include "core/run/steering.h"
#include "core/run/train_fields.h"

namespace orrery {

/// A list of numbers as one text: "0.06,0.18,0.18,0.58".
SpecField probabilitiesField(std::string name, std::string label, std::string meaning,
                             std::vector<double> EmpoSpec::*member) {
    SpecField field = textField(std::move(name), std::move(label), false, std::move(meaning));
    field.isExpert = true;
    field.get = [member](const RunSpec& spec) -> FieldValue {
        std::string text;
        for (const double p : partOf<TrainJob>(spec).empo.*member)
            text += (text.empty() ? "" : ",") + formatDouble(p);
        return text;
    };
    field.set = [member](RunSpec& spec, const FieldValue& value) {
        std::vector<double>& policy = partOf<TrainJob>(spec).empo.*member;
        policy.clear();
        std::string_view rest = std::get<std::string>(value);
        while (!rest.empty()) {
            const std::size_t end = std::min(rest.find(','), rest.size());
            // What is no number is no probability either, which validate() says.
            policy.push_back(parseDouble(rest.substr(0, end)).value_or(-1));
            rest.remove_prefix(std::min(end + 1, rest.size()));
        }
    };
    return field;
}

/// "2000 lr_q_r=0.0005" for each.
SpecField changesField() {
    SpecField field = textsField("changes", "Changes", false,
                                 "Changes while the run trains, each as \"STEP KEY=VALUE\": "
                                 "how a steered run is repeated.");
    field.isExpert = true;
    field.get = [](const RunSpec& spec) -> FieldValue {
        std::vector<std::string> texts;
        for (const TrainChange& change : partOf<TrainJob>(spec).changes)
            texts.push_back(changeText(change));
        return textsValue(texts);
    };
    field.set = [](RunSpec& spec, const FieldValue& value) {
        std::vector<TrainChange>& changes = partOf<TrainJob>(spec).changes;
        changes.clear();
        // A text that is no change gets the key "", which validate() refuses.
        for (const std::string& text : textsOf(std::get<std::string>(value)))
            changes.push_back(
                changeOf(text).value_or(TrainChange{.step = -1, .value = text, .source = "spec"}));
    };
    return field;
}

}  // namespace orrery
