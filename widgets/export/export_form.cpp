#include "widgets/export/export_form.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QStandardPaths>
#include <QVBoxLayout>
#include <algorithm>

#include "widgets/common/parts.h"
#include "widgets/common/tokens.h"
#include "widgets/common/written_file.h"

namespace orrery {

namespace {

constexpr int kLeastWidth = 520;

QString startFolder() {
    const QString documents = QStandardPaths::writableLocation(QStandardPaths::DocumentsLocation);
    return QFileInfo(documents).isDir() ? documents : QDir::homePath();
}

}  // namespace

ExportForm::ExportForm(QWidget* parent) : QDialog(parent), m_folder(startFolder()) {
    setObjectName(QStringLiteral("exportForm"));
    setWindowTitle(tr("Export"));
    setModal(false);
    setMinimumWidth(kLeastWidth);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(16, 16, 16, 16);
    column->setSpacing(12);
    m_form = new QFormLayout;
    m_form->setVerticalSpacing(8);
    m_form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    m_what = addBox(m_form, "exportWhat", tr("What"));
    m_format = addBox(m_form, "exportFormat", tr("Format"));
    m_form->addRow(tr("File"), makeTargetRow());
    m_all = new QCheckBox(tr("All points, not only the visible range"), this);
    m_all->setObjectName(QStringLiteral("exportAll"));
    m_form->addRow(QString(), m_all);
    m_rate = addNumberRow(m_form, "exportRate", tr("Frames a second"), 1, 50, 4);
    m_cell = addNumberRow(m_form, "exportCell", tr("Cell, pixels"), 8, 256, 48);
    m_episodes = addNumberRow(m_form, "exportEpisodes", tr("Episodes"), 1, 1'000'000, 100);
    m_colors = addBox(m_form, "exportColors", tr("Colours"));
    m_colors->addItems({tr("Light"), tr("Dark")});
    m_overlay = new QCheckBox(tr("Values and arrows as shown now"), this);
    m_overlay->setObjectName(QStringLiteral("exportOverlay"));
    m_overlay->setChecked(true);
    m_form->addRow(QString(), m_overlay);
    column->addLayout(m_form);
    m_remark = makeLabel({}, "hint", this);
    m_remark->setObjectName(QStringLiteral("exportRemark"));
    m_remark->setWordWrap(true);
    column->addWidget(m_remark);
    m_problem = makeLabel({}, "problem", this);
    m_problem->setObjectName(QStringLiteral("exportProblem"));
    m_problem->setWordWrap(true);
    column->addWidget(m_problem);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel, this);
    m_export = buttons->addButton(tr("Export"), QDialogButtonBox::AcceptRole);
    m_export->setObjectName(QStringLiteral("exportButton"));
    m_export->setProperty("look", QStringLiteral("primary"));
    m_export->setDefault(true);
    for (QAbstractButton* button : buttons->buttons()) button->setIcon(QIcon());
    restyle(m_export);
    column->addWidget(buttons);
    connect(buttons, &QDialogButtonBox::accepted, this, &ExportForm::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(m_what, &QComboBox::currentIndexChanged, this, &ExportForm::showFormats);
    connect(m_format, &QComboBox::currentIndexChanged, this, [this] {
        if (format()) m_wantedFormat = format()->id;
        proposeTarget();
        refresh();
    });
    connect(m_rate, &QSpinBox::valueChanged, this, &ExportForm::refresh);
}

QComboBox* ExportForm::addBox(QFormLayout* form, const char* name, const QString& text) {
    auto* box = new QComboBox(this);
    box->setObjectName(QLatin1String(name));
    box->setAccessibleName(text);
    form->addRow(text, box);
    return box;
}

QWidget* ExportForm::makeTargetRow() {
    auto* row = new QWidget(this);
    auto* layout = new QHBoxLayout(row);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(8);
    m_target = new QLineEdit(row);
    m_target->setObjectName(QStringLiteral("exportTarget"));
    m_target->setAccessibleName(tr("File or folder to write"));
    auto* browse = new QPushButton(tr("Browse..."), row);
    browse->setObjectName(QStringLiteral("exportBrowse"));
    browse->setAutoDefault(false);
    layout->addWidget(m_target, 1);
    layout->addWidget(browse);
    row->setObjectName(QStringLiteral("exportTargetRow"));
    row->setFocusProxy(m_target);
    connect(browse, &QPushButton::clicked, this, &ExportForm::browse);
    connect(m_target, &QLineEdit::textEdited, this, [this] { m_isNamedByHand = true; });
    connect(m_target, &QLineEdit::textChanged, this, &ExportForm::refresh);
    return row;
}

void ExportForm::offer(std::vector<ExportItem> items, const QString& item, const QString& format) {
    m_isNamedByHand = false;
    if (!format.isEmpty()) m_wantedFormat = format;
    m_colors->setCurrentIndex(&currentTokens() == &darkTokens() ? 1 : 0);
    {
        const QSignalBlocker quiet(m_what);
        m_items = std::move(items);
        m_what->clear();
        for (const ExportItem& entry : m_items) m_what->addItem(entry.title);
        const auto at = std::ranges::find(m_items, item, &ExportItem::id);
        m_what->setCurrentIndex(at == m_items.end() ? 0 : static_cast<int>(at - m_items.begin()));
    }
    showFormats();
    m_target->setFocus(Qt::OtherFocusReason);
    m_target->selectAll();
}

const ExportItem* ExportForm::item() const {
    const int index = m_what->currentIndex();
    return index < 0 || index >= static_cast<int>(m_items.size())
               ? nullptr
               : &m_items[static_cast<std::size_t>(index)];
}

const ExportFormatSpec* ExportForm::format() const {
    const ExportItem* of = item();
    const int index = m_format->currentIndex();
    return !of || index < 0 || index >= static_cast<int>(of->formats.size())
               ? nullptr
               : &of->formats[static_cast<std::size_t>(index)];
}

void ExportForm::showFormats() {
    const ExportItem* of = item();
    if (!of) return;
    {
        const QSignalBlocker quiet(m_format);
        m_format->clear();
        for (const ExportFormatSpec& entry : of->formats) m_format->addItem(entry.title);
        const auto at = std::ranges::find(of->formats, m_wantedFormat, &ExportFormatSpec::id);
        m_format->setCurrentIndex(
            at == of->formats.end() ? 0 : static_cast<int>(at - of->formats.begin()));
    }
    proposeTarget();
    refresh();
}

void ExportForm::proposeTarget() {
    if (!format()) return;
    const QString dot = format()->ending.isEmpty() ? QString() : u'.' + format()->ending;
    QString stem = item()->stem;
    if (m_isNamedByHand) {
        // The name stays, the ending follows the format.
        const QFileInfo named(m_target->text());
        m_target->setText(QDir(named.path()).filePath(named.completeBaseName() + dot));
        return;
    }
    for (const char16_t c : {u'/', u'\\', u':'}) stem.replace(QChar(c), QLatin1Char('-'));
    m_target->setText(QDir(m_folder).filePath(stem + dot));
}

ExportRequest ExportForm::request() const {
    ExportRequest request;
    if (!item() || !format()) return request;
    request.item = item()->id;
    request.format = format()->id;
    const QString typed = m_target->text().trimmed();
    request.target =
        typed.isEmpty() ? QString() : QDir(m_folder).absoluteFilePath(homeExpanded(typed));
    request.isAll = m_all->isChecked();
    request.framesPerSecond = m_rate->value();
    request.cellSize = m_cell->value();
    request.isDark = m_colors->currentIndex() == 1;
    request.hasOverlay = m_overlay->isChecked();
    request.episodes = m_episodes->value();
    return request;
}

void ExportForm::refresh() {
    if (!item() || !format()) return;
    const bool isFilm = format()->isFilm;
    const bool isFolder = format()->ending.isEmpty();
    if (auto* label = qobject_cast<QLabel*>(m_form->labelForField(m_target->parentWidget())))
        label->setText(isFolder ? tr("Folder") : tr("File"));
    m_form->setRowVisible(m_all, item()->hasRange);
    m_form->setRowVisible(m_rate, isFilm && !isFolder);
    m_form->setRowVisible(m_cell, isFilm);
    m_form->setRowVisible(m_episodes, item()->mostEpisodes > 0);
    if (item()->mostEpisodes > 0) m_episodes->setMaximum(item()->mostEpisodes);
    m_form->setRowVisible(m_colors, isFilm);
    m_form->setRowVisible(m_overlay, isFilm && item()->hasOverlay);
    QString remark = item()->remark;
    if (isFilm && !isFolder)
        remark +=
            tr(" · %1 s").arg(static_cast<double>(item()->frames) / m_rate->value(), 0, 'f', 1);
    const QFileInfo target(request().target);
    QString problem;
    if (request().target.isEmpty())
        problem = isFolder ? tr("Name a folder.") : tr("Name a file.");
    else if (!target.dir().exists())
        problem = tr("The folder %1 does not exist.").arg(target.path());
    else if (!isFolder && target.isDir())
        problem = tr("%1 is a folder: name a file in it.").arg(target.fileName());
    else if (!isFolder && target.exists())
        remark += tr(" · replaces the file %1").arg(target.fileName());
    m_remark->setText(remark);
    m_problem->setText(problem);
    m_problem->setVisible(!problem.isEmpty());
    m_export->setEnabled(problem.isEmpty());
    m_export->setToolTip(problem.isEmpty() ? tr("Writes %1").arg(request().target) : problem);
    adjustSize();
}

void ExportForm::browse() {
    const bool isFolder = format() && format()->ending.isEmpty();
    // What exists is asked for when it is to be written: once, however it was named.
    const QString chosen = QFileDialog::getSaveFileName(
        this, isFolder ? tr("Folder to write") : tr("File to write"), request().target,
        isFolder ? QString() : tr("%1 (*.%2)").arg(format()->title, format()->ending), nullptr,
        QFileDialog::DontConfirmOverwrite);
    if (chosen.isEmpty()) return;
    m_isNamedByHand = true;
    m_target->setText(chosen);
}

bool ExportForm::mayWrite(const ExportRequest& wanted) {
    if (format()->isFilm && format()->ending.isEmpty()) return mayReplaceFilm(this, wanted.target);
    if (format()->besides.isEmpty()) return mayReplace(this, {wanted.target});
    QString stem = wanted.target;
    if (stem.endsWith(u'.' + format()->ending)) stem.chop(format()->ending.size() + 1);
    QStringList files{stem + u'.' + format()->ending};
    for (const QString& ending : format()->besides) files << stem + u'.' + ending;
    return mayReplace(this, files);
}

void ExportForm::accept() {
    if (!m_export->isEnabled()) return;
    const ExportRequest wanted = request();
    if (!mayWrite(wanted)) return;
    m_folder = QFileInfo(wanted.target).path();
    QDialog::accept();
    Q_EMIT requested(wanted);
}

}  // namespace orrery
