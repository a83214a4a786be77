#pragma once

#include <QObject>
#include <QString>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>

#include "core/env/frame_insight.h"
#include "core/history/workspace.h"
#include "core/ppo/spec.h"

namespace orrery {

class BackgroundWorker;

/// What a run learned, asked about frames on a thread of its own. GUI thread only.
class EntityAgent : public QObject {
    Q_OBJECT

public:
    /// Of the policy that is at hand.
    struct Facts {
        QString run = {};       ///< its id
        std::int64_t step = 0;  ///< of the checkpoint
        std::string environment = {}, options = {};
        PpoSpec ppo = {};
    };
    /// What it says of a frame.
    struct Answer {
        Advice advice = {};
        std::shared_ptr<const FrameInsight> insight = {};
    };

    explicit EntityAgent(QObject* parent);
    ~EntityAgent() override;

    /// Reads the newest good checkpoint of a run, in place of what was at hand.
    void load(const std::shared_ptr<Workspace>& workspace, const QString& run);
    void leave();

    /// The run that is at hand, is being read, or could not be; empty: none.
    const QString& run() const { return m_run; }
    const std::optional<Facts>& facts() const { return m_facts; }  ///< nothing: not at hand
    bool isLoading() const { return m_isLoading; }
    const QString& trouble() const { return m_trouble; }  ///< why it could not be read; or empty
    bool fits(const EnvironmentSpaces& spaces) const;

    /// @param seen    of an environment that it fits
    /// @param inside  what goes on in its network is asked for too
    /// @param answered  is called later, unless another policy is at hand by then
    void ask(const Observation& seen, bool inside, std::function<void(Answer)> answered);

Q_SIGNALS:
    void changed();  ///< another one, or none, or it could not be read
    void failed();   ///< a frame could not be answered, see trouble()

private:
    struct Loaded {
        std::shared_ptr<AdvisingPolicy> policy = {};
        Facts facts = {};
    };
    static Loaded read(const Workspace& workspace, const std::string& run);

    BackgroundWorker* m_worker;
    QString m_run, m_trouble;
    std::optional<Facts> m_facts;
    std::shared_ptr<AdvisingPolicy> m_policy;  ///< its network is the worker's alone
    bool m_isLoading = false;
    int m_serial = 0;  ///< counts what was at hand
};

}  // namespace orrery
