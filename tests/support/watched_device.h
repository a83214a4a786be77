#pragma once

#include <cstdint>

namespace orrery::test {

/// A device for tests, by LibTorch's name for one that nobody here has: kWatchedDevice. Its
/// operators compute as the CPU's do, but its memory can be touched by operators alone: whoever
/// reads or writes it otherwise ends the program with SIGSEGV, as on a GPU. Linking
/// watched_device.cpp adds it.
inline constexpr const char* kWatchedDevice = "hpu";

/// What went between the device and the host.
struct DeviceTraffic {
    std::int64_t operators = 0;  ///< that ran on the device
    std::int64_t uploads = 0, uploadedBytes = 0;
    std::int64_t readBacks = 0;  ///< copies to the host, which wait for the device
    std::int64_t scalars = 0;    ///< numbers read by item() and the like
    /// Operators whose result's shape depends on numbers, so that the host waits.
    std::int64_t waits = 0;
};

/// Since the last call. Any thread.
DeviceTraffic takeDeviceTraffic();

}  // namespace orrery::test
