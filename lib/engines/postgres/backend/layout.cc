// Maps column by column, by declared type.
#include "lib/engines/postgres/backend/layout.h"

#include <optional>
#include <utility>

#include "lib/backend/json_reader.h"
#include "lib/engines/postgres/backend/parameters.h"
#include "lib/engines/postgres/dialect/json_paths.h"
#include "lib/engines/postgres/dialect/texts.h"

namespace logquery::postgres {
namespace {

using base::StrCat;

constexpr char kAlias[] = "x";

std::string ColumnSql(std::string_view column) { return StrCat(kAlias, ".", emit::PostgresIdentifier(column)); }

// SQL of a server's column as a value of the declared type; nullopt: it is of another one. `wanted` says which would do.
std::optional<std::string> TypedSql(const Type& type, uint32_t id, const std::string& sql, std::string_view* wanted) {
  const auto either = [&](bool as_is, bool cast, std::string_view type_name, std::string_view names) {
    *wanted = names;
    if (as_is) return std::optional<std::string>(sql);
    return cast ? std::optional<std::string>(StrCat("(", sql, ")::", type_name)) : std::nullopt;
  };
  if (type.is_record()) {
    *wanted = "jsonb";
    return id == kJsonbId ? std::optional<std::string>(StrCat("(", emit::PostgresTopRecordSql(sql), ")"))
                          : std::nullopt;
  }
  switch (type.kind()) {
    case TypeKind::kBool:
      return either(id == kBoolId, false, "", "boolean");
    case TypeKind::kInt64:
      return either(id == kInt8Id, id == kInt2Id || id == kInt4Id, "int8", "bigint, integer or smallint");
    case TypeKind::kFloat64:
      return either(id == kFloat8Id, id == kFloat4Id, "float8", "double precision or real");
    case TypeKind::kString:
      return either(id == kTextId, id == kVarcharId || id == kBpcharId || id == kUuidId || id == kNameId, "text",
                    "text, varchar, char or uuid");
    case TypeKind::kBytes:
      return either(id == kByteaId, false, "", "bytea");
    case TypeKind::kDate:
      return either(id == kDateId, false, "", "date");
    case TypeKind::kTimestamp:
      return either(id == kTimestamptzId || id == kTimestampId, false, "",
                    "timestamp with time zone, or without one in UTC");
    case TypeKind::kDatetime:
      return either(id == kTimestampId, false, "", "timestamp without time zone");
    case TypeKind::kArray:
    case TypeKind::kStruct:
    case TypeKind::kJson:
      return either(id == kJsonbId, false, "", "jsonb");
    default:
      *wanted = "none that is read";
      return std::nullopt;
  }
}

bool HasOwnColumn(const PostgresTable& mapping, const std::string& column) {
  if (mapping.layout == PostgresTable::Layout::kColumns) return true;
  return mapping.columns.contains(column) || column == "id" || column == "timestamp" || column == "event_message";
}

class Mapper {
 public:
  Mapper(const Table& declared, const PostgresTable& mapping, const ServerTable& server,
         std::vector<std::string>& problems)
      : declared_(declared), mapping_(mapping), server_(server), problems_(problems) {}

  Table Run() {
    Table made = declared_;
    made.hot_columns.clear();
    made.learned_columns.clear();
    if (!server_.exists) return Problem("is missing"), made;
    if (!server_.may_read) return Problem("may not be read by this role: GRANT SELECT on it"), made;
    std::string list;
    for (const Field& column : declared_.columns) {
      const std::string sql = HasOwnColumn(mapping_, column.name) ? OwnColumn(column, made) : BodyField(column);
      base::StrAppend(&list, list.empty() ? "" : ", ", sql, " AS ", emit::PostgresIdentifier(column.name));
    }
    for (const auto& [ours, theirs] : mapping_.columns) {
      if (!IsDeclared(ours)) Problem(StrCat("is given a column for ", ours, ", which the schema does not declare"));
    }
    made.storage_name = StrCat("(SELECT ", list, " FROM ", emit::PostgresIdentifier(mapping_.schema), ".",
                               emit::PostgresIdentifier(mapping_.table), " AS ", kAlias, ")");
    return made;
  }

 private:
  void Problem(std::string_view what) {
    problems_.push_back(
        StrCat("the server's table ", mapping_.schema, ".", mapping_.table, " for ", declared_.name, " ", what));
  }

  bool IsDeclared(const std::string& name) const {
    for (const Field& column : declared_.columns) {
      if (column.name == name) return true;
    }
    return false;
  }

  const ServerColumn* Find(const std::string& name) {
    const auto found = server_.columns.find(name);
    if (found != server_.columns.end()) return &found->second;
    Problem(StrCat("has no column ", name));
    return nullptr;
  }

  std::string OwnColumn(const Field& column, Table& made) {
    const auto renamed = mapping_.columns.find(column.name);
    const std::string& name = renamed == mapping_.columns.end() ? column.name : renamed->second;
    const ServerColumn* const found = Find(name);
    if (found == nullptr) return "NULL";
    if (!found->not_null && base::EqualsIgnoreCase(column.name, made.time_column)) made.time_column.clear();
    std::string_view wanted;
    std::optional<std::string> sql = TypedSql(column.type, found->type_id, ColumnSql(name), &wanted);
    if (sql.has_value() && IsRead(column)) return *std::move(sql);
    if (!sql.has_value()) {
      Problem(StrCat("has the column ", name, " of type ", found->type_name, "; the schema's ", column.name, " is ",
                     column.type.is_record() ? "a record" : column.type.ToString(), ", which is read from ", wanted));
    }
    return "NULL";
  }

  // Returns whether every part of the column can be read.
  bool IsRead(const Field& column) {
    if ((!column.type.is_array() && !column.type.is_struct()) || backend::ReadsFromJson(column.type)) return true;
    Problem(StrCat("has the jsonb column ", column.name,
                   ", whose schema has a field of a type that is not read from JSON: ",
                   "it may have STRING, INT64, BOOL, FLOAT64, TIMESTAMP and JSON"));
    return false;
  }

  std::string BodyField(const Field& column) {
    if (column.name == declared_.time_column) {
      Problem(StrCat("needs a column of its own for ", column.name, ", the time of rows; name it among its columns"));
      return "NULL";
    }
    const ServerColumn* const body = Find(mapping_.body);
    if (body == nullptr) return "NULL";
    if (body->type_id != kJsonbId) {
      Problem(StrCat("has the column ", mapping_.body, " of type ", body->type_name, "; it has to be jsonb"));
      return "NULL";
    }
    if (!IsRead(column)) return "NULL";
    emit::PostgresRecord record;
    record.base = ColumnSql(mapping_.body);
    if (column.type.is_record()) {
      record.records.push_back(column.name);
      return emit::PostgresRecordSql(record);
    }
    if (emit::PostgresReadsField(column.type)) return emit::PostgresFieldSql(record, column.name, column.type);
    Problem(StrCat("needs a column of its own for ", column.name, ", as ", column.type.ToString(),
                   " is not read from its body"));
    return "NULL";
  }

  const Table& declared_;
  const PostgresTable& mapping_;
  const ServerTable& server_;
  std::vector<std::string>& problems_;
};

}  // namespace

Table MapTable(const Table& declared, const PostgresTable& mapping, const ServerTable& server,
               std::vector<std::string>& problems) {
  return Mapper(declared, mapping, server, problems).Run();
}

}  // namespace logquery::postgres
