// A token bucket for rows per second, and a daily count of bytes.
#include "lib/serving/store/ingest_quota.h"

#include <algorithm>
#include <optional>
#include <string_view>

#include "lib/base/readable_text.h"
#include "lib/base/strings.h"
#include "logquery/error.h"

namespace logquery::serving {
namespace {

constexpr absl::Duration kDay = absl::Hours(24);

absl::Status UsedUp(const std::string& what, absl::Duration wait) {
  ErrorDetails details;
  details.retry_after = wait;
  return WithErrorDetails(absl::ResourceExhaustedError(what), details);
}

}  // namespace

// Rows are counted only while the token has a rate: a rate that it gets later begins with a full second's.
void IngestQuota::FillRows(const IngestRights& rights, absl::Duration now, Used& used) {
  if (!rights.rows_per_second) {
    used.rows_left = std::nullopt;
    return;
  }
  const auto rate = static_cast<double>(*rights.rows_per_second);
  const double since = absl::ToDoubleSeconds(now - used.counted_at);
  used.rows_left = used.rows_left ? std::min(rate, *used.rows_left + rate * since) : rate;
  used.counted_at = now;
}

absl::StatusOr<IngestQuota::Charge> IngestQuota::Take(const std::string& token_id, const IngestRights& rights,
                                                      int64_t rows, int64_t bytes) {
  if (!rights.rows_per_second && !rights.bytes_per_day) return Charge();
  const absl::Duration now = clock_->Monotonic();
  absl::Duration of_day;
  const int64_t day = absl::IDivDuration(clock_->Now() - absl::UnixEpoch(), kDay, &of_day);
  absl::MutexLock lock(&mutex_);
  Used& used = used_[token_id];
  FillRows(rights, now, used);
  if (used.day != day) used.bytes = 0;
  used.day = day;
  if (rights.rows_per_second && used.rows_left && *used.rows_left <= 0) {
    return UsedUp(base::StrCat("the token may bring ", base::Counted(*rights.rows_per_second, "row"),
                               " a second, and has brought more"),
                  absl::Seconds((1 - *used.rows_left) / static_cast<double>(*rights.rows_per_second)));
  }
  if (rights.bytes_per_day && bytes > *rights.bytes_per_day - used.bytes) {
    return UsedUp(base::StrCat("the token may bring ", base::Counted(*rights.bytes_per_day, "byte"),
                               " a day; with this request there would be ", used.bytes + bytes),
                  kDay - of_day);
  }
  const Charge charge{used.rows_left ? rows : 0, bytes, day};
  if (used.rows_left) *used.rows_left -= static_cast<double>(charge.rows);
  used.bytes += charge.bytes;
  return charge;
}

void IngestQuota::GiveBack(const std::string& token_id, const Charge& charge) {
  absl::MutexLock lock(&mutex_);
  const auto used = used_.find(token_id);
  if (used == used_.end()) return;
  // Rows beyond a full second's are cut when the next request is counted.
  if (used->second.rows_left) *used->second.rows_left += static_cast<double>(charge.rows);
  if (used->second.day == charge.day) used->second.bytes = std::max<int64_t>(0, used->second.bytes - charge.bytes);
}

}  // namespace logquery::serving
