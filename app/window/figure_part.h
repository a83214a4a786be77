#pragma once

#include <QJsonObject>
#include <QString>

#include "widgets/part/window_part.h"

namespace orrery {

class ChartGrid;
class DrawsFigure;
class FigureDialog;

/// Which views draw, what they draw from, and the dialog that puts that on paper.
class FigurePart : public WindowPart {
    Q_OBJECT

public:
    using WindowPart::WindowPart;

    void bindCommands() override;

    /// Shows the dialog with all that is drawn in the window.
    /// @param wanted  what is chosen there; null: what has the focus, else the current view
    void open(QWidget* wanted);
    /// Charts of a grid ask for their figure themselves.
    void serve(ChartGrid* grid);

private:
    QJsonObject sourceOf(const DrawsFigure& view, const QString& folder);

    FigureDialog* m_dialog = nullptr;
};

}  // namespace orrery
