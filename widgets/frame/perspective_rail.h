#pragma once

#include <QFrame>
#include <QList>

class QToolButton;
class QVBoxLayout;

namespace orrery {

struct PerspectiveSpec;

/// The column of perspectives at the window's left edge.
class PerspectiveRail : public QFrame {
    Q_OBJECT

public:
    explicit PerspectiveRail(QWidget* parent = nullptr);

    void add(const PerspectiveSpec& spec);
    void setTip(const QString& id, const QString& tip);
    /// Marks one as current; does not emit picked().
    void setCurrent(const QString& id);

Q_SIGNALS:
    void picked(const QString& id);

protected:
    void changeEvent(QEvent* event) override;

private:
    void refreshIcons();

    struct Entry {
        QString id;
        QString icon;
        QToolButton* button;
    };
    QVBoxLayout* m_layout;
    QList<Entry> m_entries;
};

}  // namespace orrery
