// Builds the C API's type objects recursively, and compares them with the layouts that batches require.
#include "lib/engines/duckdb/backend/engine_types.h"

#include "lib/base/readable_text.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/engines/duckdb/dialect/types.h"
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
      return DUCKDB_TYPE_DECIMAL;
    case TypeKind::kString:
    case TypeKind::kJson:
      return DUCKDB_TYPE_VARCHAR;
    case TypeKind::kBigNumeric:
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

static_assert(model::kNumericScale == 9, "as emit::DuckDbType spells it");

TypeHandle StructType(const std::vector<Field>& fields, bool named_json) {
  const std::vector<std::string> names = emit::DuckDbFieldNames(fields);
  std::vector<TypeHandle> owned;
  std::vector<duckdb_logical_type> types;
  std::vector<const char*> name_pointers;
  for (size_t i = 0; i < fields.size(); ++i) {
    owned.push_back(LogicalType(fields[i].type, named_json));
    types.push_back(owned.back().get());
    name_pointers.push_back(names[i].c_str());
  }
  return TypeHandle(duckdb_create_struct_type(types.data(), name_pointers.data(), types.size()));
}

absl::Status CheckStructLayout(const std::vector<Field>& fields, duckdb_logical_type actual, std::string_view place) {
  if (duckdb_struct_type_child_count(actual) != fields.size()) {
    return absl::InternalError(base::StrCat("column ", place, " should have ", base::Counted(fields.size(), "field"),
                                            ", has ", duckdb_struct_type_child_count(actual)));
  }
  for (size_t i = 0; i < fields.size(); ++i) {
    const TypeHandle child(duckdb_struct_type_child_type(actual, i));
    LOGQUERY_RETURN_IF_ERROR(CheckLayout(fields[i].type, child.get(), base::StrCat(place, ".", fields[i].name)));
  }
  return absl::OkStatus();
}

}  // namespace

std::string QuoteName(std::string_view name) { return emit::DuckDbIdentifier(name); }

std::string QuoteText(std::string_view text) { return emit::DuckDbQuoted(text); }

TypeHandle LogicalType(const Type& type, bool named_json) {
  if (type.is_record() || type.is_struct()) return StructType(type.fields(), named_json);
  if (type.is_array()) return TypeHandle(duckdb_create_list_type(LogicalType(type.element(), named_json).get()));
  if (type.is(TypeKind::kNumeric)) return TypeHandle(duckdb_create_decimal_type(38, model::kNumericScale));
  TypeHandle handle(duckdb_create_logical_type(TypeId(type)));
  if (named_json && type.is(TypeKind::kJson)) duckdb_logical_type_set_alias(handle.get(), "JSON");
  return handle;
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
