// Looks names up, from the innermost scope outwards.
#include "lib/rewrite/resolve/scope.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "lib/base/strings.h"

namespace logquery::rewrite {

Scope::Found Scope::FindHere(std::string_view name) const {
  Found found;
  for (const RangeVariable& range : ranges) {
    if (!base::EqualsIgnoreCase(range.name, name)) continue;
    found.ambiguous = found.range != nullptr;
    found.range = &range;
  }
  if (found) return found;
  for (const VisibleName& column : columns) {
    if (!base::EqualsIgnoreCase(column.name, name)) continue;
    found.ambiguous = found.ambiguous || found.column != nullptr;
    found.column = &column;
  }
  return found;
}

Scope::Found Scope::Find(std::string_view name) const {
  for (const Scope* scope = this; scope != nullptr; scope = scope->outer_) {
    if (Found found = scope->FindHere(name)) {
      found.outer = scope != this;
      return found;
    }
  }
  return {};
}

std::vector<std::string> Scope::RangesWith(std::string_view name) const {
  const Scope* scope = this;
  while (scope != nullptr && !scope->FindHere(name)) scope = scope->outer_;
  std::vector<std::string> found;
  if (scope == nullptr) return found;
  const auto has_name = [name](const VisibleName& column) { return base::EqualsIgnoreCase(column.name, name); };
  for (const RangeVariable& range : scope->ranges) {
    const std::vector<VisibleName> own = range.value ? NamesOfValue(*range.value, range.name) : range.columns;
    if (std::any_of(own.begin(), own.end(), has_name)) found.push_back(range.name);
  }
  return found;
}

void Scope::Append(Scope other) {
  const auto add = [](auto& names, auto& more) {
    if (names.empty()) {
      names = std::move(more);
    } else {
      names.insert(names.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
    }
  };
  add(columns, other.columns);
  add(ranges, other.ranges);
}

std::vector<std::string> Scope::Names() const {
  base::NameSet seen;
  std::vector<std::string> names;
  for (const Scope* scope = this; scope != nullptr; scope = scope->outer_) {
    for (const VisibleName& column : scope->columns) {
      if (!column.name.empty() && seen.insert(column.name).second) names.push_back(column.name);
    }
    for (const RangeVariable& range : scope->ranges) {
      if (!range.name.empty() && seen.insert(range.name).second) names.push_back(range.name);
    }
  }
  return names;
}

std::vector<VisibleName> NamesOfValue(const PlanColumn& value, const std::string& name) {
  if (!value.type.is_struct()) return {{name, value}};
  std::vector<VisibleName> names;
  names.reserve(value.type.fields().size());
  for (size_t i = 0; i < value.type.fields().size(); ++i) {
    names.push_back({value.type.fields()[i].name, value, static_cast<int>(i)});
  }
  return names;
}

}  // namespace logquery::rewrite
