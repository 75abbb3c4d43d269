#include "lib/rewrite/function_lists.h"

namespace logquery::rewrite {

FunctionRows HashRows() { return {}; }

}  // namespace logquery::rewrite
