#include "widgets/figure/figure_fields.h"

#include <algorithm>
#include <array>

namespace orrery {

namespace {

void readNumber(ValueReader& values, const std::string& name, const YamlNode& node, double low,
                double high, double& number) {
    if (const auto value = values.number(node, name, low, high)) number = *value;
}

void readText(ValueReader& values, const std::string& name, const YamlNode& node, QString& text) {
    if (node.kind == YamlNode::Kind::Null)
        text.clear();
    else if (const auto value = values.text(node, name))
        text = QString::fromStdString(*value);
}

}  // namespace

const std::vector<std::string>& figureFields() {
    static const std::vector<std::string> kNames = {"width",   "height",  "dpi",    "font",
                                                    "theme",   "palette", "legend", "footer",
                                                    "caption", "title",   "picture"};
    return kNames;
}

void readFigureField(ValueReader& values, const std::string& name, const YamlNode& node,
                     Figure& figure) {
    if (name == "width")
        return readNumber(values, name, node, kLeastFigureMm, kMostFigureMm, figure.width);
    if (name == "height")
        return readNumber(values, name, node, kLeastFigureMm, kMostFigureMm, figure.height);
    if (name == "font")
        return readNumber(values, name, node, kLeastFigureFont, kMostFigureFont, figure.font);
    if (name == "title") return readText(values, name, node, figure.title);
    if (name == "picture") return readText(values, name, node, figure.picture);
    if (name == "dpi") {
        if (const auto dpi = values.integer(node, name, kLeastFigureDpi, kMostFigureDpi))
            figure.dpi = static_cast<int>(*dpi);
    } else if (name == "legend") {
        if (const auto legend = values.truth(node, name)) figure.hasLegend = *legend;
    } else if (name == "footer") {
        if (const auto footer = values.truth(node, name)) figure.hasFooter = *footer;
    } else if (name == "caption") {
        if (const auto caption = values.truth(node, name)) figure.hasCaption = *caption;
    } else if (name == "theme") {
        static const std::array<std::string, 2> kThemes = {"light", "dark"};
        if (const auto theme = values.choice(node, name, kThemes)) figure.isDark = *theme == 1;
    } else if (name == "palette") {
        static const std::array<std::string, 2> kPalettes = {"viridis", "cividis"};
        if (const auto palette = values.choice(node, name, kPalettes))
            figure.palette = *palette == 1 ? SequentialMap::Cividis : SequentialMap::Viridis;
    }
}

void applyPreset(const FigurePreset& preset, Figure& figure) {
    figure.height =
        std::clamp(figure.height * preset.width / figure.width, kLeastFigureMm, kMostFigureMm);
    figure.width = preset.width;
    figure.font = preset.font;
    figure.hasFooter = false;
}

}  // namespace orrery
