#include "tests/support/unpack.h"

#include <zlib.h>
#include <zstd.h>

#include <memory>
#include <stdexcept>

namespace logquery::testing {
namespace {

constexpr size_t kRoom = 256 << 10;

std::string Gunzip(std::string_view packed) {
  z_stream stream{};
  if (inflateInit2(&stream, 15 + 16) != Z_OK) throw std::runtime_error("no memory");
  const std::unique_ptr<z_stream, int (*)(z_stream*)> end(&stream, inflateEnd);
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
  stream.avail_in = static_cast<uInt>(packed.size());
  std::string text;
  int done = Z_OK;
  while (done == Z_OK) {
    const size_t before = text.size();
    text.resize(before + kRoom);
    stream.next_out = reinterpret_cast<Bytef*>(text.data() + before);
    stream.avail_out = kRoom;
    done = inflate(&stream, Z_NO_FLUSH);
    text.resize(before + kRoom - stream.avail_out);
  }
  if (done != Z_STREAM_END || stream.avail_in != 0) throw std::runtime_error("it is no whole gzip");
  return text;
}

std::string Unzstd(std::string_view packed) {
  const std::unique_ptr<ZSTD_DCtx, size_t (*)(ZSTD_DCtx*)> context(ZSTD_createDCtx(), ZSTD_freeDCtx);
  ZSTD_inBuffer in{packed.data(), packed.size(), 0};
  std::string text;
  size_t left = 1;
  while (left != 0) {
    const size_t before = text.size();
    text.resize(before + kRoom);
    ZSTD_outBuffer out{text.data() + before, kRoom, 0};
    left = ZSTD_decompressStream(context.get(), &out, &in);
    text.resize(before + out.pos);
    const bool stuck = left != 0 && in.pos == in.size && out.pos < out.size;
    if (ZSTD_isError(left) || stuck) throw std::runtime_error("it is no whole zstd");
  }
  if (in.pos != in.size) throw std::runtime_error("something follows the zstd");
  return text;
}

}  // namespace

std::string Unpack(std::string_view packed, ContentCoding coding) {
  switch (coding) {
    case ContentCoding::kIdentity:
      break;
    case ContentCoding::kGzip:
      return Gunzip(packed);
    case ContentCoding::kZstd:
      return Unzstd(packed);
  }
  return std::string(packed);
}

}  // namespace logquery::testing
