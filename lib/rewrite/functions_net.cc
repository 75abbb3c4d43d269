#include "lib/rewrite/function_lists.h"

namespace logquery::rewrite {

FunctionRows NetRows() { return {}; }

}  // namespace logquery::rewrite
