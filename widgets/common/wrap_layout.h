#pragma once

#include <QLayout>
#include <memory>
#include <vector>

namespace orrery {

/// A bar whose parts stand side by side and go on in further rows where there is no room: nothing
/// of it is cut or scrolled sideways. Parts that expand share what is left of their row.
class WrapLayout : public QLayout {
public:
    explicit WrapLayout(QWidget* parent = nullptr);
    ~WrapLayout() override;

    void addItem(QLayoutItem* item) override;
    int count() const override { return static_cast<int>(m_items.size()); }
    QLayoutItem* itemAt(int index) const override;
    QLayoutItem* takeAt(int index) override;
    Qt::Orientations expandingDirections() const override { return {}; }
    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;
    /// One row of all parts.
    QSize sizeHint() const override;
    /// As wide as the widest part.
    QSize minimumSize() const override;
    void setGeometry(const QRect& rect) override;

private:
    /// Lays the parts out from a corner on, or only asks how tall that is.
    int place(const QRect& rect, bool moves) const;

    std::vector<QLayoutItem*> m_items;
};

}  // namespace orrery
