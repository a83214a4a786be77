#pragma once

#include <QElapsedTimer>
#include <QImage>
#include <QJsonArray>
#include <QJsonObject>
#include <QProcess>
#include <QRect>
#include <QStringList>
#include <functional>
#include <optional>
#include <vector>

#include "tests/app/program.h"

namespace orrery {

/// The window program as a person has it: started in a home of its own on this X display, driven by
/// real key and mouse events, looked at through its screen dump (see widgets/common/ui_dump.h) and
/// its pixels. Needs Xvfb (or any X display of its own), xdotool and jwm.
///
/// What is asked about ("part", "spot", ...) comes from the newest dump. Places are in the pixels
/// of the screen.
class UiDriver {
public:
    /// Machines may be busy: waits end as soon as the thing is there.
    static constexpr int kPatience = 60'000;

    /// @param scale  scale of the program's window: 2 is 200 %
    explicit UiDriver(double scale = 1);
    ~UiDriver();
    UiDriver(const UiDriver&) = delete;
    UiDriver& operator=(const UiDriver&) = delete;

    /// Starts the program and waits until its window is there and settled.
    bool start(const QStringList& arguments = {});
    /// The next start is on the screen that DISPLAY names now.
    void changeScreen();
    /// A variable of the environment of the next start; empty: it is not there.
    void setVariable(const QString& name, const QString& value);
    /// Ends the program as a power cut would, and waits until it is gone.
    void kill();
    /// Closes the window by the keyboard and waits for the end. The exit status; -1: it hung.
    int quit();
    /// False if it still runs after that time.
    bool waitForEnd(int milliseconds);
    /// Ended, and not by its own will.
    bool hasCrashed() const;
    bool isRunning() const { return m_process.state() == QProcess::Running; }
    qint64 pid() const { return m_process.processId(); }
    /// All that the program wrote to its standard output and error since it started.
    QByteArray console();
    /// Share of one processor that the program took during this many seconds.
    double cpuShare(double seconds) const;

    /// The command line of the same program, with the same home.
    Ended cli(const QStringList& arguments, int seconds = 120) const;
    const Program& home() const { return m_home; }
    QString path(const QString& name) const { return m_home.path(name); }

    // -- input
    /// One key or chord by its X name: "ctrl+k", "Return", "bracketright".
    void key(const QString& chord);
    /// Maximizes the window that has the keyboard, or makes it as large as it was.
    void toggleMaximized();
    /// @param pause  ms between the events of the keys
    void keys(const QStringList& chords, int pause = 40);
    void holdKey(const QString& name);
    void releaseKey(const QString& name);
    void type(const QString& text);
    void moveTo(const QPoint& place);
    void click(const QPoint& place, int button = 1);
    void doubleClick(const QPoint& place);
    void drag(const QPoint& from, const QPoint& to);
    void wheel(const QPoint& place, int notches);
    /// The same with Ctrl held: charts zoom.
    void ctrlWheel(const QPoint& place, int notches);
    /// Clicks the middle of a named part. False if there is none that can be seen.
    bool click(const QString& part);
    bool clickSpot(const QString& part, const QString& spot);
    /// Clicks the tab of a view by its title.
    bool clickTab(const QString& title);
    bool doubleClickSpot(const QString& part, const QString& spot);
    /// Clicks a field and replaces its text.
    bool fill(const QString& part, const QString& text);
    /// The same, and presses Return.
    bool enter(const QString& part, const QString& text);
    /// Opens a menu of the menu bar and clicks an entry by the name of its command.
    bool chooseInMenu(const QString& menu, const QString& command);
    /// Opens a combo box and clicks an item.
    bool chooseInBox(const QString& part, const QString& item);
    /// Opens the context menu of a place and clicks through its entries by their texts.
    bool chooseInContext(const QPoint& place, const QStringList& entries);
    /// Runs a command by the locator: types its name there and presses Return.
    bool runCommand(const QString& name);
    /// Answers a file dialog with a path.
    bool answerFileDialog(const QString& file);

    // -- what is on the screen
    /// Takes a dump as the window is now. Empty if the program does not answer.
    const QJsonObject& look();
    const QJsonObject& dump() const { return m_dump; }
    /// Looks until a condition holds. False after `milliseconds`.
    bool waitUntil(const std::function<bool()>& condition, int milliseconds = kPatience);
    /// Takes a dump when nothing is being computed and nothing moves any more, after all input so
    /// far was handled.
    bool settle(int milliseconds = kPatience);
    /// How long nothing may happen until the window counts as settled: 100 ms unless set.
    void setQuiet(int milliseconds) { m_quietMs = milliseconds; }
    /// Takes a dump when the window is settled, or else as it is after `milliseconds`. False if the
    /// program does not answer within kPatience.
    bool settleOrLook(int milliseconds);

    /// The visible part of a name; empty if there is none.
    QJsonObject part(const QString& name) const;
    std::vector<QJsonObject> partsOfKind(const QString& kindEnd) const;
    std::vector<QJsonObject> partsBeginning(const QString& name) const;
    bool has(const QString& name) const { return !part(name).isEmpty(); }
    QString text(const QString& part) const;
    /// Texts of all parts and spots of the dump, joined.
    QString allTexts() const;
    QJsonObject facts(const QString& part) const;
    std::vector<QJsonObject> spots(const QString& part, const QString& beginning = {}) const;
    QJsonObject spot(const QString& part, const QString& name) const;
    /// Visible cells of a list or table, by rows; [row][column].
    std::vector<QStringList> cells(const QString& part) const;
    std::optional<QPoint> cellPlace(const QString& part, int row, int column = 0) const;
    QJsonObject action(const QString& name) const;
    QString selection() const;
    int numWindows() const;

    /// Where a JSON entry is on the screen.
    QRect placeOf(const QJsonObject& entry) const;

    // -- pixels
    QImage screen() const;
    /// Saves the screen as a test artefact: acceptance/NAME.png beside the test programs.
    bool shot(const QString& name) const;
    QColor pixel(const QPoint& place) const { return screen().pixelColor(place); }
    /// How much of a rectangle is not of its commonest colour: 0 is an empty place.
    static double inkIn(const QImage& picture, const QRect& place);

    /// What was last waited for and what the window said, for a failed check.
    QByteArray why();

private:
    /// An entry of an open menu: by the name of its command or by its text.
    QJsonObject menuEntry(const QString& name, const QString& text) const;
    static void tool(const QStringList& arguments);
    QString dumpFile() const;
    QString requestFile() const;
    void startManager();
    QJsonObject freshDump(bool isSettled, int milliseconds);

    Program m_home;
    QProcess m_process, m_manager;
    QJsonObject m_dump;
    QByteArray m_console;
    int m_numLooks = 0, m_quietMs = 100;
};

/// True where figures are checked as the specification states them: on quiet machines that set
/// ORRERY_STRICT_TIMES=1. Elsewhere `loose` holds.
bool checksTimesStrictly();
double timeLimit(double strict, double loose);

}  // namespace orrery
