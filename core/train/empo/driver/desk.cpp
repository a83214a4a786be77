#include "core/train/empo/driver/desk.h"

#include <span>
#include <utility>
#include <vector>

#include "core/base/error.h"
#include "core/collect/facts.h"
#include "core/train/empo/driver/empo_method.h"
#include "core/train/train_checkpoint.h"

namespace orrery {

namespace {

bool isThere(const WorldFacts& world, const ActivationWish& wish, std::size_t bytes) {
    return bytes > 0 && wish.human >= 0 && wish.human < std::ssize(world.humans) &&
           wish.goal >= 0 &&
           wish.goal < std::ssize(world.humans[static_cast<std::size_t>(wish.human)].goals);
}

bool isOfThese(const std::vector<WorldFacts>& worlds, const ValueQuestion& question) {
    return question.layout >= 0 && question.layout < std::ssize(worlds) &&
           question.states.size() % worlds.front().shape.bytes() == 0 &&
           (!question.activations || isThere(worlds[static_cast<std::size_t>(question.layout)],
                                             *question.activations, question.states.size()));
}

ValueAnswer answerOf(Learner& learner, const ValueQuestion& question) {
    const std::size_t bytes = learner.facts().front().shape.bytes();
    std::vector<const std::byte*> states;
    for (std::size_t i = 0; i < question.states.size(); i += bytes)
        states.push_back(question.states.data() + i);
    const auto asked =
        std::span(std::as_const(states)).first(question.activations ? 1 : states.size());
    ValueAnswer answer{.number = question.number,
                       .step = learner.stepsDone(),
                       .beta_eff = learner.beta_eff(),
                       .live = learner.evaluate(question.layout, asked),
                       .target = learner.evaluate(question.layout, asked, ValueCopy::Target)};
    answer.gamma_h = learner.schedule().gamma_h(answer.step);
    answer.gamma_r = learner.schedule().gamma_r(answer.step);
    if (question.activations)
        answer.activations = learner.activations(question.layout, states, *question.activations);
    return answer;
}

}  // namespace

bool DeskService::answer(Training& training) {
    bool hasAnswered = false;
    m_desk->takeIsAsked();  // before it is read: what is asked from now on counts anew
    if (const auto wish = m_desk->bufferWish(); wish != m_wish) {
        m_wish = wish;
        m_desk->show({training.buffer.snapshot(), training.learner.stepsDone()});
        hasAnswered = true;
    }
    const auto answerTo = [&](const std::shared_ptr<const ValueQuestion>& asked,
                              std::shared_ptr<const ValueQuestion>& known) {
        if (asked == known) return;
        known = asked;
        if (!isOfThese(training.learner.facts(), *asked)) return;
        m_desk->answer(answerOf(training.learner, *asked));
        hasAnswered = true;
    };
    answerTo(m_desk->question(), m_question);
    answerTo(m_desk->insideQuestion(), m_insideQuestion);
    return hasAnswered;
}

void DeskService::showLast(Training& training) {
    if (m_wish) m_desk->show({training.buffer.snapshot(), training.learner.stepsDone()});
}

ValueAnswer valuesOfCheckpoint(const ValuesRequest& request) {
    Learner learner(request.spec, factsOf(request.worlds, request.spec.encodingRules()));
    if (!isOfThese(learner.facts(), request.question))
        throw Error("These states are not of the worlds that the training learns on.",
                    Error::Kind::BadInput);
    loadLearner(openCheckpoint(request.checkpoint), learner);
    return answerOf(learner, request.question);
}

}  // namespace orrery
