// The templates of EngineSpellings for functions, checked and sorted by overload.
#ifndef LOGQUERY_LIB_ENGINES_DESCRIBED_DIALECT_CALL_TEMPLATES_H_
#define LOGQUERY_LIB_ENGINES_DESCRIBED_DIALECT_CALL_TEMPLATES_H_

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "lib/base/strings.h"
#include "lib/rewrite/plan.h"
#include "logquery/experimental/engine_spellings.h"

namespace logquery::emit {

// A template of operands `$1`, `$*` and so on (lib/emit/spellings.h).
struct CallTemplate {
  std::string text;      // can be an operand anywhere
  std::string distinct;  // for DISTINCT; empty: none
  std::vector<std::pair<int, std::string>> constants;
  int highest = 0;     // the highest operand that it names
  int rest_from = 0;   // the operand from which on it has all; 0: none
  bool nests = false;  // two operands of a function of many: f(f(a, b), c)
};

// Immutable and therefore thread-safe.
class CallTemplates {
 public:
  // InvalidArgument: an entry can't be used; the message names it.
  static absl::StatusOr<CallTemplates> Create(const std::vector<FunctionSpelling>& spellings);

  // The first template of the overload that has the arguments of this call; nullptr: there is none.
  const CallTemplate* Find(const rewrite::Overload& overload, const std::vector<rewrite::ScalarPtr>& arguments) const;
  // The template for a cast; empty: there is none.
  std::string_view Cast(TypeKind from, TypeKind to) const;

 private:
  absl::Status Add(const FunctionSpelling& spelling);
  // Adds the entry to the overload with this id.
  absl::Status AddTo(size_t id, const FunctionSpelling& spelling, CallTemplate entry);
  absl::Status AddCast(const FunctionSpelling& spelling);

  std::vector<std::vector<CallTemplate>> by_overload_;  // by Overload::id
  std::vector<bool> has_own_;                           // by Overload::id: it is an entry's whole signature
  std::map<std::pair<TypeKind, TypeKind>, std::string> casts_;
};

// Returns the template as a text that can be an operand anywhere: in parentheses, unless it is a call or has them.
std::string AsOperand(std::string_view spelling);

// Returns what is wrong with the template's `$`: "$x is no operand"; empty: nothing. Finds what it names.
std::string ReadOperands(std::string_view spelling, int* highest, int* rest_from);

}  // namespace logquery::emit

#endif  // LOGQUERY_LIB_ENGINES_DESCRIBED_DIALECT_CALL_TEMPLATES_H_
