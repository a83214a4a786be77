#include "widgets/train/steering_panel.h"

#include <QGridLayout>
#include <QLabel>
#include <QPainter>
#include <QPainterPath>
#include <QPushButton>
#include <QVBoxLayout>

#include "core/run/run_kind.h"
#include "core/spec/field_effect.h"
#include "widgets/common/number_text.h"
#include "widgets/common/parts.h"
#include "widgets/common/row_list.h"
#include "widgets/common/tokens.h"
#include "widgets/spec/field_slider.h"
#include "widgets/spec/field_text.h"
#include "widgets/train/steer_text.h"
#include "widgets/train/train_session.h"

namespace orrery {

namespace {

constexpr int kNumberWidth = 76;  ///< pixels

void drawMark(QPainter& painter, const QRectF& place, const Tokens& tokens, bool isRefused) {
    const QPointF c = place.center();
    QPainterPath path;
    path.addPolygon(
        QPolygonF{c + QPointF(0, -5), c + QPointF(5, 0), c + QPointF(0, 5), c + QPointF(-5, 0)});
    path.closeSubpath();
    painter.fillPath(path, isRefused ? tokens.error : tokens.warning);
}

}  // namespace

SteeringPanel::SteeringPanel(TrainSession* session, QWidget* parent)
    : QScrollArea(parent), m_session(session) {
    setObjectName(QStringLiteral("steeringPanel"));
    setWidgetResizable(true);
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    makePage();
    connect(session, &TrainSession::begun, this, &SteeringPanel::startAnew);
    connect(session, &TrainSession::steeringChanged, this, [this] {
        refresh();
        refreshLog();
    });
    connect(session, &TrainSession::changed, this, [this] {
        refreshActors();
        refreshMetrics();
    });
    connect(session, &TrainSession::ended, this, &SteeringPanel::refresh);
    startAnew();
}

/// All that the fields of a kind make.
void SteeringPanel::makePage() {
    m_kind = &m_session->record().kind();
    m_rows.clear();
    m_actorButtons.clear();
    m_structure.clear();
    m_stops.clear();
    m_fork = nullptr;
    m_logCount = m_stopMetricNote = nullptr;
    m_log = nullptr;
    m_stopMetric = nullptr;
    auto* page = new QWidget(this);
    auto* column = new QVBoxLayout(page);
    column->setContentsMargins(16, 0, 12, 12);
    column->setSpacing(6);
    makeRows(column, page);
    m_actorPart = new QWidget(page);
    m_actors = new QGridLayout(m_actorPart);
    m_actors->setContentsMargins(0, 4, 0, 0);
    m_actors->setSpacing(4);
    column->addWidget(m_actorPart);
    column->addStretch(1);
    setWidget(page);  // deletes the former one
    QMetaObject::invokeMethod(this, &SteeringPanel::makeLowerParts, Qt::QueuedConnection);
}

/// In a turn of their own: with the rows they would hold the window longer than a person notices.
void SteeringPanel::makeLowerParts() {
    if (m_log != nullptr) return;
    auto* column = static_cast<QVBoxLayout*>(widget()->layout());
    delete column->takeAt(column->count() - 1);
    makeStructure(column, widget());
    makeLog(column, widget());
    makeStops(column, widget());
    column->addStretch(1);
    startAnew();
}

void SteeringPanel::makeRows(QVBoxLayout* column, QWidget* page) {
    m_hint = makeLabel({}, "hint", page);
    m_hint->setObjectName(QStringLiteral("steeringHint"));
    m_hint->setWordWrap(true);
    column->addWidget(m_hint);
    for (const std::string& name : m_kind->steeredFields)
        if (const RunField* known = findField(m_kind->name, name)) makeRow(*known, column, page);
}

void SteeringPanel::makeRow(const RunField& known, QVBoxLayout* column, QWidget* page) {
    const QString field = QString::fromStdString(known.name);
    const QString label = QString::fromStdString(known.label);
    const QString tip =
        QStringLiteral("%1 (%2). %3").arg(label, field, QString::fromStdString(known.meaning));
    const QString shown = known.isLive ? QString::fromStdString(known.shortLabel) : field;
    auto* number = new FieldSlider(known, scaleOf(known), QStringLiteral("steer_"),
                                   wordsHtml(shown == field ? label : shown), page);
    number->name()->setWordWrap(true);
    number->slider()->setTracking(false);  // the run hears of the place where it is left
    number->spin()->setFixedWidth(kNumberWidth);
    QLabel* note = makeLabel({}, "hint", page);
    note->setObjectName(QStringLiteral("steer_note_") + field);
    note->setWordWrap(true);
    note->hide();
    auto* top = new QHBoxLayout;
    top->addWidget(number->name(), 1);
    top->addWidget(number->spin());
    column->addLayout(top);
    column->addWidget(number->slider());
    column->addWidget(note);
    connect(number, &FieldSlider::wished, this,
            [this, field](double value) { m_session->set(field, numberFieldText(value)); });
    m_rows.push_back({&known, field, number, note, tip});
}

void SteeringPanel::makeStructure(QVBoxLayout* column, QWidget* page) {
    column->addWidget(makeLine(page));
    addHeading(column, tr("Structure"));
    auto* grid = new QGridLayout;
    grid->setVerticalSpacing(3);
    grid->setColumnStretch(0, 1);
    int line = 0;
    for (const std::string& name : m_kind->fixedFields) {
        const RunField* field = findField(m_kind->name, name);
        const QString key = QString::fromStdString(name);
        QLabel* label = makeLabel(wordsHtml(QString::fromStdString(field->label)), "label", page);
        QLabel* value = makeLabel({}, "number", page);
        value->setObjectName(QStringLiteral("structure_") + key);
        const QString why = tr("%1 cannot be changed while a run trains: what was learned so far "
                               "depends on it. Fork the run with another value instead.")
                                .arg(QString::fromStdString(field->label));
        for (QLabel* each : {label, value}) {
            each->setEnabled(false);
            each->setToolTip(why);
        }
        grid->addWidget(label, line, 0);
        grid->addWidget(value, line++, 1, Qt::AlignRight);
        m_structure.insert(key, value);
    }
    column->addLayout(grid);
    QLabel* why = makeLabel(tr("Structure cannot change in a run."), "hint", page);
    why->setWordWrap(true);
    column->addWidget(why);
    m_fork = new QPushButton(tr("Fork with a change..."), page);
    m_fork->setObjectName(QStringLiteral("forkButton"));
    m_fork->setToolTip(
        tr("Opens the form with this run's parameters; the new run has this one as "
           "its parent"));
    connect(m_fork, &QPushButton::clicked, this, [this] { Q_EMIT forkRequested({}); });
    column->addWidget(m_fork);
}

void SteeringPanel::makeLog(QVBoxLayout* column, QWidget* page) {
    column->addWidget(makeLine(page));
    m_logCount = addHeading(column, tr("Steering log"), tr("no change"));
    m_logCount->setObjectName(QStringLiteral("steeringCount"));
    m_log = new RowList(QStringLiteral("steeringLog"), 40, 14, page);
    m_log->setFitsRows(true);
    m_log->setAccessibleName(tr("Steering log"));
    column->addWidget(m_log);
}

void SteeringPanel::startAnew() {
    if (m_kind != &m_session->record().kind()) makePage();
    suggestStops();
    const std::string remark =
        m_session->record().display().steeringRemark
            ? m_session->record().display().steeringRemark(m_session->record().job())
            : std::string();
    m_hint->setText((tr("Changes are applied at the end of a training step.") + u' ' +
                     QString::fromStdString(remark))
                        .trimmed());
    for (const Row& row : m_rows) {
        const FieldNeed* unmet = unmetNeedOf(row);
        row.number->setVisible(unmet == nullptr || !unmet->isPart);
    }
    for (QPushButton* button : m_actorButtons) delete button;
    m_actorButtons.clear();
    refresh();
    refreshActors();
    refreshStructure();
    refreshLog();
}

void SteeringPanel::refresh() {
    if (m_kind != &m_session->record().kind()) return;  // another method's run is about to begin
    for (const Row& row : m_rows) refreshRow(row);
    refreshStops();
    if (m_fork != nullptr) m_fork->setEnabled(m_session->record().hasRun());
}

void SteeringPanel::refreshRow(const Row& row) {
    const QString why = noEffectText(unmetNeedOf(row));
    const auto now = rateNow(row.field);
    const QString text = now ? QString::number(*now, 'g', 6) : wished(row.field);
    row.number->setTip(why.isEmpty() ? row.tip : why);
    row.number->setEnabled(m_session->record().isLive() && why.isEmpty());
    bool isNumber = false;
    const double value = text.toDouble(&isNumber);
    // One that falls by itself must not change under who types another.
    if (!now || !row.number->spin()->hasFocus())
        row.number->setValue(isNumber ? value : row.number->spin()->maximum());
    refreshNote(row.note, row.field, row.number->slider()->isVisibleTo(this));
}

/// Why a field does nothing in this training; null: it works.
const FieldNeed* SteeringPanel::unmetNeedOf(const Row& row) const {
    RunSpec spec;
    spec.job = m_session->record().job();
    return unmetNeed(*row.known, m_session->record().kind().fields, spec);
}

/// What became of the last wish for a field: why it was refused, or that it is not applied yet.
void SteeringPanel::refreshNote(QLabel* note, const QString& field, bool isShown) {
    const QString refusal = m_session->record().refusal(field);
    const auto pending = m_session->record().pending(field);
    note->setProperty("look",
                      refusal.isEmpty() ? QStringLiteral("hint") : QStringLiteral("problem"));
    restyle(note);
    note->setText(
        !refusal.isEmpty() ? refusal
        : pending          ? tr("pending: %1, from %2")
                        .arg(steerText(*pending), steerText(m_session->record().value(field)))
        : rateNow(field) ? tr("%1 at the start").arg(steerText(m_session->record().value(field)))
                         : QString());
    note->setVisible(isShown && !note->text().isEmpty());
}

/// What shall be in force: asked for last, or the present value.
QString SteeringPanel::wished(const QString& field) const {
    return m_session->record().pending(field).value_or(m_session->record().value(field));
}

/// Of a rate that falls by itself and is not what it was at the start; nothing of others, and while
/// a change of it waits.
std::optional<double> SteeringPanel::rateNow(const QString& field) const {
    const TrainRecord& record = m_session->record();
    const auto& now = record.display().rateNow;
    if (!now || record.pending(field)) return std::nullopt;
    const auto rate = now(record.job(), field.toStdString(), record.step());
    bool isNumber = false;
    const double start = record.value(field).toDouble(&isNumber);
    return rate && isNumber && start == *rate ? std::nullopt : rate;
}

void SteeringPanel::refreshActors() {
    const std::size_t count = m_session->record().flow().actors.size();
    m_actorPart->setVisible(count > 1);
    if (count < 2) return;
    if (m_actorButtons.size() != count) {
        for (QPushButton* button : m_actorButtons) delete button;
        m_actorButtons.clear();
        for (std::size_t i = 0; i < count; ++i) {
            auto* button = new QPushButton(m_actorPart);
            button->setObjectName(QStringLiteral("actor_%1").arg(i));
            button->setCheckable(true);
            button->setToolTip(tr("Pauses this actor alone, or lets it go on"));
            connect(button, &QPushButton::clicked, this, [this, i](bool isPaused) {
                m_session->set(QStringLiteral("actor.%1").arg(i),
                               isPaused ? QStringLiteral("paused") : QStringLiteral("running"));
            });
            m_actors->addWidget(button, static_cast<int>(i / 2), static_cast<int>(i % 2));
            m_actorButtons.push_back(button);
        }
    }
    for (std::size_t i = 0; i < count; ++i) {
        const QString key = QStringLiteral("actor.%1").arg(i);
        const bool isPaused = m_session->record().pending(key).value_or(
                                  m_session->record().value(key)) == QLatin1String("paused");
        m_actorButtons[i]->setChecked(isPaused);
        m_actorButtons[i]->setText(isPaused ? tr("Resume actor %1").arg(i)
                                            : tr("Pause actor %1").arg(i));
        m_actorButtons[i]->setEnabled(m_session->record().isLive());
    }
}

void SteeringPanel::refreshStructure() {
    RunSpec spec = m_session->record().spec();
    spec.job = m_session->record().job();
    for (auto it = m_structure.begin(); it != m_structure.end(); ++it) {
        const RunField* field = findField(m_kind->name, it.key().toStdString());
        it.value()->setText(QString::fromStdString(shortFieldText(field->get(spec))));
    }
}

void SteeringPanel::refreshLog() {
    if (m_log == nullptr) return;
    std::vector<orrery::Row> rows;
    const std::vector<AppliedChange>& changes = m_session->record().changes();
    for (auto it = changes.rbegin(); it != changes.rend(); ++it) {
        const bool isRefused = !it->problem.empty();
        const QString key = QString::fromStdString(it->change.key);
        rows.push_back(
            {.title = steerName(m_session->record().kind(), key),
             .subtitle = isRefused ? tr("refused: %1").arg(QString::fromStdString(it->problem))
                                   : QStringLiteral("%1 → %2").arg(
                                         steerText(QString::fromStdString(it->oldValue)),
                                         steerText(QString::fromStdString(it->change.value))),
             .value = countText(it->change.step),
             .tip = (it->change.isReplay ? tr("Known beforehand, asked for by %1")
                                         : tr("Asked for by %1"))
                        .arg(QString::fromStdString(it->change.source)),
             .picture = [isRefused](QPainter& painter, const QRectF& place, const Tokens& tokens) {
                 drawMark(painter, place, tokens, isRefused);
             }});
    }
    const auto count = static_cast<int>(rows.size());
    m_logCount->setText(count == 0   ? tr("no change")
                        : count == 1 ? tr("1 change")
                                     : tr("%1 changes").arg(count));
    m_log->setVisible(count > 0);
    m_log->setRows(std::move(rows));
}

}  // namespace orrery
