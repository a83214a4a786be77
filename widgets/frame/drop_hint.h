#pragma once

#include <QWidget>

namespace orrery {

/// Shows where a carried tab would go. Lies over the views and takes no events.
class DropHint : public QWidget {
public:
    explicit DropHint(QWidget* parent);

protected:
    void paintEvent(QPaintEvent* event) override;
};

}  // namespace orrery
