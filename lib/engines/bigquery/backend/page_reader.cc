// Parses a page as a whole, because its size is limited; passes its rows on in batches.
#include "lib/engines/bigquery/backend/page_reader.h"

#include <utility>

#include "absl/strings/numbers.h"
#include "lib/base/json/read.h"
#include "lib/base/json/value.h"
#include "lib/base/readable_text.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/engines/bigquery/backend/cell_reader.h"

namespace logquery::bigquery {
namespace {

using base::Json;
using base::StrCat;

constexpr int64_t kBatchRows = 4'096;
constexpr int64_t kBatchBytes = 4 << 20;
constexpr size_t kMaxPages = 1'000'000;

absl::Status Wrong(std::string_view problem) { return absl::InternalError(StrCat("an answer of BigQuery ", problem)); }

const Json* Find(const Json& json, const char* name) {
  if (!json.is_object()) return nullptr;
  const auto found = json.find(name);
  return found == json.end() || found->is_null() ? nullptr : &*found;
}

std::string TextIn(const Json& json, const char* name) {
  const Json* const found = Find(json, name);
  return found != nullptr && found->is_string() ? found->get<std::string>() : std::string();
}

}  // namespace

absl::Status PageReader::Add(std::string_view body) {
  // Does not check for duplicate keys as lib/base/json.h does, which would take half of the time. A truncated or
  // garbled answer is not JSON.
  const Json answer = base::TryReadJson(body).value_or(nullptr);
  if (!answer.is_object()) return Wrong("is no JSON object: it was cut or garbled");
  ReadJob(answer);
  const Json* const complete = Find(answer, "jobComplete");
  if (complete == nullptr || !complete->is_boolean()) return Wrong("does not say whether the job is complete");
  if (!complete->get<bool>()) {
    return is_complete_ ? Wrong("says of a job that has given rows that it is not complete") : absl::OkStatus();
  }
  is_complete_ = true;
  LOGQUERY_RETURN_IF_ERROR(ReadSchema(answer));
  LOGQUERY_RETURN_IF_ERROR(ReadToken(answer));
  return ReadRows(answer);
}

void PageReader::ReadJob(const Json& answer) {
  const Json* const job = Find(answer, "jobReference");
  if (job == nullptr || !job_id_.empty()) return;
  job_id_ = TextIn(*job, "jobId");
  location_ = TextIn(*job, "location");
}

absl::Status PageReader::ReadSchema(const Json& answer) {
  if (!fields_.empty()) return absl::OkStatus();
  const Json* const schema = Find(answer, "schema");
  if (schema == nullptr) return Wrong("has no schema");
  absl::StatusOr<std::vector<WireField>> fields = ParseWireSchema(*schema);
  if (!fields.ok()) return absl::InternalError(fields.status().message());
  if (fields->size() != schema_.size()) {
    return Wrong(StrCat("has ", base::Counted(fields->size(), "column"), " in place of ", schema_.size()));
  }
  for (size_t i = 0; i < schema_.size(); ++i) {
    const std::string why = WhyNotRead(schema_[i].type, (*fields)[i], (*fields)[i].name);
    if (!why.empty()) return Wrong(why);
    columns_.emplace_back(schema_[i].type);
  }
  fields_ = *std::move(fields);
  const std::string total = TextIn(answer, "totalRows");
  int64_t rows = 0;
  if (!absl::SimpleAtoi(total, &rows) || rows < 0) return Wrong("does not say how many rows there are");
  total_rows_ = rows;
  return absl::OkStatus();
}

absl::Status PageReader::ReadToken(const Json& answer) {
  page_token_ = TextIn(answer, "pageToken");
  if (page_token_.empty()) return absl::OkStatus();
  if (!tokens_.insert(page_token_).second) return Wrong("names a page that has come before: its pages have no end");
  return tokens_.size() <= kMaxPages ? absl::OkStatus() : Wrong("has more pages than one may");
}

absl::Status PageReader::ReadRows(const Json& answer) {
  const Json* const rows = Find(answer, "rows");
  if (rows == nullptr) return absl::OkStatus();
  if (!rows->is_array()) return Wrong("has rows that are no list");
  for (const Json& row : *rows) {
    const Json* const cells = Find(row, "f");
    if (cells == nullptr || !cells->is_array() || cells->size() != fields_.size()) {
      return Wrong("has a row that does not have the columns of its schema");
    }
    if (++rows_ > *total_rows_) return Wrong(StrCat("has more rows than the ", *total_rows_, " that it has told"));
    for (size_t i = 0; i < columns_.size(); ++i) {
      LOGQUERY_RETURN_IF_ERROR(AppendCell(fields_[i], (*cells)[i], columns_[i], texts_));
    }
    if (++batch_rows_ == kBatchRows || texts_.bytes() >= kBatchBytes) LOGQUERY_RETURN_IF_ERROR(Flush());
  }
  return Flush();
}

absl::Status PageReader::Flush() {
  if (batch_rows_ == 0) return absl::OkStatus();
  std::vector<ColumnView> views;
  views.reserve(columns_.size());
  for (backend::ColumnBuilder& column : columns_) views.push_back(column.View());
  refused_ = sink_->Append(Batch(views.data(), views.size(), batch_rows_));
  for (backend::ColumnBuilder& column : columns_) column.Clear();
  texts_.Clear();
  batch_rows_ = 0;
  return refused_;
}

absl::Status PageReader::Finish() const {
  if (!total_rows_.has_value() || rows_ == *total_rows_) return absl::OkStatus();
  return Wrong(StrCat("announced ", base::Counted(*total_rows_, "row"), " and sent ", rows_));
}

}  // namespace logquery::bigquery
