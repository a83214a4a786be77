#pragma once

#include <QComboBox>

namespace orrery {

/// A choice among names that begin alike: where there is no room, the middle gives way.
class NameBox : public QComboBox {
public:
    using QComboBox::QComboBox;

protected:
    void paintEvent(QPaintEvent* event) override;
};

}  // namespace orrery
