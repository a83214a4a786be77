#pragma once

#include <memory>
#include <optional>

#include "core/empo/target_terms.h"
#include "widgets/common/table_model.h"
#include "widgets/replay/replay_source.h"

namespace orrery {

/// A target as its summands, or, as long as no values are known, only what may follow each robot
/// action. GUI thread only.
class TermModel : public TableModel {
    Q_OBJECT

public:
    enum Column { Action, Policy, Successor, Probability, Value, Term, NumColumns };
    enum Role {
        ShareRole = Qt::UserRole + 1,  ///< double in [0, 1]: the term beside the largest one
        TrustRole,                     ///< int, TrustKind of the value; invalid: no mark
        TakenRole,                     ///< bool: what was done and what came
    };

    explicit TermModel(QObject* parent = nullptr);

    void setTerms(std::shared_ptr<const ReplaySource> source, std::size_t place,
                  const TargetSum& sum);
    void setShares(std::shared_ptr<const ReplaySource> source, std::size_t place,
                   const std::vector<SuccessorShare>& shares);
    void clear();
    bool hasValues() const { return m_hasValues; }
    const TargetSum& sum() const { return m_sum; }  ///< meaningless without values
    /// The successor of a line, in [0, U) of the model.
    std::uint32_t successorOf(int row) const {
        return m_sum.terms[static_cast<std::size_t>(row)].successor;
    }

protected:
    int numRows() const override;
    QString text(int row, int column) const override;
    QVariant extra(int row, int column, int role) const override;

private:
    std::shared_ptr<const ReplaySource> m_source;
    std::size_t m_place = 0;
    TargetSum m_sum;
    double m_largest = 1;
    bool m_hasValues = false;
};

}  // namespace orrery
