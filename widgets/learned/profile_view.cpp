#include "widgets/learned/profile_view.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QHelpEvent>
#include <QLabel>
#include <QPainter>
#include <QSignalBlocker>
#include <QStackedWidget>
#include <QToolTip>
#include <QVBoxLayout>
#include <algorithm>
#include <numeric>
#include <utility>

#include "widgets/common/number_text.h"
#include "widgets/common/parts.h"
#include "widgets/common/style.h"
#include "widgets/common/tokens.h"
#include "widgets/plots/cell_table.h"
#include "widgets/plots/chart_text.h"

namespace orrery {

namespace {

constexpr double kRowHigh = 34, kBarHigh = 26, kNameWide = 190, kTop = 8;

double sumOf(const StageProfile& profile) {
    return std::accumulate(profile.milliseconds.begin(), profile.milliseconds.end(), 0.0);
}

QColor stageColor(int stage, const Tokens& t) {
    const auto place = static_cast<std::size_t>(stage);
    return place < t.data.size() ? t.data[place] : t.chartAxis;
}

QString shareText(double part, double whole) {
    return whole > 0 ? percentText(part / whole) : QStringLiteral("–");
}

}  // namespace

QString stageName(ProfileStage stage) {
    switch (stage) {
        case ProfileStage::Collect:
            return QObject::tr("collect");
        case ProfileStage::Encode:
            return QObject::tr("encode");
        case ProfileStage::Forward:
            return QObject::tr("forward");
        case ProfileStage::Scatter:
            return QObject::tr("scatter");
        case ProfileStage::V_h_e:
            return QStringLiteral("V_h^e");
        case ProfileStage::Conversion:
            return QObject::tr("tensor conversion");
        case ProfileStage::Backward:
            return QObject::tr("backward");
        case ProfileStage::Optimiser:
            return QObject::tr("optimiser");
        case ProfileStage::Actor:
            return QObject::tr("actor");
        case ProfileStage::Idle:
            return QObject::tr("idle");
    }
    return {};
}

StageTimes::StageTimes(QWidget* parent) : QWidget(parent) {
    setObjectName(QStringLiteral("profileBars"));
    setAccessibleName(tr("Parts of a training step"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void StageTimes::show(std::vector<StageProfile> profiles) {
    m_profiles = std::move(profiles);
    setFixedHeight(static_cast<int>(2 * kTop + kRowHigh * static_cast<double>(m_profiles.size())));
    QStringList told;
    for (const StageProfile& profile : m_profiles)
        told << tr("%1: %2 ms a step").arg(profile.name, valueText(sumOf(profile), 3));
    setAccessibleDescription(told.join(QStringLiteral(". ")));
    update();
}

std::vector<StageTimes::Part> StageTimes::parts() const {
    std::vector<Part> parts;
    double most = 0;
    for (const StageProfile& profile : m_profiles) most = std::max(most, sumOf(profile));
    if (most <= 0) return parts;
    const double room = width() - kNameWide - 12;
    for (std::size_t p = 0; p < m_profiles.size(); ++p) {
        double x = kNameWide;
        for (int i = 0; i < kNumProfileStages; ++i) {
            const double wide =
                room * m_profiles[p].milliseconds[static_cast<std::size_t>(i)] / most;
            if (wide > 0)
                parts.push_back(
                    {QRectF(x, kTop + static_cast<double>(p) * kRowHigh, wide, kBarHigh), p, i});
            x += wide;
        }
    }
    return parts;
}

QString StageTimes::tipOf(const Part& part) const {
    const StageProfile& profile = m_profiles[part.profile];
    const double ms = profile.milliseconds[static_cast<std::size_t>(part.stage)];
    return tr("%1: %2 ms a training step, %3")
        .arg(stageName(static_cast<ProfileStage>(part.stage)), valueText(ms, 4),
             shareText(ms, sumOf(profile)));
}

void StageTimes::paintEvent(QPaintEvent*) {
    const Tokens& t = currentTokens();
    QPainter painter(this);
    for (std::size_t p = 0; p < m_profiles.size(); ++p) {
        const double top = kTop + static_cast<double>(p) * kRowHigh;
        painter.setFont(interfaceFont(12, QFont::DemiBold));
        painter.setPen(t.text);
        const QString name = painter.fontMetrics().elidedText(
            m_profiles[p].id + QStringLiteral(" · ") + m_profiles[p].name, Qt::ElideRight,
            static_cast<int>(kNameWide) - 90);
        painter.drawText(QRectF(4, top, kNameWide, kBarHigh), Qt::AlignVCenter, name);
        painter.setFont(numberFont(12));
        painter.setPen(t.text2);
        painter.drawText(QRectF(4, top, kNameWide - 14, kBarHigh),
                         Qt::AlignVCenter | Qt::AlignRight,
                         tr("%1 ms").arg(valueText(sumOf(m_profiles[p]), 3)));
    }
    for (const Part& part : parts()) {
        const bool isIdle = static_cast<ProfileStage>(part.stage) == ProfileStage::Idle;
        const QColor color = stageColor(part.stage, t);
        painter.fillRect(part.place, isIdle ? QBrush(t.text3, Qt::BDiagPattern) : QBrush(color));
        painter.setPen(QPen(t.window, 1));
        painter.drawRect(part.place);
        const QString name = stageName(static_cast<ProfileStage>(part.stage));
        if (isIdle || wordsWidth(11, name, 400) + 10 > part.place.width()) continue;
        painter.setPen(textOn(color));
        paintWords(painter, part.place.bottomLeft() + QPointF(6, -9), 11, name, 400);
    }
}

bool StageTimes::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip) return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    for (const Part& part : parts())
        if (part.place.contains(help->pos())) {
            QToolTip::showText(help->globalPos(), tipOf(part), this);
            return true;
        }
    QToolTip::hideText();
    return true;
}

std::vector<NamedSpot> StageTimes::namedSpots() const {
    std::vector<NamedSpot> spots;
    for (const Part& part : parts())
        spots.push_back(
            {QStringLiteral("%1 %2").arg(m_profiles[part.profile].id,
                                         stageName(static_cast<ProfileStage>(part.stage))),
             part.place.toAlignedRect(),
             {{QStringLiteral("ms"),
               m_profiles[part.profile].milliseconds[static_cast<std::size_t>(part.stage)]}}});
    return spots;
}

ProfileView::ProfileView(LearnedDesk* desk, QWidget* parent)
    : QWidget(parent),
      m_desk(desk),
      m_pages(new QStackedWidget(this)),
      m_empty(new QWidget(this)),
      m_full(new QWidget(this)),
      m_first(new QComboBox(m_full)),
      m_second(new QComboBox(m_full)),
      m_remark(makeRemark({}, "hint", m_full)),
      m_bars(new StageTimes(m_full)),
      m_table(new CellTable(QStringLiteral("profileTable"), m_full)) {
    setObjectName(QStringLiteral("profile"));
    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(0, 0, 0, 0);
    outer->addWidget(m_pages);
    auto* none = new QVBoxLayout(m_empty);
    QLabel* text =
        makeLabel(tr("No training was profiled yet: start one with Ctrl+T."), "name", m_empty);
    text->setAlignment(Qt::AlignCenter);
    none->addWidget(text);
    auto* column = new QVBoxLayout(m_full);
    column->setContentsMargins(12, 10, 12, 10);
    column->setSpacing(8);
    auto* row = new QHBoxLayout;
    row->setSpacing(8);
    for (QComboBox* box : {m_first, m_second}) {
        box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
        box->setMinimumContentsLength(18);
        connect(box, &QComboBox::activated, this, &ProfileView::read);
    }
    m_first->setObjectName(QStringLiteral("profileFirst"));
    m_first->setAccessibleName(tr("Training"));
    m_first->setToolTip(tr("The training whose step is shown"));
    m_second->setObjectName(QStringLiteral("profileSecond"));
    m_second->setAccessibleName(tr("Training to compare with"));
    m_second->setToolTip(tr("A second training, for the difference"));
    row->addWidget(m_first, 1);
    row->addWidget(makeLabel(tr("against"), "name", m_full));
    row->addWidget(m_second, 1);
    row->addWidget(m_remark, 1);
    column->addLayout(row);
    column->addWidget(m_bars);
    m_table->setAccessibleName(tr("Milliseconds of each part of a training step"));
    column->addWidget(m_table, 1);
    m_pages->addWidget(m_empty);
    m_pages->addWidget(m_full);
    connect(desk, &LearnedDesk::trainingsChanged, this, &ProfileView::fillRuns);
    connect(desk, &LearnedDesk::profilesRead, this, &ProfileView::refresh);
    fillRuns();
}

void ProfileView::setLive(const QString& runId, const QString& name,
                          const BatchProfileStats& stats) {
    m_live = {.id = runId, .name = name, .calls = stats.calls};
    for (int i = 0; i < kNumProfileStages; ++i)
        m_live.milliseconds[static_cast<std::size_t>(i)] =
            stats.milliseconds(static_cast<ProfileStage>(i));
    if (m_first->findData(runId) < 0) fillRuns();
    if (m_first->currentData() == runId || m_second->currentData() == runId) refresh();
}

QAbstractItemModel* ProfileView::tableModel() {
    return m_table->cellModel();
}

void ProfileView::fillRuns() {
    const auto trainings = m_desk->trainings();
    for (QComboBox* box : {m_first, m_second}) {
        const QSignalBlocker blocker(box);
        const QVariant chosen = box->currentData();
        box->clear();
        if (box == m_second) box->addItem(tr("nothing"), QString());
        for (const auto& [id, title] : trainings) box->addItem(title, id);
        const int place = box->findData(chosen);
        box->setCurrentIndex(place >= 0 ? place : 0);
    }
    m_pages->setCurrentWidget(trainings.empty() ? m_empty : m_full);
    read();
}

void ProfileView::read() {
    m_desk->readProfiles(m_first->currentData().toString(), m_second->currentData().toString());
}

void ProfileView::refresh() {
    std::vector<StageProfile> shown;
    for (const QComboBox* box : {m_first, m_second}) {
        const QString id = box->currentData().toString();
        if (id.isEmpty()) continue;
        const auto at = std::ranges::find(m_desk->profiles(), id, &StageProfile::id);
        if (id == m_live.id && m_live.calls > 0)
            shown.push_back(m_live);
        else if (at != m_desk->profiles().end())
            shown.push_back(*at);
    }
    m_bars->show(shown);
    if (shown.empty()) return;
    const bool hasTwo = shown.size() > 1;
    QStringList headers{tr("part of a step"), tr("ms"), tr("share")};
    if (hasTwo)
        headers << tr("ms of the other") << tr("share") << tr("difference, ms")
                << tr("difference, %");
    std::vector<CellModel::Row> rows;
    const auto part = [](const QString& text, double number) {
        return CellModel::Cell{.text = text, .number = number, .isNumber = true};
    };
    const auto addRow = [&](const QString& name, double first, double second) {
        CellModel::Row row;
        row.cells = {CellModel::text(name), CellModel::value(first),
                     part(shareText(first, sumOf(shown[0])), first)};
        if (hasTwo) {
            row.cells.push_back(CellModel::value(second));
            row.cells.push_back(part(shareText(second, sumOf(shown[1])), second));
            row.cells.push_back(CellModel::value(second - first));
            const double change = first > 0 ? 100 * (second - first) / first : 0;
            row.cells.push_back(part(first > 0
                                         ? QString::number(change, 'f', 0) + QStringLiteral(" %")
                                         : QStringLiteral("–"),
                                     change));
        }
        rows.push_back(std::move(row));
    };
    for (int i = 0; i < kNumProfileStages; ++i) {
        const auto at = static_cast<std::size_t>(i);
        addRow(stageName(static_cast<ProfileStage>(i)), shown[0].milliseconds[at],
               hasTwo ? shown[1].milliseconds[at] : 0);
    }
    addRow(tr("all"), sumOf(shown[0]), hasTwo ? sumOf(shown[1]) : 0);
    m_table->setTable(headers, std::move(rows));
    m_remark->setText(shown[0].calls > 0
                          ? tr("mean of %1 training steps").arg(countText(shown[0].calls))
                          : tr("no checkpoint of this run kept a profile"));
}

}  // namespace orrery
