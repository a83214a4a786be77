#pragma once

#include <string>
#include <vector>

namespace orrery {

/// A goal of one human: its position lies in an inclusive rectangle of cells (dead or not).
/// A cell goal never equals a one-cell rectangle, so the kind is kept.
struct Goal {
    int x1 = 0, y1 = 0, x2 = 0, y2 = 0;  ///< x1 <= x2, y1 <= y2
    bool isRectangle = false;

    bool contains(int x, int y) const { return x >= x1 && x <= x2 && y >= y1 && y <= y2; }
    bool operator==(const Goal&) const = default;
};

/// "3,1" or "1,1 to 4,2".
std::string goalText(const Goal& goal);

/// The goals of one human with the weights w_g of X_h = sum_g w_g V_h^e(g)^zeta (as given, they
/// need not sum to 1).
struct HumanGoals {
    int agent = 0;                ///< agent index of the human
    std::vector<Goal> goals;      ///< [G], at most 64
    std::vector<double> weights;  ///< [G], > 0
};

}  // namespace orrery
