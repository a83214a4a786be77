#pragma once

#include <QDoubleSpinBox>
#include <QWidget>
#include <vector>

#include "core/base/progress.h"
#include "widgets/explore/parameter_scale.h"

class QLabel;
class QProgressBar;
class QPushButton;
class QSlider;
class QToolButton;

namespace orrery {

class Exploration;

/// A number field that takes "inf" where its scale does.
class ParameterSpin : public QDoubleSpinBox {
    Q_OBJECT

public:
    ParameterSpin(const ParameterScale& scale, QWidget* parent);
    double parameter() const;
    void setParameter(double value);

protected:
    QString textFromValue(double value) const override;
    double valueFromText(const QString& text) const override;
    QValidator::State validate(QString& text, int& position) const override;

private:
    bool m_takesInfinity;
};

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

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    struct Row {
        const ParameterScale* scale;
        QLabel* name;
        QSlider* slider;
        ParameterSpin* spin;
        QToolButton* reset;
    };

    Row makeRow(const ParameterScale& scale);
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
