#include "widgets/common/style_sheet.h"

#include <QFontInfo>
#include <QList>

#include "widgets/common/style.h"
#include "widgets/common/tokens.h"

namespace orrery {

namespace {

// Words in braces with an @ are replaced by the theme's colours.
const char* const kFrame = R"(
QMainWindow, QWidget#central { background: @window; }
QWidget { color: @text; font-family: "@face"; font-size: 12px; }
QToolTip { background: @raised; color: @text; border: 1px solid @border; padding: 4px 8px; }
QMenuBar { background: @panel; color: @text; padding: 2px 6px; min-height: 24px; }
QMenuBar::item { padding: 4px 9px; border-radius: 5px; background: transparent; }
QMenuBar::item:selected { background: @raised; }
QMenu { background: @panel; border: 1px solid @border; padding: 4px; }
QMenu::item { padding: 5px 24px 5px 26px; border-radius: 4px; }
QMenu::item:selected { background: @currentRow; color: @text; }
QMenu::item:disabled { color: @faint; }
QMenu::separator { height: 1px; background: @border; margin: 4px 6px; }
QMenu::icon { padding-left: 6px; }
QToolBar { background: @panel; border: none; border-bottom: 1px solid @border; spacing: 4px;
           padding: 3px 12px; }
QToolBar::separator { width: 1px; background: @border; margin: 4px 6px; }
QStatusBar { background: @panel; border-top: 1px solid @border; min-height: 24px; color: @text2;
             font-size: 11px; }
QStatusBar::item { border: none; }
QStatusBar QToolButton { background: transparent; border: 1px solid transparent; padding: 0 6px;
    min-height: 18px; color: @text2; font-size: 11px; }
QStatusBar QToolButton:hover { background: @raised; border-color: @border; }
QStatusBar QToolButton:focus { border: 1px solid @accent; padding: 0 6px; min-height: 18px; }
QStatusBar QLabel { color: @text2; font-size: 11px; }
QSplitter::handle { background: @border; }
QSplitter::handle:horizontal { width: 1px; }
QSplitter::handle:vertical { height: 1px; }
QFrame[look="panel"], QWidget[look="panel"], QStackedWidget#sidePages,
QScrollArea#inspector { background: @panel; }
QFrame[look="canvas"], QWidget[look="canvas"] { background: @canvas; }
QFrame[look="bar"] { background: @panel; border: none; border-bottom: 1px solid @border; }
QFrame[look="foot"] { background: @panel; border: none; border-top: 1px solid @border; }
QFrame[look="edge"] { background: @border; border: none; }
QFrame[look="line"] { background: @border; border: none; max-height: 1px; min-height: 1px; }
QFrame[look="card"] { background: @raised; border: 1px solid @border; border-radius: 6px; }
QFrame[look="float"] { background: @raised; border: 1px solid @strongBorder; border-radius: 6px; }
QFrame[look="homeCard"] { background: @raised; border: 1px solid @border; border-radius: 8px; }
QFrame[look="homeCard"]:hover { border-color: @strongBorder; }
QFrame[look="homeCard"][first="true"] { border: 2px solid @accent; }
QFrame[look="homeCard"]:focus { border: 2px solid @accent; }
QFrame[look="warningCard"] { background: @warningBack; border: 1px solid @warning;
                             border-radius: 6px; }
QWidget[look="ground"] { background: @window; }
QFrame#chartDropMark { background: @accent; border: none; }
QFrame#chartReadout { background: @raised; border: 1px solid @strongBorder; border-radius: 5px; }
QFrame#chartReadout QHeaderView::section { background: @raised; color: @text3; border: none;
                                           font-size: 10px; padding: 0 4px; }
QFrame#chartReadout[pinned="true"] QHeaderView::section { padding: 0 14px 0 4px; }
QFrame#chartReadout QTableView::item { padding: 0 4px; }
QTableView#outcomeHeatTable QTableCornerButton::section { background: transparent; border: none; }
QToolBar[look="rail"] { padding: 0; border: none; border-right: 1px solid @border; spacing: 0; }
QDockWidget { background: @panel; border: none; }
QDockWidget > QWidget { background: @panel; }
QWidget[look="panelTitle"] { background: @panel; border-top: 1px solid @border; }
QMainWindow::separator { background: @border; width: 1px; height: 1px; }
QMainWindow::separator:hover { background: @accent; }
QTabWidget::pane { border: none; }
QTabBar { background: @window; qproperty-drawBase: 0; }
QTabBar::tab { background: @window; color: @text2; padding: 0 12px; min-height: 31px;
               border: none; border-top: 2px solid transparent; }
QTabBar::tab:hover { color: @text; }
QTabBar::tab:selected { background: @panel; color: @text; border-top-color: @strongBorder;
                        font-weight: 600; }
QTabBar[current="true"]::tab:selected { border-top-color: @accent; }
QTabBar QToolButton { background: @window; border: none; padding: 0; min-height: 18px; }
QTabBar::tab:focus { color: @accentText; }
QTabBar::close-button { image: url(:/icons/@closeIcon.svg); }
QHeaderView { background: transparent; }
QHeaderView::section { background: transparent; color: @text3; font-size: 11px; border: none;
                       border-bottom: 1px solid @border; padding: 4px 8px; }
orrery--CellTable QHeaderView::section { padding: 0 8px; }
QAbstractItemView { selection-background-color: @currentRow; selection-color: @text; }
QTableView::item { padding: 0 8px; }
QFrame[look="empty"] { background: transparent; border: 1px dashed @strongBorder;
                       border-radius: 6px; }
QScrollArea, QScrollArea > QWidget > QWidget { background: transparent; border: none; }
QAbstractScrollArea::corner { background: transparent; border: none; }
QScrollBar:vertical { background: transparent; width: 10px; margin: 0; }
QScrollBar:horizontal { background: transparent; height: 10px; margin: 0; }
QScrollBar::handle { background: @strongBorder; border-radius: 3px; margin: 2px; }
QScrollBar::handle:vertical { min-height: 28px; }
QScrollBar::handle:horizontal { min-width: 28px; }
QScrollBar::add-line, QScrollBar::sub-line { width: 0; height: 0; }
QScrollBar::add-page, QScrollBar::sub-page { background: transparent; }
)";

