// How a dialect spells functions: templates by what the function table calls them.
//
//     constexpr Spelling kSpellings[] = {
//         {"ABS(INT64)", "abs($1)"},           the row of ABS with these parameters
//         {"ABS(FLOAT64)", "fabs($1)"},
//         {"LOWER", "lower($1)"},              every row of LOWER without a spelling of its own
//     };
//
// In a template `$1` is the first argument, `$*` all of them with commas, `$2*` the second and those after it, and `$$` is
// `$`. `@name` is code of that name in the dialect's folder. A function without a spelling can't be run by the dialect's
// engine, so the table also says what may be handed to that engine.
#ifndef LOGQUERY_LIB_EMIT_SPELLINGS_H_
#define LOGQUERY_LIB_EMIT_SPELLINGS_H_

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

// Immutable, and so thread-safe.
class Spellings {
 public:
  // The lists are borrowed for as long as this lives.
  Spellings(std::initializer_list<SpellingList> lists);

  // The spelling of that row; empty: the dialect has none.
  std::string_view Of(const rewrite::Overload& overload) const { return texts_[overload.id]; }

  // Whether a row of the function has one.
  bool Has(const rewrite::Function& function) const;

  // What is wrong with the lists: names that the function table does not have, names that stand twice.
  const std::vector<std::string>& problems() const { return problems_; }

 private:
  std::vector<std::string_view> texts_;  // by Overload::id
  std::vector<std::string> problems_;
};

std::string FillTemplate(std::string_view spelling, const std::vector<std::string>& args);
// With the facts of those arguments that the template names.
Sql FillTemplate(std::string_view spelling, const Texts& args);

}  // namespace logquery::emit

#endif  // LOGQUERY_LIB_EMIT_SPELLINGS_H_
