// SQL that a command is given: in a file, or on standard input.
#ifndef LOGQUERY_SHIM_COMMAND_SQL_INPUT_H_
#define LOGQUERY_SHIM_COMMAND_SQL_INPUT_H_

#include <istream>
#include <string>

#include "absl/status/statusor.h"

namespace logquery::shim {

// The file's text; `in` to its end where `file` is empty or "-". NotFound: it can't be read.
absl::StatusOr<std::string> ReadSql(const std::string& file, std::istream& in);

}  // namespace logquery::shim

#endif  // LOGQUERY_SHIM_COMMAND_SQL_INPUT_H_
