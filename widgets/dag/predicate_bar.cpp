#include "widgets/dag/predicate_bar.h"

#include <QAbstractItemView>
#include <QAction>
#include <QCompleter>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QRegularExpression>
#include <QStringListModel>
#include <QTimer>
#include <QToolButton>
#include <QVBoxLayout>
#include <chrono>
#include <cmath>

#include "core/base/thread_team.h"
#include "core/solve/solution.h"
#include "widgets/bridge/background_worker.h"
#include "widgets/bridge/plan_session.h"
#include "widgets/common/number_text.h"
#include "widgets/common/parts.h"
#include "widgets/common/style.h"
#include "widgets/dag/state_query.h"

namespace orrery {

namespace {

constexpr qsizetype kMaxHistory = 50;
constexpr int kBusyMs = 200;

/// The name that is being written left of the caret.
QString wordBefore(const QString& text, qsizetype caret) {
    static const QRegularExpression kWord(QStringLiteral("[\\w.]+$"));
    return kWord.match(text.left(caret)).captured();
}

}  // namespace

PredicateBar::PredicateBar(PlanSession* session, QWidget* parent)
    : QWidget(parent),
      m_session(session),
      m_worker(new BackgroundWorker(this)),
      m_edit(new QLineEdit(this)),
      m_result(new QToolButton(m_edit)),
      m_problem(makeLabel({}, "problem", this)),
      m_descendants(new QPushButton(tr("Descendants"), this)),
      m_ancestors(new QPushButton(tr("Ancestors"), this)),
      m_words(new QStringListModel(this)),
      m_completer(new QCompleter(m_words, this)) {
    setObjectName(QStringLiteral("predicateBar"));
    setAccessibleName(tr("Search for states"));
    m_edit->setObjectName(QStringLiteral("predicateEdit"));
    m_edit->setAccessibleName(tr("Condition on states"));
    m_edit->setPlaceholderText(tr("Find states: human0.at(2,2) and V_r < -4"));
    // No ligatures: ">=" must look like the two signs that are typed.
    QFont font = numberFont(12);
    font.setStyleStrategy(QFont::PreferNoShaping);
    m_edit->setFont(font);
    m_edit->setStyleSheet(QStringLiteral("font-family: \"%1\"").arg(numberFont(12).family()));
    m_edit->setClearButtonEnabled(false);
    m_result->setObjectName(QStringLiteral("predicateResult"));
    m_result->setProperty("look", QStringLiteral("count"));
    m_result->setCursor(Qt::PointingHandCursor);
    m_result->setToolTip(tr("Shows the found states as a list; F3 goes to the next one"));
    connect(m_result, &QToolButton::clicked, this, &PredicateBar::listRequested);
    m_problem->setObjectName(QStringLiteral("predicateProblem"));
    m_problem->setTextFormat(Qt::PlainText);
    m_problem->setWordWrap(true);
    m_problem->hide();
    m_descendants->setObjectName(QStringLiteral("descendantsButton"));
    m_ancestors->setObjectName(QStringLiteral("ancestorsButton"));
    m_descendants->setToolTip(tr("Tints what can follow the current state"));
    m_ancestors->setToolTip(tr("Tints what can lead to the current state"));
    for (QPushButton* button : {m_descendants, m_ancestors}) button->setCheckable(true);
    auto* inside = new QHBoxLayout(m_edit);
    inside->setContentsMargins(0, 0, 6, 0);
    inside->addStretch(1);
    inside->addWidget(m_result);
    auto* line = new QHBoxLayout;
    line->setSpacing(8);
    line->addWidget(m_edit, 1);
    line->addWidget(m_descendants);
    line->addWidget(m_ancestors);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(12, 8, 12, 6);
    layout->setSpacing(4);
    layout->addLayout(line);
    layout->addWidget(m_problem);
    m_completer->setWidget(m_edit);
    m_completer->setCaseSensitivity(Qt::CaseInsensitive);
    m_completer->setFilterMode(Qt::MatchStartsWith);
    m_completer->popup()->setObjectName(QStringLiteral("predicateWords"));
    m_completer->popup()->setProperty("look", QStringLiteral("popup"));
    m_edit->installEventFilter(this);
    connect(m_completer, qOverload<const QString&>(&QCompleter::activated), this,
            &PredicateBar::insertWord);
    connect(m_edit, &QLineEdit::textEdited, this, [this] {
        m_historyAt = -1;
        showProblem({});
        offerWords();
    });
    for (QPushButton* button : {m_descendants, m_ancestors})
        connect(button, &QPushButton::clicked, this, [this, button](bool isOn) {
            QPushButton* other = button == m_descendants ? m_ancestors : m_descendants;
            other->setChecked(false);
            Q_EMIT kinChanged(!isOn                     ? Kin::None
                              : button == m_descendants ? Kin::Descendants
                                                        : Kin::Ancestors);
        });
    connect(session, &PlanSession::worldChanged, this, [this] {
        m_asked.clear();
        showResult({});
        showProblem({});
    });
    connect(session, &PlanSession::solutionChanged, this, &PredicateBar::refreshSolution);
    connect(&session->selection(), &Selection::setChanged, this, [this](SelectionKind kind) {
        // Somebody else chose another set: the answer does not belong to it.
        if (kind == SelectionKind::State && !m_session->selection().stateMarks()) showResult({});
    });
    refreshSolution();
}

PredicateBar::~PredicateBar() {
    delete m_worker;  // before what its jobs touch
}

QString PredicateBar::resultText() const {
    return m_result->text();
}

QString PredicateBar::problemText() const {
    return m_problem->text();
}

bool PredicateBar::isWorking() const {
    return m_worker->numOpenJobs() > 0;
}

void PredicateBar::setHistory(const QStringList& history) {
    m_history = history.mid(0, kMaxHistory);
    m_historyAt = -1;
}

void PredicateBar::ask(const QString& text) {
    m_edit->setText(text);
    run();
}

void PredicateBar::refreshSolution() {
    m_worker->stopAll();
    const auto solution = m_session->solution();
    m_words->setStringList(m_session->isOpen() ? queryWords(m_session->world(), solution.get())
                                               : QStringList());
    for (QPushButton* button : {m_descendants, m_ancestors})
        button->setEnabled(solution != nullptr);
    // Other values may have other states.
    if (solution && !m_asked.isEmpty() && m_edit->text().trimmed() == m_asked) run();
}

void PredicateBar::run() {
    const QString text = m_edit->text().trimmed();
    m_worker->stopAll();
    showProblem({});
    showResult({});
    if (text.isEmpty()) return forget();
    const auto solution = m_session->solution();
    if (!solution) {
        showProblem(tr("There are no states to search yet. Solve the world (F5) first."));
        return;
    }
    remember(text);
    m_asked = text;
    std::shared_ptr<const StateQuery> query;
    try {
        query = std::make_shared<StateQuery>(solution->world(), solution, m_edit->text());
    } catch (const FilterError& error) {
        forget();
        showProblem(QString::fromUtf8(error.what()));
        m_edit->setCursorPosition(error.column() - 1);
        return;
    }
    QTimer::singleShot(kBusyMs, this, [this] {
        if (isWorking()) showResult(tr("searching"));
    });
    m_worker->append<Answer>(
        [solution, query](std::stop_token stop) {
            const auto begin = std::chrono::steady_clock::now();
            Answer answer;
            answer.marks = query->run(solution->graph(), processorCount(), stop);
            answer.milliseconds =
                std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin)
                    .count();
            return answer;
        },
        [this, text](const Answer& answer) { take(text, answer); },
        [this](const QString& problem) {
            forget();
            showProblem(problem);
        });
}

