#pragma once

#include <QWidget>
#include <vector>

#include "core/base/progress.h"
#include "widgets/explore/parameter_scale.h"

class QGridLayout;
class QLabel;
class QProgressBar;
class QPushButton;
class QSlider;

namespace orrery {

class Exploration;
class FieldSlider;

/// Sliders and number fields for the parameters that can be explored on the solved graph. What
/// differs from the run is bold and has a button that resets it.
class ParameterPanel : public QWidget {
    Q_OBJECT

public:
    explicit ParameterPanel(Exploration* exploration, QWidget* parent = nullptr);

    /// For tests: the controls of a field are named "slider_beta_r", "spin_beta_r", "reset_beta_r".
    QSlider* slider(const QString& field) const;

Q_SIGNALS:
    void keepRequested();

private:
    struct Row {
        const ParameterScale* scale;
        FieldSlider* number;
    };

    void makeRow(const ParameterScale& scale, QGridLayout* grid);
    QWidget* makeFoot();
    void wish(const ParameterScale& scale, double value);
    void refresh();
    void refreshRow(const Row& row);
    void showShown();
    void showProgress(const Progress& progress);

    Exploration* m_exploration;
    std::vector<Row> m_rows;
    QLabel* m_status = nullptr;
    QWidget* m_progressRow = nullptr;
    QProgressBar* m_progress = nullptr;
    QPushButton* m_keep = nullptr;
    QPushButton* m_back = nullptr;
};

}  // namespace orrery
