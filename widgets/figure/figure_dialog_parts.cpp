// The controls of the figure dialog.
#include <QCheckBox>
#include <QComboBox>
#include <QDir>
#include <QDoubleSpinBox>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QVBoxLayout>
#include <algorithm>

#include "widgets/bridge/background_worker.h"
#include "widgets/common/message_strip.h"
#include "widgets/common/parts.h"
#include "widgets/figure/figure_dialog.h"
#include "widgets/figure/figure_preview.h"

namespace orrery {

namespace {

constexpr int kFormWidth = 300;

void name(QWidget* control, const char* id, const QString& words, const QString& tip) {
    control->setObjectName(QLatin1String(id));
    control->setAccessibleName(words);
    control->setToolTip(tip);
}

int labelsWidth(const QFormLayout& form) {
    int width = 0;
    for (int row = 0; row < form.rowCount(); ++row)
        if (const QLayoutItem* label = form.itemAt(row, QFormLayout::LabelRole))
            width = std::max(width, label->sizeHint().width());
    return width;
}

}  // namespace

FigureDialog::FigureDialog(SourceOf sourceOf, QWidget* parent)
    : QDialog(parent),
      m_sourceOf(std::move(sourceOf)),
      m_view(new QComboBox(this)),
      m_format(new QComboBox(this)),
      m_theme(new QComboBox(this)),
      m_preset(new QComboBox(this)),
      m_width(makeNumber("figureWidth", tr("Width of the page"), kLeastFigureMm, kMostFigureMm,
                         tr(" mm"))),
      m_height(makeNumber("figureHeight", tr("Height of the page"), kLeastFigureMm, kMostFigureMm,
                          tr(" mm"))),
      m_font(makeNumber("figureFont", tr("Size of the body text on paper"), kLeastFigureFont,
                        kMostFigureFont, tr(" pt"))),
      m_dpi(new QSpinBox(this)),
      m_legend(new QCheckBox(tr("&Legend"), this)),
      m_footer(new QCheckBox(tr("Foot&er of charts"), this)),
      m_caption(new QCheckBox(tr("C&aption: bands, n, smoothing"), this)),
      m_title(new QLineEdit(this)),
      m_file(new QLineEdit(QDir::home().filePath(QStringLiteral("figure.svg")), this)),
      m_browse(new QPushButton(tr("&Browse..."), this)),
      m_save(new QPushButton(tr("Sa&ve figure file"), this)),
      m_copy(new QPushButton(tr("&Copy command line"), this)),
      m_export(new QPushButton(tr("E&xport"), this)),
      m_preview(new FigurePreview(this)),
      m_strip(new MessageStrip(this)),
      m_worker(new BackgroundWorker(this)) {
    setObjectName(QStringLiteral("figureDialog"));
    setWindowTitle(tr("Export figure"));
    setModal(false);
    const Figure plain;
    m_width->setValue(plain.width);
    m_height->setValue(plain.height);
    m_font->setValue(plain.font);
    makeLayout();
    const auto changed = [this] {
        if (!m_isTaking) change();
    };
    connect(m_view, &QComboBox::currentIndexChanged, this, [this] {
        if (!m_isTaking) takeView();
    });
    connect(m_format, &QComboBox::currentIndexChanged, this, [this] {
        if (!m_isTaking) takeFormat();
    });
    connect(m_theme, &QComboBox::currentIndexChanged, this, changed);
    for (QDoubleSpinBox* box : {m_width, m_height, m_font})
        connect(box, &QDoubleSpinBox::valueChanged, this, changed);
    connect(m_dpi, &QSpinBox::valueChanged, this, changed);
    for (QCheckBox* box : {m_legend, m_footer, m_caption})
        connect(box, &QCheckBox::toggled, this, changed);
    connect(m_preset, &QComboBox::activated, this, &FigureDialog::takePreset);
    connect(m_title, &QLineEdit::textEdited, this, [this] { m_hasOwnTitle = true; });
    connect(m_title, &QLineEdit::textChanged, this, changed);
    connect(m_file, &QLineEdit::editingFinished, this, [this] {
        if (m_file->isModified()) takeFile();
    });
    connect(m_browse, &QPushButton::clicked, this, &FigureDialog::browse);
    connect(m_export, &QPushButton::clicked, this, &FigureDialog::exportPicture);
    connect(m_save, &QPushButton::clicked, this, &FigureDialog::saveFigure);
    connect(m_copy, &QPushButton::clicked, this, &FigureDialog::copyCommand);
}

QDoubleSpinBox* FigureDialog::makeNumber(const char* id, const QString& tip, double low,
                                         double high, const QString& suffix) {
    auto* box = new QDoubleSpinBox(this);
    name(box, id, tip, tip);
    box->setRange(low, high);
    box->setDecimals(1);
    box->setAlignment(Qt::AlignRight);
    box->setSuffix(suffix);
    return box;
}

void FigureDialog::makeForm(QFormLayout* form) {
    const Figure plain;
    m_format->addItems({QStringLiteral("PNG"), QStringLiteral("SVG"), QStringLiteral("PDF")});
    m_format->setCurrentIndex(1);
    m_theme->addItems({tr("Light, for paper"), tr("Dark, for slides")});
    m_dpi->setRange(kLeastFigureDpi, kMostFigureDpi);
    m_dpi->setValue(plain.dpi);
    m_dpi->setSuffix(tr(" dpi"));
    m_dpi->setAlignment(Qt::AlignRight);
    m_legend->setChecked(plain.hasLegend);
    m_footer->setChecked(plain.hasFooter);
    m_caption->setChecked(plain.hasCaption);
    m_preset->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_preset->addItem(tr("Own size"));
    for (const FigurePreset& preset : kFigurePresets) m_preset->addItem(tr(preset.text));
    name(m_view, "figureView", tr("Picture"), tr("Which of the drawn views"));
    name(m_format, "figureFormat", tr("Format"),
         tr("SVG and PDF keep text and lines; PNG has pixels"));
    name(m_theme, "figureTheme", tr("Colours"), tr("Colours of the figure"));
    name(m_dpi, "figureDpi", tr("Dots per inch"), tr("How fine a PNG is"));
    name(m_legend, "figureLegend", tr("Legend"), tr("Says below the picture what its signs mean"));
    name(m_footer, "figureFooter", tr("Footer"),
         tr("Says how many points a chart draws; values that it cannot show are always told"));
    name(m_caption, "figureCaption", tr("Caption"),
         tr("Says below the picture what its bands are, of how many runs, and what is smoothed"));
    name(m_preset, "figurePreset", tr("Page"), tr("Width and text size as journals want them"));
    name(m_title, "figureTitle", tr("Title"), tr("A line above the picture; empty for none"));
    name(m_file, "figureFile", tr("File"), tr("Where the picture is written"));
    name(m_browse, "figureBrowse", tr("Browse"), tr("Chooses the file"));
    name(
        m_save, "figureSave", tr("Save figure file"),
        tr("Writes NAME.orrery-figure.json beside the picture: what is drawn, from what, and how"));
    name(m_copy, "figureCopy", tr("Copy command line"),
         tr("Saves the figure file and copies the command that draws the picture again"));
    name(m_export, "figureExport", tr("Export"), tr("Writes the picture"));
    form->addRow(tr("&Picture"), m_view);
    form->addRow(tr("&Format"), m_format);
    form->addRow(tr("Pa&ge"), m_preset);
    form->addRow(tr("&Width"), m_width);
    form->addRow(tr("&Height"), m_height);
    form->addRow(tr("&Resolution"), m_dpi);
    form->addRow(tr("Text &size"), m_font);
    form->addRow(tr("C&olours"), m_theme);
    form->addRow(tr("&Title"), m_title);
    form->addRow(QString(), m_legend);
    form->addRow(QString(), m_footer);
    form->addRow(QString(), m_caption);
}

void FigureDialog::makeLayout() {
    auto* form = new QFormLayout;
    form->setSpacing(8);
    form->setLabelAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    makeForm(form);
    auto* side = new QWidget(this);
    side->setFixedWidth(kFormWidth);
    auto* column = new QVBoxLayout(side);
    column->setContentsMargins(0, 0, 0, 0);
    column->addLayout(form);
    column->addStretch(1);
    auto* middle = new QHBoxLayout;
    middle->setSpacing(16);
    middle->addWidget(side);
    middle->addWidget(m_preview, 1);
    auto* file = new QHBoxLayout;
    file->setSpacing(8);
    auto* label = new QLabel(tr("F&ile"), this);
    label->setBuddy(m_file);
    label->setMinimumWidth(labelsWidth(*form));
    file->addWidget(label);
    file->addWidget(m_file, 1);
    file->addWidget(m_browse);
    auto* close = new QPushButton(tr("Close"), this);
    close->setObjectName(QStringLiteral("figureClose"));
    connect(close, &QPushButton::clicked, this, &QDialog::reject);
    for (QPushButton* button : {m_browse, m_save, m_copy, close}) button->setAutoDefault(false);
    m_export->setDefault(true);
    m_export->setProperty("look", QStringLiteral("primary"));
    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(8);
    buttons->addWidget(m_save);
    buttons->addWidget(m_copy);
    buttons->addStretch(1);
    buttons->addWidget(close);
    buttons->addWidget(m_export);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(16, 12, 16, 16);
    layout->setSpacing(12);
    layout->addLayout(middle, 1);
    m_strip->floatOver(m_preview);
    layout->addLayout(file);
    layout->addLayout(buttons);
    resize(820, 520);
}

}  // namespace orrery
