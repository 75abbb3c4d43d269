// Cursors of pages of the newest rows: the time and id of a page's last row, from which the next page continues.
//
//     LOGQUERY_ASSIGN_OR_RETURN(const Cursor cursor, ParseCursor(text));
//     FormatCursor(cursor);   // the same text: letters, digits, - and _
//
// A cursor is opaque to callers but not secret: it holds values of the row, and gives access to nothing more.
#ifndef LOGQUERY_LIB_ENDPOINT_CALL_CURSOR_H_
#define LOGQUERY_LIB_ENDPOINT_CALL_CURSOR_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "lib/rewrite/plan.h"
#include "logquery/batch.h"

namespace logquery::endpoint {

// The parameter that carries the cursor. An endpoint that declares a parameter of this name does not support paging.
inline constexpr char kCursorParameter[] = "cursor";

struct Cursor {
  absl::Time time;
  std::string id;
};

std::string FormatCursor(const Cursor& cursor);
// InvalidArgument, with the parameter's name: FormatCursor did not create this text.
absl::StatusOr<Cursor> ParseCursor(std::string_view text);

// Forwards rows, and records the cursor of the last one.
class CursorSink : public BatchSink {
 public:
  // Borrows `next`.
  CursorSink(rewrite::NewestRows::Page columns, BatchSink* next) : columns_(columns), next_(next) {}

  absl::Status Append(const Batch& batch) override;
  // The cursor of the last row; nullopt if there were no rows, or the last one had no time or id.
  const std::optional<Cursor>& end() const { return end_; }

 private:
  const rewrite::NewestRows::Page columns_;
  BatchSink* const next_;
  std::optional<Cursor> end_;
};

}  // namespace logquery::endpoint

#endif  // LOGQUERY_LIB_ENDPOINT_CALL_CURSOR_H_
