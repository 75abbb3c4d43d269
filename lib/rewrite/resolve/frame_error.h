// The order of a window frame's ends, which is the same in both languages.
#ifndef LOGQUERY_LIB_REWRITE_RESOLVE_FRAME_ERROR_H_
#define LOGQUERY_LIB_REWRITE_RESOLVE_FRAME_ERROR_H_

#include <string_view>

#include "lib/sql/ast.h"

namespace logquery::rewrite {

// Returns the error in the order of the frame's ends; empty: none.
std::string_view FrameError(sql::WindowBound::Kind start, sql::WindowBound::Kind end);

}  // namespace logquery::rewrite

#endif  // LOGQUERY_LIB_REWRITE_RESOLVE_FRAME_ERROR_H_
