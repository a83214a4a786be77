#include "widgets/bridge/background_worker.h"

#include <QMetaObject>
#include <new>

namespace orrery {

BackgroundWorker::BackgroundWorker(QObject* parent)
    : QObject(parent), m_thread([this](std::stop_token stop) { work(stop); }) {}

BackgroundWorker::~BackgroundWorker() {
    m_stop.request_stop();
    m_tasks.close();
    m_thread.request_stop();
    m_thread.join();
}

void BackgroundWorker::stopAll() {
    m_stop.request_stop();
    m_stop = std::stop_source();
}

QString BackgroundWorker::failureText(const std::exception& error) {
    if (dynamic_cast<const Error*>(&error) != nullptr) return QString::fromUtf8(error.what());
    if (dynamic_cast<const std::bad_alloc*>(&error) != nullptr)
        return tr("There is not enough memory for this. Close other programs and try again.");
    qCritical("A background job failed: %s", error.what());
    return tr("A fault of the program keeps this from being done; nothing else is lost: %1.")
        .arg(QString::fromUtf8(error.what()));
}

void BackgroundWorker::push(Job job) {
    if (m_tasks.tryPush(Task{std::move(job), m_stop.get_token()})) ++m_numOpen;
}

void BackgroundWorker::work(std::stop_token stop) {
    while (auto task = m_tasks.pop(stop)) {
        Ending ending;
        if (!task->stop.stop_requested()) ending = task->job(task->stop);
        task->job = nullptr;  // what it holds goes before its end is announced
        QMetaObject::invokeMethod(
            this,
            [this, ending = std::move(ending), token = task->stop] {
                --m_numOpen;
                if (ending && !token.stop_requested()) ending();
            },
            Qt::QueuedConnection);
    }
}

}  // namespace orrery
