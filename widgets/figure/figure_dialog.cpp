#include "widgets/figure/figure_dialog.h"

#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QDir>
#include <QDoubleSpinBox>
#include <QEvent>
#include <QFile>
#include <QFileDialog>
#include <QFileInfo>
#include <QGuiApplication>
#include <QLineEdit>
#include <QPushButton>
#include <QScopedValueRollback>
#include <QSpinBox>
#include <algorithm>
#include <cmath>
#include <memory>

#include "core/base/error.h"
#include "widgets/bridge/background_worker.h"
#include "widgets/common/draws_figure.h"
#include "widgets/common/message_strip.h"
#include "widgets/common/written_file.h"
#include "widgets/figure/figure_fields.h"
#include "widgets/figure/figure_file.h"
#include "widgets/figure/figure_preview.h"
#include "widgets/figure/figure_writer.h"

namespace orrery {

namespace {

/// A name that a shell takes as one word.
QString quotedForShell(const QString& text) {
    return u'\'' + QString(text).replace(u'\'', QStringLiteral("'\\''")) + u'\'';
}

}  // namespace

void FigureDialog::offer(const std::vector<QWidget*>& widgets, const QWidget* current) {
    for (const Offer& offer : m_offers)
        if (offer.widget) offer.widget->removeEventFilter(this);
    m_offers.clear();
    const QScopedValueRollback taking(m_isTaking, true);
    m_view->clear();
    for (QWidget* widget : widgets) {
        auto* drawer = dynamic_cast<DrawsFigure*>(widget);
        if (drawer == nullptr) continue;
        m_offers.push_back({drawer, widget});
        widget->installEventFilter(this);
        for (QWidget* part : widget->findChildren<QWidget*>()) part->installEventFilter(this);
        m_view->addItem(drawer->figureName());
        if (widget == current) m_view->setCurrentIndex(m_view->count() - 1);
    }
    takeView();
}

DrawsFigure* FigureDialog::view() const {
    const int index = m_view->currentIndex();
    if (index < 0 || index >= std::ssize(m_offers)) return nullptr;
    const Offer& offer = m_offers[static_cast<std::size_t>(index)];
    return offer.widget ? offer.view : nullptr;
}

/// The page gets the shape of the view; what a person typed as a title stays.
void FigureDialog::takeView() {
    const QScopedValueRollback taking(m_isTaking, true);
    if (const DrawsFigure* drawer = view()) {
        const QSizeF size = drawer->figureSize();
        const double ratio = std::clamp(size.height() / std::max(1.0, size.width()), 0.25, 2.0);
        m_height->setValue(std::round(m_width->value() * ratio));
        QString name = drawer->figureId();
        name.replace(u':', u'-').replace(u'/', u'-');
        if (!m_file->isModified())
            m_file->setText(QDir(QFileInfo(m_file->text()).absolutePath()).filePath(name));
    }
    m_file->setText(pictureFile());
    change();
}

/// Sets what the preset says; the page keeps its shape.
void FigureDialog::takePreset() {
    const int index = m_preset->currentIndex() - 1;
    if (index < 0) return;
    Figure page = figure();
    applyPreset(kFigurePresets.at(static_cast<std::size_t>(index)), page);
    {
        const QScopedValueRollback taking(m_isTaking, true);
        m_width->setValue(page.width);
        m_height->setValue(page.height);
        m_font->setValue(page.font);
        m_footer->setChecked(page.hasFooter);
    }
    change();
}

/// Names the preset that the fields are of, if they are.
void FigureDialog::showPreset() {
    const auto of = std::ranges::find_if(kFigurePresets, [&](const FigurePreset& preset) {
        return preset.width == m_width->value() && preset.font == m_font->value() &&
               !m_footer->isChecked();
    });
    m_preset->setCurrentIndex(
        of == kFigurePresets.end() ? 0 : 1 + static_cast<int>(of - kFigurePresets.begin()));
}

void FigureDialog::refresh() {
    if (isVisible()) change();
}

Figure FigureDialog::figure() const {
    Figure figure;
    figure.width = m_width->value();
    figure.height = m_height->value();
    figure.dpi = m_dpi->value();
    figure.font = m_font->value();
    figure.isDark = m_theme->currentIndex() == 1;
    figure.palette = sequentialMap();
    figure.hasLegend = m_legend->isChecked();
    figure.hasFooter = m_footer->isChecked();
    figure.hasCaption = m_caption->isChecked();
    figure.title = m_title->text();
    figure.picture = QFileInfo(pictureFile()).fileName();
    if (const DrawsFigure* drawer = view()) {
        figure.view = drawer->figureId();
        figure.state = drawer->figureState();
    }
    return figure;
}

QString FigureDialog::pictureFile() const {
    QString file = homeExpanded(m_file->text().trimmed());
    const QString ending = endingOf(static_cast<FigureFormat>(m_format->currentIndex()));
    if (file.isEmpty()) return {};
    if (figureFormatOf(file)) file.chop(QFileInfo(file).suffix().size() + 1);
    return file + u'.' + ending;
}

/// Shows the page as it is set now.
void FigureDialog::change() {
    DrawsFigure* drawer = view();
    showPreset();
    m_caption->setEnabled(drawer && !drawer->figureCaption().isEmpty());
    if (!m_hasOwnTitle) {
        const QScopedValueRollback taking(m_isTaking, true);
        const QString title = drawer ? drawer->figureTitle() : QString();
        if (title != m_title->text()) m_title->setText(title);
    }
    const bool canDraw = drawer && drawer->hasFigure();
    for (QPushButton* button : {m_export, m_save, m_copy}) button->setEnabled(canDraw);
    if (m_isWriting) m_export->setEnabled(false);
    m_dpi->setEnabled(m_format->currentIndex() == static_cast<int>(FigureFormat::Png));
    Figure page = figure();
    page.state = {};
    m_preview->setFigure(
        drawer,
        drawer ? m_offers[static_cast<std::size_t>(m_view->currentIndex())].widget : nullptr, page);
}

void FigureDialog::takeFormat() {
    m_file->setText(pictureFile());
    change();
}

/// A known ending in the name chooses the format.
void FigureDialog::takeFile() {
    if (const auto format = figureFormatOf(m_file->text().trimmed()))
        m_format->setCurrentIndex(static_cast<int>(*format));
    m_file->setText(pictureFile());
    m_file->setModified(true);
    change();
}

bool FigureDialog::eventFilter(QObject* object, QEvent* event) {
    // A view that paints itself may show something else.
    if (event->type() == QEvent::Paint && isVisible()) m_preview->refresh();
    return QDialog::eventFilter(object, event);
}

void FigureDialog::browse() {
    const QString file = QFileDialog::getSaveFileName(this, tr("Export the figure"), pictureFile(),
                                                      tr("Pictures (*.png *.svg *.pdf)"), nullptr,
                                                      QFileDialog::DontConfirmOverwrite);
    if (file.isEmpty()) return;
    m_file->setText(file);
    takeFile();
}

bool FigureDialog::tell(const std::function<void()>& write) {
    try {
        write();
        return true;
    } catch (const Error& error) {
        m_strip->show(MessageKind::Error, QString::fromUtf8(error.what()));
        return false;
    }
}

void FigureDialog::exportPicture() {
    DrawsFigure* drawer = view();
    if (drawer == nullptr) return;
    takeFile();
    const QString file = pictureFile();
    if (file.isEmpty()) {
        m_strip->show(MessageKind::Warning, tr("Name a file for the picture."));
        m_file->setFocus();
        return;
    }
    if (!drawer->isFigureReady()) {
        m_strip->show(MessageKind::Warning,
                      tr("The view is still computing. Export again in a moment."));
        return;
    }
    if (!mayReplace(this, {file})) return;
    std::shared_ptr<const FigureDrawing> drawing;
    const auto format = static_cast<FigureFormat>(m_format->currentIndex());
    if (!tell([&] { drawing = std::make_shared<const FigureDrawing>(*drawer, figure(), format); }))
        return;
    m_isWriting = true;
    m_export->setEnabled(false);
    m_worker->append<bool>(
        [drawing, file](std::stop_token) {
            writeFigure(*drawing, file.toStdString());
            return true;
        },
        [this, file](bool) {
            endWriting();
            showWritten(m_strip, tr("The figure was saved as %1.").arg(file), file);
        },
        [this](const QString& text) {
            endWriting();
            m_strip->show(MessageKind::Error, text);
        });
}

void FigureDialog::endWriting() {
    m_isWriting = false;
    change();
}

bool FigureDialog::writeFigureBeside(QString& file) {
    const DrawsFigure* drawer = view();
    if (drawer == nullptr || pictureFile().isEmpty()) return false;
    const std::filesystem::path picture = pictureFile().toStdString();
    file = QString::fromStdString(figureFileOf(picture).string());
    Figure whole = figure();
    if (!tell([&] { whole.source = m_sourceOf(*drawer, QFileInfo(file).absolutePath()); }))
        return false;
    if (QFile former(file);
        former.open(QIODevice::ReadOnly) && former.readAll() == figureText(whole))
        return true;
    return mayReplace(this, {file}) && tell([&] { writeFigureFile(file.toStdString(), whole); });
}

void FigureDialog::saveFigure() {
    takeFile();
    QString file;
    if (writeFigureBeside(file))
        showWritten(m_strip, tr("Saved as %1. `orrery figure` draws it again.").arg(file), file);
}

void FigureDialog::copyCommand() {
    takeFile();
    QString file;
    if (!writeFigureBeside(file)) return;
    const QFileInfo picture(pictureFile());
    QGuiApplication::clipboard()->setText(
        QStringLiteral("orrery figure %1 --out %2%3")
            .arg(quotedForShell(QFileInfo(file).absoluteFilePath()),
                 quotedForShell(picture.absoluteFilePath()),
                 picture.exists() ? QStringLiteral(" --force") : QString()));
    m_strip->show(MessageKind::Ok,
                  tr("The command line is in the clipboard; it reads %1.").arg(file));
}

}  // namespace orrery
