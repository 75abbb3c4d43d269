// Compiled into the library, so that a program can tell its version from that of the headers.
#include "logquery/version.h"

namespace logquery {

std::string_view Version() { return LOGQUERY_VERSION_STRING; }

}  // namespace logquery
