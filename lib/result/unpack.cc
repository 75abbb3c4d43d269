// Streams through zlib or zstd in pieces, so that the size limit is checked before the text is in memory.
#include "logquery/unpack.h"

#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <memory>

#include "lib/base/status_macros.h"
#include "lib/base/strings.h"

namespace logquery {
namespace {

constexpr size_t kPiece = 256 << 10;
constexpr int kGzipWindow = 15 + 16;   // the largest, with gzip's own head
constexpr int kMaxZstdWindowLog = 23;  // RFC 8878, 3.1.1.1.2: what every decoder should take

absl::Status NoMemory() { return absl::ResourceExhaustedError("there is no memory to unpack the body just now"); }
absl::Status Damaged(std::string_view coding) {
  return absl::InvalidArgumentError(base::StrCat("the body is no whole ", coding, ": it is damaged or ends early"));
}

// Receives the unpacked bytes, a piece at a time.
class Sink {
 public:
  Sink(const UnpackLimits& limits, std::string& out) : limits_(limits), out_(out) {}

  // Makes room for the next piece behind what is there. One byte beyond the limit shows that there is more. Room that the
  // previous piece did not fill counts: a member or frame may be empty, and a body may have many of them.
  absl::Status Begin() {
    const size_t end = used_ + std::min(kPiece, limits_.max_bytes + 1 - used_);
    if (end <= out_.size()) return absl::OkStatus();
    if (!limits_.grow(end - out_.size())) return NoMemory();
    out_.resize(end);
    return absl::OkStatus();
  }
  char* data() { return out_.data() + used_; }
  size_t room() const { return out_.size() - used_; }
  absl::Status Took(size_t bytes) {
    used_ += bytes;
    if (used_ <= limits_.max_bytes) return absl::OkStatus();
    return absl::OutOfRangeError(
        base::StrCat("the body is longer than ", limits_.max_bytes >> 20, " MiB when it is unpacked"));
  }
  void Finish() { out_.resize(used_); }

 private:
  const UnpackLimits& limits_;
  std::string& out_;
  size_t used_ = 0;
};

struct EndInflate {
  void operator()(z_stream* stream) const { inflateEnd(stream); }
};

absl::Status Gunzip(std::string_view packed, Sink& sink) {
  z_stream stream{};
  if (inflateInit2(&stream, kGzipWindow) != Z_OK) return NoMemory();
  const std::unique_ptr<z_stream, EndInflate> end(&stream);
  // zlib takes its input as bytes that it does not change.
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
  stream.avail_in = static_cast<uInt>(packed.size());
  while (true) {
    LOGQUERY_RETURN_IF_ERROR(sink.Begin());
    stream.next_out = reinterpret_cast<Bytef*>(sink.data());
    stream.avail_out = static_cast<uInt>(sink.room());
    const int state = inflate(&stream, Z_NO_FLUSH);
    const size_t took = sink.room() - stream.avail_out;
    if (state == Z_MEM_ERROR) return NoMemory();
    // If no progress is made, the text has ended early.
    if (state != Z_STREAM_END && (state != Z_OK || (took == 0 && stream.avail_in == 0))) return Damaged("gzip");
    LOGQUERY_RETURN_IF_ERROR(sink.Took(took));
    if (state != Z_STREAM_END) continue;
    // Some programs fill the last block with zeros, which gzip itself ignores.
    for (; stream.avail_in > 0 && *stream.next_in == 0; ++stream.next_in) --stream.avail_in;
    if (stream.avail_in == 0) return absl::OkStatus();
    if (inflateReset(&stream) != Z_OK) return Damaged("gzip");
  }
}

struct FreeContext {
  void operator()(ZSTD_DCtx* context) const { ZSTD_freeDCtx(context); }
};

absl::Status Unzstd(std::string_view packed, Sink& sink) {
  const std::unique_ptr<ZSTD_DCtx, FreeContext> context(ZSTD_createDCtx());
  if (!context || ZSTD_isError(ZSTD_DCtx_setParameter(context.get(), ZSTD_d_windowLogMax, kMaxZstdWindowLog))) {
    return NoMemory();
  }
  ZSTD_inBuffer in = {packed.data(), packed.size(), 0};
  while (true) {
    LOGQUERY_RETURN_IF_ERROR(sink.Begin());
    ZSTD_outBuffer out = {sink.data(), sink.room(), 0};
    const size_t before = in.pos;
    const size_t left = ZSTD_decompressStream(context.get(), &out, &in);
    if (ZSTD_isError(left)) return Damaged("zstd");
    LOGQUERY_RETURN_IF_ERROR(sink.Took(out.pos));
    if (left == 0 && in.pos == in.size) return absl::OkStatus();
    if (out.pos == 0 && in.pos == before) return Damaged("zstd");
  }
}

}  // namespace

absl::Status Unpack(ContentCoding coding, std::string_view packed, const UnpackLimits& limits, std::string& out) {
  out.clear();
  if (packed.empty()) return absl::OkStatus();
  Sink sink(limits, out);
  switch (coding) {
    case ContentCoding::kIdentity:
      return absl::InvalidArgumentError("the body is not packed");
    case ContentCoding::kGzip:
      LOGQUERY_RETURN_IF_ERROR(Gunzip(packed, sink));
      break;
    case ContentCoding::kZstd:
      LOGQUERY_RETURN_IF_ERROR(Unzstd(packed, sink));
      break;
  }
  sink.Finish();
  return absl::OkStatus();
}

}  // namespace logquery
