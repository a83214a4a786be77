#include "widgets/entity/rollout_view.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QJsonObject>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTableView>
#include <QTimer>
#include <QVBoxLayout>
#include <algorithm>

#include "core/base/error.h"
#include "widgets/bridge/background_worker.h"
#include "widgets/common/number_text.h"
#include "widgets/common/parts.h"
#include "widgets/entity/rollout_model.h"

namespace orrery {

namespace {

constexpr int kFilterPauseMs = 250, kRolloutRow = 22, kRolloutColumn = 84;

}  // namespace

RolloutView::RolloutView(QWidget* parent)
    : QWidget(parent),
      m_model(new RolloutModel(this)),
      m_worker(new BackgroundWorker(this)),
      m_table(new QTableView(this)),
      m_filter(new QLineEdit(this)),
      m_count(makeLabel({}, "hint", this)),
      m_problem(makeLabel({}, "trouble", this)),
      m_empty(makeLabel({}, "hint", this)),
      m_fetch(new QPushButton(tr("Fetch"), this)),
      m_typing(new QTimer(this)) {
    setObjectName(QStringLiteral("rolloutView"));
    m_filter->setObjectName(QStringLiteral("rolloutFilter"));
    m_filter->setAccessibleName(tr("Filter"));
    m_filter->setPlaceholderText(tr("Filter, such as done and advantage < 0"));
    m_filter->setClearButtonEnabled(true);
    m_fetch->setObjectName(QStringLiteral("rolloutFetch"));
    m_count->setObjectName(QStringLiteral("rolloutCount"));
    m_problem->setObjectName(QStringLiteral("rolloutProblem"));
    m_empty->setObjectName(QStringLiteral("rolloutEmpty"));
    m_empty->setWordWrap(true);
    m_empty->setAlignment(Qt::AlignCenter);
    m_table->setObjectName(QStringLiteral("rolloutTable"));
    m_table->setAccessibleName(tr("Rollout"));
    m_table->setModel(m_model);
    m_table->setShowGrid(false);
    m_table->setFrameShape(QFrame::NoFrame);
    m_table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->setTabKeyNavigation(false);
    m_table->setWordWrap(false);
    m_table->setToolTip(tr("A double click or Enter shows the frame in Entities"));
    m_table->verticalHeader()->hide();
    m_table->verticalHeader()->setDefaultSectionSize(kRolloutRow);
    m_table->horizontalHeader()->setDefaultSectionSize(kRolloutColumn);
    m_table->horizontalHeader()->setHighlightSections(false);
    m_table->horizontalHeader()->setSortIndicator(0, Qt::AscendingOrder);
    m_table->setSortingEnabled(true);
    auto* bar = new QHBoxLayout;
    bar->setContentsMargins(12, 6, 12, 0);
    bar->setSpacing(8);
    bar->addWidget(m_filter, 1);
    bar->addWidget(m_count);
    bar->addWidget(m_fetch);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(4);
    column->addLayout(bar);
    m_problem->setContentsMargins(12, 0, 12, 0);
    column->addWidget(m_problem);
    column->addWidget(m_table, 1);
    column->addWidget(m_empty, 1);
    m_typing->setSingleShot(true);
    m_typing->setInterval(kFilterPauseMs);
    connect(m_filter, &QLineEdit::textChanged, m_typing, qOverload<>(&QTimer::start));
    connect(m_typing, &QTimer::timeout, this, &RolloutView::apply);
    connect(m_fetch, &QPushButton::clicked, this, &RolloutView::fetch);
    connect(m_model, &RolloutModel::orderWanted, this, [this](int by, Qt::SortOrder order) {
        m_order = {static_cast<RolloutColumn>(by), order == Qt::DescendingOrder};
        apply();
    });
    connect(m_table, &QTableView::activated, this,
            [this](const QModelIndex& index) { open(index.row()); });
    refresh();
}

RolloutView::~RolloutView() {
    delete m_worker;  // before what its jobs touch
}

void RolloutView::setSource(Source source) {
    const bool isOther = source.desk != m_source.desk;
    m_source = std::move(source);
    if (isOther) {
        m_isWaiting = false;
        m_rollout.reset();
        m_worker->stopAll();
        m_model->setContent(nullptr, {});
    }
    look();
    refresh();
}

void RolloutView::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    refresh();
}

