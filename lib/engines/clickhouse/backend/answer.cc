// An error after the first rows is in the body: between marks with the tag that the header names, or in older versions
// as text before the connection is closed. Bytes before the error are rows. Its own bytes are parsed as rows too, which
// does not matter, because the call has failed.
#include "lib/engines/clickhouse/backend/answer.h"

#include <charconv>

#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/engines/clickhouse/backend/errors.h"

namespace logquery::clickhouse {
namespace {

using base::StrCat;

constexpr size_t kTailBytes = 64 << 10;
constexpr size_t kMaxUnreadBytes = 4 << 20;
constexpr std::string_view kMark = "__exception__";

bool IsGood(int status) { return status == 200; }

std::string_view HeaderOf(const http::Head& head, std::string_view name) {
  const auto found = head.headers.find(name);
  return found == head.headers.end() ? std::string_view() : std::string_view(found->second);
}

std::optional<int> NumberOf(std::string_view text) {
  int number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && number > 0 ? std::optional<int>(number) : std::nullopt;
}

// The part of the body's end that tells of an error; empty: there is none.
std::string_view ErrorIn(std::string_view tail, std::string_view tag, bool was_cut) {
  if (!tag.empty()) {
    const std::string end = StrCat(" ", tag, "\r\n", kMark, "\r\n");
    const size_t begin = tail.find(StrCat(kMark, "\r\n", tag));
    return begin != std::string_view::npos && tail.ends_with(end) ? tail.substr(begin) : std::string_view();
  }
  if (!was_cut) return {};
  size_t begin = tail.rfind(StrCat(kMark, "\r\n"));
  if (begin == std::string_view::npos) begin = tail.rfind("Code: ");
  const std::string_view error = begin == std::string_view::npos ? std::string_view() : tail.substr(begin);
  return error.find("DB::Exception") == std::string_view::npos ? std::string_view() : error;
}

}  // namespace

absl::Status Answer::Take(const http::Head& head, std::string_view piece) {
  tail_ += piece;
  if (tail_.size() > 2 * kTailBytes) tail_.erase(0, tail_.size() - kTailBytes);
  if (!IsGood(head.status)) return absl::OkStatus();
  if (unread_.ok()) unread_ = reader_->Add(piece);
  LOGQUERY_RETURN_IF_ERROR(reader_->refused());
  // An error may come that says why.
  if (!unread_.ok()) unread_bytes_ += piece.size();
  return unread_bytes_ > kMaxUnreadBytes ? unread_ : absl::OkStatus();
}

std::optional<int> Answer::ToldCode(const http::Outcome& outcome) const {
  const bool is_good = IsGood(outcome.head.status);
  if (const auto code = NumberOf(HeaderOf(outcome.head, "x-clickhouse-exception-code"))) return code;
  if (!is_good) return CodeInWords(tail_);
  const bool was_cut = absl::IsUnavailable(outcome.status);
  return CodeInWords(ErrorIn(tail_, HeaderOf(outcome.head, "x-clickhouse-exception-tag"), was_cut));
}

absl::Status Answer::Finish(const http::Outcome& outcome) {
  LOGQUERY_RETURN_IF_ERROR(reader_->refused());
  if (absl::IsCancelled(outcome.status)) return outcome.status;
  const int status = outcome.head.status;
  code_ = ToldCode(outcome);
  if (code_.has_value()) {
    const size_t begin = std::min(tail_.find("Code: "), tail_.size());
    const absl::Status error = ErrorFromClickHouse(*code_, std::string_view(tail_).substr(begin, 2'000));
    is_busy_ = absl::IsUnavailable(error) && !reader_->has_rows() && *code_ != kQueryWasCancelled;
    return error;
  }
  if (absl::IsUnavailable(outcome.status)) return LostConnection();
  LOGQUERY_RETURN_IF_ERROR(outcome.status);
  if (status == 502 || status == 503 || status == 504 || status == 429) {
    is_busy_ = true;
    return LostConnection();
  }
  if (!IsGood(status)) {
    return absl::InternalError(
        StrCat("ClickHouse's host answers with the status ", status, ": ", std::string_view(tail_).substr(0, 500)));
  }
  LOGQUERY_RETURN_IF_ERROR(unread_);
  const absl::Status finished = reader_->Finish();
  return finished;
}

}  // namespace logquery::clickhouse
