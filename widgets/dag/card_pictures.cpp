#include "widgets/dag/card_pictures.h"

#include <QPainter>
#include <algorithm>
#include <utility>

#include "widgets/bridge/background_worker.h"
#include "widgets/common/tokens.h"
#include "widgets/world/world_picture.h"

namespace orrery {

namespace {

constexpr std::size_t kBatch = 24;  ///< pictures between two signs of life

WorldScene sceneOfCard(const StateGraph& graph, ConfigIndex config, bool cutsBorder) {
    return thumbnailOf(sceneOf(graph.world(), graph.configuration(config)), cutsBorder);
}

}  // namespace

CardPictures::CardPictures(const QSize& size, QObject* parent)
    : QObject(parent), m_size(size), m_worker(new BackgroundWorker(this)) {}

CardPictures::~CardPictures() {
    delete m_worker;  // before what its jobs touch
}

void CardPictures::restart(std::shared_ptr<const StateGraph> graph, double pixelRatio) {
    m_worker->stopAll();
    m_isWorking = false;
    m_wanted.clear();
    m_pictures.clear();
    m_graph = std::move(graph);
    m_pixelRatio = pixelRatio;
    m_cutsBorder =
        m_graph && isWalled(sceneOf(m_graph->world(), m_graph->world().initialConfiguration()));
}

const QImage* CardPictures::picture(ConfigIndex config) {
    if (const QImage* known = m_pictures.object(config)) return known;
    if (std::ranges::find(m_wanted, config) == m_wanted.end()) m_wanted.push_back(config);
    if (!m_isWorking) work();
    return nullptr;
}

QImage CardPictures::drawn(ConfigIndex config, const QSize& size) const {
    return worldImage(sceneOfCard(*m_graph, config, m_cutsBorder), size, currentTokens(),
                      m_pixelRatio);
}

QRectF CardPictures::cellRect(const QPoint& cell) const {
    WorldScene scene;
    scene.width = m_graph->world().width();
    scene.height = m_graph->world().height();
    scene = thumbnailOf(std::move(scene), m_cutsBorder);
    const QPoint at = cell - QPoint(scene.border, scene.border);
    if (!QRect(0, 0, scene.width, scene.height).contains(at)) return {};
    return layoutWorld(QRectF(QPointF(0, 0), QSizeF(m_size)), scene).cellRect(at.x(), at.y());
}

void CardPictures::paint(QPainter& painter, ConfigIndex config, const QRectF& box,
                         const Tokens& tokens) const {
    const WorldScene scene = sceneOfCard(*m_graph, config, m_cutsBorder);
    const QSizeF size(m_size);  // cells are laid out in whole units: as large as on the screen
    painter.save();
    painter.translate(box.topLeft());
    painter.scale(box.width() / size.width(), box.height() / size.height());
    paintWorld(painter, scene, layoutWorld(QRectF(QPointF(0, 0), size), scene), tokens);
    painter.restore();
}

void CardPictures::work() {
    m_isWorking = !m_wanted.empty() && m_graph;
    if (!m_isWorking) return;
    // The newest wishes are what a person looks at now.
    const std::size_t from = m_wanted.size() > kBatch ? m_wanted.size() - kBatch : 0;
    std::vector<ConfigIndex> batch(m_wanted.begin() + static_cast<std::ptrdiff_t>(from),
                                   m_wanted.end());
    m_wanted.resize(from);
    if (m_wanted.size() > 20 * kBatch) m_wanted.clear();
    using Pictures = std::vector<std::pair<ConfigIndex, QImage>>;
    m_worker->append<Pictures>(
        [graph = m_graph, batch = std::move(batch), size = m_size, tokens = &currentTokens(),
         ratio = m_pixelRatio, cutsBorder = m_cutsBorder](std::stop_token stop) {
            Pictures pictures;
            for (const ConfigIndex config : batch) {
                if (stop.stop_requested()) break;
                pictures.emplace_back(config, worldImage(sceneOfCard(*graph, config, cutsBorder),
                                                         size, *tokens, ratio));
            }
            return pictures;
        },
        [this](const Pictures& pictures) {
            for (const auto& [config, image] : pictures)
                m_pictures.insert(config, new QImage(image));
            work();
            Q_EMIT ready();
        },
        [this](const QString&) { m_isWorking = false; });
}

}  // namespace orrery
