// Translates regular expressions of RE2 to PostgreSQL's advanced regular expressions.
#ifndef LOGQUERY_LIB_ENGINES_POSTGRES_DIALECT_REGEXPS_H_
#define LOGQUERY_LIB_ENGINES_POSTGRES_DIALECT_REGEXPS_H_

#include <optional>
#include <string>
#include <string_view>

namespace logquery::emit {

// Returns a pattern that is found in the same texts as `pattern`; nullopt: it is outside of the translated part of the
// syntax. Translated are characters and their escapes, `.`, classes of characters and ranges, \d \w \s and their
// opposites, POSIX classes, groups, alternatives, repetitions up to 255, `^` and `$` at the ends of the pattern's
// alternatives, and (?i) and (?s) at its beginning. Where a match begins and ends may differ.
std::optional<std::string> PostgresRegexp(std::string_view pattern);

}  // namespace logquery::emit

#endif  // LOGQUERY_LIB_ENGINES_POSTGRES_DIALECT_REGEXPS_H_
