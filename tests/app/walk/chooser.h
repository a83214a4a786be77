#pragma once

#include <QJsonObject>
#include <QMap>
#include <QSize>
#include <QStringList>
#include <deque>
#include <random>
#include <vector>

namespace orrery {

class UiDriver;
struct WalkTarget;

/// A world with comments in the home of a walk, as people write them.
inline constexpr char kOwnWorldFile[] = "own.yaml";
/// One of a family that tests/app/guest alone knows; the program says that it does not.
inline constexpr char kGuestWorldFile[] = "line.yaml";

/// How often each command, control, view, dialog and setting was reached, by "kind name".
class WalkReach {
public:
    void note(const QString& what) { ++m_counts[what]; }
    /// It can be reached, and counts even if it never is.
    void know(const QString& what) { m_counts[what]; }
    int count(const QString& what) const { return m_counts.value(what); }
    const QMap<QString, int>& counts() const { return m_counts; }

private:
    QMap<QString, int> m_counts;
};

/// Picks what a walk does next, from what is on the screen and a stream of random numbers; what was
/// reached less often is picked more often.
///
/// An action is an object: "do" with one of
///   key       "keys": a chord
///   command   "name", "way": keys, menu or find (the locator)
///   press     "at": a target, "place": [x, y] in it, "how": click, double, right, middle, wheel
///   fill      "at", "text", "enter"
///   drag      "from", "to": [x, y] as shares of the window
///   carry     "at", "place", "by": [x, y] in shares of the window
///   size      "size": of the window; [0, 0]: maximized, or no longer so
///   raise     the window, which was put away
///   open      "world": by the locator
///   view      "name": its title; by the locator
///   newWorld  "humans", "width", "height"
///   file      "text": answers a file dialog; empty: leaves it
///   restart, kill   "screen": its size at the next start
class WalkChooser {
public:
    WalkChooser(std::uint64_t seed, WalkReach& reach) : m_random(seed), m_reach(reach) {}

    QJsonObject next(const UiDriver& ui);
    /// Whether an entry of a dump's "actions" is of the table of commands.
    static bool isCommand(const QJsonObject& action);

private:
    int below(int end) { return static_cast<int>(m_random() % static_cast<std::uint64_t>(end)); }
    bool chance(int percent) { return below(100) < percent; }
    double share() { return below(1001) / 1000.0; }
    template <typename T, std::size_t n>
    const T& oneOf(const T (&list)[n]) {
        return list[below(static_cast<int>(n))];
    }
    /// An index, by weights that are not all 0.
    std::size_t byWeight(const std::vector<double>& weights);
    double rarity(const QString& what) const { return 1.0 / (1 + m_reach.count(what)); }

    /// What lies over the rest, which mostly does not answer then: a menu or a dialog.
    struct Front {
        QString window;
        int height = 0;  ///< 1: active, 2: waits for an answer, 3: a menu or a list
        bool blocks() const { return height > 1; }
        bool isMain() const { return height == 0 || window == QLatin1String("mainWindow"); }
    };
    static Front frontOf(const UiDriver& ui);
    QJsonObject anything(const UiDriver& ui);
    QJsonObject key();
    QJsonObject command(const UiDriver& ui);
    QJsonObject target(const UiDriver& ui);
    QJsonObject press(const WalkTarget& target);
    QString file(const UiDriver& ui);
    QJsonObject world();
    QJsonObject view(const UiDriver& ui);
    QJsonObject restart(const char* what);
    void planHabit(const UiDriver& ui);
    static bool hasFileDialog(const UiDriver& ui);

    std::mt19937_64 m_random;
    WalkReach& m_reach;
    std::deque<QJsonObject> m_planned;  ///< the rest of a habit
    /// That file dialogs were answered with, and one.
    QStringList m_files{QLatin1String(kGuestWorldFile)};
    QMap<QString, int> m_possible;  ///< looks at the commands in which one was enabled
    int m_numLooks = 0;
    bool m_isNewScreen = false;
    bool m_looksNew = false;  ///< scale, theme or size were changed since the last start
};

}  // namespace orrery
