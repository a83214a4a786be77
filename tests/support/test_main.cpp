#include <csignal>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "tests/support/test_program.h"
#include "tests/support/wait_until.h"

namespace orrery::test {
namespace {

std::map<std::string, RunTestClass>& classes() {
    static std::map<std::string, RunTestClass> known;
    return known;
}

int listClasses(const char* program) {
    std::fprintf(stderr, "%s CLASS [FUNCTION...]: runs one of\n", program);
    for (const auto& [name, run] : classes()) std::fprintf(stderr, "  %s\n", name.c_str());
    return 2;
}

#if defined(__SANITIZE_ADDRESS__)
bool hasThread(const std::string& name) {
    for (const auto& task : std::filesystem::directory_iterator("/proc/self/task")) {
        std::string its;
        std::getline(std::ifstream(task.path() / "comm"), its);
        if (its == name) return true;
    }
    return false;
}

/// Qt Test waits for its watchdog to end, not for what that thread frees last: ending the program
/// in between would be told as a leak.
void waitForWatchdog() {
    waitUntil([] { return !hasThread("QtTest Watchdog"); });
}
#else
void waitForWatchdog() {}
#endif

}  // namespace

TestClass::TestClass(const char* file, RunTestClass run) {
    classes().emplace(std::filesystem::path(file).stem().string(), run);
}

}  // namespace orrery::test

/// The program of the test classes of one folder: `PROGRAM CLASS [arguments of Qt Test]`.
int main(int argc, char** argv) {
    using namespace orrery::test;
    const auto found = argc < 2 ? classes().end() : classes().find(argv[1]);
    if (found == classes().end()) return listClasses(argv[0]);
    // Qt Test sees its own arguments alone.
    std::vector<char*> arguments{argv[0]};
    arguments.insert(arguments.end(), argv + 2, argv + argc + 1);
    const int failed = found->second(argc - 1, arguments.data());
    waitForWatchdog();
    return failed;
}
