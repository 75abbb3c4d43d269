// Both readers differ in the order of members only.
#include "lib/base/json/read.h"

#include "lib/base/json/tree_builder.h"

namespace logquery::base {
namespace {

// Deeper values could not be written, copied or compared, which recurse.
constexpr size_t kMaxReadDepth = 1'000;

template <typename Value>
std::optional<Value> TryRead(std::string_view text) {
  JsonTreeBuilder<Value> builder({.max_depth = kMaxReadDepth});
  if (ScanJson(text, &builder).has_value() || builder.overflow().has_value()) return std::nullopt;
  if (!builder.problem().empty()) return std::nullopt;
  return builder.TakeRoot();
}

}  // namespace

std::optional<Json> TryReadJson(std::string_view text) { return TryRead<Json>(text); }

std::optional<SortedJson> TryReadSortedJson(std::string_view text) { return TryRead<SortedJson>(text); }

}  // namespace logquery::base
