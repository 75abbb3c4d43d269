// How a dialect spells functions: templates, keyed by the function table's names.
//
//     constexpr Spelling kSpellings[] = {
//         {"ABS(INT64)", "abs($1)"},           the overload of ABS with these parameters
//         {"ABS(FLOAT64)", "fabs($1)"},
//         {"LOWER", "lower($1)"},              every overload of LOWER without its own spelling
//     };
//
// In a template `$1` is the first argument, `$*` all arguments with commas, `$2*` the second and later ones, and `$$` a
// `$`. `@name` refers to code in the dialect's folder. An engine can't run functions without a spelling, so the table
// also defines what may be sent to it.
#ifndef LOGQUERY_LIB_EMIT_SPELLINGS_H_
#define LOGQUERY_LIB_EMIT_SPELLINGS_H_

#include <deque>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "absl/types/span.h"
#include "lib/emit/sql.h"
#include "lib/rewrite/functions/functions.h"

namespace logquery::emit {

struct Spelling {
  const char* function;
  const char* text;
};

using SpellingList = absl::Span<const Spelling>;

// Immutable and therefore thread-safe.
class Spellings {
 public:
  // Spells a row that no list has; empty: the dialect does not support it.
  using Otherwise = std::string (*)(const rewrite::FunctionRow& row);

  // Borrows the lists.
  Spellings(std::initializer_list<SpellingList> lists, Otherwise otherwise = nullptr);

  // Returns the overload's spelling; empty: the dialect does not support it.
  std::string_view Of(const rewrite::Overload& overload) const { return texts_[overload.id]; }

  // Returns whether any overload of the function has a spelling.
  bool Has(const rewrite::Function& function) const;

  // Defects in the lists: names that are not in the function table, and duplicates.
  const std::vector<std::string>& problems() const { return problems_; }

 private:
  std::vector<std::string_view> texts_;  // by Overload::id
  std::deque<std::string> made_;         // what `otherwise` has returned; they never move
  std::vector<std::string> problems_;
};

// Returns how often the template has the argument `i`.
int CountInTemplate(std::string_view spelling, size_t i);

std::string FillTemplate(std::string_view spelling, const std::vector<std::string>& args);
// The result has the facts of the arguments that the template uses.
Sql FillTemplate(std::string_view spelling, const Texts& args);

}  // namespace logquery::emit

#endif  // LOGQUERY_LIB_EMIT_SPELLINGS_H_
