#include <csignal>
#include <cstdio>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "tests/support/test_program.h"

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
    return found->second(argc - 1, arguments.data());
}
