#pragma once

#include <QByteArray>

#include "core/base/error.h"

namespace orrery {

/// The text of the Error that an action throws; empty if it throws none.
QByteArray errorOf(const auto& action) {
    try {
        action();
    } catch (const Error& e) {
        return e.what();
    }
    return {};
}

}  // namespace orrery
