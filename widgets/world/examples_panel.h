#pragma once

#include <QWidget>
#include <vector>

#include "widgets/bridge/world_loader.h"

class QLabel;

namespace orrery {

class PlanSession;
class RowList;

/// The example worlds, each with its picture and what it teaches. A click or Enter opens one.
class ExamplesPanel : public QWidget {
    Q_OBJECT

public:
    ExamplesPanel(PlanSession* session, QWidget* parent = nullptr);

    void setExamples(std::vector<LoadedWorld> examples);
    /// Says why there are no examples.
    void setTrouble(const QString& text);

Q_SIGNALS:
    void openRequested(const QString& world);
    void fileRequested();

private:
    void refresh();

    PlanSession* m_session;
    std::vector<LoadedWorld> m_examples;
    QLabel* m_count = nullptr;
    RowList* m_list;
};

}  // namespace orrery
