#pragma once

// The headers of libav know nothing of C++ and its warnings.
extern "C" {
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/opt.h>
#include <libswscale/swscale.h>
}

namespace orrery {

/// The functions of libav that videos need, loaded from the system's libraries on first use. Each
/// member is libav's function of that name, written in camel case.
struct Libav {
    decltype(&::av_malloc) avMalloc = nullptr;
    decltype(&::av_freep) avFreep = nullptr;
    decltype(&::av_log_set_level) avLogSetLevel = nullptr;
    decltype(&::av_opt_set) avOptSet = nullptr;
    decltype(&::av_frame_alloc) avFrameAlloc = nullptr;
    decltype(&::av_frame_free) avFrameFree = nullptr;
    decltype(&::av_frame_get_buffer) avFrameGetBuffer = nullptr;
    decltype(&::av_frame_make_writable) avFrameMakeWritable = nullptr;

    decltype(&::av_packet_alloc) avPacketAlloc = nullptr;
    decltype(&::av_packet_free) avPacketFree = nullptr;
    decltype(&::av_packet_rescale_ts) avPacketRescaleTs = nullptr;
    decltype(&::avcodec_find_encoder_by_name) avcodecFindEncoderByName = nullptr;
    decltype(&::avcodec_alloc_context3) avcodecAllocContext3 = nullptr;
    decltype(&::avcodec_free_context) avcodecFreeContext = nullptr;
    decltype(&::avcodec_open2) avcodecOpen2 = nullptr;
    decltype(&::avcodec_send_frame) avcodecSendFrame = nullptr;
    decltype(&::avcodec_receive_packet) avcodecReceivePacket = nullptr;
    decltype(&::avcodec_parameters_from_context) avcodecParametersFromContext = nullptr;

    decltype(&::avio_alloc_context) avioAllocContext = nullptr;
    decltype(&::avio_context_free) avioContextFree = nullptr;
    decltype(&::avformat_alloc_output_context2) avformatAllocOutputContext2 = nullptr;
    decltype(&::avformat_free_context) avformatFreeContext = nullptr;
    decltype(&::avformat_new_stream) avformatNewStream = nullptr;
    decltype(&::avformat_write_header) avformatWriteHeader = nullptr;
    decltype(&::av_interleaved_write_frame) avInterleavedWriteFrame = nullptr;
    decltype(&::av_write_trailer) avWriteTrailer = nullptr;

    decltype(&::sws_getContext) swsGetContext = nullptr;
    decltype(&::sws_freeContext) swsFreeContext = nullptr;
    decltype(&::sws_scale) swsScale = nullptr;
    decltype(&::sws_getCoefficients) swsGetCoefficients = nullptr;
    decltype(&::sws_setColorspaceDetails) swsSetColorspaceDetails = nullptr;
};

/// Loads the libraries at the first call. Any thread.
/// @throws Error (Resource) naming the library that is missing
const Libav& libav();

}  // namespace orrery
