#pragma once

#include <QObject>
#include <QString>
#include <exception>
#include <functional>
#include <memory>
#include <stop_token>
#include <thread>

#include "core/base/bounded_queue.h"
#include "core/base/error.h"

namespace orrery {

/// Does work for a window on one thread of its own, one job after the other, and hands each result
/// back to the GUI thread. Create, call and destroy it in the GUI thread. Nothing here waits but
/// the destructor, which stops the job at hand first.
class BackgroundWorker : public QObject {
    Q_OBJECT

public:
    explicit BackgroundWorker(QObject* parent = nullptr);
    ~BackgroundWorker() override;

    /// Runs `work` after the jobs that wait; then, in the GUI thread, `done` with its result, or
    /// `failed` with a text for people: of the Error that it threw, or that memory ran out, or of
    /// any other exception, which is told on the console, too.
    template <typename T>
    void append(std::function<T(std::stop_token)> work, std::function<void(T)> done,
                std::function<void(const QString&)> failed) {
        push(makeJob<T>(std::move(work), std::move(done), std::move(failed)));
    }

    /// The same, but stops and forgets all earlier jobs: their results never arrive.
    template <typename T>
    void replace(std::function<T(std::stop_token)> work, std::function<void(T)> done,
                 std::function<void(const QString&)> failed) {
        stopAll();
        append<T>(std::move(work), std::move(done), std::move(failed));
    }

    /// Stops the job at hand and forgets the others.
    void stopAll();

    /// Jobs whose end the GUI thread has not seen yet.
    int numOpenJobs() const { return m_numOpen; }

private:
    using Ending = std::function<void()>;  ///< runs in the GUI thread
    using Job = std::function<Ending(std::stop_token)>;
    struct Task {
        Job job;
        std::stop_token stop;
    };

    template <typename T>
    static Job makeJob(std::function<T(std::stop_token)> work, std::function<void(T)> done,
                       std::function<void(const QString&)> failed) {
        return [work = std::move(work), done = std::move(done),
                failed = std::move(failed)](std::stop_token stop) -> Ending {
            try {
                auto result = std::make_shared<T>(work(stop));
                return [done, result] { done(std::move(*result)); };
            } catch (const std::exception& error) {
                return [failed, text = failureText(error)] { failed(text); };
            }
        };
    }
    static QString failureText(const std::exception& error);
    void push(Job job);
    void work(std::stop_token stop);

    BoundedQueue<Task> m_tasks{4096};
    std::stop_source m_stop;  ///< of the jobs since the last stopAll
    int m_numOpen = 0;
    std::jthread m_thread;  // last: it uses the other members
};

}  // namespace orrery
