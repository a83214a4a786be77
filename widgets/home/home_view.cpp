#include "widgets/home/home_view.h"

#include <QEvent>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QResizeEvent>
#include <QVBoxLayout>
#include <algorithm>
#include <array>
#include <utility>

#include "widgets/common/ground.h"
#include "widgets/common/icons.h"
#include "widgets/common/layout_pause.h"
#include "widgets/common/number_text.h"
#include "widgets/common/parts.h"
#include "widgets/common/tokens.h"
#include "widgets/home/boards_picture.h"
#include "widgets/home/example_card.h"
#include "widgets/home/learning_picture.h"
#include "widgets/home/start_button.h"
#include "widgets/home/study_picture.h"
#include "widgets/home/world_thumb.h"

namespace orrery {

namespace {

constexpr int kCardWidth = 252, kMaxCardWidth = 400, kMargin = 32;
constexpr int kCardGap = 16, kUsualColumns = 4, kMaxColumns = 6;
constexpr std::ptrdiff_t kTrainPlace = 1, kBoardsPlace = 3, kStudyPlace = 4;
constexpr int kFirstRows = 2;  // of cards, before what else one may start with

/// What a stranger should try, in this order; the others follow in theirs.
constexpr std::array kFirst = {"builtin:slippery_bridge", "builtin:locked_pantry",
                               "builtin:two_in_niches",   "builtin:magic_garden",
                               "builtin:first_steps",     "builtin:bush_meadow"};

std::size_t rankOf(const LoadedWorld& example) {
    const auto found = std::ranges::find(kFirst, example.name);
    return static_cast<std::size_t>(found - kFirst.begin());
}

/// The sentence without the word that opens all of them.
QString lesson(QString sentence) {
    static const QString kOpening = QStringLiteral("Teaches ");
    if (sentence.startsWith(kOpening)) sentence.remove(0, kOpening.size());
    sentence.replace(0, 1, sentence.left(1).toUpper());
    return sentence;
}

}  // namespace

HomeView::HomeView(QWidget* parent) : QScrollArea(parent) {
    setObjectName(QStringLiteral("homeView"));
    setWidgetResizable(true);
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    auto* page = new Ground(this);
    auto* row = new QHBoxLayout(page);
    row->setContentsMargins(kMargin, 24, kMargin - kAsideRight, 24);
    row->setSpacing(kMargin);
    row->addStretch(0);
    m_main = makeMain();
    m_main->setMaximumWidth(kMaxColumns * (kMaxCardWidth + kCardGap) - kCardGap);
    row->addWidget(m_main, 1);
    m_aside = makeAside();
    row->addWidget(m_aside);
    row->addStretch(0);
    setWidget(page);
}

QWidget* HomeView::makeMain() {
    auto* main = new QWidget(this);
    auto* column = new QVBoxLayout(main);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    QLabel* heading = makeLabel(tr("Pick a world and press Run"), "heading", main);
    QLabel* sentence = makeLabel(
        tr("Every example runs on this computer. Nothing is sent anywhere."), "name", main);
    for (QLabel* label : {heading, sentence}) label->setWordWrap(true);
    column->addWidget(heading);
    column->addSpacing(4);
    column->addWidget(sentence);
    column->addSpacing(16);
    m_grid = new QGridLayout;
    m_grid->setSpacing(kCardGap);
    column->addLayout(m_grid);
    column->addSpacing(24);
    column->addWidget(makeLabel(tr("Start from your own"), "title", main));
    column->addSpacing(12);
    m_starts = new QGridLayout;
    m_starts->setSpacing(16);
    addStart(QStringLiteral("newWorldStart"), QStringLiteral("document-new"), tr("New world"),
             tr("paint or paste text"), QStringLiteral("Ctrl+Shift+N"),
             &HomeView::newWorldRequested);
    addStart(QStringLiteral("openWorldStart"), QStringLiteral("document-open"), tr("Open a world"),
             tr("YAML or JSON file"), QStringLiteral("Ctrl+O"), &HomeView::openRequested);
    addStart(QStringLiteral("openWorkspaceStart"), QStringLiteral("folder"), tr("Open a workspace"),
             tr("folder NAME.orrery"), QStringLiteral("Ctrl+Shift+O"),
             &HomeView::workspaceRequested);
    column->addLayout(m_starts);
    m_toursPart = new QWidget(main);
    auto* toursColumn = new QVBoxLayout(m_toursPart);
    toursColumn->setContentsMargins(0, 24, 0, 0);
    toursColumn->setSpacing(12);
    toursColumn->addWidget(makeLabel(tr("Tours"), "title", m_toursPart));
    m_tours = new QGridLayout;
    m_tours->setSpacing(8);
    toursColumn->addLayout(m_tours);
    m_toursPart->hide();
    column->addWidget(m_toursPart);
    m_morePart = new QWidget(main);
    auto* moreColumn = new QVBoxLayout(m_morePart);
    moreColumn->setContentsMargins(0, 24, 0, 0);
    moreColumn->setSpacing(12);
    moreColumn->addWidget(makeLabel(tr("More examples"), "title", m_morePart));
    m_moreGrid = new QGridLayout;
    m_moreGrid->setSpacing(kCardGap);
    moreColumn->addLayout(m_moreGrid);
    m_morePart->hide();
    column->addWidget(m_morePart);
    column->addStretch(1);
    return main;
}

void HomeView::addStart(const QString& name, const QString& icon, const QString& title,
                        const QString& sentence, const QString& keys, void (HomeView::*signal)()) {
    auto* button = new StartButton(icon, title, sentence, keys, this);
    button->setObjectName(name);
    connect(button, &QAbstractButton::clicked, this, signal);
    m_startButtons.push_back(button);
}

void HomeView::setTours(const std::vector<TourRow>& tours) {
    for (QPushButton* button : m_tourButtons) delete button;
    m_tourButtons.clear();
    for (const TourRow& tour : tours) {
        auto* button =
            new QPushButton(tr("%1, %2 min").arg(tour.title).arg(tour.minutes), m_toursPart);
        button->setObjectName(QStringLiteral("tour_") + tour.id);
        button->setToolTip(tr("Points at the real controls and waits for you; Escape ends it"));
        connect(button, &QPushButton::clicked, this,
                [this, id = tour.id] { Q_EMIT tourRequested(id); });
        m_tourButtons.push_back(button);
    }
    m_toursPart->setVisible(!tours.empty());
    placeTours();
    refreshIcons();
}

void HomeView::showTours() {
    if (m_tourButtons.empty()) return;
    ensureWidgetVisible(m_toursPart);
    m_tourButtons.front()->setFocus(Qt::ShortcutFocusReason);
}

int HomeView::mainWidth() const {
    return std::min(viewport()->width() - (3 * kMargin - kAsideRight) - kAsideWidth,
                    m_main->maximumWidth());
}

/// Under the cards, as wide as they are.
void HomeView::placeStarts() {
    const int numStarts = static_cast<int>(m_startButtons.size());
    const int numColumns = std::clamp(m_numColumns, 1, numStarts);
    for (int i = 0; i <= numStarts; ++i) m_starts->setColumnStretch(i, i == numColumns ? 1 : 0);
    for (int i = 0; i < numStarts; ++i) {
        StartButton* button = m_startButtons[static_cast<std::size_t>(i)];
        button->setFixedWidth(std::max(m_cardWidth, button->minimumSizeHint().width()));
        m_starts->addWidget(button, i / numColumns, i % numColumns);
    }
}

/// As many in a row as fit, so that no row widens the page.
void HomeView::placeTours() {
    const int width = mainWidth() + m_tours->spacing();
    int column = 0, row = 0, used = 0;
    for (int i = 0; i < m_tours->columnCount(); ++i) m_tours->setColumnStretch(i, 0);
    for (QPushButton* button : m_tourButtons) {
        const int needed = button->sizeHint().width() + m_tours->spacing();
        if (column > 0 && used + needed > width) {
            ++row;
            column = used = 0;
        }
        m_tours->addWidget(button, row, column++);
        used += needed;
    }
    m_tours->setColumnStretch(static_cast<int>(m_tourButtons.size()), 1);
}

void HomeView::refreshIcons() {
    for (QPushButton* button : m_tourButtons)
        button->setIcon(themedIcon(QStringLiteral("media-playback-start"), currentTokens()));
}

void HomeView::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange) refreshIcons();
    QScrollArea::changeEvent(event);
}

