// Logic, comparisons and texts; the list of all calls.
#include "lib/engines/postgres/dialect/calls.h"

#include "lib/base/strings.h"
#include "lib/base/utf8.h"
#include "lib/emit/table_powers.h"
#include "lib/engines/postgres/dialect/texts.h"
#include "lib/rewrite/scalars.h"

namespace logquery::emit {
namespace {

using base::StrCat;
using rewrite::FunctionCall;
using Args = std::vector<std::string>;
using WhyNotText = std::optional<std::string>;

std::string Element(const FunctionCall&, const Args& args) { return args[0]; }

// GREATEST and LEAST skip NULLs there.
std::string Extreme(const FunctionCall& call, const Args& args) {
  Args nulls;
  for (const std::string& arg : args) nulls.push_back(StrCat("(", arg, " IS NULL)"));
  return StrCat("(CASE WHEN ", BalancedText(nulls, " OR "), " THEN NULL ELSE ", call.overload->row->name, "(",
                base::Join(args, ", "), ") END)");
}

// A count from the end, or before the first character, has another meaning there.
WhyNotText NoSubstring(const FunctionCall& call) {
  const bool fits = CountArgument(call, 1, 1) && (call.arguments.size() == 2 || CountArgument(call, 2, 0));
  return fits ? std::nullopt : WhyNotText("it is given places from 1 and lengths that are constants alone");
}

std::string Substring(const FunctionCall& call, const Args& args) {
  const std::string rest = call.arguments.size() == 2 ? "" : StrCat(", ", *CountArgument(call, 2, 0));
  return StrCat("substr(", args[0], ", ", *CountArgument(call, 1, 1), rest, ")");
}

std::string Left(const FunctionCall& call, const Args& args) {
  return StrCat("left(", args[0], ", ", *CountArgument(call, 1, 0), ")");
}

std::string Right(const FunctionCall& call, const Args& args) {
  return StrCat("right(", args[0], ", ", *CountArgument(call, 1, 0), ")");
}

// Spaces of all kinds are trimmed here where no set is given.
WhyNotText NoSet(const FunctionCall& call) {
  const Value* const set = rewrite::ConstantArgument(call, 1);
  if (set != nullptr && !set->string_value().empty() && base::IsAscii(set->string_value())) return std::nullopt;
  return "it is given sets of ASCII characters that are constants alone";
}

std::string Trim(const FunctionCall& call, const Args& args) {
  const std::string_view name = call.overload->row->name;
  return StrCat(name == "TRIM" ? "btrim(" : name == "LTRIM" ? "ltrim(" : "rtrim(", args[0], ", ", args[1], ")");
}

constexpr SpecialCall kCalls[] = {
    {"@and", nullptr, AndText},          {"@or", nullptr, OrText},
    {"@element", nullptr, Element},      {"@greatest", NotPlain, Extreme},
    {"@substr", NoSubstring, Substring}, {"@left", NoConstantCount, Left},
    {"@right", NoConstantCount, Right},  {"@trim", NoSet, Trim},
};

}  // namespace

const SpecialCall* FindPostgresCall(std::string_view spelling) {
  return FindSpecialCall(spelling, {kCalls, PostgresTimeCalls(), PostgresPatternCalls()});
}

}  // namespace logquery::emit
