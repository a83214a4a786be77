#pragma once

#include <QDir>
#include <QFileInfo>
#include <QStorageInfo>
#include <QString>

/// A template for QTemporaryDir in memory, where syncing costs nothing: for tests that sync often
/// and do not depend on the disk. The usual folder where there is none or little room in it.
inline QString fastFolder() {
    constexpr qint64 kLeastBytes = qint64{2} << 30;
    const QFileInfo memory("/dev/shm");
    const bool hasRoom = memory.isDir() && memory.isWritable() &&
                         QStorageInfo(memory.filePath()).bytesAvailable() >= kLeastBytes;
    return (hasRoom ? memory.filePath() : QDir::tempPath()) + "/orrery-test-XXXXXX";
}
