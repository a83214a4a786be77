#include <QTest>
#include <set>
#include <string>
#include <vector>

#include "test_files.h"

#include "tests/support/test_program.h"

namespace {

struct Record {
    std::string name, place, code, fragment, text;
};

std::string trimmed(const std::string& text) {
    const std::size_t begin = text.find_first_not_of(' ');
    return begin == std::string::npos ? ""
                                      : text.substr(begin, text.find_last_not_of(' ') + 1 - begin);
}

/// Puts the map and the bytes into a record's text.
std::string expanded(std::string text) {
    const std::string map = contentOf(dataPath("keys/map.yaml"));
    for (std::size_t at = 0; (at = text.find("{map}\n", at)) != std::string::npos; at += map.size())
        text.replace(at, 6, map);
    for (std::size_t at = 0; (at = text.find("\\x", at)) != std::string::npos; ++at)
        text.replace(at, 4, 1, static_cast<char>(std::stoi(text.substr(at + 2, 2), nullptr, 16)));
    return text;
}

std::vector<Record> records() {
    const std::string all = contentOf(dataPath("wrong_worlds.txt"));
    std::vector<Record> list;
    for (std::size_t begin = all.find("\n=== "); begin != std::string::npos;) {
        const std::size_t end = all.find("\n=== ", begin + 1);
        const std::string part =
            all.substr(begin + 5, end == std::string::npos ? end : end - begin - 4);
        const std::size_t lineEnd = part.find('\n');
        const std::string head = part.substr(0, lineEnd);
        std::vector<std::string> fields;
        for (std::size_t at = 0; fields.size() < 3;) {
            const std::size_t bar = head.find('|', at);
            fields.push_back(trimmed(head.substr(at, bar - at)));
            at = bar + 1;
            if (fields.size() == 3) fields.push_back(trimmed(head.substr(at)));
        }
        list.push_back(
            {fields[0], fields[1], fields[2], fields[3], expanded(part.substr(lineEnd + 1))});
        begin = end;
    }
    return list;
}

}  // namespace

class WrongWorldsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aMistakeIsReportedAtItsPlace_data() {
        QTest::addColumn<std::string>("text");
        QTest::addColumn<std::string>("begin");
        QTest::addColumn<std::string>("fragment");
        for (const Record& record : records())
            QTest::newRow(record.name.c_str())
                << record.text << "w.yaml:" + record.place + ": error " + record.code + ": "
                << record.fragment;
    }
    void aMistakeIsReportedAtItsPlace() {
        QFETCH(std::string, text);
        QFETCH(std::string, begin);
        QFETCH(std::string, fragment);
        const orrery::WorldFile file = orrery::parseWorld(text, "w.yaml");
        QVERIFY(file.hasErrors);
        const std::string line = diagnosticLine(file.diagnostics.at(0));
        QVERIFY2(line.starts_with(begin), (begin + "\n" + line).c_str());
        QVERIFY2(line.find(fragment) != std::string::npos, line.c_str());
    }

    void thereAreManyDifferentMistakes() {
        std::set<std::string> names;
        for (const Record& record : records()) names.insert(record.name);
        QVERIFY2(names.size() >= 90, std::to_string(names.size()).c_str());
        QCOMPARE(names.size(), records().size());
    }
};

ORRERY_TEST(WrongWorldsTest)
#include "wrong_worlds_test.moc"
