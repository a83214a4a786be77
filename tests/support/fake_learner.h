#pragma once

#include <QtGlobal>
#include <string>

#include "tests/support/places.h"

namespace orrery {

/// Lets runs, and programs that are started, load the learners' library that a test names, until
/// destroyed: the small one of tests/core/run/fake_learner.cpp if it names none.
struct FakeLearner {
    explicit FakeLearner(const std::string& file = builtPath("tests/fake_learner.so")) {
        qputenv("ORRERY_LEARN_LIBRARY", file.c_str());
    }
    ~FakeLearner() { qunsetenv("ORRERY_LEARN_LIBRARY"); }
    FakeLearner(const FakeLearner&) = delete;
    FakeLearner& operator=(const FakeLearner&) = delete;
};

}  // namespace orrery
