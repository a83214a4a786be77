#pragma once

#include <QTest>
#include <type_traits>

namespace orrery::test {

/// Runs one test class with the arguments of Qt Test. @return how many of its functions failed
using RunTestClass = int (*)(int argc, char** argv);

/// Adds a class to those that the program of its folder can run; made by the macros below.
class TestClass {
public:
    /// @param file  its source; without folder and ending it is the class's name on the command
    /// line
    TestClass(const char* file, RunTestClass run);
};

/// @tparam Application  of Qt, void for none; lives as long as the object of the class
/// @param  file         the source of the class
template <typename Class, typename Application>
int runTestClass(const char* file, int argc, char** argv) {
    QTest::Internal::callInitMain<Class>();
    const auto run = [&] {
        Class test;
        QTest::setMainSourcePath(file);
        return QTest::qExec(&test, argc, argv);
    };
    if constexpr (std::is_void_v<Application>) {
        return run();
    } else {
        Application application(argc, argv);
        Application::setAttribute(Qt::AA_Use96Dpi);
        return run();
    }
}

}  // namespace orrery::test

/// Each ends a source with a test class, in the place of Qt's QTEST_APPLESS_MAIN,
/// QTEST_GUILESS_MAIN and QTEST_MAIN, for a program that holds several classes and runs one of
/// them.
#define ORRERY_TEST(Class) ORRERY_TEST_IN(Class, void)
#define ORRERY_APPLICATION_TEST(Class) ORRERY_TEST_IN(Class, QCoreApplication)
#define ORRERY_WINDOW_TEST(Class) ORRERY_TEST_IN(Class, QApplication)

/// The same with an application of another kind.
#define ORRERY_TEST_IN(Class, Application)                                                     \
    static const orrery::test::TestClass k##Class##Entry(__FILE__, [](int argc, char** argv) { \
        return orrery::test::runTestClass<Class, Application>(__FILE__, argc, argv);           \
    });
