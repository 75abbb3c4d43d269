// Logs that an operator declares beside the built-in ones: schema.json in a folder of definitions, or the file of --schema.
//
//     LOGQUERY_ASSIGN_OR_RETURN(SchemaFile own, ParseOwnLogs("schema.json", text));
//     Catalog catalog = WithOwnLogs(Catalog::DeclaredLogs(), own);
//
// The form is schema_file.h's, with stricter rules: each log has a time column, names that folders and queries can have, and no
// name of another log; and no column has a name that the store or the engine needs. Under the name of a built-in log, or of its
// table, stand fields that its rows bring beside the log's own, so that queries may name them before a row has brought them:
//
//     {"edge_logs": {"fields": {"identifier": "STRING", "metadata": {"request": {"ja4": "STRING"}}}}}
//
// They are BOOL, INT64, FLOAT64, STRING, arrays of these, or records, as what a store learns from rows is.
#ifndef LOGQUERY_LIB_MODEL_OWN_LOGS_H_
#define LOGQUERY_LIB_MODEL_OWN_LOGS_H_

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "lib/model/schema_file.h"
#include "logquery/catalog.h"

namespace logquery::model {

inline constexpr size_t kMaxOwnLogs = 1'000;

struct SchemaProblem {
  size_t offset = 0;  // in bytes
  std::string message;
};

// Every problem of the file, in the order of their places. With one, the result lacks what is wrong.
SchemaFile ReadOwnLogs(std::string_view json, std::vector<SchemaProblem>& problems);

// InvalidArgument: the first problem, "SOURCE at line 3, column 5: app_logs.time is missing …".
absl::StatusOr<SchemaFile> ParseOwnLogs(std::string_view source, std::string_view json);

// `earlier` with the logs and the further fields of `newer`, which replace those of their tables' names.
// InvalidArgument: a log of `newer` has the name of another table's log in `earlier`.
absl::StatusOr<SchemaFile> MergeOwnLogs(SchemaFile earlier, const SchemaFile& newer);

// The declaration of the log at `index` as JSON that ParseOwnLogs reads.
std::string OwnLogText(const SchemaFile& file, size_t index);

// Whether both declare the same, in the same order.
bool SameOwnLogs(const SchemaFile& a, const SchemaFile& b);

// `catalog` and the tables and fields of `own` that it does not have.
Catalog WithOwnLogs(const Catalog& catalog, const SchemaFile& own);

}  // namespace logquery::model

#endif  // LOGQUERY_LIB_MODEL_OWN_LOGS_H_
