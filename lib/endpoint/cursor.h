// Where a page of the newest rows ended, so that the next one goes on from there: the last row's time and id.
//
//     LOGQUERY_ASSIGN_OR_RETURN(const Cursor cursor, ParseCursor(text));
//     FormatCursor(cursor);   // the text again: letters, digits, - and _
//
// To callers it is opaque, but no secret: it holds what the row did, and no more can be reached with it than without.
#ifndef LOGQUERY_LIB_ENDPOINT_CURSOR_H_
#define LOGQUERY_LIB_ENDPOINT_CURSOR_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "lib/rewrite/plan.h"
#include "logquery/batch.h"

namespace logquery::endpoint {

// The parameter that a call sends it in; an endpoint that declares one of that name has it for itself, and has no pages.
inline constexpr char kCursorParameter[] = "cursor";

struct Cursor {
  absl::Time time;
  std::string id;
};

std::string FormatCursor(const Cursor& cursor);
// InvalidArgument, about the parameter: it is none that FormatCursor made.
absl::StatusOr<Cursor> ParseCursor(std::string_view text);

// Hands rows on, and keeps where they ended.
class CursorSink : public BatchSink {
 public:
  // Borrows `next`.
  CursorSink(rewrite::NewestRows::Page columns, BatchSink* next) : columns_(columns), next_(next) {}

  absl::Status Append(const Batch& batch) override;
  // Of the last row; none where there were no rows, or the last one had no time or id.
  const std::optional<Cursor>& end() const { return end_; }

 private:
  const rewrite::NewestRows::Page columns_;
  BatchSink* const next_;
  std::optional<Cursor> end_;
};

}  // namespace logquery::endpoint

#endif  // LOGQUERY_LIB_ENDPOINT_CURSOR_H_
