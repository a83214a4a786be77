#pragma once

#include <QWidget>
#include <cstdint>
#include <vector>

#include "core/train/training_stage.h"
#include "widgets/common/painted_view.h"

namespace orrery {

/// The stages of a training side by side: those that are done with a tick, the present one outlined
/// with how far it is, those to come. Widths follow the square root of the stages' lengths, so that
/// short ones can be read. A tip says which quantities are trained.
class StageBar : public PaintedWidget {
    Q_OBJECT

public:
    explicit StageBar(QWidget* parent = nullptr);

    /// @param step  training steps done
    void setStages(const std::vector<TrainingStage>& stages, std::int64_t step, std::int64_t total);

    QSize sizeHint() const override { return {420, 26}; }
    QSize minimumSizeHint() const override { return {160, 26}; }
    std::vector<NamedSpot> namedSpots() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    struct Part {
        QString title;
        QString tip;
        std::int64_t begin = 0, end = 0;
    };
    std::vector<QRectF> places() const;
    double shareOf(const Part& part) const;
    bool isDone(const Part& part) const { return m_step >= part.end; }
    bool isNow(const Part& part) const { return m_step >= part.begin && !isDone(part); }
    bool hasRoomForSteps(const std::vector<QRectF>& places) const;
    void paintBox(QPainter& painter, const Part& part, const QRectF& place) const;
    void paintText(QPainter& painter, const Part& part, const QRectF& place, bool hasSteps) const;

    std::vector<Part> m_parts;
    std::int64_t m_step = 0;
};

}  // namespace orrery
