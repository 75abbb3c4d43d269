// Encodes cursors as URL-safe base64, and records the last row of a page.
#include "lib/endpoint/call/cursor.h"

#include "absl/strings/escaping.h"
#include "absl/strings/numbers.h"
#include "lib/base/strings.h"
#include "lib/base/utf8.h"
#include "logquery/error.h"

namespace logquery::endpoint {
namespace {

// 0001-01-01 to the end of 9999.
constexpr int64_t kEarliestMicros = -62'135'596'800'000'000;
constexpr int64_t kLatestMicros = 253'402'300'799'999'999;

}  // namespace

std::string FormatCursor(const Cursor& cursor) {
  return std::string(absl::WebSafeBase64Escape(base::StrCat(absl::ToUnixMicros(cursor.time), " ", cursor.id)));
}

absl::StatusOr<Cursor> ParseCursor(std::string_view text) {
  std::string plain;
  int64_t micros = 0;
  const bool decoded = absl::WebSafeBase64Unescape(base::ToAbsl(text), &plain);
  const size_t space = plain.find(' ');
  if (!decoded || space == std::string::npos || !absl::SimpleAtoi(plain.substr(0, space), &micros) ||
      micros < kEarliestMicros || micros > kLatestMicros || !base::IsValidUtf8(plain)) {
    ErrorDetails details;
    details.parameter = kCursorParameter;
    return WithErrorDetails(
        absl::InvalidArgumentError("parameter cursor: is none that an answer's Link header gave; leave it out for the "
                                   "first page"),
        details);
  }
  return Cursor{absl::FromUnixMicros(micros), plain.substr(space + 1)};
}

absl::Status CursorSink::Append(const Batch& batch) {
  if (batch.rows() > 0) {
    const int64_t last = batch.rows() - 1;
    const ColumnView& time = batch.column(columns_.time);
    const ColumnView& id = batch.column(columns_.id);
    end_.reset();
    if (!time.IsNull(last) && !id.IsNull(last)) {
      end_ = Cursor{absl::FromUnixMicros(time.Int64At(last)), std::string(id.StringAt(last))};
    }
  }
  return next_->Append(batch);
}

}  // namespace logquery::endpoint
