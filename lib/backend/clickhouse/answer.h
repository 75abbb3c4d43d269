// One answer of ClickHouse over HTTP: rows, an error in their place, or rows that an error ends.
#ifndef LOGQUERY_LIB_BACKEND_CLICKHOUSE_ANSWER_H_
#define LOGQUERY_LIB_BACKEND_CLICKHOUSE_ANSWER_H_

#include <optional>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "lib/backend/clickhouse/row_reader.h"
#include "lib/backend/http/client.h"

namespace logquery::clickhouse {

// Not thread-safe.
class Answer {
 public:
  // Borrows the reader.
  explicit Answer(RowReader* reader) : reader_(reader) {}

  // For http::Client::Send. Fails as soon as nothing more of the answer is wanted.
  absl::Status Take(const http::Head& head, std::string_view piece);

  // What the request came to: OK, and all rows have been handed over; or an error. The error that the server has told goes before
  // the connection's, and that before what the bytes could not be read as.
  absl::Status Finish(const http::Outcome& outcome);

  // The number of the error that the server has told.
  std::optional<int> code() const { return code_; }
  // A proxy or the server has said that it can't serve now; no row has come.
  bool is_busy() const { return is_busy_; }

 private:
  std::optional<int> ToldCode(const http::Outcome& outcome) const;

  RowReader* const reader_;
  absl::Status unread_;  // why the bytes can't be read as rows
  std::string tail_;     // the last bytes of the body
  size_t unread_bytes_ = 0;
  std::optional<int> code_;
  bool is_busy_ = false;
};

}  // namespace logquery::clickhouse

#endif  // LOGQUERY_LIB_BACKEND_CLICKHOUSE_ANSWER_H_
