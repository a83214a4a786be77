#include "app/window/export_formats.h"

#include <QObject>

namespace orrery {

ExportFormatSpec formatSpec(const char* id, const QString& title, bool isFilm) {
    return {.id = QLatin1String(id), .title = title, .ending = QLatin1String(id), .isFilm = isFilm};
}

std::vector<ExportFormatSpec> textFormats() {
    return {formatSpec("csv", QObject::tr("CSV table")),
            formatSpec("tsv", QObject::tr("TSV table (tabs)"))};
}

std::vector<ExportFormatSpec> dataFormats() {
    return {formatSpec("csv", QObject::tr("CSV table")), formatSpec("json", QObject::tr("JSON")),
            formatSpec("npz", QObject::tr("NumPy arrays"))};
}

ExportFormat dataFormatOf(const QString& id) {
    if (id == QLatin1String("json")) return ExportFormat::Json;
    return id == QLatin1String("npz") ? ExportFormat::Npz : ExportFormat::Csv;
}

}  // namespace orrery
