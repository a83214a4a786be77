#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "core/dag/state_graph.h"
#include "widgets/common/table_model.h"
#include "widgets/dag/band_quantity.h"

namespace orrery {

class BackgroundWorker;
class PlanSession;

/// The set of states of a session's selection as rows, in an order of the person's choice: what the
/// hit list shows and next and previous walk through. A worker lists and sorts them; a row costs 8
/// bytes. GUI thread only.
class HitModel : public TableModel {
    Q_OBJECT

public:
    enum Column { Picture, Step, StateNumber, Value, NumColumns };
    /// Rows that are made at most: more than that nobody scrolls through.
    static constexpr std::int64_t kMost = 10'000'000;

    explicit HitModel(PlanSession* session, QObject* parent = nullptr);
    ~HitModel() override;

    PlanSession& session() const { return *m_session; }
    State stateAt(int row) const { return m_states[static_cast<std::size_t>(row)]; }
    /// -1: the state is none of them.
    int rowOf(State state) const;
    /// All states of the set, also those beyond the last row.
    std::int64_t total() const { return m_total; }
    bool isWorking() const;

    int sortColumn() const { return m_order.column; }
    Qt::SortOrder sortOrder() const { return m_order.direction; }
    void sort(int column, Qt::SortOrder direction = Qt::AscendingOrder) override;

    /// Goes to a state of the set.
    void goTo(int row);
    /// Goes to the hit after or before the current state in this order, from the end to the other
    /// one; as soon as the rows are there.
    void walk(bool isForward);

protected:
    int numRows() const override;
    QString text(int row, int column) const override;

Q_SIGNALS:
    /// Other rows, or the same in another order.
    void listed();

private:
    struct Order {
        int column = Step;
        Qt::SortOrder direction = Qt::AscendingOrder;
    };
    using States = std::vector<State>;

    void refreshSolution();
    void list();
    void take(States states);
    int rowAfterCurrent(bool isForward) const;

    PlanSession* m_session;
    BackgroundWorker* m_worker;
    std::shared_ptr<const Solution> m_solution;
    std::shared_ptr<const StateGraph> m_graph;
    BandQuantity m_quantity;  ///< that m_solution has; nothing: no values
    Order m_order;
    States m_states;
    std::int64_t m_total = 0;
    std::optional<bool> m_walk;  ///< asked for before the rows were there
};

}  // namespace orrery
