#include "app/cli/env_input.h"

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/run/jobs/environments.h"
#include "core/spec/field.h"
#include "core/spec/field_parts.h"

namespace orrery {

void addEnvOptions(Verb& verb, EnvChoice& choice) {
    verb.option("NAME", &choice.words,
                "Name of an environment (`orrery env list`), then its options as OPTION=VALUE",
                {.isRequired = true});
}

const EnvironmentEntry& entryOf(const EnvChoice& choice) {
    return knownEnvironment(choice.words.front());
}

std::string optionsOf(const EnvChoice& choice) {
    const SpecField json = jsonField("options", "", "");
    FieldMap options;
    for (std::size_t i = 1; i < choice.words.size(); ++i) {
        const std::string& word = choice.words[i];
        const std::size_t equals = word.find('=');
        if (equals == std::string::npos || equals == 0)
            throw Error("An option is written OPTION=VALUE, got '" + escaped(word, 80) + "'.",
                        Error::Kind::BadInput);
        const std::string text = word.substr(equals + 1);
        options.emplace_back(word.substr(0, equals),
                             parseFieldText(json, text).value_or(FieldValue(text)));
    }
    return fieldText(options);
}

}  // namespace orrery
