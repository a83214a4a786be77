#include "widgets/replay/tensors_view.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QScrollArea>
#include <QStackedWidget>
#include <QTabBar>
#include <QTableView>
#include <QVBoxLayout>

#include "core/base/error.h"
#include "core/encode/state_encoder.h"
#include "widgets/bridge/plan_session.h"
#include "widgets/common/parts.h"
#include "widgets/common/table_model.h"
#include "widgets/replay/activation_panel.h"
#include "widgets/replay/plane_grid.h"

namespace orrery {

namespace {

enum SourceIndex { kSelectedState, kReplayState };
enum PageIndex { kPlanesPage, kCellsPage, kAgentsPage, kInteractivePage, kWorldPage, kLayersPage };

}  // namespace

TensorsView::TensorsView(PlanSession* session, ReplayFeed* feed, QWidget* parent)
    : QWidget(parent),
      m_session(session),
      m_source(new QComboBox(this)),
      m_layout(new QComboBox(this)),
      m_title(makeRemark(QString(), "label", this)),
      m_readout(makeLabel(QString(), "number", this)),
      m_empty(makeLabel(QString(), "hint", this)),
      m_tabs(new QTabBar(this)),
      m_pages(new QStackedWidget(this)),
      m_planes(new PlaneGrid(this)),
      m_activations(new ActivationPanel(feed, session, this)),
      m_planeTable(new ReadyTable(this)),
      m_cells(new ReadyTable(this)),
      m_agents(new ReadyTable(this)),
      m_interactive(new ReadyTable(this)),
      m_globals(new ReadyTable(this)) {
    setObjectName(QStringLiteral("tensorView"));
    setAccessibleName(tr("Tensors"));
    nameParts();
    layOut();
    connect(m_tabs, &QTabBar::currentChanged, m_pages, &QStackedWidget::setCurrentIndex);
    connect(m_tabs, &QTabBar::currentChanged, this, [this](int page) {
        m_layout->setVisible(page == kPlanesPage);
        m_readout->setVisible(page == kPlanesPage || page == kLayersPage);
        m_readout->clear();
        setFocusProxy(page == kLayersPage ? static_cast<QWidget*>(m_activations) : m_planes);
        if (wantsTraining()) Q_EMIT trainingWanted();
    });
    connect(m_activations, &ActivationPanel::readoutChanged, this, [this](const QString& text) {
        if (m_tabs->currentIndex() == kLayersPage) m_readout->setText(text);
    });
    connect(m_source, &QComboBox::currentIndexChanged, this, &TensorsView::refresh);
    connect(m_layout, &QComboBox::currentIndexChanged, this, &TensorsView::refresh);
    connect(m_planes, &PlaneGrid::readoutChanged, m_readout, &QLabel::setText);
    connect(m_planes, &PlaneGrid::cellPicked, this, [this](const QPoint& cell) {
        const auto world = m_shown ? m_shown->world : nullptr;
        if (world && cell.x() < world->width() && cell.y() < world->height())
            m_session->selection().setCurrent(CellItem{cell.x(), cell.y()});
    });
    connect(session, &PlanSession::stateChanged, this, &TensorsView::encodeSelected);
    connect(session, &PlanSession::worldChanged, this, &TensorsView::encodeSelected);
    connect(&session->selection(), &Selection::currentChanged, this, &TensorsView::refreshCell);
    encodeSelected();
    refreshCell();
}

void TensorsView::nameParts() {
    m_source->setObjectName(QStringLiteral("tensorSource"));
    m_source->setAccessibleName(tr("State shown"));
    m_source->setToolTip(
        tr("The current state of the world, or the one picked in the replay buffer"));
    m_source->addItems({tr("Current state"), tr("Replay buffer")});
    m_layout->setObjectName(QStringLiteral("tensorLayout"));
    m_layout->setAccessibleName(tr("Layout of the planes"));
    m_layout->setToolTip(tr("All 40 planes, or the 39 of the original, which has none for bushes"));
    m_layout->addItems({tr("40 planes"), tr("39 planes")});
    for (QComboBox* box : {m_source, m_layout})
        box->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    m_readout->setObjectName(QStringLiteral("tensorReadout"));
    m_readout->setAccessibleName(tr("Number under the pointer"));
    m_empty->setObjectName(QStringLiteral("tensorEmpty"));
    m_empty->setWordWrap(true);
    m_empty->setAlignment(Qt::AlignCenter);
    m_tabs->setObjectName(QStringLiteral("tensorTabs"));
    m_tabs->setAccessibleName(tr("Parts of the encoded state"));
    m_tabs->setDrawBase(false);
    m_tabs->setExpanding(false);
}

void TensorsView::layOut() {
    auto* scroll = new QScrollArea(m_pages);
    scroll->setObjectName(QStringLiteral("planeScroll"));
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidgetResizable(true);
    scroll->setFocusPolicy(Qt::NoFocus);
    scroll->setWidget(m_planes);
    m_tabs->addTab(tr("Planes"));
    m_tabs->setTabToolTip(0, tr("One heat map for each kind of thing"));
    m_pages->addWidget(scroll);
    addTable(m_cells, "tensorCells", tr("Compact cells"));
    addTable(m_agents, "tensorAgents", tr("Agents"));
    addTable(m_interactive, "tensorInteractive", tr("Interactive things"));
    addTable(m_globals, "tensorWorld", tr("World"));
    m_tabs->addTab(tr("Activations"));
    m_tabs->setTabToolTip(kLayersPage, tr("What each layer of a network makes of the state"));
    m_pages->addWidget(m_activations);

    auto* bar = new QFrame(this);
    bar->setProperty("look", "bar");
    auto* barLine = new QHBoxLayout(bar);
    barLine->setContentsMargins(12, 4, 12, 4);
    barLine->setSpacing(8);
    barLine->addWidget(m_source);
    barLine->addWidget(m_layout);
    barLine->addWidget(m_title);
    barLine->addStretch(1);
    barLine->addWidget(m_readout);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(bar);
    column->addWidget(m_tabs);
    column->addWidget(m_pages, 1);
    column->addWidget(m_empty, 1);
    setFocusProxy(m_planes);
}

QTableView* TensorsView::addTable(ReadyTable* model, const char* name, const QString& title) {
    auto* table = new QTableView(m_pages);
    table->setObjectName(QLatin1String(name));
    table->setAccessibleName(title);
    table->setModel(model);
    table->setSelectionBehavior(QAbstractItemView::SelectRows);
    table->setTabKeyNavigation(false);
    table->setShowGrid(false);
    table->setFrameShape(QFrame::NoFrame);
    table->verticalHeader()->hide();
    table->verticalHeader()->setDefaultSectionSize(22);
    table->horizontalHeader()->setResizeContentsPrecision(0);  // what is seen decides
    table->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    m_tabs->addTab(title);
    m_pages->addWidget(table);
    return table;
}

PlaneLayout TensorsView::layoutChosen() const {
    return m_layout->currentIndex() == 0 ? PlaneLayout::Whole : PlaneLayout::Seed;
}

QAbstractItemModel* TensorsView::tableModel() {
    return m_tabs->currentIndex() == kLayersPage ? m_activations->tableModel() : m_planeTable;
}

void TensorsView::setReplayState(std::shared_ptr<const ShownState> state) {
    m_replay = std::move(state);
    refresh();
}

void TensorsView::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    if (m_isStale) encodeSelected();
    if (wantsTraining()) Q_EMIT trainingWanted();
}

