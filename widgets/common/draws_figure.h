#pragma once

#include <QJsonObject>
#include <QSizeF>
#include <QString>

class QPainter;

namespace orrery {

struct Tokens;

/// The paper that a view draws its figure on. A unit is what a pixel is on the screen: text keeps
/// its sizes in units, and the page gives the unit its length.
struct FigurePage {
    QSizeF size;                     ///< units; the picture lies in (0, 0) .. size
    const Tokens* tokens = nullptr;  ///< colours of the figure, whatever the window's theme
    double pixelRatio = 1;           ///< device pixels a unit: how fine lines of data are cut
    bool isVector = false;           ///< clipping does nothing there (SVG)
    bool hasLegend = true;
    bool hasFooter = true;
};

/// A view whose picture can be put on paper, and drawn again elsewhere from what it remembers.
/// GUI thread only.
class DrawsFigure {
public:
    virtual ~DrawsFigure() = default;

    /// Stable: "world", "chart:solve/seconds".
    virtual QString figureId() const = 0;
    /// What a list of pictures calls it: "World", "Chart: seconds".
    virtual QString figureName() const = 0;
    /// A heading for the page; empty where the picture has its own.
    virtual QString figureTitle() const { return {}; }
    /// What a reader has to know of how the numbers were made, in one line; empty: nothing.
    virtual QString figureCaption() const { return {}; }
    /// Width and height in units at which it looks as in the window.
    virtual QSizeF figureSize() const = 0;
    /// False while there is nothing to draw.
    virtual bool hasFigure() const = 0;
    /// False while parts of the picture are being computed.
    virtual bool isFigureReady() const { return true; }

    /// Everything of the view's own that decides what is drawn; empty where the data alone does.
    virtual QJsonObject figureState() const { return {}; }
    /// Brings that back; what needs data takes effect when isFigureReady() is true again. Leaves
    /// out what it does not know.
    virtual void restoreFigure(const QJsonObject& /*state*/) {}

    /// Draws what the view shows, without hover and focus. The painter is a QCPPainter, as charts
    /// need one.
    virtual void paintFigure(QPainter& painter, const FigurePage& page) = 0;
};

}  // namespace orrery
