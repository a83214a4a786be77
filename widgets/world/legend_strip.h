#pragma once

#include <QWidget>
#include <vector>

#include "core/world/piece.h"

namespace orrery {

/// Small pictures with names of the kinds of things that a world shows. Wraps over lines.
class LegendStrip : public QWidget {
    Q_OBJECT

public:
    explicit LegendStrip(QWidget* parent = nullptr);

    /// Takes one piece of each kind and state, floors left out.
    void setPieces(const std::vector<Piece>& pieces);

    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;
    QSize sizeHint() const override { return QSize(400, heightForWidth(400)); }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    struct Entry {
        Piece piece;
        QString name;
        bool operator==(const Entry& other) const { return name == other.name; }
    };
    /// Calls `use` with each entry's place; gives back the height.
    template <typename Use>
    int place(int width, Use use) const;

    std::vector<Entry> m_entries;
};

}  // namespace orrery
