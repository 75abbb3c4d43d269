// Chooses the names of tables and columns in a remote engine.
#include "lib/emit/schema_script.h"

#include <set>
#include <utility>

#include "absl/strings/ascii.h"
#include "lib/base/strings.h"

namespace logquery::emit {
namespace {

std::string Plain(std::string_view name) {
  std::string plain;
  for (const unsigned char c : name) plain += absl::ascii_isalnum(c) ? static_cast<char>(absl::ascii_tolower(c)) : '_';
  return plain;
}

std::string NameOf(const model::FieldPath& path, size_t first, HotColumn::Holds holds) {
  const std::vector<std::string> below(path.begin() + static_cast<std::ptrdiff_t>(first), path.end());
  return base::StrCat(holds == HotColumn::Holds::kPresence ? "has_" : "", Plain(base::Join(below, "_")));
}

}  // namespace

std::string ScriptTableName(const Table& table) { return Plain(table.log.empty() ? table.name : table.log); }

std::vector<HotColumn> ScriptHotColumns(const Table& table, const model::HotDeclaration& hot) {
  std::set<std::string> taken;
  for (const Field& column : table.columns) taken.insert(Plain(column.name));
  std::vector<HotColumn> columns;
  const auto add = [&](const model::FieldPath& path, HotColumn::Holds holds) {
    // The name leaves out the record that contains all of a log's fields, unless that name is taken.
    std::string name = NameOf(path, path.size() > 1 ? 1 : 0, holds);
    if (taken.contains(name)) name = NameOf(path, 0, holds);
    if (!taken.insert(name).second) return;
    columns.push_back({path, std::move(name), holds});
  };
  for (const model::FieldPath& path : hot.values) add(path, HotColumn::Holds::kValue);
  for (const model::FieldPath& path : hot.presence) add(path, HotColumn::Holds::kPresence);
  return columns;
}

}  // namespace logquery::emit