void HomeView::setExamples(const std::vector<LoadedWorld>& examples) {
    m_examples = examples;
    std::ranges::stable_sort(m_examples, {}, rankOf);
    for (ExampleCard* card : m_cards) delete card;
    m_cards.clear();
    for (const LoadedWorld& example : m_examples) {
        const QString world = QString::fromStdString(example.name);
        auto* card = new ExampleCard(
            {.stem = world.section(QLatin1Char(':'), -1),
             .title = example.title,
             .sentence = lesson(example.sentence),
             .button = tr("Run"),
             .place = tr("Plan"),
             .tip = tr("A click opens the world; Run solves it, too"),
             .buttonTip = tr("Opens %1 and solves it exactly").arg(example.title)},
            new WorldThumb(sceneOf(*example.world, example.world->initialConfiguration()),
                           widget()),
            m_cards.empty(), widget());
        connect(card, &ExampleCard::chosen, this, [this, world] { Q_EMIT exampleChosen(world); });
        connect(card, &ExampleCard::runRequested, this,
                [this, world] { Q_EMIT exampleRunRequested(world); });
        m_cards.push_back(card);
    }
    if (m_studyCard == nullptr) makeStudyCard();
    if (m_trainCard == nullptr) makeTrainCard();
    if (m_boardsCard == nullptr) makeBoardsCard();
    m_numColumns = 0;
    placeCards();
    showExperience();
}

