#pragma once

#include <QString>

class QFormLayout;
class QFrame;
class QLabel;
class QPainter;
class QRectF;
class QSpinBox;
class QStackedWidget;
class QToolButton;
class QVBoxLayout;
class QWidget;

namespace orrery {

inline constexpr int kEmptyRoom = 16;  ///< pixels beside a text where nothing else is

/// Paints what stands where there is nothing to show, in lines that fit, with room around it.
void paintEmptyText(QPainter& painter, const QRectF& room, const QString& text);

/// A label of one of the style sheet's looks: "title", "section", "label", "hint", "number", ... A
/// line of plain text that has less room than it needs ends with "...", and a tip tells the whole.
QLabel* makeLabel(const QString& text, const char* look, QWidget* parent);

/// A text for lines that wrap, in which a word of more than a line may go on in the next one.
QString breakable(const QString& text);

/// A label of a remark that is not needed: shown whole, or not at all where it does not fit.
QLabel* makeRemark(const QString& text, const char* look, QWidget* parent);

/// A horizontal line of one pixel over the full width.
QFrame* makeLine(QWidget* parent);

/// A heading with a quiet remark at its right end; gives back the remark's label.
QLabel* addHeading(QVBoxLayout* layout, const QString& text, const QString& remark = {});

/// A labelled row of a form with a field for a whole number from `low` to `high`.
QSpinBox* addNumberRow(QFormLayout* form, const char* name, const QString& text, int low, int high,
                       int value);

/// Only the page that is shown takes room from now on; else pages need that of the largest.
void sizeByShownPage(QStackedWidget* pages);

/// Makes a widget's style sheet rules be looked up again after one of its properties changed.
void restyle(QWidget* widget);

}  // namespace orrery
