#pragma once

#include <QWidget>
#include <string>
#include <vector>

#include "core/world/world_editing.h"
#include "widgets/common/painted_view.h"

namespace orrery {

class WorldEditor;

/// Every object that a cell can hold as a small picture; a click makes it the editor's brush, the
/// row of colours below colours those that may have any. Keys: arrows and Space.
class Palette : public PaintedWidget {
    Q_OBJECT

public:
    explicit Palette(WorldEditor* editor, QWidget* parent = nullptr);

    /// The rectangle of the object of a cell code as it is shown now; null if there is none.
    QRectF rectOf(const std::string& code) const;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }
    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;

    std::vector<NamedSpot> namedSpots() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    void refresh();
    const std::string& codeOf(const WorldBrush& entry) const { return entry.code(m_color); }
    bool hasColors() const;
    int columns() const;
    QRectF entryRect(std::size_t index) const;
    QRectF colorRect(std::size_t index) const;
    void pick(std::size_t index);

    WorldEditor* m_editor;
    std::vector<WorldBrush> m_entries;
    std::size_t m_cursor = 0;
    std::size_t m_color = 2;  ///< into the colours of a brush
};

}  // namespace orrery
