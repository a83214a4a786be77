#include "widgets/train/steering_panel.h"

#include <QCheckBox>
#include <QComboBox>
#include <QEvent>
#include <QGridLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPainter>
#include <QPainterPath>
#include <QPushButton>
#include <QScrollBar>
#include <QSignalBlocker>
#include <QSlider>
#include <QVBoxLayout>
#include <algorithm>

#include "core/run/spec_field.h"
#include "core/run/steering.h"
#include "widgets/common/number_text.h"
#include "widgets/common/parts.h"
#include "widgets/common/row_list.h"
#include "widgets/common/tokens.h"
#include "widgets/train/train_session.h"

namespace orrery {

namespace {

/// The live fields in the order of the panel: what is turned most often first.
const QStringList& panelFields() {
    static const QStringList kFields = [] {
        QStringList fields{
            QStringLiteral("lr_v_h_e"),        QStringLiteral("lr_x_h"),
            QStringLiteral("lr_u_r"),          QStringLiteral("lr_q_r"),
            QStringLiteral("lr_v_r"),          QStringLiteral("beta_r"),
            QStringLiteral("epsilon_r_end"),   QStringLiteral("epsilon_h_end"),
            QStringLiteral("batch_size"),      QStringLiteral("max_env_steps_per_training_step"),
            QStringLiteral("actor_sync_freq"), QStringLiteral("curiosity_coef")};
        for (const std::string& live : liveFields())
            if (!fields.contains(QString::fromStdString(live)))
                fields << QString::fromStdString(live);
        return fields;
    }();
    return kFields;
}

QString fieldHtml(const QString& field) {
    for (const Quantity quantity : kQuantities)
        if (field == QLatin1String("lr_") + QLatin1String(nameOf(quantity)))
            return QObject::tr("rate of %1").arg(symbolHtml(quantitySymbol(quantity)));
    if (field == QLatin1String("lr_q_h"))
        return QObject::tr("rate of %1").arg(symbolHtml(QStringLiteral("Q_h")));
    if (field == QLatin1String("beta_r")) return QObject::tr("%1 target").arg(symbolHtml(field));
    if (field == QLatin1String("epsilon_r_end"))
        return QObject::tr("%1 exploration").arg(symbolHtml(QStringLiteral("epsilon_r")));
    if (field == QLatin1String("epsilon_h_end"))
        return QObject::tr("%1 exploration").arg(symbolHtml(QStringLiteral("epsilon_h")));
    if (field == QLatin1String("batch_size")) return QObject::tr("batch");
    if (field == QLatin1String("max_env_steps_per_training_step"))
        return QObject::tr("actor throttle");
    if (field == QLatin1String("actor_sync_freq")) return QObject::tr("actor sync");
    if (field == QLatin1String("curiosity_coef")) return QObject::tr("curiosity");
    return field;
}

/// What stays as it is while a run trains; shown with its value.
constexpr std::array<const char*, 6> kStructure{"hidden_dim", "gamma_r",  "gamma_h",
                                                "zeta",       "q_r_kind", "buffer_size"};

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
    makeStructure(column, page);
    makeLog(column, page);
    makeStops(column, page);
    column->addStretch(1);
    setWidget(page);
    connect(session, &TrainSession::begun, this, &SteeringPanel::startAnew);
    connect(session, &TrainSession::steeringChanged, this, [this] {
        refresh();
        refreshLog();
    });
    connect(session, &TrainSession::changed, this, &SteeringPanel::refreshActors);
    connect(session, &TrainSession::ended, this, &SteeringPanel::refresh);
    startAnew();
}

void SteeringPanel::makeRows(QVBoxLayout* column, QWidget* page) {
    m_hint = makeLabel({}, "hint", page);
    m_hint->setObjectName(QStringLiteral("steeringHint"));
    m_hint->setWordWrap(true);
    column->addWidget(m_hint);
    for (const QString& field : panelFields())
        if (const SpecField* known = findField("train", field.toStdString()))
            makeRow(*known, column, page);
}

void SteeringPanel::makeRow(const SpecField& known, QVBoxLayout* column, QWidget* page) {
    const QString field = QString::fromStdString(known.name);
    const QString label = QString::fromStdString(known.label);
    const QString tip =
        QStringLiteral("%1 (%2). %3").arg(label, field, QString::fromStdString(known.meaning));
    const SteerScale scale = steerScaleOf(field);
    Row row{field,
            scale,
            makeLabel(fieldHtml(field), "name", page),
            new QSlider(Qt::Horizontal, page),
            new SteerSpin(scale, page),
            makeLabel({}, "hint", page)};
    row.slider->setObjectName(QStringLiteral("steer_slider_") + field);
    row.slider->setRange(0, SteerScale::kPlaces);
    row.slider->setSingleStep(10);
    row.slider->setPageStep(100);
    row.slider->installEventFilter(this);
    row.spin->setObjectName(QStringLiteral("steer_spin_") + field);
    row.spin->installEventFilter(this);
    row.note->setObjectName(QStringLiteral("steer_note_") + field);
    row.note->setWordWrap(true);
    row.note->hide();
    for (QWidget* widget : {static_cast<QWidget*>(row.slider), static_cast<QWidget*>(row.spin),
                            static_cast<QWidget*>(row.name)}) {
        widget->setToolTip(tip);
        widget->setAccessibleName(label);
    }
    row.name->setBuddy(row.spin);
    auto* top = new QHBoxLayout;
    top->addWidget(row.name, 1);
    top->addWidget(row.spin);
    column->addLayout(top);
    column->addWidget(row.slider);
    column->addWidget(row.note);
    m_rows.push_back(row);
    connectRow(m_rows.size() - 1);
}

/// While the handle is held only the number moves; the run hears of the place where it is left.
void SteeringPanel::connectRow(std::size_t index) {
    const Row& row = m_rows[index];
    connect(row.slider, &QSlider::valueChanged, this, [this, index](int place) {
        const Row& moved = m_rows[index];
        const double value = moved.scale.value(place);
        const QSignalBlocker blocker(moved.spin);
        moved.spin->setValue(value);
        if (!moved.slider->isSliderDown()) wish(moved, value);
    });
    connect(row.slider, &QSlider::sliderReleased, this, [this, index] {
        wish(m_rows[index], m_rows[index].scale.value(m_rows[index].slider->value()));
    });
    connect(row.spin, &QDoubleSpinBox::valueChanged, this,
            [this, index](double value) { wish(m_rows[index], value); });
}

void SteeringPanel::makeStructure(QVBoxLayout* column, QWidget* page) {
    column->addWidget(makeLine(page));
    addHeading(column, tr("Structure"));
    auto* grid = new QGridLayout;
    grid->setVerticalSpacing(3);
    grid->setColumnStretch(0, 1);
    int line = 0;
    for (const char* name : kStructure) {
        const SpecField* field = findField("train", name);
        QLabel* label = makeLabel(wordsHtml(QString::fromStdString(field->label)), "label", page);
        QLabel* value = makeLabel({}, "number", page);
        value->setObjectName(QStringLiteral("structure_") + QLatin1String(name));
        const QString why = tr("%1 cannot be changed while a run trains: what was learned so far "
                               "depends on it. Fork the run with another value instead.")
                                .arg(QString::fromStdString(field->label));
        for (QLabel* each : {label, value}) {
            each->setEnabled(false);
            each->setToolTip(why);
        }
        grid->addWidget(label, line, 0);
        grid->addWidget(value, line++, 1, Qt::AlignRight);
        m_structure.insert(QLatin1String(name), value);
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

void SteeringPanel::makeStops(QVBoxLayout* column, QWidget* page) {
    column->addWidget(makeLine(page));
    addHeading(column, tr("Stop when"));
    auto* grid = new QGridLayout;
    grid->setVerticalSpacing(4);
    grid->setColumnStretch(0, 1);
    const auto add = [&](int line, const QString& text, const char* stem, const QString& tip,
                         QCheckBox*& check, QLineEdit*& edit) {
        check = new QCheckBox(text, page);
        check->setObjectName(QStringLiteral("stop_%1").arg(QLatin1String(stem)));
        check->setToolTip(tip);
        edit = new QLineEdit(page);
        edit->setObjectName(QStringLiteral("stop_%1_value").arg(QLatin1String(stem)));
        edit->setAccessibleName(text);
        edit->setToolTip(tip);
        edit->setAlignment(Qt::AlignRight);
        edit->setFixedWidth(76);
        grid->addWidget(check, line, 0);
        grid->addWidget(edit, line, 1);
        connect(check, &QCheckBox::toggled, this, &SteeringPanel::takeStops);
        connect(edit, &QLineEdit::editingFinished, this, &SteeringPanel::takeStops);
    };
    add(0, tr("step reaches"), "step", tr("Training steps after which the run is stopped"),
        m_stopsAtStep, m_stopStep);
    add(1, tr("seconds reach"), "seconds", tr("Seconds of training, pauses not counted"),
        m_stopsAfter, m_stopSeconds);
    add(2, tr("metric falls to"), "metric", tr("The metric's newest value is this or less"),
        m_stopsAtMetric, m_stopValue);
    m_stopMetric = new QComboBox(page);
    m_stopMetric->setObjectName(QStringLiteral("stop_metric_name"));
    m_stopMetric->setAccessibleName(tr("Metric that ends the run"));
    m_stopMetric->setToolTip(tr("The metric that is looked at"));
    m_stopMetric->addItems({QStringLiteral("Exact/v_h_e"), QStringLiteral("Exact/pi_r"),
                            QStringLiteral("Loss/q_r"), QStringLiteral("Loss/v_h_e"),
                            QStringLiteral("Loss/x_h")});
    connect(m_stopMetric, &QComboBox::currentTextChanged, this, &SteeringPanel::takeStops);
    grid->addWidget(m_stopMetric, 3, 0, 1, 2);
    QLabel* nan = makeLabel(tr("A step with NaN is skipped and marked; many in a row end the run."),
                            "hint", page);
    nan->setWordWrap(true);
    grid->addWidget(nan, 4, 0, 1, 2);
    column->addLayout(grid);
}

void SteeringPanel::startAnew() {
    {
        const QSignalBlocker a(m_stopsAtStep), b(m_stopsAfter), c(m_stopsAtMetric);
        for (QCheckBox* check : {m_stopsAtStep, m_stopsAfter, m_stopsAtMetric})
            check->setChecked(false);
        m_stopStep->setText(QString::number(m_session->totalSteps()));
        m_stopSeconds->setText(QStringLiteral("60"));
        m_stopValue->setText(QStringLiteral("0.01"));
    }
    const bool isAdaptive =
        m_session->job().empo.adaptiveTables && m_session->job().empo.hasTables();
    m_hint->setText(tr("Changes are applied at the end of a training step.") +
                    (isAdaptive ? u' ' + tr("Adaptive tables go by their own counts: the rates of "
                                            "tables have no effect.")
                                : QString()));
    for (const Row& row : m_rows) {
        const bool isShown = isSteerable(row.field, m_session->job().empo);
        row.name->setVisible(isShown);
        row.slider->setVisible(isShown);
        row.spin->setVisible(isShown);
    }
    for (QPushButton* button : m_actorButtons) delete button;
    m_actorButtons.clear();
    refresh();
    refreshActors();
    refreshStructure();
    refreshLog();
}

void SteeringPanel::refresh() {
    for (const Row& row : m_rows) refreshRow(row);
    m_fork->setEnabled(m_session->hasRun());
}

void SteeringPanel::refreshRow(const Row& row) {
    const bool isLive = m_session->isLive();
    const auto pending = m_session->pending(row.field);
    const QString text = pending.value_or(m_session->value(row.field));
    row.slider->setEnabled(isLive);
    row.spin->setEnabled(isLive);
    if (!row.slider->isSliderDown()) {
        const QSignalBlocker a(row.slider), b(row.spin);
        bool isNumber = false;
        const double value = text.toDouble(&isNumber);
        row.slider->setValue(isNumber ? row.scale.place(value) : SteerScale::kPlaces);
        row.spin->setValue(isNumber ? value : row.scale.most);
    }
    const QString refusal = m_session->refusal(row.field);
    row.note->setProperty("look",
                          refusal.isEmpty() ? QStringLiteral("hint") : QStringLiteral("problem"));
    restyle(row.note);
    row.note->setText(!refusal.isEmpty() ? refusal
                      : pending
                          ? tr("pending: %1, from %2")
                                .arg(steerText(*pending), steerText(m_session->value(row.field)))
                          : QString());
    row.note->setVisible(!row.note->text().isEmpty() && row.slider->isVisibleTo(this));
}

void SteeringPanel::refreshActors() {
    const EmpoSnapshot* now = m_session->empo();
    const std::size_t count = now == nullptr ? 0 : now->collectors.size();
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
        const bool isPaused =
            m_session->pending(key).value_or(m_session->value(key)) == QLatin1String("paused");
        m_actorButtons[i]->setChecked(isPaused);
        m_actorButtons[i]->setText(isPaused ? tr("Resume actor %1").arg(i)
                                            : tr("Pause actor %1").arg(i));
        m_actorButtons[i]->setEnabled(m_session->isLive());
    }
}

void SteeringPanel::refreshStructure() {
    RunSpec spec = m_session->spec();
    spec.job = m_session->job();
    for (auto it = m_structure.begin(); it != m_structure.end(); ++it) {
        const SpecField* field = findField("train", it.key().toStdString());
        it.value()->setText(QString::fromStdString(shortFieldText(field->get(spec))));
    }
}

void SteeringPanel::refreshLog() {
    std::vector<orrery::Row> rows;
    if (const TrainSnapshot* all = m_session->training()) {
        for (auto it = all->changes.rbegin(); it != all->changes.rend(); ++it) {
            const bool isRefused = !it->problem.empty();
            const QString key = QString::fromStdString(it->change.key);
            rows.push_back(
                {.title = key,
                 .subtitle = isRefused ? tr("refused: %1").arg(QString::fromStdString(it->problem))
                                       : QStringLiteral("%1 → %2").arg(
                                             steerText(QString::fromStdString(it->oldValue)),
                                             steerText(QString::fromStdString(it->change.value))),
                 .value = countText(it->change.step),
                 .tip = tr("Asked for by %1").arg(QString::fromStdString(it->change.source)),
                 .picture = [isRefused](QPainter& painter, const QRectF& place,
                                        const Tokens& tokens) {
                     drawMark(painter, place, tokens, isRefused);
                 }});
        }
    }
    const auto count = static_cast<int>(rows.size());
    m_logCount->setText(count == 0   ? tr("no change")
                        : count == 1 ? tr("1 change")
                                     : tr("%1 changes").arg(count));
    m_log->setVisible(count > 0);
    m_log->setRows(std::move(rows));
}

void SteeringPanel::wish(const Row& row, double value) {
    m_session->set(row.field, steerText(value));
}

void SteeringPanel::takeStops() {
    StopWishes wishes;
    const auto number = [](const QLineEdit* edit) -> std::optional<double> {
        bool isNumber = false;
        const double value = edit->text().trimmed().toDouble(&isNumber);
        return isNumber ? std::optional(value) : std::nullopt;
    };
    const auto mark = [&](const QCheckBox* check, QLineEdit* edit) {
        const bool isWrong = check->isChecked() && !number(edit);
        if (edit->property("invalid").toBool() == isWrong) return;
        edit->setProperty("invalid", isWrong);
        restyle(edit);
    };
    mark(m_stopsAtStep, m_stopStep);
    mark(m_stopsAfter, m_stopSeconds);
    mark(m_stopsAtMetric, m_stopValue);
    if (const auto step = number(m_stopStep); step && m_stopsAtStep->isChecked())
        wishes.step = static_cast<std::int64_t>(*step);
    if (m_stopsAfter->isChecked()) wishes.seconds = number(m_stopSeconds);
    if (m_stopsAtMetric->isChecked()) {
        wishes.metric = m_stopMetric->currentText();
        wishes.atMost = number(m_stopValue);
    }
    m_session->setStopWishes(wishes);
}

/// A wheel that turns over a control on its way through the panel must not change it. The panel's
/// own scroll bar, which is watched, too, gets it.
bool SteeringPanel::eventFilter(QObject* watched, QEvent* event) {
    const auto* widget = qobject_cast<QWidget*>(watched);
    if (event->type() == QEvent::Wheel && widget != nullptr && !widget->hasFocus() &&
        widget != verticalScrollBar()) {
        event->ignore();
        return true;
    }
    return QScrollArea::eventFilter(watched, event);
}

}  // namespace orrery
