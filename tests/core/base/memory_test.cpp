#include "core/base/memory.h"

#include <QTemporaryDir>
#include <QTest>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "tests/support/test_program.h"

namespace fs = std::filesystem;

class MemoryTest : public QObject {
    Q_OBJECT

    static void put(const fs::path& file, const std::string& content) {
        fs::create_directories(file.parent_path());
        std::ofstream(file) << content;
    }

private Q_SLOTS:
    void theTightestLimitCounts_data() {
        QTest::addColumn<QString>("groups");
        QTest::addColumn<QStringList>("files");
        QTest::addColumn<qulonglong>("available");
        QTest::newRow("machine only") << "" << QStringList() << 8000ULL * 1024;
        QTest::newRow("version 2 without a limit")
            << "0::/a\n"
            << QStringList{"a/memory.max=max", "a/memory.current=5"} << 8000ULL * 1024;
        QTest::newRow("version 2, own group, cache counts as free")
            << "0::/a\n"
            << QStringList{"a/memory.max=100000", "a/memory.current=60000",
                           "a/memory.stat=anon 1\ninactive_file 10000\n"}
            << 50000ULL;
        QTest::newRow("version 2, outer group is tighter")
            << "0::/a/b\n"
            << QStringList{"a/b/memory.max=100000", "a/b/memory.current=0", "a/memory.max=70000",
                           "a/memory.current=40000"}
            << 30000ULL;
        QTest::newRow("version 1") << "4:cpu,memory:/c\n1:name=x:/c\n"
                                   << QStringList{"memory/c/memory.limit_in_bytes=9000",
                                                  "memory/c/memory.usage_in_bytes=1000"}
                                   << 8000ULL;
        QTest::newRow("used more than allowed")
            << "0::/\n"
            << QStringList{"memory.max=10", "memory.current=20"} << 0ULL;
    }
    void theTightestLimitCounts() {
        QFETCH(QString, groups);
        QFETCH(QStringList, files);
        QFETCH(qulonglong, available);
        const QTemporaryDir folder;
        const fs::path root = folder.path().toStdString();
        put(root / "proc/meminfo", "MemTotal: 9000 kB\nMemAvailable:    8000 kB\n");
        put(root / "proc/self/cgroup", groups.toStdString());
        for (const QString& file : files)
            put(root / "sys/fs/cgroup" / file.section('=', 0, 0).toStdString(),
                file.section('=', 1).toStdString());
        QCOMPARE(qulonglong(orrery::availableMemory(root)), available);
    }

    void residentBytesGrowWithTouchedMemory() {
        const std::uint64_t before = orrery::residentBytes();
        std::vector<char> block(std::size_t{64} << 20U, 'x');
        const std::uint64_t after = orrery::residentBytes();
        QVERIFY(before > 1U << 20U);
        QVERIFY(after >= before + (std::uint64_t{60} << 20U));
        QCOMPARE(block.back(), 'x');
        QVERIFY(orrery::availableMemory() > 0);
    }
};

ORRERY_TEST(MemoryTest)
#include "memory_test.moc"
