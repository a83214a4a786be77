#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "core/base/latest.h"
#include "core/empo/learned_values.h"
#include "core/empo/net_activations.h"
#include "core/replay/replay_snapshot.h"
#include "core/train/desk.h"
#include "core/train/training_snapshot.h"

namespace orrery {

/// States whose learned values somebody wants to see.
struct ValueQuestion {
    std::int64_t number = 0;             ///< tells questions apart; whoever asks counts them
    int layout = 0;                      ///< which world of the run
    std::vector<std::byte> states = {};  ///< [N x EncodingShape::bytes()]
    /// Asks for the inside of a network for the first state too; then values are of that state
    /// alone, and the others tell which units are ever active.
    std::optional<ActivationWish> activations = {};
};

/// What the learner says to it.
struct ValueAnswer {
    std::int64_t number = 0;  ///< of the question
    std::int64_t step = 0;    ///< training steps done
    double beta_eff = 0;
    LearnedValues live = {}, target = {};
    std::optional<double> gamma_h = {}, gamma_r = {};  ///< in force; unset: the spec's
    std::optional<NetActivations> activations = {};    ///< if they were asked for
};

/// A buffer and the training step at which it stood so.
struct ShownBuffer {
    std::shared_ptr<const ReplaySnapshot> replay;
    std::int64_t step = 0;
};

/// Where a training is asked for its buffer and for learned values. Asking and reading: any thread,
/// never waits.
class LearnerDesk : public Desk {
public:
    void askForBuffer() {
        m_bufferWish.store(std::make_shared<const std::int64_t>(0));
        ring();
    }
    void ask(std::shared_ptr<const ValueQuestion> question) {
        (question->activations ? m_insideQuestion : m_question).store(std::move(question));
        ring();
    }
    /// The newest answers; null before the first.
    std::shared_ptr<const ShownBuffer> buffer() const { return m_buffer.load(); }
    std::shared_ptr<const ValueAnswer> answer() const { return m_answer.load(); }
    /// The same of questions for activations, which do not take the place of others.
    std::shared_ptr<const ValueAnswer> insideAnswer() const { return m_insideAnswer.load(); }

    // The training's side, on its thread.
    std::shared_ptr<const std::int64_t> bufferWish() const { return m_bufferWish.load(); }
    std::shared_ptr<const ValueQuestion> question() const { return m_question.load(); }
    std::shared_ptr<const ValueQuestion> insideQuestion() const { return m_insideQuestion.load(); }
    void show(ShownBuffer buffer) {
        m_buffer.store(std::make_shared<const ShownBuffer>(std::move(buffer)));
    }
    void answer(ValueAnswer answer) {
        (answer.activations ? m_insideAnswer : m_answer)
            .store(std::make_shared<const ValueAnswer>(std::move(answer)));
    }

private:
    Latest<std::int64_t> m_bufferWish;  ///< another pointer is another wish
    Latest<ValueQuestion> m_question, m_insideQuestion;
    Latest<ShownBuffer> m_buffer;
    Latest<ValueAnswer> m_answer, m_insideAnswer;
};

/// Null where a training has another desk or none.
inline std::shared_ptr<LearnerDesk> learnerDeskOf(const TrainingSnapshot& snapshot) {
    return std::dynamic_pointer_cast<LearnerDesk>(snapshot.desk);
}

}  // namespace orrery
