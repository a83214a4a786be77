#include "core/checkpoint/safetensors.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstring>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/base/crc32c.h"
#include "core/base/error.h"
#include "core/base/file_descriptor.h"
#include "core/base/text.h"
#include "core/checkpoint/safetensors_head.h"

namespace orrery {

namespace {

static_assert(std::endian::native == std::endian::little, "files hold numbers as they are here");

constexpr std::size_t kAlignment = 16;

/// Fills its argument with the next bytes of the file, or throws.
using ReadNext = std::function<void(std::span<std::byte>)>;

template <typename Bits>
bool anyWithExponent(std::span<const std::byte> bytes, Bits exponent) {
    // Counting instead of leaving early lets the loop run over many numbers at once.
    std::size_t found = 0;
    const auto* const numbers = reinterpret_cast<const Bits*>(bytes.data());
    for (std::size_t i = 0; i < bytes.size() / sizeof(Bits); ++i)
        found += (numbers[i] & exponent) == exponent ? 1 : 0;
    return found != 0;
}

/// What is wrong with the numbers of a tensor; null if nothing is.
const char* faultOfNumbers(const TensorView& tensor, const SafetensorsOptions& options) {
    if (tensor.type == TensorType::Bool)
        return std::ranges::any_of(tensor.bytes, [](std::byte b) { return b > std::byte{1}; })
                   ? "a truth value is neither 0 nor 1"
                   : nullptr;
    bool infinite = false;
    if (tensor.type == TensorType::F32)
        infinite = anyWithExponent<std::uint32_t>(tensor.bytes, 0x7f800000U);
    else if (tensor.type == TensorType::F64)
        infinite = anyWithExponent<std::uint64_t>(tensor.bytes, 0x7ff0000000000000U);
    else if (tensor.type == TensorType::F16)
        infinite = anyWithExponent<std::uint16_t>(tensor.bytes, 0x7c00U);
    else if (tensor.type == TensorType::BF16)
        infinite = anyWithExponent<std::uint16_t>(tensor.bytes, 0x7f80U);
    return infinite && !options.allowNonFinite ? "it holds NaN or infinite numbers" : nullptr;
}

SafetensorsHead readHead(std::uint64_t fileBytes, const ReadNext& readNext,
                         const std::filesystem::path& path) {
    std::uint64_t headBytes = 0;
    if (fileBytes < sizeof(headBytes)) throwDamagedTensors(path, {}, "it is shorter than 8 bytes");
    readNext(std::as_writable_bytes(std::span(&headBytes, 1)));
    if (headBytes > std::min(kMaxSafetensorsHead, fileBytes - sizeof(headBytes)))
        throwDamagedTensors(path, {},
                            "its head would have " + std::to_string(headBytes) + " bytes");
    std::string head(headBytes, '\0');
    readNext(std::as_writable_bytes(std::span(head)));
    return parseSafetensorsHead(head, fileBytes - sizeof(headBytes) - headBytes, path);
}

TensorMap readAll(std::uint64_t fileBytes, const ReadNext& readNext,
                  const std::filesystem::path& path, const SafetensorsOptions& options) {
    SafetensorsHead head = readHead(fileBytes, readNext, path);
    // Every tensor starts where a number of any type may; a file packs them closer.
    std::size_t wanted = 0;
    for (const SafetensorsPlace& place : head.places)
        wanted += (place.end - place.begin + kAlignment - 1) / kAlignment * kAlignment;
    const std::shared_ptr<std::byte[]> memory(new std::byte[wanted]);
    TensorMap tensors;
    std::byte* at = memory.get();
    std::uint32_t crc = 0;
    for (SafetensorsPlace& place : head.places) {
        const std::size_t bytes = place.end - place.begin;
        const std::span<std::byte> target(at, bytes);
        readNext(target);
        if (head.numbersCrc) crc = crc32c(target, crc);
        TensorView view{place.type, std::move(place.shape), target};
        if (const char* const fault = faultOfNumbers(view, options))
            throwDamagedTensors(path, place.name, fault);
        tensors.borrow(place.name, std::move(view), memory);
        at += (bytes + kAlignment - 1) / kAlignment * kAlignment;
    }
    if (head.numbersCrc && crc != *head.numbersCrc)
        throwDamagedTensors(path, {}, "its numbers do not agree with their checksum");
    for (auto& [name, text] : head.texts) tensors.setText(name, std::move(text));
    return tensors;
}

std::uint64_t sizeOfRegularFile(int fd, const std::filesystem::path& path) {
    struct stat info {};
    if (::fstat(fd, &info) != 0) throwFileError("read", path, errno);
    if (!S_ISREG(info.st_mode)) throwDamagedTensors(path, {}, "it is not a regular file");
    return static_cast<std::uint64_t>(info.st_size);
}

/// The head's JSON, and the order in which the numbers follow.
std::pair<std::string, std::vector<std::string>> headFor(const TensorMap& tensors) {
    std::vector<std::string> order = tensors.names();
    std::ranges::stable_sort(order, [&tensors](const std::string& a, const std::string& b) {
        return sizeOf(tensors.at(a).type) > sizeOf(tensors.at(b).type);
    });
    std::string head = "{\"__metadata__\":{\"" + std::string(kSafetensorsFormatKey) + "\":\"" +
                       std::to_string(kSafetensorsFormat) + "\",\"" +
                       std::string(kSafetensorsCrcKey) + "\":\"" +
                       std::string(kSafetensorsCrcDigits, '0') + "\"";
    const auto quoted = [](const std::string& text) {
        return nlohmann::ordered_json(text).dump(-1, ' ', true);
    };
    for (const auto& [name, text] : tensors.texts())
        head += "," + quoted(name) + ":" + quoted(text);
    head += "}";
    std::uint64_t at = 0;
    std::uint32_t crc = 0;
    for (const std::string& name : order) {
        const TensorView& tensor = tensors.at(name);
        crc = crc32c(tensor.bytes, crc);
        std::string shape;
        for (const std::int64_t length : tensor.shape)
            shape += (shape.empty() ? "" : ",") + std::to_string(length);
        const std::uint64_t end = at + tensor.bytes.size();
        head.append(",").append(quoted(name)).append(":{\"dtype\":\"").append(nameOf(tensor.type));
        head.append("\",\"shape\":[").append(shape).append("],\"data_offsets\":[");
        head.append(std::to_string(at)).append(",").append(std::to_string(end)).append("]}");
        at = end;
    }
    head += "}";
    head.append((8 - head.size() % 8) % 8, ' ');
    return {withChecksums(std::move(head), crc), std::move(order)};
}

void requireWritable(const TensorMap& tensors) {
    std::string why;
    if (tensors.size() > kMaxSafetensors)
        why = "more than " + std::to_string(kMaxSafetensors) + " tensors";
    if (tensors.texts().size() > kMaxSafetensorsTexts - 2)
        why = "more than " + std::to_string(kMaxSafetensorsTexts - 2) + " texts";
    for (const auto& [name, text] : tensors.texts()) {
        if (std::max(name.size(), text.size()) > kMaxSafetensorsTextBytes)
            why = "a text of more than " + std::to_string(kMaxSafetensorsTextBytes) + " bytes";
        if (name == kSafetensorsFormatKey || name == kSafetensorsCrcKey)
            why = "a text named " + name;
    }
    if (!why.empty())
        throw Error("A tensor file cannot hold " + why + ". Store it in several files.",
                    Error::Kind::BadInput);
}

}  // namespace

TensorMap readSafetensors(const std::filesystem::path& folder,
                          const std::filesystem::path& relative,
                          const SafetensorsOptions& options) {
    const FileDescriptor file = openBeneath(folder, relative);
    const std::filesystem::path path = folder / relative;
    if (!file && (errno == ELOOP || errno == ENOTDIR))
        throwDamagedTensors(path, {}, "it is a link or lies behind one");
    if (!file && (errno == EINVAL || errno == ENXIO))
        throwDamagedTensors(path, {}, "it is no file inside its folder");
    if (!file) throwFileError("open", path, errno);
    return readSafetensors(file.get(), path, options);
}

TensorMap readSafetensors(int fd, const std::filesystem::path& path,
                          const SafetensorsOptions& options) {
    const std::uint64_t fileBytes = sizeOfRegularFile(fd, path);
    if (::lseek(fd, 0, SEEK_SET) != 0) throwFileError("read", path, errno);
    const ReadNext readNext = [fd, &path](std::span<std::byte> bytes) {
        const ssize_t got = readUpTo(fd, bytes);
        if (got < 0) throwFileError("read", path, errno);
        if (static_cast<std::size_t>(got) != bytes.size())
            throwDamagedTensors(path, {}, "it became shorter while it was read");
    };
    return readAll(fileBytes, readNext, path, options);
}

TensorMap readSafetensors(std::span<const std::byte> content, const std::filesystem::path& path,
                          const SafetensorsOptions& options) {
    std::size_t at = 0;
    const ReadNext readNext = [content, &at](std::span<std::byte> bytes) {
        if (!bytes.empty()) std::memcpy(bytes.data(), content.data() + at, bytes.size());
        at += bytes.size();
    };
    return readAll(content.size(), readNext, path, options);
}

void writeSafetensors(FileWriter& file, const TensorMap& tensors) {
    requireWritable(tensors);
    const auto [head, order] = headFor(tensors);
    const std::uint64_t headBytes = head.size();
    file.write(std::as_bytes(std::span(&headBytes, 1)));
    file.write(head);
    for (const std::string& name : order) file.write(tensors.at(name).bytes);
}

void writeSafetensors(const std::filesystem::path& path, const TensorMap& tensors) {
    atomicWrite(path, [&tensors](FileWriter& file) { writeSafetensors(file, tensors); });
}

}  // namespace orrery
