// RE2 appends the part of the pattern without quotes, so that it can't be told from the reason.
#include "lib/base/pattern_problem.h"

#include "lib/base/strings.h"
#include "re2/re2.h"

namespace logquery::base {

std::string PatternProblem(const re2::RE2& refused) {
  std::string why = refused.error();
  const std::string& part = refused.error_arg();
  const std::string end = StrCat(": ", part);
  if (part.empty() || !why.ends_with(end)) return why;
  why.resize(why.size() - end.size());
  return part == refused.pattern() ? why : StrCat(why, " at '", part.substr(0, 100), "'");
}

}  // namespace logquery::base