void RolloutView::fetch() {
    if (!m_source.desk) return;
    m_isWaiting = true;
    m_source.desk->askForRollout();
    refresh();
}

/// What comes while it is waited for is shown at once, and again when it is complete.
void RolloutView::look() {
    if (!m_source.desk || (!m_isWaiting && m_rollout)) return;
    const auto copy = m_source.desk->rollout();
    if (!copy || copy == m_rollout) return;
    m_rollout = copy;
    m_isWaiting = m_source.isLive && !copy->isLearned;
    apply();
}

void RolloutView::apply() {
    m_typing->stop();
    std::shared_ptr<const RolloutFilter> filter;
    m_problem->clear();
    try {
        filter = std::make_shared<const RolloutFilter>(m_filter->text());
    } catch (const Error& error) {
        m_problem->setText(QString::fromUtf8(error.what()));
    }
    refresh();
    if (!filter || !m_rollout) return;
    using Rows = std::optional<std::vector<std::uint32_t>>;
    m_worker->replace<Rows>(
        [rollout = m_rollout, filter, order = m_order](const std::stop_token& stop) {
            return shownRows(*rollout, *filter, order, stop);
        },
        [this, rollout = m_rollout](Rows rows) {
            if (!rows || rollout != m_rollout) return;
            m_model->setContent(rollout, std::move(*rows));
            refresh();
        },
        [this](const QString& text) { m_problem->setText(text); });
}

void RolloutView::refresh() {
    const bool hasRows = m_rollout != nullptr;
    m_table->setVisible(hasRows);
    m_filter->setEnabled(hasRows);
    m_empty->setVisible(!hasRows);
    m_problem->setVisible(!m_problem->text().isEmpty());
    m_fetch->setText(hasRows ? tr("Fetch anew") : tr("Fetch"));
    m_fetch->setEnabled(m_source.desk != nullptr && m_source.isLive);
    m_fetch->setToolTip(
        m_source.bytes > 0
            ? tr("Copies the frames that the training learns from now, about %1; ratio and entropy "
                 "follow with the end of its update")
                  .arg(bytesText(m_source.bytes))
            : tr("Copies the frames that the training learns from now"));
    m_empty->setText(
        m_isWaiting ? tr("It comes with the next step of the training...")
        : m_source.desk && m_source.isLive
            ? tr("%1: Fetch copies the frames that it learns from now.").arg(m_source.run)
        : m_source.desk ? tr("The training has ended, and its frames were not fetched before.")
                        : tr("A live training in an environment shows here the frames that it "
                             "learns from, one line each."));
    if (!hasRows) return m_count->clear();
    QString text = tr("%1 of %2 frames, %3 trained on before")
                       .arg(countText(m_model->rowCount()), countText(m_rollout->rows()),
                            countText(m_rollout->trainStep));
    if (m_rollout->stepsDone < m_rollout->steps)
        text += tr(", step %1 of %2").arg(m_rollout->stepsDone).arg(m_rollout->steps);
    m_count->setText(text);
}

void RolloutView::open(int place) {
    if (place >= 0 && place < m_model->rowCount())
        Q_EMIT opened(m_model->rollout(), m_model->rowAt(place));
}

QJsonObject RolloutView::saveState() const {
    return {{QStringLiteral("filter"), m_filter->text()},
            {QStringLiteral("column"), static_cast<int>(m_order.column)},
            {QStringLiteral("down"), m_order.isDown}};
}

void RolloutView::restoreState(const QJsonObject& state) {
    m_filter->setText(state.value(u"filter").toString());
    const int column = std::clamp(state.value(u"column").toInt(), 0, kNumRolloutColumns - 1);
    m_table->horizontalHeader()->setSortIndicator(
        column, state.value(u"down").toBool() ? Qt::DescendingOrder : Qt::AscendingOrder);
}

}  // namespace orrery
