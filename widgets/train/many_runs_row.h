#pragma once

#include <QWidget>
#include <vector>

#include "core/run/run_spec.h"

class QComboBox;
class QLabel;
class QLineEdit;
class QSpinBox;

namespace orrery {

class SpecForm;

/// Whether a form starts one run or several: so many seeds, every value of a field. Says how many
/// runs that is, or what is wrong.
class ManyRunsRow : public QWidget {
    Q_OBJECT

public:
    /// @param kind  whose fields may be swept
    ManyRunsRow(const std::string& kind, QWidget* parent);

    /// Two rows among those that the form has, and below them this part.
    void addTo(SpecForm& form);

    /// One run for every combination; empty if there is a problem.
    /// @param base  with a name
    std::vector<RunSpec> runs(const RunSpec& base) const;
    /// The form's settings, as they are now.
    void setBase(const RunSpec& base);
    bool isValid() const { return m_problem.isEmpty(); }
    int numRuns() const { return m_numRuns; }
    /// One run again.
    void reset();

Q_SIGNALS:
    void changed();

private:
    void showIfAny();
    std::vector<RunSpec> made(const RunSpec& base) const;

    std::string m_kind;
    QSpinBox* m_seeds;
    QComboBox* m_field;
    QLineEdit* m_values;
    QLabel* m_remark;
    QString m_problem;
    int m_numRuns = 1;
};

}  // namespace orrery