const char* const kControls = R"(
QPushButton, QToolButton { background: @raised; border: 1px solid @border; border-radius: 5px;
    padding: 0 11px; min-height: 26px; color: @text; }
QPushButton:hover, QToolButton:hover { border-color: @strongBorder; }
QPushButton:pressed, QToolButton:pressed { background: @border; }
QPushButton:focus, QToolButton:focus { border: 2px solid @accent; padding: 0 10px;
    min-height: 24px; }
QPushButton:disabled, QToolButton:disabled, QLineEdit:disabled, QSpinBox:disabled,
QDoubleSpinBox:disabled, QComboBox:disabled { color: @faint; background: @panel; }
QPushButton:checked, QToolButton:checked { background: @currentRow; border-color: @accent;
    color: @text; }
QPushButton[look="primary"], QToolButton[look="primary"] { background: @accent; color: @onAccent;
    border-color: @accent; font-weight: 600; }
QPushButton[look="primary"]:hover, QToolButton[look="primary"]:hover { background: @accentHover; }
QPushButton[look="primary"]:focus, QToolButton[look="primary"]:focus {
    border: 2px solid @text; }
QPushButton[look="primary"]:disabled, QToolButton[look="primary"]:disabled {
    background: @panel; color: @faint; border-color: @border; }
QPushButton[look="action"] { padding: 0 4px; color: @text2; }
QPushButton[look="action"]:focus { padding: 0 3px; }
QPushButton[look="action"]:checked { color: @accentText; }
QToolBar QToolButton[look="plain"], QToolButton[look="plain"] { background: transparent;
    border-color: transparent; padding: 0 5px; }
