#include <QGridLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollBar>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "core/run/run_kind.h"
#include "widgets/common/layout_pause.h"
#include "widgets/common/parts.h"
#include "widgets/common/words.h"
#include "widgets/spec/form_fields.h"
#include "widgets/spec/spec_form.h"

// The fields of SpecForm under "More options", and what is in view of all.

namespace orrery {

namespace {

constexpr std::size_t kFewOptions = 40;  ///< so many are read at a glance, and made at once
/// Of more, these are made in a turn: all at once would hold the window longer than a person
/// notices.
constexpr std::ptrdiff_t kRowsInATurn = 20;

std::vector<const RunField*> optionsOf(const RunKind& kind) {
    const std::vector<const RunField*> first = firstFormFields(kind);
    std::vector<const RunField*> options = formFields(kind);
    std::erase_if(options, [&](const RunField* field) {
        return std::ranges::find(first, field) != first.end();
    });
    return options;
}

}  // namespace

void SpecForm::addOptions(const QString& tip) {
    m_more = new QPushButton(tr("More options"), widget());
    m_more->setObjectName(m_look.parts + QStringLiteral("More"));
    m_more->setCheckable(true);
    m_more->setToolTip(tip);
    addPart(m_more);
    if (optionsOf(m_spec.job.kind()).size() <= kFewOptions) makeOptions();
    connect(m_more, &QPushButton::toggled, this, &SpecForm::showOptions);
    connect(m_more, &QPushButton::clicked, this, &SpecForm::showFirstOptions, Qt::QueuedConnection);
}

/// What was asked for comes into view: the options lie below what fits.
void SpecForm::showFirstOptions() {
    if (!m_more->isChecked()) return;
    verticalScrollBar()->setValue(m_more->y());
    if (m_filter != nullptr) m_filter->setFocus(Qt::OtherFocusReason);
}

void SpecForm::makeOptions() {
    const std::vector<const RunField*> fields = optionsOf(m_spec.job.kind());
    m_options = new QWidget(widget());
    auto* part = new QVBoxLayout(m_options);
    part->setContentsMargins(0, 0, 0, 0);
    if (fields.size() > kFewOptions) makeFilter(part);
    part->addWidget(beginRows());
    m_options->hide();
    append(m_options);
    if (fields.size() <= kFewOptions) {
        for (const RunField* field : fields) addField(*field, true);
    } else {
        m_waiting = fields;
        makeWaitingSoon();
    }
}

void SpecForm::makeWaitingSoon() {
    QMetaObject::invokeMethod(this, &SpecForm::makeWaiting, Qt::QueuedConnection);
}

void SpecForm::makeWaiting() {
    const auto rest = m_waiting.begin() + std::min(std::ssize(m_waiting), kRowsInATurn);
    for (auto field = m_waiting.begin(); field != rest; ++field) addField(**field, true);
    m_waiting.erase(m_waiting.begin(), rest);
    updateGeometry();
    Q_EMIT changed();
    if (!m_waiting.empty()) return makeWaitingSoon();
    // What is wanted lies among the rows, and the former ones could not be scrolled as far.
    const auto scroll = [this] {
        if (!m_wanted.isEmpty())
            showField(std::exchange(m_wanted, {}));
        else if (m_filter->hasFocus())
            showFirstOptions();
    };
    QMetaObject::invokeMethod(this, scroll, Qt::QueuedConnection);
}

void SpecForm::makeFilter(QVBoxLayout* column) {
    m_filter = new QLineEdit(m_options);
    m_filter->setObjectName(m_look.parts + QStringLiteral("Filter"));
    m_filter->setAccessibleName(tr("Find an option"));
    m_filter->setPlaceholderText(tr("Find an option by a word"));
    m_filter->setToolTip(tr("Shows the options whose name or description has these words"));
    m_filter->setClearButtonEnabled(true);
    connect(m_filter, &QLineEdit::textChanged, this, &SpecForm::filterOptions);
    column->addWidget(m_filter);
    m_noOption = makeLabel(tr("No option has these words."), "label", m_options);
    m_noOption->setObjectName(m_look.parts + QStringLiteral("NoOption"));
    m_noOption->hide();
    column->addWidget(m_noOption);
}

void SpecForm::showOptions(bool shows) {
    if (m_options == nullptr) makeOptions();
    m_options->setVisible(shows);
    m_more->setText(shows ? tr("Fewer options") : tr("More options"));
    updateGeometry();
    Q_EMIT changed();
}

/// Hides the options that do not have all of the words. One that is wrong, or that is written in,
/// stays.
void SpecForm::filterOptions() {
    if (m_filter == nullptr) return;
    const QStringList words = wordsOf(m_filter->text());
    const LayoutPause pause(QList<QLayout*>{column()} + m_options->findChildren<QLayout*>());
    bool isAny = false;
    for (const Row& row : m_rows) {
        if (!row.isOption) continue;
        const bool fits = hasAll(row.tip, words);
        isAny = isAny || fits;
        const bool stays = fits || m_wrong.contains(row.name) || row.editor->hasFocus();
        row.editor->setVisible(stays);
        if (row.label != nullptr) row.label->setVisible(stays);
    }
    m_noOption->setVisible(!isAny);
}

void SpecForm::showField(const QString& name) {
    const QString field = name.isEmpty() ? m_rows.front().name : name;
    const Row* row = findRow(field);
    if (row == nullptr || row->isOption) {
        m_more->setChecked(true);
        if (m_filter != nullptr) m_filter->clear();
        row = findRow(field);
    }
    m_wanted = row == nullptr && !m_waiting.empty() ? field : QString();
    if (row == nullptr) return;
    row->editor->setFocus(Qt::ShortcutFocusReason);
    m_shown = row->editor;
    keepShown();
}

/// Rows get their heights in several turns; meanwhile what was asked for would move away.
void SpecForm::keepShown() {
    if (m_shown && m_shown == window()->focusWidget()) ensureWidgetVisible(m_shown);
}

QSize SpecForm::minimumSizeHint() const {
    const int bar = verticalScrollBar()->sizeHint().width();
    return {widget()->minimumSizeHint().width() + bar, QScrollArea::minimumSizeHint().height()};
}

int SpecForm::missingHeight() const {
    column()->activate();
    const int wanted = column()->hasHeightForWidth()
                           ? column()->totalHeightForWidth(viewport()->width())
                           : widget()->sizeHint().height();
    return std::max(0, wanted - viewport()->height());
}

}  // namespace orrery
