#pragma once

#include <QTest>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/train/method.h"

namespace orrery {

/// A method that lets the trainer look around after each piece of its work.
class EveryPiece : public Method {
public:
    explicit EveryPiece(Method& inner, std::function<void(std::int64_t)> tell = {})
        : m_inner(inner), m_tell(std::move(tell)) {}
    std::int64_t stepsDone() const override { return m_inner.stepsDone(); }
    std::int64_t totalSteps() const override { return m_inner.totalSteps(); }
    std::string stepUnit() const override { return m_inner.stepUnit(); }
    std::int64_t stepSize() const override { return m_inner.stepSize(); }
    bool isWithinStep() const override { return m_inner.isWithinStep(); }
    void begin(TrainHost& host, const Checkpoint* checkpoint, const TensorMap* progress) override {
        m_inner.begin(host, checkpoint, progress);
    }
    bool collect() override {
        QTest::qSleep(12);  // a step that is slow is worth a boundary of its own
        if (m_tell) m_tell(stepsDone());
        return m_inner.collect();
    }
    MethodStep step(bool wantsNumbers) override { return m_inner.step(wantsNumbers); }
    void finish() override { m_inner.finish(); }
    std::vector<MetricValue> numbers(const TrainingSnapshot& common) override {
        return m_inner.numbers(common);
    }
    std::shared_ptr<const TrainingSnapshot> snapshot(const TrainingSnapshot& common) override {
        return m_inner.snapshot(common);
    }
    AppliedChange change(const TrainChange& change) override { return m_inner.change(change); }
    void save(CheckpointWriter& writer, TensorMap& progress) override {
        m_inner.save(writer, progress);
    }
    MemoryUse memoryUse() const override { return m_inner.memoryUse(); }

private:
    Method& m_inner;
    std::function<void(std::int64_t)> m_tell;
};

}  // namespace orrery
