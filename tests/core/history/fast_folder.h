#pragma once

#include <QDir>
#include <QFileInfo>
#include <QString>

/// A template for QTemporaryDir in memory, where syncing costs nothing: for tests that sync
/// thousands of times and do not depend on the disk. The usual folder where there is none.
inline QString fastFolder() {
    const QFileInfo memory("/dev/shm");
    const QString base = memory.isDir() && memory.isWritable() ? "/dev/shm" : QDir::tempPath();
    return base + "/orrery-test-XXXXXX";
}
