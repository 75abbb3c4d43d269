// Maps column by column, by declared type; then the fields and records that have columns of their own.
#include "lib/engines/clickhouse/backend/layout.h"

#include <optional>
#include <utility>

#include "lib/engines/clickhouse/backend/row_reader.h"
#include "lib/engines/clickhouse/dialect/texts.h"

namespace logquery::clickhouse {
namespace {

using base::StrAppend;
using base::StrCat;
using Kind = WireType::Kind;

constexpr char kAlias[] = "x";

struct Wanted {
  std::optional<std::string> sql;  // nullopt: the column is of another type
  std::string_view types;          // that would do
};

// SQL of a server's column as a value of the declared type.
Wanted TypedSql(const Type& type, const WireType& wire, const std::string& sql) {
  const WireType& plain = wire.plain();
  const auto call = [&](bool fits, std::string_view function) {
    return fits ? std::optional<std::string>(StrCat(function, "(", sql, ")")) : std::nullopt;
  };
  const auto as_is = [&](bool fits) { return fits ? std::optional<std::string>(sql) : std::nullopt; };
  if (type.is_record() || type.is_struct() || type.is_array() || type.is(TypeKind::kJson)) {
    return {as_is(IsReadFrom(type, wire) && plain.kind != Kind::kFixedString), "String, JSON, Tuple, Map or Array"};
  }
  switch (type.kind()) {
    case TypeKind::kBool:
      return {as_is(plain.kind == Kind::kBool), "Bool"};
    case TypeKind::kInt64:
      if (plain.kind == Kind::kInt && plain.width == 8) return {sql, ""};
      return {call(plain.kind == Kind::kInt || (plain.kind == Kind::kUint && plain.width < 8), "toInt64"),
              "Int8 to Int64, or UInt8 to UInt32"};
    case TypeKind::kFloat64:
      if (plain.kind == Kind::kFloat && plain.width == 8) return {sql, ""};
      return {call(plain.kind == Kind::kFloat, "toFloat64"), "Float64 or Float32"};
    case TypeKind::kString:
      if (plain.kind == Kind::kString) return {sql, ""};
      if (plain.kind == Kind::kFixedString) return {call(true, "toStringCutToZero"), ""};
      return {call(plain.kind == Kind::kUuid || plain.kind == Kind::kEnum, "toString"),
              "String, FixedString, UUID or Enum"};
    case TypeKind::kBytes:
      return {as_is(plain.kind == Kind::kString), "String"};
    case TypeKind::kDate:
      if (plain.kind != Kind::kDate && plain.kind != Kind::kDate32) return {std::nullopt, "Date or Date32"};
      return {StrCat("toInt32(toDate32(", sql, "))"), ""};
    case TypeKind::kDatetime:
    case TypeKind::kTimestamp:
      if (plain.kind == Kind::kDateTime64 && plain.scale == 6) return {sql, ""};
      if (plain.kind != Kind::kDateTime && plain.kind != Kind::kDateTime64)
        return {std::nullopt, "DateTime64 or DateTime"};
      return {StrCat("toDateTime64(", sql, ", 6, 'UTC')"), ""};
    default:
      return {std::nullopt, "none that is read"};
  }
}

std::vector<std::string> Split(const std::string& path) {
  std::vector<std::string> names(1);
  for (const char c : path) {
    if (c == '.') {
      names.emplace_back();
    } else {
      names.back() += c;
    }
  }
  return names;
}

class Mapper {
 public:
  Mapper(const Table& declared, const ClickHouseTable& mapping, const ServerColumns& server,
         std::vector<std::string>& problems)
      : declared_(declared), mapping_(mapping), server_(server), problems_(problems) {}

  Table Run() {
    Table made = declared_;
    made.hot_columns.clear();
    made.learned_columns.clear();
    if (server_.empty()) return Problem("is missing, or may not be read by this user: GRANT SELECT on it"), made;
    for (const Field& column : declared_.columns) AddColumn(column, made);
    for (const auto& [ours, theirs] : mapping_.columns) {
      if (FindDeclared(ours) == nullptr)
        Problem(StrCat("is given a column for ", ours, ", which the schema does not declare"));
    }
    for (const auto& [path, column] : mapping_.fields) AddHot(path, column, HotColumn::Holds::kValue, made);
    for (const auto& [path, column] : mapping_.presence) AddHot(path, column, HotColumn::Holds::kPresence, made);
    made.storage_name = StrCat("(SELECT ", list_, " FROM ", emit::ClickHouseIdentifier(mapping_.database), ".",
                               emit::ClickHouseIdentifier(mapping_.table), " AS ", kAlias, ")");
    return made;
  }

