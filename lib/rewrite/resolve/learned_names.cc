// Compares each table's fields with the paths that it has learned. Only errors ask, so nothing is kept.
#include "lib/rewrite/resolve/learned_names.h"

#include <algorithm>

#include "lib/base/strings.h"

namespace logquery::rewrite {
namespace {

using Path = std::vector<std::string>;

bool IsAt(const Path& path, const HotColumn& learned) {
  return std::equal(path.begin(), path.end(), learned.path.begin(), learned.path.end(),
                    [](const std::string& a, const std::string& b) { return base::EqualsIgnoreCase(a, b); });
}

// Returns whether the table declares a field of this name: one that is not learned, or a record with such a field.
bool Declares(const Table& table, const std::vector<Field>& fields, Path& path, std::string_view name) {
  bool declares = false;
  for (const Field& field : fields) {
    path.push_back(field.name);
    if (field.type.is_record()) {
      declares = declares || Declares(table, field.type.fields(), path, name);
    } else if (std::none_of(table.learned_columns.begin(), table.learned_columns.end(),
                            [&](const HotColumn& learned) { return IsAt(path, learned); })) {
      declares = declares || std::any_of(path.begin(), path.end(),
                                         [&](const std::string& part) { return base::EqualsIgnoreCase(part, name); });
    }
    path.pop_back();
  }
  return declares;
}

bool Teaches(const Table& table, std::string_view name) {
  return std::any_of(table.learned_columns.begin(), table.learned_columns.end(), [&](const HotColumn& learned) {
    return std::any_of(learned.path.begin(), learned.path.end(),
                       [&](const std::string& part) { return base::EqualsIgnoreCase(part, name); });
  });
}

}  // namespace

bool IsLearnedName(std::string_view name, const Catalog* catalog) {
  if (catalog == nullptr) return false;
  const std::vector<Table>& tables = catalog->tables();
  if (std::none_of(tables.begin(), tables.end(), [&](const Table& table) { return Teaches(table, name); }))
    return false;
  return std::none_of(tables.begin(), tables.end(), [&](const Table& table) {
    Path path;
    return Declares(table, table.columns, path, name);
  });
}

std::vector<std::string> WithoutLearnedNames(std::vector<std::string> names, const Catalog* catalog) {
  names.erase(std::remove_if(names.begin(), names.end(),
                             [catalog](const std::string& name) { return IsLearnedName(name, catalog); }),
              names.end());
  return names;
}

}  // namespace logquery::rewrite