bool TensorsView::wantsTraining() const {
    return isVisible() && m_tabs->currentIndex() == kLayersPage;
}

void TensorsView::encodeSelected() {
    m_isStale = !isVisible();
    if (m_isStale) return;
    m_selected = nullptr;
    m_problem = tr("Open a world to see what a learner is given of its states.");
    if (m_session->isOpen()) {
        try {
            const World& world = m_session->world();
            StateEncoder encoder(world);
            std::vector<std::int32_t> bytes(encoder.shape().bytes() / sizeof(std::int32_t));
            const StateItem& state = m_session->state();
            const auto out = std::as_writable_bytes(std::span<std::int32_t>(bytes));
            encoder.encode(state.words, state.step, out);
            m_selected =
                shownState(encoder.shape(), out, m_session->loaded().world,
                           tr("step %1 of %2").arg(state.step).arg(m_session->loaded().title));
        } catch (const Error& error) {
            m_problem = QString::fromUtf8(error.what());
        }
    }
    refresh();
}

void TensorsView::refresh() {
    if (m_isStale) return;
    const bool isReplay = m_source->currentIndex() == kReplayState;
    m_shown = isReplay ? m_replay : m_selected;
    m_planes->setState(m_shown, layoutChosen());
    m_empty->setText(isReplay ? tr("Pick a transition in the Replay view to see its states here.")
                              : m_problem);
    m_empty->setVisible(!m_shown);
    m_pages->setVisible(m_shown != nullptr);
    m_tabs->setVisible(m_shown != nullptr);
    m_title->setText(m_shown ? m_shown->title : QString());
    m_activations->setState(m_shown, !isReplay);
    const auto fill = [this](ReadyTable* table, const QStringList& headings, auto rows, int first) {
        table->setContent(headings, m_shown ? rows(*m_shown) : std::vector<QStringList>(), first);
    };
    fill(
        m_planeTable, planeHeadings(),
        [this](const ShownState& state) { return planeRows(state, layoutChosen()); }, 1);
    fill(m_cells, cellHeadings(), cellRows, 99);
    fill(m_agents, numberHeadings(), agentRows, 3);
    fill(m_interactive, numberHeadings(), interactiveRows, 3);
    fill(m_globals, numberHeadings(), globalRows, 3);
}

void TensorsView::refreshCell() {
    const auto* cell = m_session->selection().current<CellItem>();
    m_planes->setCell(cell != nullptr ? std::optional<QPoint>(QPoint(cell->x, cell->y))
                                      : std::nullopt);
}

QJsonObject TensorsView::saveState() const {
    return {{QStringLiteral("page"), m_tabs->currentIndex()},
            {QStringLiteral("seedPlanes"), m_layout->currentIndex() == 1}};
}

void TensorsView::restoreState(const QJsonObject& state) {
    m_tabs->setCurrentIndex(
        std::clamp(state.value(QLatin1String("page")).toInt(), 0, m_tabs->count() - 1));
    m_layout->setCurrentIndex(state.value(QLatin1String("seedPlanes")).toBool() ? 1 : 0);
}

}  // namespace orrery
