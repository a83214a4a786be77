#pragma once

#include <QWidget>
#include <vector>

#include "widgets/common/painted_view.h"
#include "widgets/learned/learned_desk.h"

namespace orrery {

/// Milliseconds of a whole step.
double sumOf(const StageProfile& profile);
/// "46 %", or a dash where there is no whole.
QString shareText(double part, double whole);

/// The parts of a training step side by side, one row a run; idle is hatched.
class StageTimes : public PaintedWidget {
    Q_OBJECT

public:
    explicit StageTimes(QWidget* parent = nullptr);

    void show(std::vector<StageProfile> profiles);
    QSize sizeHint() const override { return {500, 50}; }
    QSize minimumSizeHint() const override { return {240, 50}; }
    std::vector<NamedSpot> namedSpots() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    struct Part {
        QRectF place;
        std::size_t profile = 0;
        const SpanWords* words = nullptr;
        double milliseconds = 0;
    };
    std::vector<Part> parts() const;

    std::vector<StageProfile> m_profiles;
};

}  // namespace orrery