void PredicateBar::forget() {
    m_asked.clear();
    m_session->selection().setStateMarks(nullptr, {}, {});
}

void PredicateBar::take(const QString& text, const Answer& answer) {
    if (!answer.marks) return;
    std::vector<SelectionItem> first;
    const StateGraph& graph = m_session->solution()->graph();
    for (const State& state : answer.marks->first(kListed)) {
        const auto words = graph.configuration(state.config);
        first.emplace_back(StateItem{
            state.step, {words.begin(), words.end()}, static_cast<std::int64_t>(state.config)});
    }
    m_session->selection().setStateMarks(answer.marks, text, std::move(first));
    showResult(answer.marks->total() == 0
                   ? tr("no state · %1 ms").arg(std::lround(answer.milliseconds))
                   : tr("%1 states · %2 ms")
                         .arg(countText(answer.marks->total()))
                         .arg(std::lround(answer.milliseconds)));
}

void PredicateBar::showProblem(const QString& text) {
    m_problem->setText(text);
    m_problem->setVisible(!text.isEmpty());
    m_edit->setProperty("invalid", !text.isEmpty());
    m_edit->setAccessibleDescription(text);
    restyle(m_edit);
    if (!text.isEmpty()) showResult({});
}

void PredicateBar::showResult(const QString& text) {
    m_result->setText(text);
    m_result->setVisible(!text.isEmpty());
    m_result->setEnabled(m_session->selection().stateMarks() != nullptr);
    m_edit->setTextMargins(0, 0, text.isEmpty() ? 0 : m_result->sizeHint().width() + 10, 0);
}

void PredicateBar::remember(const QString& text) {
    m_historyAt = -1;
    if (!m_history.isEmpty() && m_history.first() == text) return;
    m_history.removeAll(text);
    m_history.prepend(text);
    m_history = m_history.mid(0, kMaxHistory);
    Q_EMIT historyChanged();
}

void PredicateBar::walkHistory(int direction) {
    const int next = m_historyAt + direction;
    if (next < -1 || next >= m_history.size()) return;
    m_historyAt = next;
    m_edit->setText(next < 0 ? QString() : m_history[next]);
}

void PredicateBar::offerWords() {
    const QString word = wordBefore(m_edit->text(), m_edit->cursorPosition());
    m_completer->setCompletionPrefix(word);
    const bool isWhole =
        m_completer->completionCount() == 1 && m_completer->currentCompletion() == word;
    if (word.isEmpty() || m_completer->completionCount() == 0 || isWhole) {
        m_completer->popup()->hide();
        return;
    }
    QRect place = m_edit->inputMethodQuery(Qt::ImCursorRectangle).toRect();
    place.setWidth(260);
    m_completer->complete(place);
}

void PredicateBar::insertWord(const QString& word) {
    const QString text = m_edit->text();
    const auto caret = m_edit->cursorPosition();
    const auto begin = caret - wordBefore(text, caret).size();
    m_edit->setText(text.left(begin) + word + text.mid(caret));
    m_edit->setCursorPosition(static_cast<int>(begin + word.size()));
}

bool PredicateBar::eventFilter(QObject* object, QEvent* event) {
    if (object != m_edit || event->type() != QEvent::KeyPress)
        return QWidget::eventFilter(object, event);
    switch (static_cast<QKeyEvent*>(event)->key()) {
        case Qt::Key_Return:
        case Qt::Key_Enter:
            m_completer->popup()->hide();
            run();
            return true;
        case Qt::Key_Escape:
            m_edit->clear();
            run();
            return true;
        case Qt::Key_Up:
            walkHistory(1);
            return true;
        case Qt::Key_Down:
            walkHistory(-1);
            return true;
        default:
            return QWidget::eventFilter(object, event);
    }
}

}  // namespace orrery
