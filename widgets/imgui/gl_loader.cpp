#include "widgets/imgui/gl_loader.h"

#include <QCoreApplication>
#include <QMetaObject>
#include <QObject>
#include <QOpenGLContext>
#include <memory>
#include <thread>
#include <utility>

namespace orrery {

namespace {

/// Tells in the GUI thread when its thread is done.
class GlLoader : public QObject {
    Q_OBJECT

public:
    bool isLoaded() const { return m_isLoaded; }
    void load() {
        m_thread = std::jthread([this] {
            QOpenGLContext().create();  // loads what it needs; whether it works is asked elsewhere
            QMetaObject::invokeMethod(
                this,
                [this] {
                    m_isLoaded = true;
                    Q_EMIT loaded();
                },
                Qt::QueuedConnection);
        });
    }
    /// Whoever comes next has nothing to wait for; who waits already is told in time.
    void leaveItToTheCaller() {
        if (m_thread.joinable())
            m_thread.join();
        else
            m_isLoaded = true;
    }

Q_SIGNALS:
    void loaded();

private:
    bool m_isLoaded = false;
    std::jthread m_thread;
};

std::unique_ptr<GlLoader>& loader() {
    static std::unique_ptr<GlLoader> kLoader;
    return kLoader;
}

/// True if there was none before.
bool makeLoader() {
    if (loader()) return false;
    loader() = std::make_unique<GlLoader>();
    // The platform must outlive the thread.
    qAddPostRoutine([] { loader().reset(); });
    return true;
}

}  // namespace

void whenGlIsLoaded(QObject* receiver, std::function<void()> go) {
    if (makeLoader()) loader()->load();
    if (loader()->isLoaded())
        QMetaObject::invokeMethod(receiver, std::move(go), Qt::QueuedConnection);
    else
        QObject::connect(loader().get(), &GlLoader::loaded, receiver, std::move(go),
                         Qt::SingleShotConnection);
}

void finishLoadingGl() {
    makeLoader();
    loader()->leaveItToTheCaller();
}

}  // namespace orrery

#include "gl_loader.moc"
