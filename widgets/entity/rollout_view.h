#pragma once

#include <QWidget>
#include <memory>

#include "widgets/entity/rollout_rows.h"
#include "widgets/frame/view_spec.h"

class QAbstractItemModel;
class QLabel;
class QLineEdit;
class QPushButton;
class QTableView;
class QTimer;

namespace orrery {

class BackgroundWorker;
class RolloutModel;

/// The rollout that a training learns from, as it stood when it was fetched: a row a frame, under a
/// filter and in the order of a column. Rows do not move while they are read. GUI thread only.
class RolloutView : public QWidget, public KeepsState {
    Q_OBJECT

public:
    explicit RolloutView(QWidget* parent);
    ~RolloutView() override;

    /// What it can be fetched from.
    struct Source {
        std::shared_ptr<RolloutDesk> desk = {};  ///< null: there is none
        QString run = {};                        ///< its title
        bool isLive = false;
        std::int64_t bytes = 0;  ///< of a rollout, about
    };
    void setSource(Source source);
    /// Takes what the desk has by now.
    void look();

    const RolloutModel* model() const { return m_model; }

    QJsonObject saveState() const override;
    void restoreState(const QJsonObject& state) override;

Q_SIGNALS:
    /// A frame shall be looked at.
    void opened(std::shared_ptr<const orrery::RolloutCopy> rollout, std::uint32_t row);

protected:
    void showEvent(QShowEvent* event) override;

private:
    void fetch();
    void apply();
    void refresh();
    void open(int place);

    Source m_source;
    RolloutModel* m_model;
    BackgroundWorker* m_worker;
    QTableView* m_table;
    QLineEdit* m_filter;
    QLabel *m_count, *m_problem, *m_empty;
    QPushButton* m_fetch;
    QTimer* m_typing;
    RolloutOrder m_order;
    std::shared_ptr<const RolloutCopy> m_rollout;
    bool m_isWaiting = false;
};

}  // namespace orrery
