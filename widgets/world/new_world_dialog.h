#pragma once

#include <QDialog>

#include "core/world/world_spec.h"

class QComboBox;
class QFormLayout;
class QLabel;
class QLineEdit;
class QPlainTextEdit;
class QPushButton;
class QSpinBox;
class QTabWidget;

namespace orrery {

/// What a new world is made of.
struct NewWorld {
    enum class Walls { Border, TwoRooms, FourRooms, Pillars };
    int width = 9, height = 7;  ///< cells with the border, 5 to 60
    Walls walls = Walls::Border;
    int numHumans = 1, numRobots = 1;
    int maxSteps = 10;
};

/// The spec of a new world, of the first family: agents spread over the free cells, each human's
/// goals the cells of two far corners and the rest as an area.
WorldSpec specOfNewWorld(const NewWorld& wishes);

/// The spec of a pasted text: a whole world file, or only the rows of a map, cells apart by blanks
/// or not. Missing borders are not added.
/// @throws Error (BadInput) naming what is wrong
WorldSpec specOfPastedText(const std::string& text);

/// Asks how a new world should be: size and walls, or a pasted text map; shows what it would be.
class NewWorldDialog : public QDialog {
    Q_OBJECT

public:
    explicit NewWorldDialog(QWidget* parent = nullptr);

    /// The world that was asked for; valid once the dialog was accepted.
    const WorldSpec& spec() const { return m_spec; }
    QString name() const;

private:
    QWidget* makeForm();
    QWidget* makePaste();
    void refresh();

    WorldSpec m_spec;
    QLineEdit* m_name;
    QTabWidget* m_tabs;
    QSpinBox *m_width = nullptr, *m_height = nullptr, *m_humans = nullptr, *m_robots = nullptr,
             *m_steps = nullptr;
    QComboBox* m_walls = nullptr;
    QPlainTextEdit* m_text = nullptr;
    QLabel* m_picture;
    QLabel* m_problem;
    QPushButton* m_create = nullptr;
};

}  // namespace orrery
