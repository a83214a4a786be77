// The world in which two runs differ as a figure.
#include <QComboBox>

#include "core/solve/solution.h"
#include "widgets/common/number_text.h"
#include "widgets/common/tokens.h"
#include "widgets/compare/difference_view.h"
#include "widgets/world/world_figure.h"

namespace orrery {

QSizeF DifferenceView::figureSize() const {
    return m_canvas->scene() ? worldFigureSize(*m_canvas->scene()) : QSizeF(420, 300);
}

bool DifferenceView::hasFigure() const {
    return m_canvas->scene().has_value() && !m_canvas->isHidden() && m_heat != nullptr;
}

QJsonObject DifferenceView::figureState() const {
    QJsonObject state{{QStringLiteral("a"), m_boxA->currentData().toString()},
                      {QStringLiteral("b"), m_boxB->currentData().toString()},
                      {QStringLiteral("quantity"), m_quantity->currentText()}};
    if (m_heat) {
        state.insert(QStringLiteral("step"), m_heat->request.state.step);
        state.insert(QStringLiteral("config"), static_cast<qint64>(m_heat->request.state.config));
    }
    return state;
}

void DifferenceView::restoreFigure(const QJsonObject& state) {
    for (const auto& [box, key] : {std::pair(m_boxA, "a"), std::pair(m_boxB, "b")})
        if (const int at = box->findData(state.value(QLatin1String(key)).toString()); at >= 0)
            box->setCurrentIndex(at);
    m_quantity->clear();
    m_wantedQuantity = state.value(QLatin1String("quantity")).toString();
    m_wanted = State{state.value(QLatin1String("step")).toInt(),
                     static_cast<ConfigIndex>(state.value(QLatin1String("config")).toInteger())};
    m_a = {};  // read anew, so that the wanted state is taken
    reopen();
}

void DifferenceView::paintFigure(QPainter& painter, const FigurePage& page) {
    if (!m_canvas->scene()) return;
    WorldScene scene = *m_canvas->scene();
    scene.showCoordinates = true;
    std::vector<FigureKey> keys{
        {FigureKey::Sign::None, page.tokens->text2, tr("Colours: %1").arg(heading())}};
    if (m_heat)
        keys.push_back({FigureKey::Sign::None, page.tokens->text2,
                        tr("step %1, state %2")
                            .arg(m_heat->request.state.step)
                            .arg(countText(m_heat->request.state.config))});
    paintWorldFigure(painter, scene, keys, page);
}

}  // namespace orrery
