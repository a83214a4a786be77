#include "widgets/learned/span_panel.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QStackedWidget>
#include <QTableView>
#include <QVBoxLayout>
#include <functional>
#include <utility>

#include "core/trace/span_recorder.h"
#include "widgets/common/number_text.h"
#include "widgets/common/parts.h"
#include "widgets/imgui/gl_loader.h"
#include "widgets/imgui/trace_canvas.h"
#include "widgets/imgui/trace_text.h"

namespace orrery {

namespace {

constexpr double kZoomStep = 1.6;

}  // namespace

SpanPanel::SpanPanel(const QString& name, QWidget* parent)
    : QWidget(parent),
      m_facts(makeLabel({}, "label", this)),
      m_empty(makeLabel({}, "label", this)),
      m_pages(new QStackedWidget(this)) {
    setObjectName(name);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(makeBar());
    column->addWidget(m_pages, 1);
    m_empty->setAlignment(Qt::AlignCenter);
    m_empty->setWordWrap(true);
    m_pages->addWidget(m_empty);
    setMinimumHeight(184);
    refresh();
}

QWidget* SpanPanel::makeBar() {
    auto* bar = new QWidget(this);
    bar->setFixedHeight(34);
    auto* row = new QHBoxLayout(bar);
    row->setContentsMargins(4, 0, 0, 0);
    row->setSpacing(4);
    m_facts->setToolTip(tr("The first %1 steps of every %2 ms are recorded whole, older ones are "
                           "thinned out over the run. Pale: the shares of all that was done.")
                            .arg(SpanRecorder::kBurstSteps)
                            .arg(SpanRecorder::kBurstPause / 1'000'000));
    m_facts->setMinimumWidth(40);
    row->addWidget(m_facts, 1);
    const auto addButton = [&](const QString& text, const char* id, const QString& tip,
                               const std::function<void()>& press) {
        auto* button = new QPushButton(text, bar);
        button->setObjectName(objectName() + QLatin1String(id));
        button->setToolTip(tip);
        button->setAccessibleName(tip);
        button->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
        connect(button, &QPushButton::clicked, this, press);
        row->addWidget(button);
        return button;
    };
    m_viewButtons << addButton(QStringLiteral("−"), "ZoomOut", tr("Show more time"),
                               [this] { m_canvas->zoomBy(1 / kZoomStep); });
    m_viewButtons << addButton(QStringLiteral("+"), "ZoomIn", tr("Show less time"),
                               [this] { m_canvas->zoomBy(kZoomStep); });
    m_viewButtons << addButton(tr("All"), "Fit", tr("Show the whole recording (F)"),
                               [this] { m_canvas->fit(); });
    m_viewButtons << addButton(tr("Limit"), "Limit",
                               tr("Limit the numbers to the time that is visible (L)"),
                               [this] { m_canvas->limitToView(); });
    m_clear = addButton(tr("No limit"), "NoLimit", tr("Take the numbers from the whole time (Esc)"),
                        [this] { setRange(std::nullopt); });
    return bar;
}

QWidget* SpanPanel::makeTablePage(const QString& reason) {
    auto* page = new QWidget(this);
    auto* column = new QVBoxLayout(page);
    column->setContentsMargins(4, 4, 4, 4);
    QLabel* text = makeLabel(tr("%1 The timeline is shown as a table.").arg(reason), "label", page);
    text->setObjectName(objectName() + QStringLiteral("Reason"));
    text->setWordWrap(true);
    column->addWidget(text);
    auto* table = new QTableView(page);
    table->setObjectName(objectName() + QStringLiteral("Table"));
    table->setAccessibleName(tr("Threads and stages over time"));
    table->setModel(&m_model);
    table->setSelectionBehavior(QAbstractItemView::SelectRows);
    table->setTabKeyNavigation(false);
    table->verticalHeader()->hide();
    column->addWidget(table, 1);
    return page;
}

void SpanPanel::makePages() {
    if (m_full != nullptr) return;
    QString reason;
    if (ImGuiHost::isAvailable(&reason)) {
        m_canvas = new TraceCanvas(this);
        connect(m_canvas, &TraceCanvas::rangeChanged, this,
                [this] { setRange(m_canvas->scene().range()); });
        connect(m_canvas, &TraceCanvas::kindPicked, this, &SpanPanel::kindPicked);
        m_full = m_canvas;
        setFocusProxy(m_canvas);
    } else {
        m_isTableUsed = true;
        m_full = makeTablePage(reason);
    }
    m_pages->addWidget(m_full);
    refresh();
}

void SpanPanel::setTimeline(std::shared_ptr<const SpanTimeline> timeline, const QString& title,
                            bool isOther) {
    m_isReading = false;
    m_timeline = std::move(timeline);
    m_title = title;
    if (isOther && m_canvas != nullptr) m_canvas->setTimeline(nullptr);
    if (isOther && m_canvas != nullptr) m_canvas->fit();
    if (isOther) setRange(std::nullopt);
    refresh();
}

void SpanPanel::setReading() {
    setTimeline(nullptr, {}, true);
    m_isReading = true;
    refresh();
}

void SpanPanel::setRange(std::optional<SpanRange> range) {
    if (m_canvas != nullptr) m_canvas->setRange(range);
    if (range == m_range) return;
    m_range = range;
    refresh();
    Q_EMIT rangeChanged();
}

void SpanPanel::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    if (m_full == nullptr) whenGlIsLoaded(this, [this] { makePages(); });
    refresh();
}

void SpanPanel::refresh() {
    const bool isEmpty = !m_timeline || m_timeline->lanes.empty();
    m_empty->setText(m_isReading
                         ? tr("What the threads did is being read.")
                         : tr("What the threads did was not recorded: the run is of an older "
                              "version, or it has no checkpoint."));
    QString facts = m_title;
    if (!isEmpty) {
        std::size_t steps = 0;
        for (const auto& burst : m_timeline->lanes[0]->bursts) steps += burst->stepEnds.size();
        const auto& bins = m_timeline->lanes[0]->bins;
        std::int64_t all = 0;
        for (const SpanBin& bin : bins) all += bin.steps;
        facts += tr(" · %1 of %2 steps recorded whole")
                     .arg(countText(static_cast<std::int64_t>(steps)), countText(all));
        if (m_range) facts += tr(" · limited to %1").arg(spanText(m_range->lengthNs()));
    }
    m_facts->setText(facts);
    for (QPushButton* button : m_viewButtons) button->setVisible(m_canvas != nullptr && !isEmpty);
    m_clear->setVisible(m_range.has_value());
    if (m_canvas != nullptr) m_canvas->setTimeline(m_timeline);
    if (m_isTableUsed) refreshModel();
    m_pages->setCurrentWidget(isEmpty || m_full == nullptr ? m_empty : m_full);
}

void SpanPanel::refreshModel() {
    m_model.setTimeline(m_timeline, m_range);
}

QAbstractItemModel* SpanPanel::tableModel() {
    m_isTableUsed = true;
    refreshModel();
    return &m_model;
}

}  // namespace orrery
