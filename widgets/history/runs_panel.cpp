#include "widgets/history/runs_panel.h"

#include <QDateTime>
#include <QLabel>
#include <QLineEdit>
#include <QPainter>
#include <QPainterPath>
#include <QVBoxLayout>

#include "widgets/common/parts.h"
#include "widgets/common/row_list.h"
#include "widgets/common/selection.h"
#include "widgets/common/tokens.h"

namespace orrery {

namespace {

QString timeText(const std::string& utc) {
    const QDateTime time = QDateTime::fromString(QString::fromStdString(utc), Qt::ISODateWithMs);
    if (!time.isValid()) return QString::fromStdString(utc);
    const QDateTime local = time.toLocalTime();
    return local.date() == QDate::currentDate() ? local.toString(QStringLiteral("hh:mm:ss"))
                                                : local.toString(QStringLiteral("d MMM yyyy"));
}

/// The status mark: the shape alone tells the state.
void paintState(QPainter& painter, const QRectF& box, std::optional<RunState> state,
                const Tokens& t) {
    const QRectF disc(box.center() - QPointF(7, 7), QSizeF(14, 14));
    const auto fill = [&](const QColor& color) {
        painter.setPen(Qt::NoPen);
        painter.setBrush(color);
    };
    const auto stroke = [&](const QColor& color, double width, Qt::PenStyle style = Qt::SolidLine) {
        painter.setPen(QPen(color, width, style, Qt::RoundCap, Qt::RoundJoin));
        painter.setBrush(Qt::NoBrush);
    };
    const QPointF c = disc.center();
    switch (state.value_or(RunState::Queued)) {
        case RunState::Finished:
            fill(t.ok);
            painter.drawEllipse(disc);
            stroke(t.panel, 1.8);
            painter.drawPolyline(
                QPolygonF{c + QPointF(-3, 0), c + QPointF(-0.8, 2.4), c + QPointF(3.2, -2.4)});
            break;
        case RunState::Failed:
        case RunState::Diverged:
            fill(t.error);
            painter.drawRoundedRect(disc, 2, 2);
            stroke(t.panel, 1.8);
            painter.drawLine(c + QPointF(-3, -3), c + QPointF(3, 3));
            painter.drawLine(c + QPointF(-3, 3), c + QPointF(3, -3));
            break;
        case RunState::Running:
            stroke(t.info, 2);
            painter.drawArc(disc, 0, 270 * 16);
            break;
        case RunState::Paused:
            fill(t.warning);
            painter.drawEllipse(disc);
            break;
        case RunState::Stopped:
        case RunState::Interrupted:
            stroke(t.warning, 1.8);
            painter.drawEllipse(disc.adjusted(1, 1, -1, -1));
            painter.drawRect(QRectF(c - QPointF(2, 2), QSizeF(4, 4)));
            break;
        case RunState::Queued:
        case RunState::Blocked:
            stroke(t.text3, 1.6, Qt::DotLine);
            painter.drawEllipse(disc.adjusted(1, 1, -1, -1));
            break;
    }
}

Row rowOf(const RunRecord& run, bool isCurrent) {
    Row row;
    row.title =
        run.name.empty() ? QString::fromStdString(run.id) : QString::fromStdString(run.name);
    const QString state = run.state
                              ? QString::fromUtf8(nameOf(*run.state).data(),
                                                  static_cast<qsizetype>(nameOf(*run.state).size()))
                              : QStringLiteral("unknown state");
    row.subtitle = QStringLiteral("%1 · %2").arg(state, timeText(run.createdUtc));
    row.value = QString::fromStdString(run.id);
    row.isCurrent = isCurrent;
    row.tip = QStringLiteral("%1\n%2").arg(
        row.title, QObject::tr("Double-click or Enter opens the run with its values"));
    row.picture = [state = run.state](QPainter& painter, const QRectF& box, const Tokens& tokens) {
        paintState(painter, box, state, tokens);
    };
    return row;
}

}  // namespace

RunsPanel::RunsPanel(Selection* selection, QWidget* parent)
    : QWidget(parent),
      m_selection(selection),
      m_filter(new QLineEdit(this)),
      m_list(new RowList(QStringLiteral("runList"), 44, 20, this)),
      m_empty(
          makeLabel(tr("No runs yet. Open a world and press Solve (F5); the run stays here with "
                       "its values."),
                    "name", this)),
      m_place(makeLabel({}, "hint", this)) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(12, 12, 8, 12);
    layout->setSpacing(8);
    m_count = addHeading(layout, tr("Runs"));
    m_filter->setObjectName(QStringLiteral("runFilter"));
    m_filter->setPlaceholderText(tr("Filter by name, id or note"));
    m_filter->setClearButtonEnabled(true);
    layout->addWidget(m_filter);
    m_empty->setWordWrap(true);
    m_empty->setObjectName(QStringLiteral("runsEmpty"));
    layout->addWidget(m_empty);
    layout->addWidget(m_list, 1);
    m_place->setWordWrap(true);
    layout->addWidget(m_place);
    connect(m_filter, &QLineEdit::textChanged, this, &RunsPanel::refresh);
    connect(m_list, &RowList::activated, this, [this](const QModelIndex& index) {
        if (index.row() < std::ssize(m_shown))
            Q_EMIT reopenRequested(
                QString::fromStdString(m_runs[m_shown[static_cast<std::size_t>(index.row())]].id));
    });
    connect(selection, &Selection::currentChanged, this, [this](SelectionKind kind) {
        if (kind == SelectionKind::Run) refresh();
    });
    refresh();
}

void RunsPanel::setRuns(const std::vector<RunRecord>& runs) {
    m_runs = runs;
    refresh();
}

void RunsPanel::setPlace(const QString& text) {
    m_place->setText(text);
}

void RunsPanel::refresh() {
    const auto* current = m_selection->current<RunItem>();
    const QString filter = m_filter->text().trimmed();
    m_shown.clear();
    std::vector<Row> rows;
    for (std::size_t i = 0; i < m_runs.size(); ++i) {
        const RunRecord& run = m_runs[i];
        const QString words = QString::fromStdString(run.id + ' ' + run.name + ' ' + run.note);
        if (!words.contains(filter, Qt::CaseInsensitive)) continue;
        m_shown.push_back(i);
        rows.push_back(rowOf(run, current && current->id.toStdString() == run.id));
    }
    m_count->setText(rows.size() == m_runs.size()
                         ? QString::number(rows.size())
                         : tr("%1 of %2").arg(rows.size()).arg(m_runs.size()));
    m_empty->setVisible(m_runs.empty() || rows.empty());
    m_empty->setText(
        m_runs.empty()
            ? tr("No runs yet. Open a world and press Solve (F5); the run "
                 "stays here with its values.")
            : tr("The filter hides all %1 runs; clear it to see them.").arg(m_runs.size()));
    m_list->setVisible(!rows.empty());
    m_list->setRows(std::move(rows));
}

}  // namespace orrery
