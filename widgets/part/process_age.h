#pragma once

namespace orrery {

/// Seconds since this process was started, its loading included; to 10 ms. 0 without /proc.
double processAge();

}  // namespace orrery
