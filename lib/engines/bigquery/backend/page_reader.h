// Converts responses of jobs.query and jobs.getQueryResults to batches: the schema once, then the rows page by page.
#ifndef LOGQUERY_LIB_ENGINES_BIGQUERY_BACKEND_PAGE_READER_H_
#define LOGQUERY_LIB_ENGINES_BIGQUERY_BACKEND_PAGE_READER_H_

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "lib/backend/column_builder.h"
#include "lib/base/json/value.h"
#include "lib/engines/bigquery/backend/wire_schema.h"
#include "logquery/batch.h"
#include "logquery/type.h"

namespace logquery::bigquery {

// Not thread-safe.
class PageReader {
 public:
  // Borrows `schema` and `sink`.
  PageReader(const Schema& schema, BatchSink* sink) : schema_(schema), sink_(sink) {}

  // Reads one response and passes its rows to the sink. Internal: the response is malformed, its columns do not match
  // the schema, a value does not fit its type, or it repeats an earlier page's token. Errors of the sink are passed on.
  absl::Status Add(std::string_view body);

  // Returns whether the job is complete, so that responses contain its rows.
  bool is_complete() const { return is_complete_; }
  // The token of the next page; empty: there is no further page.
  const std::string& page_token() const { return page_token_; }
  // Must be called after the last page. Internal: the number of rows differs from the one that the first response
  // stated.
  absl::Status Finish() const;

  // The job's id and location; empty: no response has named it yet.
  const std::string& job_id() const { return job_id_; }
  const std::string& location() const { return location_; }
  // The sink's error, if one ended the reading.
  const absl::Status& refused() const { return refused_; }

 private:
  void ReadJob(const base::Json& answer);
  absl::Status ReadSchema(const base::Json& answer);
  absl::Status ReadToken(const base::Json& answer);
  absl::Status ReadRows(const base::Json& answer);
  absl::Status Flush();

  const Schema& schema_;
  BatchSink* const sink_;
  bool is_complete_ = false;
  std::string job_id_;
  std::string location_;
  std::string page_token_;
  absl::flat_hash_set<std::string> tokens_;  // of all pages so far
  std::optional<int64_t> total_rows_;
  std::vector<WireField> fields_;  // empty: no schema received yet
  std::deque<backend::ColumnBuilder> columns_;
  backend::TextBlocks texts_;
  int64_t batch_rows_ = 0;
  int64_t rows_ = 0;
  absl::Status refused_;
};

}  // namespace logquery::bigquery

#endif  // LOGQUERY_LIB_ENGINES_BIGQUERY_BACKEND_PAGE_READER_H_
