#pragma once

#include <QWidget>
#include <memory>
#include <optional>
#include <vector>

#include "widgets/common/painted_view.h"
#include "widgets/learned/learned_errors.h"

namespace orrery {

class PlanSession;

/// The numbers of the session's state as they were learned, beside the exact ones, for the
/// inspector: V_h^e of each goal, X_h, V_r and the likeliest joint actions. Hidden while nothing
/// was compared in the session's world, or the state is not among the states compared.
class LearnedState : public PaintedWidget {
    Q_OBJECT

public:
    explicit LearnedState(PlanSession* session, QWidget* parent = nullptr);

    void setErrors(std::shared_ptr<const LearnedErrors> errors);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }
    std::vector<NamedSpot> namedSpots() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    struct Line {
        QString symbol, name;
        double exact = 0, learned = 0;
        bool isSeen = true;
    };
    void refresh();
    void addLines(const ValueOf& quantity, std::size_t state);

    PlanSession* m_session;
    std::shared_ptr<const LearnedErrors> m_errors;
    std::vector<Line> m_lines;
    QString m_title, m_remark;
};

}  // namespace orrery
