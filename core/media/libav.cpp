#include "core/media/libav.h"

#include <dlfcn.h>

#include <string>

#include "core/base/error.h"

namespace orrery {

namespace {

[[noreturn]] void refuse(const std::string& what) {
    throw Error("Videos need the libraries of FFmpeg: " + what + ". Install libavformat" +
                    std::to_string(LIBAVFORMAT_VERSION_MAJOR) + " and libswscale" +
                    std::to_string(LIBSWSCALE_VERSION_MAJOR) +
                    ", or write a GIF or a PNG sequence.",
                Error::Kind::Resource);
}

/// One shared library, open until the end of the process.
class Library {
public:
    Library(const char* name, int version)
        : m_name(std::string("lib") + name + ".so." + std::to_string(version)),
          m_handle(::dlopen(m_name.c_str(), RTLD_NOW | RTLD_LOCAL)) {
        if (m_handle == nullptr) refuse(m_name + " cannot be loaded");
    }

    template <typename Function>
    void get(const char* symbol, Function& function) const {
        function = reinterpret_cast<Function>(::dlsym(m_handle, symbol));
        if (function == nullptr) refuse(m_name + " lacks " + symbol);
    }

private:
    const std::string m_name;
    void* m_handle;
};

Libav load() {
    Libav av;
#define ORRERY_GET(library, function, member) library.get(#function, av.member)
    const Library util("avutil", LIBAVUTIL_VERSION_MAJOR);
    ORRERY_GET(util, av_malloc, avMalloc);
    ORRERY_GET(util, av_freep, avFreep);
    ORRERY_GET(util, av_log_set_level, avLogSetLevel);
    ORRERY_GET(util, av_opt_set, avOptSet);
    ORRERY_GET(util, av_frame_alloc, avFrameAlloc);
    ORRERY_GET(util, av_frame_free, avFrameFree);
    ORRERY_GET(util, av_frame_get_buffer, avFrameGetBuffer);
    ORRERY_GET(util, av_frame_make_writable, avFrameMakeWritable);
    const Library codec("avcodec", LIBAVCODEC_VERSION_MAJOR);
    ORRERY_GET(codec, av_packet_alloc, avPacketAlloc);
    ORRERY_GET(codec, av_packet_free, avPacketFree);
    ORRERY_GET(codec, av_packet_rescale_ts, avPacketRescaleTs);
    ORRERY_GET(codec, avcodec_find_encoder_by_name, avcodecFindEncoderByName);
    ORRERY_GET(codec, avcodec_alloc_context3, avcodecAllocContext3);
    ORRERY_GET(codec, avcodec_free_context, avcodecFreeContext);
    ORRERY_GET(codec, avcodec_open2, avcodecOpen2);
    ORRERY_GET(codec, avcodec_send_frame, avcodecSendFrame);
    ORRERY_GET(codec, avcodec_receive_packet, avcodecReceivePacket);
    ORRERY_GET(codec, avcodec_parameters_from_context, avcodecParametersFromContext);
    const Library format("avformat", LIBAVFORMAT_VERSION_MAJOR);
    ORRERY_GET(format, avio_alloc_context, avioAllocContext);
    ORRERY_GET(format, avio_context_free, avioContextFree);
    ORRERY_GET(format, avformat_alloc_output_context2, avformatAllocOutputContext2);
    ORRERY_GET(format, avformat_free_context, avformatFreeContext);
    ORRERY_GET(format, avformat_new_stream, avformatNewStream);
    ORRERY_GET(format, avformat_write_header, avformatWriteHeader);
    ORRERY_GET(format, av_interleaved_write_frame, avInterleavedWriteFrame);
    ORRERY_GET(format, av_write_trailer, avWriteTrailer);
    const Library scale("swscale", LIBSWSCALE_VERSION_MAJOR);
    ORRERY_GET(scale, sws_getContext, swsGetContext);
    ORRERY_GET(scale, sws_freeContext, swsFreeContext);
    ORRERY_GET(scale, sws_scale, swsScale);
    ORRERY_GET(scale, sws_getCoefficients, swsGetCoefficients);
    ORRERY_GET(scale, sws_setColorspaceDetails, swsSetColorspaceDetails);
#undef ORRERY_GET
    av.avLogSetLevel(AV_LOG_QUIET);  // what goes wrong is told by errors
    return av;
}

}  // namespace

const Libav& libav() {
    static const Libav kLoaded = load();
    return kLoaded;
}

}  // namespace orrery
