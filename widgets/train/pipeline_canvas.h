#pragma once

#include "widgets/common/draws_figure.h"
#include "widgets/common/painted_view.h"
#include "widgets/imgui/imgui_host.h"

namespace orrery {

class PipelineModel;
class PipelinePicture;

/// The pipeline in the window. Only looks; the pointer says what a part means.
class PipelineCanvas : public ImGuiHost, public PaintedView, public DrawsFigure {
    Q_OBJECT

public:
    PipelineCanvas(const PipelineModel* model, QWidget* parent);

    std::vector<NamedSpot> namedSpots() const override;
    QJsonObject spotFacts() const override;
    QString tipAt(const QPoint& point) const override;
    QSize sizeHint() const override { return QSize(760, 230); }

    // The picture on paper; see DrawsFigure.
    QString figureId() const override { return QStringLiteral("pipeline"); }
    QString figureName() const override { return accessibleName(); }
    QString figureTitle() const override;
    QSizeF figureSize() const override { return size(); }
    bool hasFigure() const override;
    void paintFigure(QPainter& painter, const FigurePage& page) override;

protected:
    void drawGui() override;
    bool event(QEvent* event) override;

private:
    PipelinePicture picture() const;

    const PipelineModel* m_model;
};

}  // namespace orrery
