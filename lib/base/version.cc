#include "logquery/version.h"

namespace logquery {

std::string_view Version() { return LOGQUERY_VERSION_STRING; }

}  // namespace logquery
