#include "widgets/train/pipeline_view.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QStackedWidget>
#include <QTableView>
#include <QVBoxLayout>

#include "widgets/common/parts.h"
#include "widgets/imgui/gl_loader.h"
#include "widgets/train/pipeline_canvas.h"
#include "widgets/train/pipeline_facts.h"
#include "widgets/train/train_session.h"
#include "widgets/train/view_clock.h"

namespace orrery {

PipelineView::PipelineView(TrainSession* session, QWidget* parent)
    : QWidget(parent), m_session(session), m_model(new PipelineModel(session, this)) {
    setObjectName(QStringLiteral("pipelineView"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    auto* bar = new QWidget(this);
    bar->setFixedHeight(30);
    auto* row = new QHBoxLayout(bar);
    row->setContentsMargins(16, 0, 12, 0);
    row->addWidget(makeLabel(tr("Pipeline"), "section", bar));
    row->addSpacing(8);
    m_verdict = makeLabel({}, "label", bar);
    m_verdict->setObjectName(QStringLiteral("pipelineVerdict"));
    row->addWidget(m_verdict, 1);
    column->addWidget(bar);
    m_pages = new QStackedWidget(this);
    column->addWidget(m_pages, 1);
    m_empty = makeLabel({}, "label", m_pages);
    m_empty->setObjectName(QStringLiteral("pipelineEmpty"));
    m_empty->setAlignment(Qt::AlignCenter);
    m_empty->setWordWrap(true);
    m_pages->addWidget(m_empty);
    connect(m_model, &PipelineModel::changed, this, &PipelineView::refresh);
    connect(&session->clock(), &ViewClock::rateChanged, this, &PipelineView::refresh);
    session->clock().addView(this);
    refresh();
}

QWidget* PipelineView::makeTablePage(const QString& reason) {
    auto* page = new QWidget(this);
    auto* column = new QVBoxLayout(page);
    column->setContentsMargins(16, 8, 16, 8);
    QLabel* text = makeLabel(tr("%1 The pipeline is shown as a table.").arg(reason), "label", page);
    text->setObjectName(QStringLiteral("pipelineReason"));
    text->setWordWrap(true);
    column->addWidget(text);
    auto* table = new QTableView(page);
    table->setObjectName(QStringLiteral("pipelineTable"));
    table->setAccessibleName(tr("Pipeline of the training"));
    table->setModel(m_model);
    table->setSelectionBehavior(QAbstractItemView::SelectRows);
    table->setTabKeyNavigation(false);
    table->verticalHeader()->hide();
    table->horizontalHeader()->setStretchLastSection(true);
    column->addWidget(table, 1);
    return page;
}

void PipelineView::makePages() {
    if (m_full != nullptr) return;
    QString reason;
    if (ImGuiHost::isAvailable(&reason)) {
        m_canvas = new PipelineCanvas(m_model, this);
        m_full = m_canvas;
    } else {
        m_full = makeTablePage(reason);
    }
    m_pages->addWidget(m_full);
    refresh();
}

void PipelineView::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    if (m_full == nullptr) whenGlIsLoaded(this, [this] { makePages(); });
    refresh();
}

void PipelineView::refresh() {
    const PipelineFacts& facts = m_model->facts();
    m_verdict->setText(facts.isEmpty()                 ? QString()
                       : m_session->clock().isFrozen() ? tr("frozen: the view rate is 0 Hz")
                                                       : facts.verdict());
    m_empty->setText(
        m_session->record().hasRun() && !m_session->record().display().flow
            ? tr("This method has neither actors nor a buffer: it learns from each step at once.")
            : tr("Start a training to see how steps flow from the actors to the learner."));
    m_pages->setCurrentWidget(facts.isEmpty() || m_full == nullptr ? m_empty : m_full);
}

QAbstractItemModel* PipelineView::tableModel() {
    return m_model;
}

}  // namespace orrery
