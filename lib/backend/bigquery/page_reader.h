// Answers of jobs.query and jobs.getQueryResults made into batches: the schema once, then page by page.
#ifndef LOGQUERY_LIB_BACKEND_BIGQUERY_PAGE_READER_H_
#define LOGQUERY_LIB_BACKEND_BIGQUERY_PAGE_READER_H_

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "lib/backend/bigquery/wire_schema.h"
#include "lib/backend/column_builder.h"
#include "logquery/batch.h"
#include "logquery/type.h"
#include "nlohmann/json_fwd.hpp"

namespace logquery::bigquery {

// Not thread-safe.
class PageReader {
 public:
  // Borrows both.
  PageReader(const Schema& schema, BatchSink* sink) : schema_(schema), sink_(sink) {}

  // Takes one answer and hands its rows to the sink. Internal: it is not of the interface's form, has columns that the schema's are
  // not made of, a value that a type does not hold, or the token of a page that was there before. Otherwise the sink's status.
  absl::Status Add(std::string_view body);

  // Whether the job is done: its rows have begun to come.
  bool is_complete() const { return is_complete_; }
  // Names the next page; empty: there is none.
  const std::string& page_token() const { return page_token_; }
  // After the last page. Internal: there are fewer rows, or more, than the first answer has said.
  absl::Status Finish() const;

  // Of the job; empty: no answer has named it yet.
  const std::string& job_id() const { return job_id_; }
  const std::string& location() const { return location_; }
  // A sink's error, which ended the reading.
  const absl::Status& refused() const { return refused_; }

 private:
  void ReadJob(const nlohmann::ordered_json& answer);
  absl::Status ReadSchema(const nlohmann::ordered_json& answer);
  absl::Status ReadToken(const nlohmann::ordered_json& answer);
  absl::Status ReadRows(const nlohmann::ordered_json& answer);
  absl::Status Flush();

  const Schema& schema_;
  BatchSink* const sink_;
  bool is_complete_ = false;
  std::string job_id_;
  std::string location_;
  std::string page_token_;
  absl::flat_hash_set<std::string> tokens_;  // of all pages so far
  std::optional<int64_t> total_rows_;
  std::vector<WireField> fields_;  // empty: no schema has come
  std::deque<backend::ColumnBuilder> columns_;
  backend::TextBlocks texts_;
  int64_t batch_rows_ = 0;
  int64_t rows_ = 0;
  absl::Status refused_;
};

}  // namespace logquery::bigquery

#endif  // LOGQUERY_LIB_BACKEND_BIGQUERY_PAGE_READER_H_
