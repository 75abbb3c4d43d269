// Streams bytes through zlib or zstd, at levels that are fast on rows of logs.
#include "lib/result/packer.h"

#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <limits>

#include "lib/base/strings.h"

namespace logquery::result {
namespace {

// gzip's fastest, half as long again as what its slowest makes.
constexpr int kGzipLevel = 1;
constexpr int kGzipFormat = 15 + 16;
// Higher levels are slower on rows of logs, and do not compress better.
constexpr int kZstdLevel = 1;
// Room that is made at a time.
constexpr size_t kRoom = 64 << 10;

absl::Status Failed(ContentCoding coding, std::string_view why) {
  return absl::UnavailableError(base::StrCat("the answer can't be packed as ", ContentCodingName(coding), ": ", why));
}

class GzipPacker final : public Packer {
 public:
  ~GzipPacker() override { deflateEnd(&stream_); }

  absl::Status Begin() {
    const int made = deflateInit2(&stream_, kGzipLevel, Z_DEFLATED, kGzipFormat, 8, Z_DEFAULT_STRATEGY);
    return made == Z_OK ? absl::OkStatus() : Failed(ContentCoding::kGzip, zError(made));
  }
  absl::Status Add(std::string_view bytes, std::string& out) override {
    // zlib counts in 32 bits.
    constexpr size_t kMost = std::numeric_limits<uInt>::max() / 2;
    for (; !bytes.empty(); bytes.remove_prefix(std::min(kMost, bytes.size()))) {
      if (absl::Status status = Run(bytes.substr(0, kMost), Z_NO_FLUSH, out); !status.ok()) return status;
    }
    return absl::OkStatus();
  }
  absl::Status Finish(std::string& out) override { return Run("", Z_FINISH, out); }

 private:
  absl::Status Run(std::string_view bytes, int flush, std::string& out) {
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
    stream_.avail_in = static_cast<uInt>(bytes.size());
    do {
      const size_t before = out.size();
      out.resize(before + kRoom);
      stream_.next_out = reinterpret_cast<Bytef*>(out.data() + before);
      stream_.avail_out = static_cast<uInt>(kRoom);
      const int done = deflate(&stream_, flush);
      out.resize(before + kRoom - stream_.avail_out);
      // Nothing is left to do if no progress was possible.
      if (done != Z_OK && done != Z_STREAM_END && done != Z_BUF_ERROR)
        return Failed(ContentCoding::kGzip, zError(done));
    } while (stream_.avail_out == 0);
    return absl::OkStatus();
  }

  z_stream stream_{};
};

class ZstdPacker final : public Packer {
 public:
  ~ZstdPacker() override { ZSTD_freeCCtx(context_); }

  absl::Status Begin(int64_t bytes) {
    if (context_ == nullptr) return Failed(ContentCoding::kZstd, "no memory");
    for (const size_t set : {ZSTD_CCtx_setParameter(context_, ZSTD_c_compressionLevel, kZstdLevel),
                             ZSTD_CCtx_setParameter(context_, ZSTD_c_checksumFlag, 1),
                             ZSTD_CCtx_setPledgedSrcSize(context_, static_cast<unsigned long long>(bytes))}) {
      if (ZSTD_isError(set)) return Failed(ContentCoding::kZstd, ZSTD_getErrorName(set));
    }
    return absl::OkStatus();
  }
  absl::Status Add(std::string_view bytes, std::string& out) override { return Run(bytes, ZSTD_e_continue, out); }
  absl::Status Finish(std::string& out) override { return Run("", ZSTD_e_end, out); }

 private:
  absl::Status Run(std::string_view bytes, ZSTD_EndDirective directive, std::string& out) {
    ZSTD_inBuffer in{bytes.data(), bytes.size(), 0};
    while (true) {
      const size_t before = out.size();
      out.resize(before + kRoom);
      ZSTD_outBuffer room{out.data() + before, kRoom, 0};
      const size_t left = ZSTD_compressStream2(context_, &room, &in, directive);
      out.resize(before + room.pos);
      if (ZSTD_isError(left)) return Failed(ContentCoding::kZstd, ZSTD_getErrorName(left));
      if (directive == ZSTD_e_end ? left == 0 : in.pos == in.size) return absl::OkStatus();
    }
  }

  ZSTD_CCtx* const context_ = ZSTD_createCCtx();
};

}  // namespace

absl::StatusOr<std::unique_ptr<Packer>> MakePacker(ContentCoding coding, int64_t bytes) {
  switch (coding) {
    case ContentCoding::kIdentity:
      break;
    case ContentCoding::kGzip: {
      auto packer = std::make_unique<GzipPacker>();
      if (absl::Status status = packer->Begin(); !status.ok()) return status;
      return packer;
    }
    case ContentCoding::kZstd: {
      auto packer = std::make_unique<ZstdPacker>();
      if (absl::Status status = packer->Begin(bytes); !status.ok()) return status;
      return packer;
    }
  }
  return absl::InvalidArgumentError(base::StrCat("the coding ", ContentCodingName(coding), " packs nothing"));
}

}  // namespace logquery::result
