// Collects a rewrite's notes. The same text is kept once, at its first place.
#ifndef LOGQUERY_LIB_TOOLS_REWRITE_SQL_NOTES_H_
#define LOGQUERY_LIB_TOOLS_REWRITE_SQL_NOTES_H_

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lib/sql/ast.h"
#include "lib/tools/rewrite_sql/rewrite_sql.h"

namespace logquery::tools {

// The longest text of one expression that a rewrite makes: as long as the text of a query may be.
inline constexpr size_t kMaxTextBytes = 64 * 1024;

class Notes {
 public:
  explicit Notes(std::string_view text) : text_(text) {}
  void Add(sql::Span place, std::string_view text);
  // Sorted by their places.
  std::vector<RewriteNote> Take();

 private:
  std::string_view text_;
  std::vector<std::pair<uint32_t, std::string>> notes_;
};

}  // namespace logquery::tools

#endif  // LOGQUERY_LIB_TOOLS_REWRITE_SQL_NOTES_H_