QToolButton[look="plain"]:hover { background: @raised; border-color: @border; }
QToolButton[look="rail"] { background: transparent; border: none; border-radius: 6px;
    color: @text2; font-size: 10px; padding: 6px 0 4px 0; min-width: 52px; min-height: 42px; }
QToolButton[look="rail"]:hover { background: @raised; }
QToolButton[look="rail"]:checked { background: @currentRow; color: @text; font-weight: 600; }
QToolButton[look="rail"]:focus { border: 2px solid @accent; padding: 4px 0 2px 0; }
QToolButton[look="scope"] { background: transparent; border: 1px solid @border; color: @text2;
    border-radius: 10px; padding: 0 6px; min-height: 18px; font-size: 11px; margin: 1px 0; }
QToolButton[look="scope"]:hover { border-color: @strongBorder; color: @text; }
QToolButton[look="scope"]:focus { border: 1px solid @accent; padding: 0 6px; min-height: 18px; }
QToolButton[look="over"] { background: @raised; border: 1px solid @border; border-radius: 10px;
  color: @text2; padding: 0 8px; font-size: 11px; min-height: 20px; }
QToolButton[look="over"]:hover { border-color: @strongBorder; color: @text; }
QToolButton[look="scope"][frozen="true"] { background: @infoBack; border-color: @info;
    color: @text; }
QToolButton[look="crumb"] { background: transparent; border: none; padding: 0 2px;
    color: @text2; }
QToolButton[look="count"] { background: transparent; border: 1px solid transparent;
    border-radius: 4px; padding: 0 4px; min-height: 18px; font-size: 11px; color: @accentText; }
QToolButton[look="count"]:hover { background: @raised; border-color: @border; }
QToolButton[look="count"]:focus { border: 1px solid @accent; padding: 0 4px; min-height: 18px; }
QToolButton[look="count"]:disabled { color: @text2; }
QLineEdit, QSpinBox, QDoubleSpinBox, QComboBox { background: @input; border: 1px solid @border;
    border-radius: 5px; padding: 0 8px; min-height: 26px; color: @text;
    selection-background-color: @accent; selection-color: @onAccent; }
QLineEdit QToolButton, QLineEdit QToolButton:hover, QLineEdit QToolButton:pressed {
    background: transparent; border: none; padding: 0; min-height: 0; }
QComboBox { background: @raised; }
QLineEdit:focus, QSpinBox:focus, QDoubleSpinBox:focus, QComboBox:focus {
    border: 2px solid @accent; padding: 0 7px; min-height: 24px; }
QLineEdit[changed="true"], QDoubleSpinBox[changed="true"] { border-color: @strongBorder;
    font-weight: 600; }
QLineEdit[invalid="true"] { border-color: @error; }
QSpinBox, QDoubleSpinBox { padding-right: 2px; }
QSpinBox:focus, QDoubleSpinBox:focus { padding-right: 1px; }
QSpinBox::up-button, QDoubleSpinBox::up-button, QSpinBox::down-button,
QDoubleSpinBox::down-button { subcontrol-origin: border; background: transparent; border: none;
    width: 20px; }
QSpinBox::up-button, QDoubleSpinBox::up-button { subcontrol-position: top right;
    margin: 2px 2px 0 0; border-top-right-radius: 4px; }
QSpinBox::down-button, QDoubleSpinBox::down-button { subcontrol-position: bottom right;
    margin: 0 2px 2px 0; border-bottom-right-radius: 4px; }
QSpinBox::up-button:hover, QDoubleSpinBox::up-button:hover, QSpinBox::down-button:hover,
QDoubleSpinBox::down-button:hover { background: @border; }
QSpinBox::up-arrow, QDoubleSpinBox::up-arrow { image: url(:/icons/@upArrow.svg); width: 10px;
    height: 10px; }
QSpinBox::down-arrow, QDoubleSpinBox::down-arrow { image: url(:/icons/@arrow.svg); width: 10px;
    height: 10px; }
