#include "lib/backend/duckdb/engine_types.h"

#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/model/decimal_text.h"

namespace logquery::duckdb {
namespace {

// The API's type for one without parts; of a decimal only the id.
duckdb_type TypeId(const Type& type) {
  switch (type.kind()) {
    case TypeKind::kBool:
      return DUCKDB_TYPE_BOOLEAN;
    case TypeKind::kInt64:
      return DUCKDB_TYPE_BIGINT;
    case TypeKind::kFloat64:
      return DUCKDB_TYPE_DOUBLE;
    case TypeKind::kNumeric:
    case TypeKind::kBigNumeric:
      return DUCKDB_TYPE_DECIMAL;
    case TypeKind::kString:
    case TypeKind::kJson:
      return DUCKDB_TYPE_VARCHAR;
    case TypeKind::kBytes:
      return DUCKDB_TYPE_BLOB;
    case TypeKind::kDate:
      return DUCKDB_TYPE_DATE;
    case TypeKind::kTime:
      return DUCKDB_TYPE_TIME;
    case TypeKind::kDatetime:
    case TypeKind::kTimestamp:
      return DUCKDB_TYPE_TIMESTAMP;
    case TypeKind::kInterval:
      return DUCKDB_TYPE_INTERVAL;
    case TypeKind::kArray:
      return type.is_record() ? DUCKDB_TYPE_STRUCT : DUCKDB_TYPE_LIST;
    case TypeKind::kStruct:
      return DUCKDB_TYPE_STRUCT;
  }
  return DUCKDB_TYPE_INVALID;
}

const char* ScalarSqlType(TypeKind kind) {
  switch (kind) {
    case TypeKind::kBool:
      return "BOOLEAN";
    case TypeKind::kInt64:
      return "BIGINT";
    case TypeKind::kFloat64:
      return "DOUBLE";
    case TypeKind::kNumeric:
      return "DECIMAL(38,9)";
    case TypeKind::kBigNumeric:
      return "DECIMAL(38,18)";
    case TypeKind::kString:
      return "VARCHAR";
    case TypeKind::kBytes:
      return "BLOB";
    case TypeKind::kDate:
      return "DATE";
    case TypeKind::kTime:
      return "TIME";
    case TypeKind::kDatetime:
    case TypeKind::kTimestamp:
      return "TIMESTAMP";
    case TypeKind::kInterval:
      return "INTERVAL";
    case TypeKind::kJson:
      return "JSON";
    case TypeKind::kArray:
    case TypeKind::kStruct:
      break;
  }
  return "";
}
static_assert(kBigNumericScale == 18 && model::kNumericScale == 9, "as ScalarSqlType spells them");

std::string Quote(std::string_view text, char quote) {
  std::string quoted(1, quote);
  for (const char c : text) {
    if (c == quote) quoted += quote;
    quoted += c;
  }
  return quoted + quote;
}

TypeHandle StructType(const std::vector<Field>& fields) {
  const std::vector<std::string> names = StorageFieldNames(fields);
  std::vector<TypeHandle> owned;
  std::vector<duckdb_logical_type> types;
  std::vector<const char*> name_pointers;
  for (size_t i = 0; i < fields.size(); ++i) {
    owned.push_back(LogicalType(fields[i].type));
    types.push_back(owned.back().get());
    name_pointers.push_back(names[i].c_str());
  }
  return TypeHandle(duckdb_create_struct_type(types.data(), name_pointers.data(), types.size()));
}

absl::Status CheckStructLayout(const std::vector<Field>& fields, duckdb_logical_type actual, std::string_view place) {
  if (duckdb_struct_type_child_count(actual) != fields.size()) {
    return absl::InternalError(base::StrCat("column ", place, " should have ", fields.size(), " fields, has ",
                                            duckdb_struct_type_child_count(actual)));
  }
  for (size_t i = 0; i < fields.size(); ++i) {
    const TypeHandle child(duckdb_struct_type_child_type(actual, i));
    LOGQUERY_RETURN_IF_ERROR(CheckLayout(fields[i].type, child.get(), base::StrCat(place, ".", fields[i].name)));
  }
  return absl::OkStatus();
}

}  // namespace

std::string QuoteName(std::string_view name) { return Quote(name, '"'); }
std::string QuoteText(std::string_view text) { return Quote(text, '\''); }

std::vector<std::string> StorageFieldNames(const std::vector<Field>& fields) {
  base::NameSet taken;
  std::vector<std::string> names;
  for (size_t i = 0; i < fields.size(); ++i) {
    std::string name = fields[i].name;
    if (name.empty() || taken.contains(name)) name = base::StrCat("_", i + 1);
    taken.insert(name);
    names.push_back(std::move(name));
  }
  return names;
}

std::string SqlType(const Type& type) {
  if (type.is_array() && !type.is_record()) return SqlType(type.element()) + "[]";
  if (!type.is_record() && !type.is_struct()) return ScalarSqlType(type.kind());
  const std::vector<std::string> names = StorageFieldNames(type.fields());
  std::string sql = "STRUCT(";
  for (size_t i = 0; i < names.size(); ++i) {
    base::StrAppend(&sql, i == 0 ? "" : ", ", QuoteName(names[i]), " ", SqlType(type.fields()[i].type));
  }
  return sql + ")";
}

TypeHandle LogicalType(const Type& type) {
  if (type.is_record() || type.is_struct()) return StructType(type.fields());
  if (type.is_array()) return TypeHandle(duckdb_create_list_type(LogicalType(type.element()).get()));
  if (type.is(TypeKind::kNumeric)) return TypeHandle(duckdb_create_decimal_type(38, model::kNumericScale));
  if (type.is(TypeKind::kBigNumeric)) return TypeHandle(duckdb_create_decimal_type(38, kBigNumericScale));
  return TypeHandle(duckdb_create_logical_type(TypeId(type)));
}

absl::Status CheckLayout(const Type& type, duckdb_logical_type actual, std::string_view place) {
  const duckdb_type id = duckdb_get_type_id(actual);
  if (id != TypeId(type)) {
    return absl::InternalError(base::StrCat("column ", place, " should be ", TypeKindName(type.kind()),
                                            ", DuckDB's type ", static_cast<int>(TypeId(type)),
                                            ", but the engine gives its type ", static_cast<int>(id)));
  }
  if (type.is(TypeKind::kNumeric) && duckdb_decimal_scale(actual) != model::kNumericScale) {
    return absl::InternalError(base::StrCat("column ", place, " should be NUMERIC with ", model::kNumericScale,
                                            " digits after the point, has ", int{duckdb_decimal_scale(actual)}));
  }
  if (id == DUCKDB_TYPE_STRUCT) return CheckStructLayout(type.fields(), actual, place);
  if (id == DUCKDB_TYPE_LIST) {
    const TypeHandle child(duckdb_list_type_child_type(actual));
    return CheckLayout(type.element(), child.get(), base::StrCat(place, "[]"));
  }
  return absl::OkStatus();
}

}  // namespace logquery::duckdb
