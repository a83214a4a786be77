#include "widgets/replay/state_thumbs.h"

#include <algorithm>

#include "widgets/bridge/background_worker.h"
#include "widgets/common/tokens.h"
#include "widgets/replay/encoded_scene.h"
#include "widgets/world/world_picture.h"

namespace orrery {

namespace {

constexpr std::size_t kBatch = 24;

QImage drawnState(const ReplaySource& source, StateStore::Index state, std::uint16_t layout,
                  const QSize& size, double pixelRatio, bool isThumbnail, const Tokens& tokens) {
    WorldScene scene = sceneOfEncoded(*source.worlds[layout], source.replay->shape(),
                                      source.replay->state(state), {});
    if (isThumbnail) scene = thumbnailOf(scene, isWalled(scene));
    return worldImage(scene, size, tokens, pixelRatio);
}

}  // namespace

StateThumbs::StateThumbs(const QSize& size, QObject* parent)
    : QObject(parent), m_size(size), m_worker(new BackgroundWorker(this)) {}

StateThumbs::~StateThumbs() {
    delete m_worker;  // before what its jobs touch
}

void StateThumbs::restart(std::shared_ptr<const ReplaySource> source, double pixelRatio) {
    m_worker->stopAll();
    m_isWorking = false;
    m_wanted.clear();
    m_pictures.clear();
    m_source = std::move(source);
    m_pixelRatio = pixelRatio;
}

const QImage* StateThumbs::picture(StateStore::Index state, std::uint16_t layout) {
    const Key key = Key{state} << 16U | layout;
    if (const QImage* known = m_pictures.object(key)) return known;
    if (std::ranges::find(m_wanted, key) == m_wanted.end()) m_wanted.push_back(key);
    if (!m_isWorking) work();
    return nullptr;
}

void StateThumbs::work() {
    m_isWorking = !m_wanted.empty() && m_source;
    if (!m_isWorking) return;
    // The newest wishes are what a person looks at now.
    const std::size_t from = m_wanted.size() > kBatch ? m_wanted.size() - kBatch : 0;
    std::vector<Key> batch(m_wanted.begin() + static_cast<std::ptrdiff_t>(from), m_wanted.end());
    m_wanted.resize(from);
    if (m_wanted.size() > 20 * kBatch) m_wanted.clear();
    using Pictures = std::vector<std::pair<Key, QImage>>;
    m_worker->append<Pictures>(
        [source = m_source, batch = std::move(batch), size = m_size, tokens = &currentTokens(),
         ratio = m_pixelRatio](std::stop_token stop) {
            Pictures pictures;
            for (const Key key : batch) {
                if (stop.stop_requested()) break;
                pictures.emplace_back(
                    key, drawnState(*source, static_cast<StateStore::Index>(key >> 16U),
                                    static_cast<std::uint16_t>(key & 0xFFFFU), size, ratio, true,
                                    *tokens));
            }
            return pictures;
        },
        [this](const Pictures& pictures) {
            for (const auto& [key, image] : pictures) m_pictures.insert(key, new QImage(image));
            work();
            Q_EMIT ready();
        },
        [this](const QString&) { m_isWorking = false; });
}

}  // namespace orrery
