#include "widgets/spec/form_fields.h"

#include <QGridLayout>
#include <algorithm>
#include <string>

namespace orrery {

namespace {

constexpr int kNameGap = 8, kRowGap = 6;  // pixels

bool isInForm(const RunField& field) {
    static const std::vector<std::string> kElsewhere = {"world",    "world_text", "lenient",
                                                        "from_run", "from_step",  "changes"};
    return field.type != FieldType::Rules &&
           std::ranges::find(kElsewhere, field.name) == kElsewhere.end();
}

}  // namespace

std::vector<const RunField*> firstFormFields(const RunKind& kind) {
    std::vector<const RunField*> fields;
    for (const std::string& name : kind.firstFields)
        if (const RunField* field = findField(kind.name, name)) fields.push_back(field);
    if (kind.firstFields.empty())
        for (const RunField& field : kind.fields)
            if (isInForm(field) && !field.isExpert) fields.push_back(&field);
    return fields;
}

std::vector<const RunField*> formFields(const RunKind& kind) {
    std::vector<const RunField*> fields;
    if (kind.isTraining())
        for (const RunField& field : runFields())
            if (field.name == "seed") fields.push_back(&field);
    for (const RunField& field : kind.fields)
        if (isInForm(field)) fields.push_back(&field);
    return fields;
}

QGridLayout* makeFormGrid(QWidget* part, int editorWidth) {
    auto* grid = new QGridLayout(part);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(kNameGap);
    grid->setVerticalSpacing(kRowGap);
    grid->setColumnStretch(0, 1);
    grid->setColumnMinimumWidth(1, editorWidth);
    return grid;
}

}  // namespace orrery