QSpinBox::up-arrow:off, QDoubleSpinBox::up-arrow:off, QSpinBox::up-arrow:disabled,
QDoubleSpinBox::up-arrow:disabled { image: url(:/icons/@upArrow-off.svg); }
QSpinBox::down-arrow:off, QDoubleSpinBox::down-arrow:off, QSpinBox::down-arrow:disabled,
QDoubleSpinBox::down-arrow:disabled { image: url(:/icons/@arrow-off.svg); }
QComboBox::drop-down { border: none; width: 22px; }
QComboBox::down-arrow { image: url(:/icons/@arrow.svg); width: 12px; height: 12px; }
QComboBox QAbstractItemView { background: @panel; border: 1px solid @border; padding: 4px;
    selection-background-color: @currentRow; selection-color: @text; outline: none; }
QComboBox QAbstractItemView::item { padding: 3px 6px; min-height: 18px; border-radius: 4px; }
QComboBox QAbstractItemView::item:selected { background: @currentRow; color: @text; }
QListView[look="popup"] { background: @panel; border: 1px solid @border; padding: 4px;
    color: @text; selection-background-color: @currentRow; selection-color: @text; }
QCheckBox { spacing: 8px; min-height: 24px; }
QCheckBox::indicator { width: 14px; height: 14px; border: 1px solid @strongBorder;
    border-radius: 3px; background: @input; }
QCheckBox::indicator:checked { background: @accent; border-color: @accent;
    image: url(:/icons/@check.svg); }
QCheckBox::indicator:focus { width: 12px; height: 12px; border: 2px solid @accent; }
QCheckBox::indicator:checked:focus { border-color: @text; }
QListView, QTableView, QTreeView { background: transparent; border: none; outline: none; }
QTableView, QTreeView { border: 1px solid transparent; }
QAbstractItemView[look="popup"] { background: @panel; border: 1px solid @border; padding: 4px;
    selection-background-color: @currentRow; selection-color: @text; }
QAbstractItemView[look="popup"]::item { padding: 3px 6px; border-radius: 4px; }
QAbstractItemView[look="popup"]::item:selected { background: @currentRow; color: @text; }
QFrame#messageLists { background: @panel; border: 1px solid @strongBorder; }
QListWidget::item { padding: 6px 8px; border-radius: 5px; }
QListWidget::item:hover { background: @raised; }
QListWidget::item:selected { background: @currentRow; color: @text; }
QFileDialog QToolButton { padding: 0; min-width: 26px; }
QFileDialog QListView, QFileDialog QTreeView { background: @input; border: 1px solid @border;
    border-radius: 5px; selection-background-color: @currentRow; selection-color: @text; }
QFileDialog QListView::item, QFileDialog QTreeView::item { min-height: 24px; }
QFileDialog QListView::item:selected, QFileDialog QTreeView::item:selected {
    background: @currentRow; color: @text; }
QDialog { background: @panel; }
QMessageBox QLabel#qt_msgbox_label { font-size: 13px; font-weight: 600; }
QMessageBox QLabel#qt_msgbox_informativelabel { font-weight: 400; color: @text2; }
QTableView:focus, QTreeView:focus { border: 1px solid @accent; }
QDialogButtonBox { dialogbuttonbox-buttons-have-icons: 0; }
QUndoView { background: @input; border: 1px solid @border; border-radius: 5px; padding: 4px; }
QUndoView::item { padding: 5px 8px; border-radius: 4px; }
QUndoView::item:selected { background: @currentRow; color: @text; }
QSlider:horizontal { min-height: 20px; }
QSlider::groove:horizontal { height: 4px; background: @border; border-radius: 2px; }
QSlider::sub-page:horizontal { height: 4px; background: @accent; border-radius: 2px; }
QSlider::sub-page:horizontal:disabled { background: @strongBorder; }
QSlider::handle:horizontal { width: 10px; height: 10px; margin: -5px 0; border-radius: 7px;
    border: 2px solid @accent; background: @raised; }
QSlider::handle:horizontal:hover, QSlider::handle:horizontal:focus { background: @accent; }
QSlider::handle:horizontal:disabled { border-color: @strongBorder; background: @panel; }
QProgressBar { background: @border; border: none; border-radius: 4px; max-height: 8px;
    min-height: 8px; }
