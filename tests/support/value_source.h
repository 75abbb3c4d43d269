// Tables of values as a program's own rows.
#ifndef LOGQUERY_TESTS_SUPPORT_VALUE_SOURCE_H_
#define LOGQUERY_TESTS_SUPPORT_VALUE_SOURCE_H_

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "lib/base/status_macros.h"
#include "logquery/table_source.h"
#include "logquery/testing/backend_contract.h"

namespace logquery::testing {

// A table and its rows, with one value for each column.
using ValueTable = ContractTable;

class ValueSource : public TableSource {
 public:
  // Passes on at most `batch_rows` rows at a time.
  explicit ValueSource(std::vector<ValueTable> tables, size_t batch_rows = std::numeric_limits<size_t>::max())
      : tables_(std::move(tables)), batch_rows_(batch_rows) {}

  absl::StatusOr<Catalog> ReadCatalog() override {
    std::vector<Table> tables;
    for (const ValueTable& each : tables_) tables.push_back(each.table);
    return Catalog(std::move(tables), 1);
  }

  absl::Status Scan(const ScanRequest& request, const CancellationToken& cancellation, BatchSink& sink) override {
    const auto table = std::find_if(tables_.begin(), tables_.end(),
                                    [&](const ValueTable& each) { return each.table.name == request.table->name; });
    if (table == tables_.end()) return absl::NotFoundError(absl::StrCat("there is no table ", request.table->name));
    Schema schema;
    for (const size_t column : request.columns) schema.push_back(request.table->columns[column]);
    std::vector<std::vector<Value>> rows;
    for (const std::vector<Value>& row : table->rows) {
      std::vector<Value>& wanted = rows.emplace_back();
      for (const size_t column : request.columns) wanted.push_back(row[column]);
      if (rows.size() < batch_rows_ && &row != &table->rows.back()) continue;
      if (cancellation.IsCancelled()) return absl::CancelledError("the scan was cancelled");
      LOGQUERY_RETURN_IF_ERROR(sink.Append(ValueBatch(schema, rows).batch()));
      rows.clear();
    }
    return absl::OkStatus();
  }

 private:
  const std::vector<ValueTable> tables_;
  const size_t batch_rows_;
};

}  // namespace logquery::testing

#endif  // LOGQUERY_TESTS_SUPPORT_VALUE_SOURCE_H_
