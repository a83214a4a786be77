#pragma once

#include <QDialog>
#include <QString>
#include <vector>

class QCheckBox;
class QComboBox;
class QFormLayout;
class QLabel;
class QLineEdit;
class QPushButton;
class QSpinBox;

namespace orrery {

/// One way to write something.
struct ExportFormatSpec {
    QString id;                ///< stable: "gif"
    QString title;             ///< "GIF animation"
    QString ending;            ///< of the file, without the dot; empty: a folder
    bool isFilm = false;       ///< has a frame rate, a cell size and colours
    QStringList besides = {};  ///< endings of the files that are written beside it
};

/// Something that can be exported, in the order in which it is offered.
struct ExportItem {
    QString id;     ///< stable: "episode"
    QString title;  ///< "Episode, 12 steps"
    QString stem;   ///< proposed name without ending
    std::vector<ExportFormatSpec> formats;
    QString remark = {};      ///< what will be in it: "1,203 points"
    bool hasRange = false;    ///< can be written whole or as far as it is seen
    int frames = 0;           ///< of a film
    bool hasOverlay = false;  ///< of a film: values or arrows lie over the cells now
    int mostEpisodes = 0;     ///< of drawn episodes: how many may be asked for; 0: none are drawn
};

/// What a person wants to have written.
struct ExportRequest {
    QString item, format;  ///< ids
    QString target;        ///< absolute path of a file or a folder
    bool isAll = false;    ///< not only the visible range
    int framesPerSecond = 4;
    int cellSize = 48;
    bool isDark = false;
    bool hasOverlay = true;
    int episodes = 1;  ///< to be drawn
};

/// Asks what to export, how and where to. Not modal: the window goes on beside it.
class ExportForm : public QDialog {
    Q_OBJECT

public:
    explicit ExportForm(QWidget* parent);

    /// Offers these and proposes one, in a format if that is not empty. What was chosen before
    /// stays where it makes sense.
    void offer(std::vector<ExportItem> items, const QString& item, const QString& format);
    ExportRequest request() const;

Q_SIGNALS:
    /// The button was pressed; the form has closed.
    void requested(const orrery::ExportRequest& request);

private:
    QComboBox* addBox(QFormLayout* form, const char* name, const QString& text);
    QWidget* makeTargetRow();
    const ExportItem* item() const;
    const ExportFormatSpec* format() const;
    void showFormats();
    void proposeTarget();
    void refresh();
    void browse();
    /// Whether what would be written may be, by who presses the button.
    bool mayWrite(const ExportRequest& wanted);
    void accept() override;

    std::vector<ExportItem> m_items;
    QFormLayout* m_form;
    QComboBox *m_what, *m_format;
    QLineEdit* m_target = nullptr;
    QCheckBox *m_all, *m_overlay;
    QSpinBox *m_rate, *m_cell, *m_episodes;
    QComboBox* m_colors;
    QLabel *m_remark, *m_problem;
    QPushButton* m_export;
    QString m_folder;              ///< of the last target
    bool m_isNamedByHand = false;  ///< the proposal was changed
    QString m_wantedFormat;
};

}  // namespace orrery