QProgressBar::chunk { background: @info; border-radius: 4px; }
)";

const char* const kText = R"(
QLabel { background: transparent; }
QLabel[look="heading"] { font-size: 24px; font-weight: 600; }
QLabel[look="title"] { font-size: 16px; font-weight: 600; }
QLabel[look="section"] { font-size: 13px; font-weight: 600; }
QLabel[look="label"] { font-size: 11px; color: @text2; }
QLabel[look="onChart"] { font-size: 11px; color: @text2; background: @canvas;
    border-radius: 4px; padding: 2px 6px; }
QLabel[look="hint"] { font-size: 11px; color: @text3; }
QLabel[look="problem"] { font-size: 11px; color: @error; }
QLabel[look="name"] { font-size: 12px; color: @text2; }
QLabel[look="number"] { font-family: "@mono"; font-size: 12px; }
QLabel[look="bigNumber"] { font-family: "@mono"; font-size: 18px; font-weight: 600; }
QLabel[look="chip"] { font-size: 11px; color: @text2; border: 1px solid @border;
    border-radius: 10px; padding: 2px 10px; }
QLabel[look="key"] { font-family: "@mono"; font-size: 10px; color: @text2; background: @raised;
    border: 1px solid @border; border-radius: 3px; padding: 1px 5px; }
QFrame[look="strip"][floats="true"] { border-radius: 6px; }
QFrame[look="strip"][kind="info"] { background: @infoBack; border: none;
    border-left: 3px solid @info; }
QFrame[look="strip"][kind="ok"] { background: @okBack; border: none;
    border-left: 3px solid @ok; }
QFrame[look="strip"][kind="warning"] { background: @warningBack; border: none;
    border-left: 3px solid @warning; }
QFrame[look="strip"][kind="error"] { background: @errorBack; border: none;
    border-left: 3px solid @error; }
)";

}  // namespace

QString styleSheetOf(const Tokens& t) {
    QString sheet = QLatin1String(kFrame) + QLatin1String(kControls) + QLatin1String(kText);
    // Longer names first: "@text" is a beginning of "@text2".
    const QList<std::pair<const char*, QString>> words = {
        {"@accentHover", mixed(t.accent, t.isDark ? Qt::white : Qt::black, 0.12).name()},
        {"@accentText", t.accent.name()},
        {"@accent", t.accent.name()},
        {"@arrow", t.isDark ? QStringLiteral("arrow-dark") : QStringLiteral("arrow-light")},
        {"@border", t.border.name()},
        {"@canvas", t.canvas.name()},
        {"@check", t.isDark ? QStringLiteral("check-dark") : QStringLiteral("check-light")},
        {"@closeIcon",
         t.isDark ? QStringLiteral("tab-close-dark") : QStringLiteral("tab-close-light")},
        {"@currentRow", t.currentRow.name()},
        {"@errorBack", t.errorBack.name()},
        {"@error", t.error.name()},
        {"@face", interfaceFont(12).family()},
        {"@faint", mixed(t.panel, t.text3, 0.7).name()},
        {"@infoBack", t.infoBack.name()},
        {"@info", t.info.name()},
        {"@input", t.input.name()},
        {"@mono", numberFont(12).family()},
        {"@okBack", t.okBack.name()},
        {"@ok", t.ok.name()},
        {"@onAccent", t.onAccent.name()},
        {"@panel", t.panel.name()},
        {"@raised", t.raised.name()},
        {"@strongBorder", t.strongBorder.name()},
        {"@text2", t.text2.name()},
        {"@text3", t.text3.name()},
        {"@text", t.text.name()},
        {"@upArrow", t.isDark ? QStringLiteral("arrow-up-dark") : QStringLiteral("arrow-up-light")},
        {"@warningBack", t.warningBack.name()},
        {"@warning", t.warning.name()},
        {"@window", t.window.name()},
    };
    for (const auto& [word, value] : words) sheet.replace(QLatin1String(word), value);
    return sheet;
}

}  // namespace orrery
