#include "widgets/bridge/background_worker.h"

#include <QMetaObject>

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
