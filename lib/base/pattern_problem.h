// Describes, for an error message, why RE2 rejects a regular expression.
#ifndef LOGQUERY_LIB_BASE_PATTERN_PROBLEM_H_
#define LOGQUERY_LIB_BASE_PATTERN_PROBLEM_H_

#include <string>

namespace re2 {
class RE2;
}

namespace logquery::base {

// Returns RE2's reason, with the part of the pattern that it is about in quotes: "missing )", "bad repetition operator at '**'".
// `refused` is not ok().
std::string PatternProblem(const re2::RE2& refused);

}  // namespace logquery::base

#endif  // LOGQUERY_LIB_BASE_PATTERN_PROBLEM_H_
