#include "widgets/imgui/gl_loader.h"

#include <QGuiApplication>
#include <QMetaObject>
#include <QObject>
#include <QOpenGLContext>
#include <memory>
#include <thread>
#include <utility>

#include "widgets/imgui/gl_driver.h"

namespace orrery {

namespace {

/// Loads the driver in its thread, makes a first context in a turn of the GUI thread, and tells in
/// the next.
class GlLoader : public QObject {
    Q_OBJECT

public:
    bool isLoaded() const { return m_isLoaded; }
    void load() {
        m_thread = std::jthread([this, isX = QGuiApplication::platformName() == u"xcb"] {
            if (isX) loadGlDriver();
            QMetaObject::invokeMethod(this, &GlLoader::makeContext, Qt::QueuedConnection);
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
    /// Loads what else there is to load; whether contexts work is asked elsewhere.
    void makeContext() {
        QOpenGLContext().create();
        QMetaObject::invokeMethod(this, &GlLoader::tell, Qt::QueuedConnection);
    }
    void tell() {
        m_isLoaded = true;
        Q_EMIT loaded();
    }

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
