// The files of a folder of definitions: NAME.json with the settings and NAME.sql with the query.
//
// NAME.cases.json holds a definition's tests, and is none of its files. schema.json declares logs of one's own
// (lib/model/own_logs.h), and so no definition's files have that name.
#ifndef LOGQUERY_LIB_ENDPOINT_DEFINITION_FILES_H_
#define LOGQUERY_LIB_ENDPOINT_DEFINITION_FILES_H_

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace logquery::endpoint {

inline constexpr std::string_view kCasesSuffix = ".cases.json";
inline constexpr std::string_view kSchemaFile = "schema.json";

struct DefinitionText {
  std::string name;  // of the files, without what comes after it
  std::string json_path;
  std::string sql_path;
  std::string json;
  std::string sql;
};

struct FileProblem {
  std::string path;
  absl::Status status;  // its message names the path
};

struct DefinitionFiles {
  std::vector<DefinitionText> definitions;  // those of which both files can be read, in the order of their names
  std::vector<FileProblem> problems;        // the others
};

// NotFound: there is no such folder, or no file of a definition or schema in it. PermissionDenied, InvalidArgument: the folder can't be read,
// or is none.
absl::StatusOr<DefinitionFiles> ReadDefinitionFiles(const std::string& folder);

// The paths of the files that definitions consist of and of the schema's, sorted. ReadDefinitionFiles' statuses, but an empty folder is none.
absl::StatusOr<std::vector<std::string>> ListDefinitionFiles(const std::string& folder);

// The path of the schema's file in the folder; empty: there is none.
std::string SchemaFileOf(const std::string& folder);

// The text of a file. NotFound: there is none, or it can't be read. InvalidArgument: it is longer than kMaxDefinitionBytes.
absl::StatusOr<std::string> ReadDefinitionFile(const std::string& path);

}  // namespace logquery::endpoint

#endif  // LOGQUERY_LIB_ENDPOINT_DEFINITION_FILES_H_
