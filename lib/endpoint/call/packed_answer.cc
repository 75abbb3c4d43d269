// Compresses bodies in memory or piecewise from their files.
#include "lib/endpoint/call/packed_answer.h"

#include <memory>
#include <string_view>
#include <utility>

#include "lib/base/sha256.h"
#include "lib/base/status_macros.h"
#include "lib/result/packer.h"

namespace logquery::endpoint {
namespace {

constexpr size_t kDigestDigits = 32;

}  // namespace

bool IsPackedFor(ContentCoding coding, const QueryAnswer& plain) {
  return coding != ContentCoding::kIdentity && result::BodyBytes(plain) >= kLeastToPack;
}

absl::Status SetDigest(QueryAnswer& plain) {
  base::Sha256Stream digest;
  LOGQUERY_RETURN_IF_ERROR(result::ReadBody(plain, [&](std::string_view bytes) {
    digest.Add(bytes);
    return absl::OkStatus();
  }));
  plain.digest = digest.FinishHex().substr(0, kDigestDigits);
  return absl::OkStatus();
}

absl::StatusOr<CachedAnswer> PackAnswer(const CachedAnswer& plain, ContentCoding coding, const result::BodyPlace& place,
                                        const Clock* clock, const CancellationToken& cancellation) {
  const absl::Duration start = clock->Monotonic();
  LOGQUERY_ASSIGN_OR_RETURN(const std::unique_ptr<result::Packer> packer,
                            result::MakePacker(coding, result::BodyBytes(plain.answer)));
  result::BodyBuilder builder(place);
  std::string bytes;
  const auto pack = [&](std::string_view piece) -> absl::Status {
    if (cancellation.IsCancelled()) return absl::CancelledError("the call was cancelled");
    LOGQUERY_RETURN_IF_ERROR(packer->Add(piece, bytes));
    if (!builder.TooLong(bytes.size())) return absl::OkStatus();
    LOGQUERY_RETURN_IF_ERROR(builder.Spill(bytes));
    bytes.clear();
    return absl::OkStatus();
  };
  LOGQUERY_RETURN_IF_ERROR(result::ReadBody(plain.answer, pack));
  LOGQUERY_RETURN_IF_ERROR(packer->Finish(bytes));
  bytes.shrink_to_fit();  // it may be kept
  CachedAnswer packed = plain;
  packed.answer.file = nullptr;
  packed.answer.coding = coding;
  LOGQUERY_RETURN_IF_ERROR(std::move(builder).Finish(std::move(bytes), packed.answer));
  packed.answer.encode_time += clock->Monotonic() - start;
  return packed;
}

}  // namespace logquery::endpoint
