#include "core/train/driver/desk.h"

#include <vector>

#include "core/base/error.h"
#include "core/collect/facts.h"

namespace orrery {

namespace {

bool isOfThese(const std::vector<WorldFacts>& worlds, const ValueQuestion& question) {
    return question.layout >= 0 && question.layout < std::ssize(worlds) &&
           question.states.size() % worlds.front().shape.bytes() == 0;
}

ValueAnswer answerOf(Learner& learner, const ValueQuestion& question) {
    const std::size_t bytes = learner.facts().front().shape.bytes();
    std::vector<const std::byte*> states;
    for (std::size_t i = 0; i < question.states.size(); i += bytes)
        states.push_back(question.states.data() + i);
    return {.number = question.number,
            .step = learner.stepsDone(),
            .beta_eff = learner.beta_eff(),
            .live = learner.evaluate(question.layout, states),
            .target = learner.evaluate(question.layout, states, ValueCopy::Target)};
}

}  // namespace

bool DeskService::answer(Training& training) {
    bool hasAnswered = false;
    if (const auto wish = m_desk->bufferWish(); wish != m_wish) {
        m_wish = wish;
        m_desk->show({training.buffer.snapshot(), training.learner.stepsDone()});
        hasAnswered = true;
    }
    if (const auto question = m_desk->question(); question != m_question) {
        m_question = question;
        if (isOfThese(training.learner.facts(), *question)) {
            m_desk->answer(answerOf(training.learner, *question));
            hasAnswered = true;
        }
    }
    return hasAnswered;
}

void DeskService::showLast(Training& training) {
    if (m_wish) m_desk->show({training.buffer.snapshot(), training.learner.stepsDone()});
}

ValueAnswer valuesOfCheckpoint(const ValuesRequest& request) {
    Learner learner(request.spec, factsOf(request.worlds));
    if (!isOfThese(learner.facts(), request.question))
        throw Error("These states are not of the worlds that the training learns on.",
                    Error::Kind::BadInput);
    loadLearner(request.checkpoint, learner);
    return answerOf(learner, request.question);
}

}  // namespace orrery
