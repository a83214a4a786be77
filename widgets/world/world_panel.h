#pragma once

#include <QFrame>
#include <QJsonObject>

#include "widgets/common/draws_figure.h"
#include "widgets/frame/view_spec.h"

class QAbstractItemModel;
class QComboBox;
class QHBoxLayout;
class QLabel;
class QMenu;
class QPushButton;
class QStackedWidget;
class QToolButton;
class QVBoxLayout;

namespace orrery {

class EditView;
class KeyStrip;
class LegendStrip;
class MessageStrip;
class PlanSession;
class PlayMode;
class SceneModel;
class WorldEditor;
class WorldView;

/// The world with its view bar above (play, edit, heat, arrows, goals, visits, ghosts; in edit mode
/// the tools) and the legend below. Keeps what is laid over the world and how it is played.
class WorldPanel : public QFrame, public KeepsState, public DrawsFigure {
    Q_OBJECT

public:
    explicit WorldPanel(PlanSession* session, QWidget* parent = nullptr);
    /// Without an editor the world can be looked at and played only.
    WorldPanel(PlanSession* session, WorldEditor* editor, QWidget* parent = nullptr);

    WorldView* view() const { return m_view; }
    PlayMode* play() const;
    EditView* editView() const { return m_editView; }
    /// Puts a strip under the world; the panel owns it.
    void addBelow(QWidget* strip);

    /// What the world's picture shows, cell by cell; made when it is first asked for.
    QAbstractItemModel* tableModel();

    /// Carries out the joint action as play mode says.
    void step();
    /// Zoom of the world or of the map that is edited.
    void zoomBy(double factor);
    void zoomToFit();

    QJsonObject saveState() const override;
    void restoreState(const QJsonObject& state) override;

    // The world as it is drawn, without hover and zoom.
    QString figureId() const override { return QStringLiteral("world"); }
    QString figureName() const override;
    QString figureTitle() const override;
    QSizeF figureSize() const override;
    bool hasFigure() const override;
    bool isFigureReady() const override;
    QJsonObject figureState() const override { return saveState(); }
    void restoreFigure(const QJsonObject& state) override { restoreState(state); }
    void paintFigure(QPainter& painter, const FigurePage& page) override;

Q_SIGNALS:
    /// The person wants the world to be solved, as it is now.
    void solveRequested();

protected:
    void resizeEvent(QResizeEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    QWidget* makeBar();
    void addModes(QHBoxLayout* row);
    QWidget* makeOverlayBar();
    QWidget* makeToolBar();
    QPushButton* makeToggle(QWidget* parent, const char* name, const QString& text,
                            const QString& tip);
    QComboBox* makeBox(QWidget* parent, const char* name, const QString& tip);
    void makeRangeButton();
    void connectParts();
    void connectEditor();
    void fillOptions();
    void fillRangeMenu();
    void fillBoxes();
    void showChoices();
    void placeRangeButton();
    void refreshChip();
    void refreshMode();
    void refreshIcons();
    void fitBar();
    void foldToggles(int room);
    void shortenTools(int room);
    void applyKept();

    PlanSession* m_session;
    WorldEditor* m_editor;
    WorldView* m_view;
    SceneModel* m_table = nullptr;
    EditView* m_editView = nullptr;
    MessageStrip* m_strip;
    LegendStrip* m_legend;
    KeyStrip* m_keys;
    QStackedWidget* m_stack;
    QStackedWidget* m_bars;
    QPushButton *m_play = nullptr, *m_edit = nullptr;
    QToolButton* m_options = nullptr;
    QMenu* m_optionsMenu = nullptr;
    QComboBox *m_heat = nullptr, *m_arrows = nullptr;
    QLabel *m_heatLabel = nullptr, *m_arrowsLabel = nullptr;
    QPushButton *m_goals = nullptr, *m_visits = nullptr, *m_ghosts = nullptr;
    QToolButton* m_range = nullptr;
    QMenu* m_rangeMenu = nullptr;
    QToolButton* m_toggles = nullptr;  ///< stands for the three where there is no room
    QList<QPushButton*> m_tools;
    QLabel* m_chip = nullptr;
    bool m_asksChance = false;  ///< the strip says that chance is to be chosen
    bool m_asks = false;        ///< the strip asks for what the editor waits for
    QJsonObject m_kept;         ///< restored before a world was open
};

}  // namespace orrery
