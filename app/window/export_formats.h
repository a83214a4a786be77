#pragma once

#include <vector>

#include "app/export/export_table.h"
#include "widgets/export/export_form.h"

namespace orrery {

/// A format whose file ends as it is called.
ExportFormatSpec formatSpec(const char* id, const QString& title, bool isFilm = false);

/// CSV and TSV; and CSV, JSON and npz.
std::vector<ExportFormatSpec> textFormats();
std::vector<ExportFormatSpec> dataFormats();
/// By the id of one of dataFormats().
ExportFormat dataFormatOf(const QString& id);

}  // namespace orrery
