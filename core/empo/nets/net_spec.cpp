#include "core/empo/nets/net_spec.h"

namespace orrery {

const char* nameOf(NetHead head) {
    static constexpr const char* kNames[kNumNetHeads] = {"v_h_e", "x_h", "u_r", "q_r", "v_r"};
    return kNames[static_cast<std::size_t>(head)];
}

}  // namespace orrery
