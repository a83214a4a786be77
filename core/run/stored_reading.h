#pragma once

namespace orrery {

/// While it lives, on its thread, what a spec names outside of itself need not be there: a run of
/// an environment that this user never added is shown all the same. Whoever starts it again looks.
class StoredReading {
public:
    StoredReading() { ++depth(); }
    ~StoredReading() { --depth(); }
    StoredReading(const StoredReading&) = delete;
    StoredReading& operator=(const StoredReading&) = delete;

    static bool isUnderWay() { return depth() > 0; }

private:
    static int& depth();
};

}  // namespace orrery
