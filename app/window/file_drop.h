#pragma once

#include <QObject>
#include <QString>

#include "core/run/run_spec.h"

class QWidget;

namespace orrery {

/// Files that are dropped anywhere on a window, each taken for what it is. GUI thread only.
class FileDrop : public QObject {
    Q_OBJECT

public:
    explicit FileDrop(QWidget* window);

    /// Says by a signal what a path is.
    void take(const QString& path);

Q_SIGNALS:
    void worldDropped(const QString& file);
    void specDropped(const orrery::RunSpec& spec, const QString& file);
    void curvesDropped(const QString& path);
    void workspaceDropped(const QString& folder);
    /// @param why  one line
    void refused(const QString& why);

protected:
    bool eventFilter(QObject* object, QEvent* event) override;

private:
    void takeFolder(const QString& folder);
    void takeText(const QString& file);

    QWidget* m_window;
};

}  // namespace orrery
