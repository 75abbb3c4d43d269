// A cheap look for what patterns can't match without: nearly every text has none of it, and need not be looked at by RE2, which
// takes ten times as long.
//
//     PatternFilter filter({"\\bcus_[A-Za-z0-9]+"});      // a match has cus_ in it
//     filter.MayMatch("GET /rest/v1/todos");              // none
//
// Thread-safe: const after construction.
#ifndef LOGQUERY_LIB_BASE_PATTERN_FILTER_H_
#define LOGQUERY_LIB_BASE_PATTERN_FILTER_H_

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace logquery::base {

class PatternFilter {
 public:
  // Of patterns that RE2 takes.
  explicit PatternFilter(const std::vector<std::string>& patterns);

  // The patterns, by number, that may match in `text`; the others certainly do not. Valid while this lives.
  const std::vector<size_t>& MayMatch(std::string_view text) const;

 private:
  // A text that a match has in it, in lower case, and where its byte is that is the rarest in logs.
  struct Literal {
    std::string text;
    size_t rare = 0;
  };

  static bool HasLiteral(std::string_view text, const Literal& literal);

  std::vector<Literal> literals_;  // of all patterns together
  std::vector<size_t> all_;
  std::vector<size_t> unfiltered_;  // those without literals
};

}  // namespace logquery::base

#endif  // LOGQUERY_LIB_BASE_PATTERN_FILTER_H_
