#include "widgets/common/start_apart.h"

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <QStandardPaths>
#include <cerrno>
#include <vector>

namespace orrery {

bool startApart(const QString& program, const QStringList& arguments) {
    const QString found = QStandardPaths::findExecutable(program);
    if (found.isEmpty()) return false;
    // The shell ends at once, so that nobody has to wait for the program.
    std::vector<QByteArray> words{"sh", "-c", R"("$0" "$@" </dev/null >/dev/null 2>&1 &)",
                                  found.toLocal8Bit()};
    for (const QString& argument : arguments) words.push_back(argument.toLocal8Bit());
    std::vector<char*> argv;
    for (QByteArray& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);
    posix_spawnattr_t attributes;
    if (::posix_spawnattr_init(&attributes) != 0) return false;
    ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSID);
    pid_t shell = 0;
    const int problem =
        ::posix_spawn(&shell, "/bin/sh", nullptr, &attributes, argv.data(), environ);
    ::posix_spawnattr_destroy(&attributes);
    if (problem != 0) return false;
    while (::waitpid(shell, nullptr, 0) < 0 && errno == EINTR) {
    }
    return true;
}

}  // namespace orrery