 private:
  void Problem(std::string_view what) {
    problems_.push_back(
        StrCat("the server's table ", mapping_.database, ".", mapping_.table, " for ", declared_.name, " ", what));
  }

  void Add(const std::string& sql, std::string_view name) {
    StrAppend(&list_, list_.empty() ? "" : ", ", sql, " AS ", emit::ClickHouseIdentifier(name));
  }

  const Field* FindDeclared(const std::string& name) const {
    for (const Field& column : declared_.columns) {
      if (column.name == name) return &column;
    }
    return nullptr;
  }

  const WireType* Find(const std::string& name) {
    const auto found = server_.find(name);
    if (found != server_.end()) return &found->second;
    Problem(StrCat("has no column ", name));
    return nullptr;
  }

  // SQL of the server's column `name` for what is declared as `ours`; empty: there is a problem.
  std::string ServerColumn(const std::string& ours, const Type& type, const std::string& name) {
    const WireType* const wire = Find(name);
    if (wire == nullptr) return "";
    Wanted wanted = TypedSql(type, *wire, StrCat(kAlias, ".", emit::ClickHouseIdentifier(name)));
    if (wanted.sql.has_value()) return *std::move(wanted.sql);
    Problem(StrCat("has the column ", name, " of type ", wire->text, "; the schema's ", ours, " is ",
                   type.is_record() ? "a record" : type.ToString(), ", which is read from ", wanted.types));
    return "";
  }

  void AddColumn(const Field& column, Table& made) {
    const auto renamed = mapping_.columns.find(column.name);
    const std::string& name = renamed == mapping_.columns.end() ? column.name : renamed->second;
    Add(ServerColumn(column.name, column.type, name), column.name);
    const auto found = server_.find(name);
    const bool is_time = base::EqualsIgnoreCase(column.name, made.time_column);
    if (is_time && found != server_.end() && found->second.is_nullable()) made.time_column.clear();
  }

  // The type at the path; nullptr: there is none.
  const Type* TypeAt(const std::vector<std::string>& path) const {
    const Field* field = FindDeclared(path[0]);
    for (size_t i = 1; field != nullptr && i < path.size(); ++i) {
      const Field* below = nullptr;
      if (field->type.is_record()) {
        for (const Field& each : field->type.fields()) below = each.name == path[i] ? &each : below;
      }
      field = below;
    }
    return field == nullptr ? nullptr : &field->type;
  }

  void AddHot(const std::string& path, const std::string& column, HotColumn::Holds holds, Table& made) {
    const bool is_presence = holds == HotColumn::Holds::kPresence;
    HotColumn hot{Split(path), StrCat(path, is_presence ? " is there" : ""), holds};
    const Type* const type = TypeAt(hot.path);
    if (type == nullptr || type->is_record() != is_presence || (!is_presence && hot.path.size() < 2)) {
      return Problem(StrCat("is given a column for ", path, ", which the schema does not declare as a ",
                            is_presence ? "record" : "field of a record"));
    }
    std::string sql = ServerColumn(path, is_presence ? Type::Bool() : *type, column);
    if (sql.empty()) return;
    if (is_presence) sql = StrCat("ifNull(", sql, ", false)");
    Add(sql, hot.column);
    made.hot_columns.push_back(std::move(hot));
  }

  const Table& declared_;
  const ClickHouseTable& mapping_;
  const ServerColumns& server_;
  std::vector<std::string>& problems_;
  std::string list_;
};

}  // namespace

Table MapTable(const Table& declared, const ClickHouseTable& mapping, const ServerColumns& server,
               std::vector<std::string>& problems) {
  return Mapper(declared, mapping, server, problems).Run();
}

}  // namespace logquery::clickhouse
