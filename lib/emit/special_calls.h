// Calls that a remote engine computes in a form that no template expresses: which of them it is given, and their text. Each engine
// has lists of its own; here is what their entries have in common.
#ifndef LOGQUERY_LIB_EMIT_SPECIAL_CALLS_H_
#define LOGQUERY_LIB_EMIT_SPECIAL_CALLS_H_

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/types/span.h"
#include "lib/rewrite/plan.h"

namespace logquery::emit {

struct SpecialCall {
  std::string_view spelling;  // as in the engine's spellings.cc: "@extract"
  // The reason why it is not given a call whose arguments have types that it compares; nullptr: it is given all.
  std::optional<std::string> (*why_not)(const rewrite::FunctionCall& call);
  // The text of a call that it is given. `args` are the arguments' texts.
  std::string (*text)(const rewrite::FunctionCall& call, const std::vector<std::string>& args);
};

// Returns nullptr if the spelling is a template.
const SpecialCall* FindSpecialCall(std::string_view spelling,
                                   std::initializer_list<absl::Span<const SpecialCall>> lists);

// The reason why an engine is not given a call of this spelling whose arguments have types that it compares. `special` is
// FindSpecialCall's result.
std::optional<std::string> WhyNotSpelled(const SpecialCall* special, std::string_view spelling,
                                         const rewrite::FunctionCall& call);

// The operands in pairs of pairs: a chain of thousands would nest as deep as it is long.
std::string BalancedText(const std::vector<std::string>& operands, std::string_view op);
std::string AndText(const rewrite::FunctionCall& call, const std::vector<std::string>& args);
std::string OrText(const rewrite::FunctionCall& call, const std::vector<std::string>& args);

// Used for LEFT and RIGHT.
std::optional<std::string> NoConstantCount(const rewrite::FunctionCall& call);

// ---- times

inline constexpr char kOnlyUtc[] = "it is given the time zone UTC alone";
// Used for functions whose second argument is a time zone.
std::optional<std::string> NoZone(const rewrite::FunctionCall& call);
// The part of a time that an argument names; empty: it is no constant.
std::string_view PartArgument(const rewrite::FunctionCall& call, size_t i);
// The microseconds of a part from MICROSECOND to DAY; 0: it is another one.
int64_t MicrosOfPart(std::string_view part);

}  // namespace logquery::emit

#endif  // LOGQUERY_LIB_EMIT_SPECIAL_CALLS_H_
