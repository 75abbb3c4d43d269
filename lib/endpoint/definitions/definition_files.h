// Lists and reads the files of a folder of definitions: NAME.json with the settings and NAME.sql with the query.
//
// NAME.cases.json holds the tests of a definition and is not part of it. schema.json declares additional logs
// (lib/model/own_logs.h); no definition can have that name.
#ifndef LOGQUERY_LIB_ENDPOINT_DEFINITIONS_DEFINITION_FILES_H_
#define LOGQUERY_LIB_ENDPOINT_DEFINITIONS_DEFINITION_FILES_H_

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace logquery::endpoint {

inline constexpr std::string_view kCasesSuffix = ".cases.json";
inline constexpr std::string_view kSchemaFile = "schema.json";

struct DefinitionText {
  std::string name;  // the common part of the file names
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
  std::vector<DefinitionText> definitions;  // definitions whose two files can be read, ordered by name
  std::vector<FileProblem> problems;        // the others
};

// NotFound: the folder does not exist, or has no file of a definition or schema. PermissionDenied, InvalidArgument: the
// folder can't be read, or the path is not a folder.
absl::StatusOr<DefinitionFiles> ReadDefinitionFiles(const std::string& folder);

// Returns the paths of all files of definitions and of the schema, sorted. Statuses: those of ReadDefinitionFiles,
// except that an empty folder is not an error.
absl::StatusOr<std::vector<std::string>> ListDefinitionFiles(const std::string& folder);

// Returns the path of the folder's schema file; empty if there is none.
std::string SchemaFileOf(const std::string& folder);

// Returns a file's text. NotFound: it does not exist or can't be read. InvalidArgument: it is longer than
// kMaxDefinitionBytes.
absl::StatusOr<std::string> ReadDefinitionFile(const std::string& path);

}  // namespace logquery::endpoint

#endif  // LOGQUERY_LIB_ENDPOINT_DEFINITIONS_DEFINITION_FILES_H_
