// Reads a file or a stream to its end:
//
//     std::ifstream file(path, std::ios::binary);
//     LOGQUERY_ASSIGN_OR_RETURN(std::string text, base::ReadToEnd(file));
#ifndef LOGQUERY_LIB_BASE_READ_TO_END_H_
#define LOGQUERY_LIB_BASE_READ_TO_END_H_

#include <istream>
#include <string>

#include "absl/status/statusor.h"

namespace logquery::base {

// NotFound: the stream could not be opened, or reading failed; a folder can be opened and not read. std::istreambuf_iterator would
// throw then.
absl::StatusOr<std::string> ReadToEnd(std::istream& in);

}  // namespace logquery::base

#endif  // LOGQUERY_LIB_BASE_READ_TO_END_H_
