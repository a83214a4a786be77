#pragma once

class QCustomPlot;
class QPainter;

namespace orrery {

class ChartScene;

/// Adds to a plot the parts that draw a scene: stages behind the grid, lines, the frame with title,
/// legend, events and footer. The plot owns them; the scene outlives them.
void addSceneLayers(QCustomPlot& plot, const ChartScene& scene);

/// Draws what moves above a scene: cursors, crosshair and rubber band.
void drawSceneOverlay(QPainter& painter, const ChartScene& scene);

}  // namespace orrery
