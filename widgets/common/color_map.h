#pragma once

#include <QColor>
#include <optional>

namespace orrery {

/// The sequential colours of values: viridis through ten stops, linear in between. `t` is clamped
/// to [0, 1].
QColor viridis(double t);

/// The same through the stops of cividis, which keeps its order for every kind of colour vision.
QColor cividis(double t);

enum class SequentialMap { Viridis, Cividis };

/// The map of all sequential colours of the program: viridis unless a person chose another. Views
/// that show one draw themselves again. Call it in the GUI thread.
void setSequentialMap(SequentialMap map);
SequentialMap sequentialMap();
QColor sequentialColor(double t);

/// While it lives, this thread draws with another map than the program's: a figure of its own.
class SequentialMapScope {
public:
    explicit SequentialMapScope(SequentialMap map);
    ~SequentialMapScope();
    SequentialMapScope(const SequentialMapScope&) = delete;
    SequentialMapScope& operator=(const SequentialMapScope&) = delete;

private:
    std::optional<SequentialMap> m_former;
};

/// The diverging colours of differences, blue below zero and red above: `t` is clamped to [-1, 1],
/// 0 is the neutral middle. Only for ranges that are symmetric about a real zero.
QColor divergingColor(double t);

}  // namespace orrery
