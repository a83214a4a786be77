// The level bands as a figure.
#include <QPainter>
#include <algorithm>

#include "widgets/bridge/plan_session.h"
#include "widgets/common/figure_keys.h"
#include "widgets/common/tokens.h"
#include "widgets/dag/level_bands.h"

namespace orrery {

namespace {

constexpr double kMargin = 12, kKeysLeft = 84;

}  // namespace

QString LevelBands::figureName() const {
    return tr("State graph by level");
}

QString LevelBands::figureTitle() const {
    if (!m_session->isOpen() || !m_graph) return {};
    const QString quantity = m_solution && m_quantity
                                 ? nameOf(m_quantity, m_session->world(), m_session->letters())
                                 : tr("Number of states");
    return tr("%1 by level: %2").arg(quantity, m_session->loaded().title);
}

bool LevelBands::hasFigure() const {
    return m_canvas->density() != nullptr;
}

bool LevelBands::isFigureReady() const {
    return !isWorking();
}

QJsonObject LevelBands::figureState() const {
    const auto kind =
        m_quantity ? std::ranges::find(kBandKinds, m_quantity->kind) + 1 : kBandKinds.begin();
    QJsonObject state{{QStringLiteral("quantity"), static_cast<int>(kind - kBandKinds.begin())},
                      {QStringLiteral("kin"), static_cast<int>(m_kin)},
                      {QStringLiteral("zoom"), m_canvas->saveZoom()}};
    if (m_quantity && m_quantity->human >= 0)
        state.insert(QStringLiteral("human"), m_quantity->human);
    if (m_quantity && m_quantity->goal >= 0) state.insert(QStringLiteral("goal"), m_quantity->goal);
    return state;
}

void LevelBands::restoreFigure(const QJsonObject& state) {
    BandQuantity quantity;
    const int kind = std::min(state.value(QLatin1String("quantity")).toInt(),
                              static_cast<int>(kBandKinds.size()));
    if (kind > 0)
        quantity = ValueOf{kBandKinds[static_cast<std::size_t>(kind - 1)],
                           state.value(QLatin1String("human")).toInt(-1),
                           state.value(QLatin1String("goal")).toInt(-1)};
    m_wantedZoom = state.value(QLatin1String("zoom")).toObject();
    setQuantity(quantity);
    setKin(static_cast<Kin>(
        qBound(0, state.value(QLatin1String("kin")).toInt(), static_cast<int>(Kin::Ancestors))));
}

void LevelBands::paintFigure(QPainter& painter, const FigurePage& page) {
    const Tokens& t = *page.tokens;
    std::vector<FigureKey> keys;
    if (m_solution && m_quantity)
        keys.push_back({FigureKey::Sign::None, t.text2, tr("Colours: number of states in a cell")});
    if (m_session->isOpen()) {
        keys.push_back({FigureKey::Sign::Ring, t.accent, tr("current level")});
        keys.push_back({FigureKey::Sign::Dot, t.accent, tr("current state")});
    }
    const QString& set = m_session->selection().stateMarksText();
    if (m_marks)
        keys.push_back({FigureKey::Sign::Line, t.accent,
                        set.isEmpty() ? tr("share of the selected states")
                                      : tr("share of the states with %1").arg(set)});
    if (m_kin != Kin::None)
        keys.push_back({FigureKey::Sign::Box, mixed(t.canvas, t.accent, 0.5),
                        m_kin == Kin::Descendants ? tr("descendants of the current state")
                                                  : tr("ancestors of the current state")});
    const double width = page.size.width() - kKeysLeft - kMargin;
    const double height = page.hasLegend ? figureKeysHeight(width, keys) + kMargin : 0;
    FigurePage picture = page;
    picture.size.rheight() -= height;
    m_canvas->paintFigure(painter, picture);
    if (page.hasLegend)
        paintFigureKeys(painter, QPointF(kKeysLeft, picture.size.height() + 4), width, keys, t);
}

}  // namespace orrery