void HomeView::makeStudyCard() {
    m_studyCard = new ExampleCard(
        {.stem = QStringLiteral("study"),
         .title = tr("A finished study"),
         .sentence = tr("Does a sharper robot help more often? Ten runs of two settings with five "
                        "seeds each, ready to compare."),
         .button = tr("Open"),
         .place = tr("Compare"),
         .tip = tr("Shows the runs of the example study side by side"),
         .buttonTip = tr("Shows the runs of the example study; makes them first if this workspace "
                         "has none, in about a second")},
        new StudyPicture(widget()), false, widget());
    m_studyCard->setExperience(tr("about 1 s to make"));
    connect(m_studyCard, &ExampleCard::chosen, this, &HomeView::studyRequested);
    connect(m_studyCard, &ExampleCard::runRequested, this, &HomeView::studyRequested);
}

void HomeView::makeTrainCard() {
    m_trainCard = new ExampleCard(
        {.stem = QStringLiteral("training"),
         .title = tr("First steps, learned"),
         .sentence = tr("Watch the error to the exact values shrink while the robot learns from "
                        "sampled steps."),
         .button = tr("Train"),
         .place = tr("Train"),
         .tip = tr("A click trains the world and shows its curves"),
         .buttonTip = tr("Learns First steps in tables, with the error to exact all along")},
        new LearningPicture(widget()), false, widget());
    m_trainCard->setExperience(tr("about 1 min to train"));
    connect(m_trainCard, &ExampleCard::chosen, this, &HomeView::trainingRequested);
    connect(m_trainCard, &ExampleCard::runRequested, this, &HomeView::trainingRequested);
}

void HomeView::makeBoardsCard() {
    m_boardsCard = new ExampleCard(
        {.stem = QStringLiteral("boards"),
         .title = tr("MineSweeper, three environments"),
         .sentence = tr("Robots defuse mines. See how boards with different things become one "
                        "batch without waste, then play them."),
         .button = tr("Open"),
         .place = tr("Entities"),
         .tip = tr("A click shows the boards side by side"),
         .buttonTip = tr("Shows three small boards in Entities, and how their batch is packed")},
        new BoardsPicture(widget()), false, widget());
    m_boardsCard->setExperience(tr("at once"));
    connect(m_boardsCard, &ExampleCard::chosen, this, &HomeView::boardsRequested);
    connect(m_boardsCard, &ExampleCard::runRequested, this, &HomeView::boardsRequested);
}

/// In the order of the page.
std::vector<ExampleCard*> HomeView::allCards() const {
    std::vector<ExampleCard*> cards = m_cards;
    for (const auto& [place, card] :
         {std::pair(kTrainPlace, m_trainCard), std::pair(kBoardsPlace, m_boardsCard),
          std::pair(kStudyPlace, m_studyCard)})
        if (card)
            cards.insert(cards.begin() + std::min<std::ptrdiff_t>(place, std::ssize(cards)), card);
    return cards;
}

void HomeView::placeCards() {
    const int width = mainWidth();
    // As many as a page has at most until they would grow too wide.
    const int numColumns =
        std::max(std::clamp(width / kCardWidth, 1, kUsualColumns),
                 std::min((width + kCardGap) / (kMaxCardWidth + kCardGap), kMaxColumns));
    m_cardWidth = (width + kCardGap) / numColumns - kCardGap;
    for (ExampleCard* card : allCards()) card->setPictureWidth(m_cardWidth);
    if (numColumns == m_numColumns || m_cards.empty()) return;
    for (QGridLayout* grid : {m_grid, m_moreGrid})
        for (int i = 0; i < kMaxColumns; ++i) grid->setColumnStretch(i, i < numColumns ? 1 : 0);
    m_numColumns = numColumns;
    const int numFirst = kFirstRows * numColumns;
    const std::vector<ExampleCard*> cards = allCards();
    {
        // A card that is shown would lay out itself, too, in a size that is not yet its own.
        QList<QLayout*> layouts{widget()->layout(), m_main->layout()};
        for (const ExampleCard* card : cards) layouts << card->layout();
        const LayoutPause pause(std::move(layouts));
        for (int i = 0; i < static_cast<int>(cards.size()); ++i) {
            ExampleCard* card = cards[static_cast<std::size_t>(i)];
            const int place = i < numFirst ? i : i - numFirst;
            (i < numFirst ? m_grid : m_moreGrid)
                ->addWidget(card, place / numColumns, place % numColumns);
            card->show();
        }
    }
    m_morePart->setVisible(static_cast<int>(cards.size()) > numFirst);
}

void HomeView::resizeEvent(QResizeEvent* event) {
    QScrollArea::resizeEvent(event);
    placeCards();
    placeStarts();
    placeTours();
}

/// What solving each example took here the last time, else what it takes about.
void HomeView::showExperience() {
    for (std::size_t i = 0; i < m_cards.size(); ++i) {
        const LoadedWorld& example = m_examples[i];
        const auto last = m_solvedIn.find(example.world->contentHash());
        if (last != m_solvedIn.end())
            m_cards[i]->setExperience(tr("solved in %1").arg(durationText(last->second)));
        else if (example.solveSeconds > 0)
            m_cards[i]->setExperience(tr("about %1 s to solve").arg(example.solveSeconds));
    }
}

}  // namespace orrery
