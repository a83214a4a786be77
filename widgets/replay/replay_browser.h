#pragma once

#include <QWidget>
#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "core/empo/snapshot.h"
#include "widgets/common/selection.h"
#include "widgets/frame/view_spec.h"
#include "widgets/replay/encoded_text.h"
#include "widgets/replay/replay_filter.h"
#include "widgets/replay/replay_order.h"
#include "widgets/replay/replay_source.h"

class QAbstractItemModel;
class QLabel;
class QLineEdit;
class QPushButton;
class QSplitter;
class QTableView;
class QTimer;

namespace orrery {

class BackgroundWorker;
class PlanSession;
class ReplayFeed;
class ReplayHealth;
class ReplayModel;
class StateThumbs;
class TransitionPanel;

/// The replay buffer of a training as it stood at one step: how it is, its transitions under a
/// filter and in the order of a column, and the one that is picked in full. Rows do not move while
/// they are read: Refresh fetches the buffer anew. GUI thread only.
class ReplayBrowser : public QWidget, public KeepsState {
    Q_OBJECT

public:
    /// @param session  whose current state a filter may name
    ReplayBrowser(ReplayFeed* feed, PlanSession* session, QWidget* parent = nullptr);
    ~ReplayBrowser() override;

    void setLiveNumbers(const std::optional<ReplayNumbers>& numbers);
    ReplayModel* model() { return m_model; }
    QTableView* table() { return m_table; }
    TransitionPanel* transition() { return m_transition; }
    QLineEdit* filterLine() { return m_filter; }
    /// The health of the buffer.
    QAbstractItemModel* tableModel();

    QJsonObject saveState() const override;
    void restoreState(const QJsonObject& state) override;

Q_SIGNALS:
    void shown();  ///< it came into view
    /// A state of a transition was picked, to be looked at as tensors.
    void statePicked(std::shared_ptr<const orrery::ShownState> state);
    /// A state of the open world shall be looked into.
    void stateFound(const orrery::StateItem& item);

protected:
    void changeEvent(QEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void layOut();
    void tellState(std::uint32_t which);
    void lookUpExact();
    void inspect(std::uint32_t which);
    QWidget* makeBar();
    void makeTable();
    void makeEmpty();
    void takeSource();
    void refreshState();
    /// What the worker makes of filter and order.
    struct Rows {
        std::optional<std::vector<std::uint32_t>> places;  ///< nothing: all, the newest first
        std::vector<std::uint32_t> withoutError;           ///< that the order needs
    };
    void applyFilter();
    void takeRows(Rows rows);
    void fitColumns();
    void chooseColumns();
    void showProgress();
    ReplayFilter::Current currentState() const;
    void pick(int row);
    void askErrors();
    bool addToQuestion(std::uint32_t place, std::size_t& states);
    void takeAnswer(const std::shared_ptr<const ValueAnswer>& answer);
    void restartPictures();

    ReplayFeed* m_feed;
    PlanSession* m_session;
    ReplayHealth* m_health;
    ReplayModel* m_model;
    StateThumbs* m_thumbs;
    TransitionPanel* m_transition;
    BackgroundWorker *m_worker, *m_finder, *m_inspecting;
    QSplitter* m_split;
    QTableView* m_table;
    QLineEdit* m_filter = nullptr;
    QLabel *m_count = nullptr, *m_asOf = nullptr, *m_problem = nullptr, *m_emptyText = nullptr;
    QPushButton *m_refresh = nullptr, *m_stop = nullptr, *m_emptyButton = nullptr;
    QWidget* m_empty = nullptr;
    QTimer* m_typing;
    QTimer* m_ticking;
    QTimer* m_looking;                                  ///< rows came into view
    std::shared_ptr<std::atomic<std::int64_t>> m_done;  ///< transitions that the filter looked at
    bool m_isFiltering = false;
    std::size_t m_picked = 0;
    std::int64_t m_question = 0, m_errorQuestion = 0;  ///< open ones; 0: none
    std::vector<std::uint32_t> m_errorPlaces;          ///< that the second one is about
    std::vector<std::uint32_t> m_missing;              ///< whose TD errors the order waits for
    ReplayOrder m_order;
    bool m_isOrderNew = false;  ///< its first row is to be picked
    int m_allColumns = 0;       ///< pixels that all columns of the table need
};

}  // namespace orrery
