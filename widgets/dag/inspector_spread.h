#pragma once

#include <QWidget>
#include <memory>
#include <optional>
#include <stop_token>

#include "core/solve/explain_spread.h"

class QComboBox;
class QLabel;
class QPushButton;
class QTimer;

namespace orrery {

class InspectorState;
class StateMarks;
class ValueBars;
class ValueHistogram;

/// How the number that is asked about spreads over the current level or the selected set of states:
/// a histogram, n, mean, sd, quantiles. The worker reads the states; it can be stopped.
class InspectorSpread : public QWidget {
    Q_OBJECT

public:
    enum class Scope { Level, Set };

    InspectorSpread(InspectorState* state, QWidget* parent);

    Scope scope() const;
    void setScope(Scope scope);
    /// What is shown; nothing before it is computed.
    const std::optional<ValueSpread>& spread() const { return m_spread; }
    /// A newer one is being computed, or will be in a moment.
    bool isWorking() const;

protected:
    void showEvent(QShowEvent* event) override;

private:
    /// Of what a spread was made; the same again is not made anew.
    struct Subject {
        const Solution* solution = nullptr;
        ValueOf quantity;
        Scope scope = Scope::Level;
        int step = -1;
        int set = 0;  ///< counts the changes of the selected set
        bool operator==(const Subject&) const = default;
    };
    Subject subject() const;
    std::int64_t numStates() const;
    void refresh();
    void start();
    void cancel();
    void advance(const std::shared_ptr<SpreadBuilder>& builder);
    void show(const ValueSpread& spread);
    void showNothing(const QString& why);

    InspectorState* m_state;
    QComboBox* m_scope;
    QPushButton *m_compute, *m_cancel;
    QLabel *m_title, *m_remark;
    ValueHistogram* m_histogram;
    ValueBars* m_numbers;
    QTimer* m_soon;
    std::optional<Subject> m_done;  ///< of m_spread
    std::optional<ValueSpread> m_spread;
    bool m_isWorking = false;
    Subject m_working;        ///< of what the worker is making one
    std::stop_source m_stop;  ///< of that
    int m_setNumber = 0;
};

}  // namespace orrery
