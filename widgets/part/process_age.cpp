#include "widgets/part/process_age.h"

#include <unistd.h>

#include <ctime>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>

namespace orrery {

double processAge() {
    std::ifstream file("/proc/self/stat");
    const std::string line{std::istreambuf_iterator<char>(file), {}};
    const std::size_t name = line.rfind(')');  // the program's name may hold anything
    if (name == std::string::npos) return 0;
    std::istringstream fields(line.substr(name + 1));
    std::string field;
    constexpr int kStartTime = 20;  // counted after the name; field 22 of proc(5)
    for (int i = 0; i < kStartTime; ++i) fields >> field;
    timespec now{};
    clock_gettime(CLOCK_BOOTTIME, &now);
    const double ticks = static_cast<double>(sysconf(_SC_CLK_TCK));
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec) -
           std::strtod(field.c_str(), nullptr) / ticks;
}

}  // namespace orrery
