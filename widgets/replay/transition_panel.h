#pragma once

#include <QScrollArea>
#include <memory>
#include <optional>

#include "core/empo/learner_desk.h"
#include "core/solve/solution.h"
#include "widgets/common/painted_view.h"
#include "widgets/replay/replay_source.h"

class QComboBox;
class QLabel;
class QTableView;

namespace orrery {

class StatePicture;
class TermModel;
class TrustMark;

/// One transition: before and after, what may follow each robot action, and a target of V_h^e or
/// Q_r as the sum that it is, beside the prediction. GUI thread only.
class TransitionPanel : public QScrollArea, public PaintedView {
    Q_OBJECT

public:
    explicit TransitionPanel(QWidget* parent = nullptr);

    /// Null: nothing is picked.
    void setTransition(std::shared_ptr<const ReplaySource> source, std::size_t place);
    /// Learned values of statesOfTarget(), as of `answer->step`.
    void setValues(std::shared_ptr<const ValueAnswer> answer);
    /// Exact values of the state where it starts; nothing: they are not known.
    void setExact(std::optional<StateValues> exact);
    /// Why there are none, or that they are on their way.
    void setRemark(const QString& text);

    TermModel* terms() { return m_terms; }
    /// The sum that is shown; meaningless without values.
    double target() const { return m_target; }
    double prediction() const { return m_prediction; }

    std::vector<NamedSpot> namedSpots() const override { return {}; }
    QJsonObject spotFacts() const override;

Q_SIGNALS:
    /// A state of the transition was chosen: 0 before, 1 + successor.
    void statePicked(std::uint32_t state);
    /// A state of it, counted so, shall be looked into.
    void inspectRequested(std::uint32_t state);

protected:
    void changeEvent(QEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    enum QuantityIndex { kGoalAbility, kRobotValue };  ///< in m_quantity
    static constexpr int kTermHeight = 24;             ///< pixels of a line of m_table
    static constexpr int kMostLines = 60;              ///< of m_table, shown at once

    void nameParts();
    void makeTable();
    void layOut();
    QWidget* makeNumbers();
    QWidget* makePictures();
    void showExact();
    void fillChoices();
    void refresh();
    void layOutTerms();
    void showSuccessor(std::uint32_t successor);

    std::shared_ptr<const ReplaySource> m_source;
    std::size_t m_place = 0;
    std::shared_ptr<const ValueAnswer> m_answer;
    QWidget* m_inside;
    QLabel *m_title, *m_facts, *m_remark, *m_targetText, *m_predictionText, *m_error, *m_sum,
        *m_formula;
    TrustMark* m_predictionMark = nullptr;
    QWidget *m_numbers = nullptr, *m_pictures = nullptr, *m_exactCard = nullptr;
    QLabel* m_exactText;
    std::optional<StateValues> m_exact;
    std::uint32_t m_successor = 0;  ///< that is shown
    StatePicture *m_before, *m_after;
    QComboBox *m_quantity, *m_choice;
    TermModel* m_terms;
    QTableView* m_table;
    double m_target = 0, m_prediction = 0;
    bool m_isFilling = false;
};

}  // namespace orrery
