#pragma once

#include <QHash>
#include <QPointer>
#include <QScrollArea>

#include "widgets/frame/view_spec.h"

class QVBoxLayout;

namespace orrery {

class BackgroundWorker;
class InspectorHeader;
class InspectorSpread;
class InspectorState;
class InspectorSum;
class InspectorValues;
class PlanSession;
class SumFloat;

/// Everything about the selected state: V_r and U_r, the joint action, its successors, policies and
/// values, the sum behind any number, and how that number spreads over many states. Ctrl+C copies
/// all of it as a table.
class InspectorPanel : public QScrollArea, public KeepsState {
    Q_OBJECT

public:
    /// Both live longer. The worker's jobs are slices of some 10 ms, so it may be shared.
    InspectorPanel(PlanSession* session, BackgroundWorker* worker, QWidget* parent = nullptr);

    /// Puts the part for choosing the joint action between the header and the successors.
    void setJointActionPart(QWidget* part);

    /// The content hash of the world of the solve that is at work; empty: none is.
    void setSolvedNow(const QString& worldHash);

    InspectorState& inspected() { return *m_state; }
    const InspectorSum& sum() const { return *m_sum; }
    const InspectorSpread& spread() const { return *m_spread; }

    /// What Ctrl+C puts onto the clipboard.
    QString tsv() const;

    QJsonObject saveState() const override;
    void restoreState(const QJsonObject& state) override;

Q_SIGNALS:
    void solveRequested();

public Q_SLOTS:
    void copyAll() const;
    void copySum() const;

protected:
    bool event(QEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void addPart(QWidget* part);
    void openSum(QWidget* by, const QRect& number);

    InspectorState* m_state;
    QVBoxLayout* m_column = nullptr;
    InspectorHeader* m_header = nullptr;
    InspectorValues* m_values = nullptr;
    InspectorSum* m_sum = nullptr;
    InspectorSpread* m_spread = nullptr;
    QPointer<SumFloat> m_float;         ///< beside the number that was picked last
    QHash<QObject*, QWidget*> m_lines;  ///< the separator above each part
    QWidget *m_jointAction = nullptr, *m_jointLine = nullptr;
};

}  // namespace orrery
