// One ClickHouse response over HTTP: rows, an error instead of rows, or rows that end in an error.
#ifndef LOGQUERY_LIB_ENGINES_CLICKHOUSE_BACKEND_ANSWER_H_
#define LOGQUERY_LIB_ENGINES_CLICKHOUSE_BACKEND_ANSWER_H_

#include <optional>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "lib/backend/http/client.h"
#include "lib/engines/clickhouse/backend/row_reader.h"

namespace logquery::clickhouse {

// Not thread-safe.
class Answer {
 public:
  // Borrows the reader.
  explicit Answer(RowReader* reader) : reader_(reader) {}

  // The callback for http::Client::Send. Fails as soon as the rest of the response is not needed.
  absl::Status Take(const http::Head& head, std::string_view piece);

  // Returns the request's outcome: OK if all rows have been passed on, otherwise an error. An error that the server
  // reported takes precedence over one of the connection, and that over one from parsing the bytes.
  absl::Status Finish(const http::Outcome& outcome);

  // The code of the error that the server reported.
  std::optional<int> code() const { return code_; }
  // True if a proxy or the server reported that it can't serve requests now, and no row has arrived.
  bool is_busy() const { return is_busy_; }

 private:
  std::optional<int> ToldCode(const http::Outcome& outcome) const;

  RowReader* const reader_;
  absl::Status unread_;  // why the bytes can't be parsed as rows
  std::string tail_;     // the last bytes of the body
  size_t unread_bytes_ = 0;
  std::optional<int> code_;
  bool is_busy_ = false;
};

}  // namespace logquery::clickhouse

#endif  // LOGQUERY_LIB_ENGINES_CLICKHOUSE_BACKEND_ANSWER_H_
