#pragma once

#include <QWidget>

namespace orrery {

/// A page of a scroll area that is filled once, as the style says: at 3840x2160 that takes some 5
/// ms. A plain widget is filled by its palette and then by the style sheet, or, where only the
/// sheet fills it, counts as transparent, so that all that lies behind it is filled before it.
class Ground : public QWidget {
    Q_OBJECT

public:
    explicit Ground(QWidget* parent);

protected:
    void paintEvent(QPaintEvent* event) override;
};

}  // namespace orrery
