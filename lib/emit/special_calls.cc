// Looks the lists through, which have a dozen entries.
#include "lib/emit/special_calls.h"

#include <utility>

#include "lib/base/strings.h"
#include "lib/emit/table_powers.h"
#include "lib/rewrite/scalars.h"

namespace logquery::emit {
namespace {

std::string Balanced(const std::vector<std::string>& operands, size_t begin, size_t end, std::string_view op) {
  if (end - begin == 1) return operands[begin];
  const size_t middle = begin + (end - begin) / 2;
  return base::StrCat("(", Balanced(operands, begin, middle, op), op, Balanced(operands, middle, end, op), ")");
}

}  // namespace

const SpecialCall* FindSpecialCall(std::string_view spelling,
                                   std::initializer_list<absl::Span<const SpecialCall>> lists) {
  if (!spelling.starts_with('@')) return nullptr;
  for (const absl::Span<const SpecialCall> calls : lists) {
    for (const SpecialCall& call : calls) {
      if (call.spelling == spelling) return &call;
    }
  }
  return nullptr;
}

std::optional<std::string> WhyNotSpelled(const SpecialCall* special, std::string_view spelling,
                                         const rewrite::FunctionCall& call) {
  if (special == nullptr) return NotPlain(spelling, call);
  return special->why_not == nullptr ? std::nullopt : special->why_not(call);
}

std::string BalancedText(const std::vector<std::string>& operands, std::string_view op) {
  return Balanced(operands, 0, operands.size(), op);
}
std::string AndText(const rewrite::FunctionCall& /*call*/, const std::vector<std::string>& args) {
  return BalancedText(args, " AND ");
}
std::string OrText(const rewrite::FunctionCall& /*call*/, const std::vector<std::string>& args) {
  return BalancedText(args, " OR ");
}

std::optional<std::string> NoConstantCount(const rewrite::FunctionCall& call) {
  if (CountArgument(call, 1, 0)) return std::nullopt;
  return "it is given counts that are constants alone";
}

std::optional<std::string> NoZone(const rewrite::FunctionCall& call) {
  if (IsInUtc(call, 1)) return std::nullopt;
  return kOnlyUtc;
}

std::string_view PartArgument(const rewrite::FunctionCall& call, size_t i) {
  const Value* const part = rewrite::ConstantArgument(call, i);
  return part == nullptr ? std::string_view() : std::string_view(part->string_value());
}

int64_t MicrosOfPart(std::string_view part) {
  constexpr std::pair<std::string_view, int64_t> kParts[] = {{"MICROSECOND", 1},      {"MILLISECOND", 1'000},
                                                             {"SECOND", 1'000'000},   {"MINUTE", 60'000'000},
                                                             {"HOUR", 3'600'000'000}, {"DAY", 86'400'000'000}};
  for (const auto& [name, micros] : kParts) {
    if (name == part) return micros;
  }
  return 0;
}

}  // namespace logquery::emit
