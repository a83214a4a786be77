// The world as a figure.
#include "widgets/bridge/plan_session.h"
#include "widgets/common/number_text.h"
#include "widgets/common/tokens.h"
#include "widgets/world/overlay.h"
#include "widgets/world/world_figure.h"
#include "widgets/world/world_panel.h"
#include "widgets/world/world_view.h"

namespace orrery {

QString WorldPanel::figureName() const {
    return tr("World");
}

QString WorldPanel::figureTitle() const {
    if (!m_session->isOpen()) return {};
    const StateItem& state = m_session->state();
    const QString title = m_session->loaded().title;
    return state.index < 0
               ? tr("%1, step %2").arg(title).arg(state.step)
               : tr("%1, step %2, state %3").arg(title).arg(state.step).arg(countText(state.index));
}

QSizeF WorldPanel::figureSize() const {
    return worldFigureSize(m_view->scene());
}

bool WorldPanel::hasFigure() const {
    return m_session->isOpen();
}

bool WorldPanel::isFigureReady() const {
    return !m_view->isComputingHeat();
}

void WorldPanel::paintFigure(QPainter& painter, const FigurePage& page) {
    const Tokens& t = *page.tokens;
    const WorldScene scene = m_view->exportScene();
    std::vector<FigureKey> keys;
    if (scene.heat)
        keys.push_back({FigureKey::Sign::None, t.text2,
                        tr("Colours: %1").arg(textOf(*m_session, m_view->heatChoice()))});
    if (scene.arrows)
        keys.push_back(
            {FigureKey::Sign::None, t.text2,
             tr("Arrows: %1, area as probability").arg(textOf(*m_session, m_view->arrows()))});
    if (scene.showGoals && !scene.goals.empty())
        keys.push_back({FigureKey::Sign::Dashes,
                        t.data[static_cast<std::size_t>(scene.goals.front().colorIndex)],
                        tr("goal, with the letter of its human")});
    if (!scene.ghosts.empty())
        keys.push_back({FigureKey::Sign::Ring, t.accent, tr("possible after the joint action")});
    if (scene.visits) keys.push_back({FigureKey::Sign::Dot, t.accent, tr("number of visits")});
    if (!scene.changed.empty())
        keys.push_back({FigureKey::Sign::Ring, t.warning, tr("changed by the last step")});
    paintWorldFigure(painter, scene, keys, page);
}

}  // namespace orrery
