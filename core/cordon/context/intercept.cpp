#include <cordon/context/intercept.hpp>

namespace cordon {

Object merge_layers(const InterceptLayers& layers) {
    Object merged;
    for (const Object& layer : layers) {
        for (const Member& member : layer) {
            merged.set(member.key, member.value, member.key_mark);
        }
    }
    return merged;
}

}  // namespace cordon
