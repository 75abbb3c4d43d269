// Logs that an operator declares in addition to the built-in ones: schema.json in a folder of definitions, or the file
// of --schema.
//
//     LOGQUERY_ASSIGN_OR_RETURN(SchemaFile own, ParseOwnLogs("schema.json", text));
//     Catalog catalog = WithOwnLogs(Catalog::DeclaredLogs(), own);
//
// The form is that of schema_file.h with stricter rules: each log has a time column; names must be valid in folders and
// queries and not be used by another log; no column may have a name that the store or the engine needs. The name of a built-in
// log, or of its table, may declare further fields, so that queries can name them before any row has them:
//
//     {"edge_logs": {"fields": {"identifier": "STRING", "metadata": {"request": {"ja4": "STRING"}}}}}
//
// Their types are those that a store learns from rows: BOOL, INT64, FLOAT64, STRING, arrays of these, and records.
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

// Parses the file and returns all problems, in the order of their places. If there are any, the result lacks the
// invalid parts.
SchemaFile ReadOwnLogs(std::string_view json, std::vector<SchemaProblem>& problems);

// InvalidArgument: the first problem, "SOURCE at line 3, column 5: app_logs.time is missing …".
absl::StatusOr<SchemaFile> ParseOwnLogs(std::string_view source, std::string_view json);

// Returns the paths of columns and fields that tables of `before` have and the same tables of `declared` lack:
// "app.logs.request.size".
std::vector<std::string> ColumnsLeftOut(const SchemaFile& before, const SchemaFile& declared);

// Returns `earlier` with the logs and the further fields of `newer`, which replace those with the same table name; what
// ColumnsLeftOut returns stays.
// InvalidArgument: a log in `newer` has the name of another table's log in `earlier`.
absl::StatusOr<SchemaFile> MergeOwnLogs(SchemaFile earlier, const SchemaFile& newer);

// Returns the log of a table whose name may have . and -, which queries may write without quotes: "my_app" of "my-app".
std::string LogOfTable(std::string_view table);

// Returns the declaration of the log at `index` as JSON that ParseOwnLogs can parse.
std::string OwnLogText(const SchemaFile& file, size_t index);

// Returns whether both declare the same logs in the same order.
bool SameOwnLogs(const SchemaFile& a, const SchemaFile& b);

// Returns `catalog` with the tables and fields of `own` that it lacks.
Catalog WithOwnLogs(const Catalog& catalog, const SchemaFile& own);

}  // namespace logquery::model

#endif  // LOGQUERY_LIB_MODEL_OWN_LOGS_H_
