#pragma once

#include <memory>

#include "core/empo/learner_desk.h"
#include "core/train/empo/driver/training.h"

namespace orrery {

/// The training's side of a desk. One thread.
class DeskService {
public:
    const std::shared_ptr<LearnerDesk>& desk() const { return m_desk; }

    /// Answers what was asked since the last call. @return whether anything was
    bool answer(Training& training);
    /// Shows the buffer as it stands at the end, if anybody asked for it before.
    void showLast(Training& training);

private:
    std::shared_ptr<LearnerDesk> m_desk = std::make_shared<LearnerDesk>();
    std::shared_ptr<const std::int64_t> m_wish;
    std::shared_ptr<const ValueQuestion> m_question, m_insideQuestion;
};

}  // namespace orrery
