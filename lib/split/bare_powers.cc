// Lists what is left; the source's own powers decide about types and values.
#include "lib/split/bare_powers.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace logquery::split {
namespace {

constexpr char kReason[] = "the engine failed to compute more than a scan";

bool IsComparison(const rewrite::FunctionCall& call) {
  // $element and $present read a record's field.
  constexpr std::array<std::string_view, 8> kNames = {
      "$equal", "$less", "$less_or_equal", "$greater", "$greater_or_equal", "$between", "$element", "$present"};
  return std::find(kNames.begin(), kNames.end(), std::string_view(call.overload->row->name)) != kNames.end();
}

}  // namespace

// Filters are asked by their conjuncts.
std::optional<std::string> BarePowers::WhyNot(const rewrite::Plan&) const { return kReason; }

std::optional<std::string> BarePowers::WhyNot(const rewrite::Scalar& scalar) const {
  switch (scalar.kind) {
    case rewrite::ScalarKind::kColumn:
    case rewrite::ScalarKind::kConstant:
    case rewrite::ScalarKind::kParameter:
    case rewrite::ScalarKind::kField:
      return powers_.WhyNot(scalar);
    case rewrite::ScalarKind::kCall:
      if (IsComparison(rewrite::As<rewrite::FunctionCall>(scalar))) return powers_.WhyNot(scalar);
      return kReason;
    default:
      return kReason;
  }
}

std::optional<std::string> BarePowers::WhyNot(const rewrite::AggregateCall&) const { return kReason; }

}  // namespace logquery::split
