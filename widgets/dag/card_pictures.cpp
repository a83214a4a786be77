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

}  // namespace

CardPictures::CardPictures(const QSize& size, QObject* parent)
    : QObject(parent), m_size(size), m_worker(new BackgroundWorker(this)) {}

CardPictures::~CardPictures() {
    delete m_worker;  // before what its jobs touch
}

void CardPictures::restart(SceneSource scenes, double pixelRatio) {
    m_worker->stopAll();
    m_isWorking = false;
    m_wanted.clear();
    m_pictures.clear();
    m_scenes = std::move(scenes);
    m_first = m_scenes ? m_scenes(0) : WorldScene();
    m_pixelRatio = pixelRatio;
}

const QImage* CardPictures::picture(ConfigIndex config) {
    if (const QImage* known = m_pictures.object(config)) return known;
    if (std::ranges::find(m_wanted, config) == m_wanted.end()) m_wanted.push_back(config);
    if (!m_isWorking) work();
    return nullptr;
}

QImage CardPictures::drawn(ConfigIndex config, const QSize& size) const {
    return worldImage(m_scenes(config), size, currentTokens(), m_pixelRatio);
}

QRectF CardPictures::cellRect(const QPoint& cell) const {
    const QPoint at = cell - QPoint(m_first.border, m_first.border);
    if (!QRect(0, 0, m_first.width, m_first.height).contains(at)) return {};
    return layoutWorld(QRectF(QPointF(0, 0), QSizeF(m_size)), m_first).cellRect(at.x(), at.y());
}

void CardPictures::paint(QPainter& painter, ConfigIndex config, const QRectF& box,
                         const Tokens& tokens) const {
    const WorldScene scene = m_scenes(config);
    const QSizeF size(m_size);  // cells are laid out in whole units: as large as on the screen
    painter.save();
    painter.translate(box.topLeft());
    painter.scale(box.width() / size.width(), box.height() / size.height());
    paintWorld(painter, scene, layoutWorld(QRectF(QPointF(0, 0), size), scene), tokens);
    painter.restore();
}

void CardPictures::work() {
    m_isWorking = !m_wanted.empty() && m_scenes;
    if (!m_isWorking) return;
    // The newest wishes are what a person looks at now.
    const std::size_t from = m_wanted.size() > kBatch ? m_wanted.size() - kBatch : 0;
    std::vector<ConfigIndex> batch(m_wanted.begin() + static_cast<std::ptrdiff_t>(from),
                                   m_wanted.end());
    m_wanted.resize(from);
    if (m_wanted.size() > 20 * kBatch) m_wanted.clear();
    using Pictures = std::vector<std::pair<ConfigIndex, QImage>>;
    m_worker->append<Pictures>(
        [scenes = m_scenes, batch = std::move(batch), size = m_size, tokens = &currentTokens(),
         ratio = m_pixelRatio](std::stop_token stop) {
            Pictures pictures;
            for (const ConfigIndex config : batch) {
                if (stop.stop_requested()) break;
                pictures.emplace_back(config, worldImage(scenes(config), size, *tokens, ratio));
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
