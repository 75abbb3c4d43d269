// Reads a command's SQL from a file or from standard input.
#ifndef LOGQUERY_SHIM_CLI_QUERY_SQL_INPUT_H_
#define LOGQUERY_SHIM_CLI_QUERY_SQL_INPUT_H_

#include <istream>
#include <string>

#include "absl/status/statusor.h"

namespace logquery::shim {

// Returns the file's text; if `file` is empty or "-", all of `in`. NotFound: the file can't be read.
absl::StatusOr<std::string> ReadSql(const std::string& file, std::istream& in);

}  // namespace logquery::shim

#endif  // LOGQUERY_SHIM_CLI_QUERY_SQL_INPUT_H_
