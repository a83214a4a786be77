#pragma once

#include <QHash>
#include <QPointer>
#include <QScrollArea>
#include <QStringList>
#include <utility>
#include <vector>

#include "core/run/run_fields.h"
#include "core/run/run_spec.h"

class QGridLayout;
class QLabel;
class QLineEdit;
class QPushButton;
class QToolButton;
class QVBoxLayout;

namespace orrery {

class PresetBox;
class ScaleSlider;
struct FieldScale;

/// What a form calls its parts, and how it shows its fields.
struct SpecFormLook {
    QString fields;  ///< "train_": an editor is "train_seed", its problem "train_hint_seed"
    QString parts;   ///< "train": the others are "trainPreset", "trainMore", "trainFilter"
    bool hasSymbols = false;  ///< the theory's symbol stands for a field's label where it has one
    int editorWidth = 110;    ///< pixels, at least
    /// How a field lies on a slider beside its editor; null of a field: it has none. Not null: the
    /// form is for a narrow place, editors are no wider than that and names may take two lines.
    const FieldScale* (*slider)(const RunField& field) = nullptr;
};

/// The fields of a run's kind as rows to edit, with the kind's presets, a few fields first and all
/// others under "More options". Those that differ from their default are bold, those without an
/// effect grey, with the reason; a wrong one says why below it.
class SpecForm : public QScrollArea {
    Q_OBJECT

public:
    /// @param spec  what is edited. Its owner, who outlives the form, keeps it and may change it,
    ///              too, but not its kind; refresh() or showValues() follow.
    SpecForm(RunSpec& spec, SpecFormLook look, QWidget* parent);

    // The rows from top to bottom, as the owner wants them.
    void addPreset();
    /// A row of the owner's. @return the label
    QLabel* addRow(const QString& name, QWidget* editor);
    /// A part of the owner's over the whole width.
    void addPart(QWidget* part);
    void addFirstFields();
    /// The button, and below it all that is not among the first fields. Many of them are made when
    /// they are asked for first, with a box that finds them by words.
    void addOptions(const QString& tip);

    /// Marks what is wrong, changed or without effect.
    void refresh();
    /// Shows the spec's values in place of what was typed; refresh() follows.
    void showValues();
    /// The same where what was typed is right.
    void showRightValues();

    /// Where the slider of a field stands, and what its button resets it to; empty: that is its
    /// value already.
    void showSlider(const QString& field, double number, const QString& resetTip);

    /// No field is wrong, shown or not.
    bool isValid() const { return m_wrong.isEmpty(); }
    /// What is wrong with the first wrong field; empty: none is.
    QString problem() const;
    /// What is wrong and not said beside its field.
    QStringList problemsOutOfView() const;

    /// Null if the form has none of that field, or not yet.
    QWidget* editor(const QString& field) const;
    /// No option waits for its row, and none to be shown.
    bool isComplete() const { return m_waiting.empty() && m_wanted.isEmpty(); }
    /// Brings a field into view and gives it the focus, once it has a row; without a name the first
    /// one.
    void showField(const QString& field);
    /// Pixels that it is too low for its rows.
    int missingHeight() const;
    /// As wide as its rows need: it does not scroll sideways.
    QSize minimumSizeHint() const override;

Q_SIGNALS:
    /// A person changed the spec, or sees other rows: the owner brings itself up to date and
    /// calls refresh().
    void changed();
    /// After changed(): what was entered is meant, by a slider, Enter, a preset, or on leaving the
    /// field.
    void settled();
    /// A slider is about to be moved.
    void grabbed();
    void resetAsked(const QString& field);

private:
    struct Row {
        const RunField* field;
        QString name, tip;
        bool isOption;
        QWidget* editor;
        QLabel* label;  ///< null: the editor says it
        QGridLayout* grid;
        int hintLine;
        QLabel* hint = nullptr;  ///< null until something was wrong
        ScaleSlider* slider = nullptr;
        QToolButton* reset = nullptr;  ///< of the slider
    };

    QVBoxLayout* column() const;
    /// Below all rows that are there.
    void append(QWidget* part);
    /// A new part for the rows that follow. @return it, which stands nowhere yet
    QWidget* beginRows();
    void addField(const RunField& field, bool isOption);
    QWidget* makeEditor(const RunField& field);
    void addSlider(Row& row, const FieldScale& scale);
    void takeText(const RunField& field, const QString& text);
    const Row* findRow(const QString& field) const;
    void showValue(const Row& row);
    void findProblems();
    void refreshRow(Row& row);
    void setHint(Row& row, const QString& text);
    QString tipOf(const RunField& field) const;
    void makeOptions();
    void makeWaiting();
    void makeWaitingSoon();
    void makeFilter(QVBoxLayout* column);
    void showOptions(bool shows);
    void showFirstOptions();
    void keepShown();
    void filterOptions();

    RunSpec& m_spec;
    const SpecFormLook m_look;
    std::vector<Row> m_rows;
    QGridLayout* m_grid = nullptr;                  ///< of the rows that are added; null: a new one
    int m_line = 0;                                 ///< of it that is free
    QHash<QString, QString> m_typed;                ///< what is wrong with what was typed
    QHash<QString, QString> m_wrong;                ///< with all that are wrong
    QList<std::pair<QString, QString>> m_together;  ///< fields that only together are wrong
    PresetBox* m_preset = nullptr;
    QPushButton* m_more = nullptr;
    QWidget* m_options = nullptr;
    std::vector<const RunField*> m_waiting;  ///< options that have no row yet
    QString m_wanted;                        ///< the field to be shown once they have
    QPointer<QWidget> m_shown;               ///< its editor, until a person scrolls
    QLineEdit* m_filter = nullptr;
    QLabel* m_noOption = nullptr;
};

}  // namespace orrery
