#pragma once

#include <QToolBar>
#include <vector>

class QToolButton;

namespace orrery {

/// The bar of commands above the views. A button can belong to one perspective or stand aside in
/// one, so that no two commands of one bar are about different things and called the same.
class CommandBar : public QToolBar {
    Q_OBJECT

public:
    struct Placing {
        QString only = {};      ///< id of the perspective that it belongs to; empty: all
        QString except = {};    ///< id of a perspective without it
        QString words = {};     ///< of a plain one: id of the perspective in which it has its word
        bool isPlain = false;   ///< an icon alone
        bool isAlways = false;  ///< it keeps its word in narrow windows
        bool isSpare = false;   ///< gives way in the narrowest windows
    };

    CommandBar(const QString& title, QWidget* parent);

    /// Its button is named "tool_" and the action's name.
    QToolButton* addCommand(QAction* action, const Placing& placing);
    void addGap(const Placing& placing);
    enum class Room { All, NoWords, NoSpare };
    void arrange(const QString& perspective, Room room);

private:
    struct Part {
        Placing placing;
        QAction* place = nullptr;
        QToolButton* button = nullptr;  ///< null: a gap
    };
    std::vector<Part> m_parts;
};

}  // namespace orrery
