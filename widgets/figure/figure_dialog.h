#pragma once

#include <QDialog>
#include <QPointer>
#include <functional>
#include <vector>

#include "widgets/figure/figure.h"

class QCheckBox;
class QComboBox;
class QDoubleSpinBox;
class QFormLayout;
class QLineEdit;
class QPushButton;
class QSpinBox;

namespace orrery {

class BackgroundWorker;
class DrawsFigure;
class FigurePreview;
class MessageStrip;

/// Makes a figure of what a view shows: format, size on paper, text size, colours, legend and
/// title, with a preview that follows the view. Not modal. Exports the picture, saves the figure
/// file beside it, and gives the command line that draws it again.
class FigureDialog : public QDialog {
    Q_OBJECT

public:
    /// What a view draws from: the part Figure::source.
    using SourceOf = std::function<QJsonObject(const DrawsFigure& view, const QString& folder)>;

    FigureDialog(SourceOf sourceOf, QWidget* parent);

    /// Offers pictures; widgets that are no DrawsFigure are left out. `current` is chosen first.
    void offer(const std::vector<QWidget*>& widgets, const QWidget* current);
    /// A view shows something else.
    void refresh();

    /// The page as set, with view and state; without a source.
    Figure figure() const;
    /// The picture's file with the ending of the format.
    QString pictureFile() const;
    FigurePreview* preview() { return m_preview; }
    MessageStrip* strip() { return m_strip; }
    /// True while a picture is on its way into its file.
    bool isWriting() const { return m_isWriting; }

protected:
    bool eventFilter(QObject* object, QEvent* event) override;

private:
    struct Offer {
        DrawsFigure* view = nullptr;
        QPointer<QWidget> widget;
    };

    // figure_dialog_parts.cpp
    void makeForm(QFormLayout* form);
    void makeLayout();
    QDoubleSpinBox* makeNumber(const char* name, const QString& tip, double low, double high,
                               const QString& suffix);

    DrawsFigure* view() const;
    void takeView();
    void takePreset();
    void showPreset();
    void takeFormat();
    void takeFile();
    void change();
    void browse();
    void exportPicture();
    void endWriting();
    void saveFigure();
    void copyCommand();
    bool writeFigureBeside(QString& file);
    bool tell(const std::function<void()>& write);

    SourceOf m_sourceOf;
    std::vector<Offer> m_offers;
    QComboBox *m_view, *m_format, *m_theme, *m_preset;
    QDoubleSpinBox *m_width, *m_height, *m_font;
    QSpinBox* m_dpi;
    QCheckBox *m_legend, *m_footer, *m_caption;
    QLineEdit *m_title, *m_file;
    QPushButton *m_browse, *m_save, *m_copy, *m_export;
    FigurePreview* m_preview;
    MessageStrip* m_strip;
    bool m_hasOwnTitle = false;  ///< a person wrote it
    bool m_isTaking = false;     ///< the fields are being filled
    bool m_isWriting = false;
    BackgroundWorker* m_worker;
};

}  // namespace orrery
