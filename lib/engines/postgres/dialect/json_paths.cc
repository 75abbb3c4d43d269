// Paths are lax: `[0]` of a value that is not an array is the value itself, and a missing value is no result instead of
// an error. `.type()` applies to an array as a whole, which distinguishes nested arrays from records.
#include "lib/engines/postgres/dialect/json_paths.h"

#include <cstdio>

#include "lib/base/strings.h"
#include "lib/engines/postgres/dialect/texts.h"

namespace logquery::emit {
namespace {

using base::StrAppend;
using base::StrCat;

// `."name"`
std::string Step(std::string_view name) {
  std::string text = ".\"";
  for (const char c : name) {
    if (c == '"' || c == '\\') {
      text += '\\';
      text += c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      char escape[8];
      std::snprintf(escape, sizeof(escape), "\\u%04x", static_cast<unsigned char>(c));
      text += escape;
    } else {
      text += c;
    }
  }
  return text + '"';
}

struct Path {
  std::string steps;       // from the base down to the record
  std::string conditions;  // that each record on the way is one, with && at its end where there are any
};

Path PathOf(const PostgresRecord& record) {
  Path path;
  for (const std::string& name : record.records) {
    path.steps += Step(name);
    StrAppend(&path.conditions, "@", path.steps, "[0].type() == \"object\" && !exists(@", path.steps, "[1]) && ");
    path.steps += "[0]";
  }
  return path;
}

// Returns the condition for a value that is exactly of the type: `"200"` is 200, and 2.5 is no integer. `at` is the
// value.
std::string FitsType(const std::string& at, const Type& type) {
  const auto is = [&](std::string_view json_type) { return StrCat(at, ".type() == \"", json_type, "\""); };
  const auto is_like = [&](std::string_view pattern) { return StrCat(at, " like_regex \"", pattern, "\""); };
  switch (type.kind()) {
    case TypeKind::kBool:
      return StrCat("(", is("boolean"), " || ", is("string"), " && ", is_like("^(true|false)$"), " flag \"i\")");
    case TypeKind::kInt64:
      // Numbers as text compare like their digits where these are as many.
      return StrCat("(", is("number"), " && ", at, " >= -9223372036854775808 && ", at, " <= 9223372036854775807 && ",
                    at, " == ", at, ".floor() || ", is("string"), " && (", is_like("^[+-]?[0-9]{1,18}$"), " || ",
                    is_like("^[0-9]{19}$"), " && ", at, " <= \"9223372036854775807\" || ", is_like("^-[0-9]{19}$"),
                    " && ", at, " <= \"-9223372036854775808\"))");
    case TypeKind::kString:
      return StrCat(at, ".type() != \"object\" && ", at, ".type() != \"array\"");
    default:
      return StrCat(at, ".type() != \"null\"");
  }
}

std::string QueryFirst(const std::string& base, const std::string& path) {
  return StrCat("jsonb_path_query_first(", base, ", ", PostgresQuoted(path), ")");
}

}  // namespace

std::string PostgresRecordSql(const PostgresRecord& record) {
  const Path path = PathOf(record);
  if (path.steps.empty()) return record.base;
  const std::string_view conditions(path.conditions.data(), path.conditions.size() - std::string_view(" && ").size());
  return QueryFirst(record.base, StrCat("$ ? (", conditions, ")", path.steps));
}

bool PostgresReadsField(const Type& type) {
  switch (type.kind()) {
    case TypeKind::kBool:
    case TypeKind::kInt64:
    case TypeKind::kString:
    case TypeKind::kFloat64:
    case TypeKind::kJson:
    case TypeKind::kArray:
    case TypeKind::kStruct:
      return true;
    default:
      return false;
  }
}

std::string PostgresFieldSql(const PostgresRecord& record, std::string_view name, const Type& type) {
  const Path path = PathOf(record);
  const std::string steps = path.steps + Step(name);
  const std::string value =
      QueryFirst(record.base, StrCat("$ ? (", path.conditions, FitsType("@" + steps, type), ")", steps));
  switch (type.kind()) {
    case TypeKind::kBool:
      return StrCat("((", value, " #>> '{}')::bool)");
    case TypeKind::kInt64:
      return StrCat("((", value, " #>> '{}')::numeric::int8)");
    case TypeKind::kString:
      return PostgresOrdered(type, StrCat("(", value, " #>> '{}')"));
    default:
      return value;
  }
}

std::string PostgresTopRecordSql(const std::string& column) {
  return StrCat("CASE jsonb_typeof(", column, ") WHEN 'object' THEN ", column,
                " WHEN 'array' THEN CASE WHEN jsonb_typeof(", column, " -> 0) = 'object' AND jsonb_array_length(",
                column, ") = 1 THEN ", column, " -> 0 END END");
}

}  // namespace logquery::emit
