#pragma once

#include <QJsonObject>
#include <QString>

#include "widgets/part/window_part.h"

namespace orrery {

class DrawsFigure;
class FigureDialog;

/// Which views draw, what they draw from, and the dialog that puts that on paper; how charts begin.
class FigurePart : public WindowPart {
    Q_OBJECT

public:
    using WindowPart::WindowPart;

    void bindCommands() override;
    void applyPreference(const QString& key) override;

    /// Shows the dialog with all that is drawn in the window.
    /// @param wanted  what is chosen there; null: what has the focus, else the current view
    void open(QWidget* wanted);

private:
    FigureDialog& dialog();
    void setChartsAsPreferred(bool isOfBands);
    QJsonObject sourceOf(const DrawsFigure& view, const QString& folder);

    FigureDialog* m_dialog = nullptr;
};

}  // namespace orrery
