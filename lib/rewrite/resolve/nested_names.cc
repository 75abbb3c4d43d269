// Searches level by level, so that the first field of the name is nested least.
#include "lib/rewrite/resolve/nested_names.h"

#include "lib/base/strings.h"
#include "lib/sql/printer.h"

namespace logquery::rewrite {
namespace {

using base::StrCat;

// Records of logs are nested a few levels; types that a query makes may be nested deeper and wider.
constexpr size_t kMostLevels = 8;
constexpr size_t kMostRecords = 2'000;

// A record on the way, with how a query reads it.
struct Place {
  Type type;          // of the record: a STRUCT
  std::string path;   // "metadata.request", for people
  std::string joins;  // " LEFT JOIN UNNEST(metadata) AS r1 LEFT JOIN …"
  std::string read;   // the record: "r2", or "r1.request" of one that is not repeated
  size_t aliases = 0;
};

// The record that a value of this type is, or that its elements are, below `parent`.
bool MakePlace(const Place& parent, const std::string& name, const Type& type, OwnRecords& own, Place& made) {
  const Type& record = type.is_array() ? type.element() : type;
  if (!record.is_struct()) return false;
  const bool is_repeated = type.is_array() && !(type.is_record() && own.Has(record));
  const std::string quoted = sql::QuoteIdentifier(name);
  made = parent;
  made.type = record;
  made.path += StrCat(made.path.empty() ? "" : ".", quoted);
  made.read += StrCat(made.read.empty() ? "" : ".", quoted);
  if (is_repeated) {
    const std::string alias = StrCat("r", ++made.aliases);
    made.joins += StrCat(" LEFT JOIN UNNEST(", made.read, ") AS ", alias);
    made.read = alias;
  }
  return true;
}

}  // namespace

std::string NestedNameHint(const std::vector<VisibleName>& columns, std::string_view name, OwnRecords& own) {
  std::vector<Place> level;
  Place place;
  for (const VisibleName& column : columns) {
    if (MakePlace({}, column.name, column.type(), own, place)) level.push_back(place);
  }
  for (size_t depth = 0; depth < kMostLevels && level.size() <= kMostRecords; ++depth) {
    std::vector<Place> below;
    for (const Place& record : level) {
      const std::vector<Field>& fields = record.type.fields();
      for (const Field& field : fields) {
        if (base::EqualsIgnoreCase(field.name, name)) {
          const std::string quoted = sql::QuoteIdentifier(field.name);
          return StrCat("; ", record.path, ".", quoted, " is read", record.joins.empty() ? "" : " by", record.joins,
                        record.joins.empty() ? " as " : ", as ", record.read, ".", quoted);
        }
        if (below.size() <= kMostRecords && MakePlace(record, field.name, field.type, own, place))
          below.push_back(place);
      }
    }
    level = std::move(below);
  }
  return "";
}

}  // namespace logquery::rewrite
