#include "widgets/figure/figure_file.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <algorithm>

#include "core/base/atomic_write.h"
#include "core/base/error.h"
#include "core/base/text.h"
#include "core/files/source_text.h"
#include "core/files/yaml_tree.h"
#include "widgets/figure/figure_fields.h"

namespace orrery {

namespace {

constexpr mode_t kForOthers = 0666;  // before the umask

const std::vector<std::string>& sourceKeys() {
    static const std::vector<std::string> kKeys = {
        "world", "worldText", "run",   "workspace", "step", "state",   "walk",    "profile",
        "human", "goal",      "agent", "found",     "runs", "current", "metrics", "solve"};
    return kKeys;
}

QJsonValue jsonOf(const YamlNode& node);

QJsonObject objectOf(const YamlNode& node) {
    QJsonObject object;
    for (const YamlMember& member : node.members)
        object.insert(QString::fromStdString(member.name), jsonOf(member.value));
    return object;
}

QJsonValue jsonOf(const YamlNode& node) {
    if (node.kind == YamlNode::Kind::Map) return objectOf(node);
    if (node.kind == YamlNode::Kind::Sequence) {
        QJsonArray array;
        for (const YamlNode& element : node.elements) array.append(jsonOf(element));
        return array;
    }
    if (node.kind == YamlNode::Kind::Null) return QJsonValue::Null;
    const QString text = QString::fromStdString(node.text);
    if (node.isQuoted) return text;
    if (text == QLatin1String("true") || text == QLatin1String("false"))
        return text == QLatin1String("true");
    bool isWhole = false, isNumber = false;
    const qint64 whole = text.toLongLong(&isWhole);
    if (isWhole) return whole;
    const double number = text.toDouble(&isNumber);
    return isNumber ? QJsonValue(number) : QJsonValue(text);
}

void readSource(ValueReader& values, const YamlNode& node, Figure& figure) {
    if (!values.expect(node, "source", YamlNode::Kind::Map)) return;
    for (const YamlMember& member : node.members)
        if (std::ranges::find(sourceKeys(), member.name) == sourceKeys().end())
            values.diagnostics().error(member.place(), "E113",
                                       "source has no key " + quotedValue(member.name),
                                       "known are " + commaList(sourceKeys()));
    figure.source = objectOf(node);
}

void readVersion(ValueReader& values, const YamlNode& node) {
    const auto version = values.integer(node, "orreryFigure", 1, 1'000'000);
    if (version && *version > kFigureVersion)
        values.diagnostics().error(node.place(), "E119",
                                   "version " + std::to_string(*version) +
                                       " is newer than this program's " +
                                       std::to_string(kFigureVersion),
                                   "use a newer Orrery");
}

void readWhole(ValueReader& values, const YamlNode& root, Figure& figure) {
    if (!values.expect(root, "figure", YamlNode::Kind::Map)) return;
    for (const char* needed : {"orreryFigure", "view"})
        if (root.find(needed) == nullptr)
            values.diagnostics().error(root.place(), "E117",
                                       std::string("the figure has no '") + needed + "'",
                                       "save the figure again in the window");
    for (const YamlMember& member : root.members) {
        if (member.name == "orreryFigure") {
            readVersion(values, member.value);
        } else if (member.name == "view") {
            if (const auto view = values.text(member.value, "view"))
                figure.view = QString::fromStdString(*view);
        } else if (member.name == "state") {
            if (values.expect(member.value, "state", YamlNode::Kind::Map))
                figure.state = objectOf(member.value);
        } else if (member.name == "source") {
            readSource(values, member.value, figure);
        } else if (std::ranges::find(figureFields(), member.name) != figureFields().end()) {
            readFigureField(values, member.name, member.value, figure);
        } else {
            values.diagnostics().error(
                member.place(), "E113", "a figure has no key " + quotedValue(member.name),
                "known are orreryFigure, view, state, source, " + commaList(figureFields()));
        }
    }
}

const FigurePreset& presetOf(const std::string& name) {
    std::vector<std::string> known;
    for (const FigurePreset& preset : kFigurePresets) {
        if (name == preset.name) return preset;
        known.emplace_back(preset.name);
    }
    throw Error(
        "--set preset takes one of " + commaList(known) + "; got " + quotedValue(name) + ".",
        Error::Kind::BadInput);
}

void refuseErrors(const Diagnostics& diagnostics) {
    if (!diagnostics.hasErrors()) return;
    std::string text;
    for (const Diagnostic& one : diagnostics.sorted()) {
        if (!text.empty()) text += '\n';
        text += diagnosticLine(one);
    }
    throw Error(text, Error::Kind::BadInput);
}

}  // namespace

Figure parseFigure(std::string_view text, const std::string& file) {
    Diagnostics diagnostics(file);
    Figure figure;
    const LineIndex lines(text);
    if (const auto root = readYaml(lines, diagnostics)) {
        ValueReader values(diagnostics);
        readWhole(values, *root, figure);
    }
    refuseErrors(diagnostics);
    return figure;
}

Figure readFigure(const std::filesystem::path& file) {
    QFile in(QString::fromStdString(file.string()));
    if (!in.open(QIODevice::ReadOnly))
        throw Error("The figure file " + file.string() + " cannot be read: " +
                        in.errorString().toStdString() + ". Name another one.",
                    Error::Kind::Resource);
    // One byte more than is taken, so that the reader sees a file that is too large.
    const QByteArray text = in.read(static_cast<qint64>(kMaxYamlBytes) + 1);
    return parseFigure(std::string_view(text.constData(), static_cast<std::size_t>(text.size())),
                       file.string());
}

QByteArray figureText(const Figure& figure) {
    const QJsonObject json{
        {QStringLiteral("orreryFigure"), kFigureVersion},
        {QStringLiteral("view"), figure.view},
        {QStringLiteral("state"), figure.state},
        {QStringLiteral("source"), figure.source},
        {QStringLiteral("width"), figure.width},
        {QStringLiteral("height"), figure.height},
        {QStringLiteral("dpi"), figure.dpi},
        {QStringLiteral("font"), figure.font},
        {QStringLiteral("theme"), figure.isDark ? QStringLiteral("dark") : QStringLiteral("light")},
        {QStringLiteral("palette"), figure.palette == SequentialMap::Cividis
                                        ? QStringLiteral("cividis")
                                        : QStringLiteral("viridis")},
        {QStringLiteral("legend"), figure.hasLegend},
        {QStringLiteral("footer"), figure.hasFooter},
        {QStringLiteral("caption"), figure.hasCaption},
        {QStringLiteral("title"), figure.title},
        {QStringLiteral("picture"), figure.picture}};
    return QJsonDocument(json).toJson(QJsonDocument::Indented);
}

void writeFigureFile(const std::filesystem::path& file, const Figure& figure) {
    const QByteArray text = figureText(figure);
    atomicWrite(file, std::string_view(text.constData(), static_cast<std::size_t>(text.size())),
                kForOthers);
}

void setFigureField(Figure& figure, const std::string& assignment) {
    const auto equals = assignment.find('=');
    const std::string name = assignment.substr(0, equals);
    if (name == "preset") return applyPreset(presetOf(assignment.substr(equals + 1)), figure);
    if (equals == std::string::npos ||
        (name != "world" && name != "run" &&
         std::ranges::find(figureFields(), name) == figureFields().end()))
        throw Error("--set takes NAME=VALUE with one of " + commaList(figureFields()) +
                        ", preset, world and run; got " + quotedValue(assignment) + ".",
                    Error::Kind::BadInput);
    const std::string value = assignment.substr(equals + 1);
    if (name == "world" || name == "run") {
        figure.source.insert(QString::fromStdString(name), QString::fromStdString(value));
        // What belongs to the former world or run goes.
        const QStringList former =
            name == "world" ? QStringList{QStringLiteral("worldText"), QStringLiteral("run"),
                                          QStringLiteral("walk"), QStringLiteral("profile"),
                                          QStringLiteral("found")}
                            : QStringList{QStringLiteral("solve")};
        for (const QString& key : former) figure.source.remove(key);
        return;
    }
    YamlNode node;
    node.kind = YamlNode::Kind::Scalar;
    node.text = value;
    Diagnostics diagnostics("--set " + name);
    ValueReader values(diagnostics);
    readFigureField(values, name, node, figure);
    if (!diagnostics.hasErrors()) return;
    const Diagnostic first = diagnostics.sorted().front();
    throw Error("--set " + name + ": " + first.message +
                    (first.hint.empty() ? std::string() : "; " + first.hint) + ".",
                Error::Kind::BadInput);
}

std::filesystem::path figureFileOf(const std::filesystem::path& picture) {
    return picture.parent_path() / (picture.stem().string() + kFigureEnding);
}

}  // namespace orrery
