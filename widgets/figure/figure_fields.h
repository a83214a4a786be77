#pragma once

#include <string>
#include <vector>

#include "core/files/value_reader.h"
#include "widgets/figure/figure.h"

namespace orrery {

/// Names of the fields of a page: "width", "theme", ...
const std::vector<std::string>& figureFields();

/// Reads one of them; what is wrong is told to the reader's diagnostics.
void readFigureField(ValueReader& values, const std::string& name, const YamlNode& node,
                     Figure& figure);

/// Makes the page one of a preset; it keeps its shape.
void applyPreset(const FigurePreset& preset, Figure& figure);

}  // namespace orrery
