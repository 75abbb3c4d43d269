// Each type has two names: the SQL name, and the one of BigQuery's first interface, which responses still use.
#include "lib/engines/bigquery/backend/wire_schema.h"

#include "lib/base/json/value.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"

namespace logquery::bigquery {
namespace {

using base::StrCat;

constexpr int kMaxDepth = 16;
constexpr size_t kMaxFields = 10'000;

absl::Status Wrong(std::string_view problem) {
  return absl::InvalidArgumentError(StrCat("a schema of BigQuery's ", problem));
}

std::string TextOf(const base::Json& field, const char* name) {
  const auto found = field.find(name);
  return found != field.end() && found->is_string() ? found->get<std::string>() : std::string();
}

absl::StatusOr<std::vector<WireField>> ParseFields(const base::Json& json, int depth) {
  if (depth > kMaxDepth) return Wrong("is nested too deep");
  if (!json.is_object()) return Wrong("is no object");
  const auto list = json.find("fields");
  std::vector<WireField> fields;
  if (list == json.end()) return fields;
  if (!list->is_array() || list->size() > kMaxFields) return Wrong("has no list of fields");
  for (const base::Json& each : *list) {
    if (!each.is_object()) return Wrong("has a field that is no object");
    WireField field;
    field.name = TextOf(each, "name");
    field.type = base::ToUpper(TextOf(each, "type"));
    const std::string mode = base::ToUpper(TextOf(each, "mode"));
    field.repeated = mode == "REPEATED";
    field.required = mode == "REQUIRED";
    field.collation = TextOf(each, "collation");
    if (field.name.empty() || field.type.empty()) return Wrong("has a field without a name or a type");
    if (field.type == "RECORD" || field.type == "STRUCT") {
      LOGQUERY_ASSIGN_OR_RETURN(field.fields, ParseFields(each, depth + 1));
    }
    fields.push_back(std::move(field));
  }
  return fields;
}

bool IsRecord(const WireField& field) { return field.type == "RECORD" || field.type == "STRUCT"; }

bool IsNamed(TypeKind kind, std::string_view name) {
  switch (kind) {
    case TypeKind::kInt64:
      return name == "INTEGER" || name == "INT64";
    case TypeKind::kFloat64:
      return name == "FLOAT" || name == "FLOAT64";
    case TypeKind::kBool:
      return name == "BOOLEAN" || name == "BOOL";
    case TypeKind::kArray:
    case TypeKind::kStruct:
    case TypeKind::kInterval:
      return false;
    default:
      return name == TypeKindName(kind);
  }
}

std::string Written(const WireField& field) { return StrCat(field.repeated ? "a REPEATED " : "", field.type); }

std::string WhyNotReadFields(const Schema& ours, const WireField& field, const std::string& path) {
  for (const Field& each : ours) {
    const std::string below = StrCat(path, ".", each.name);
    const int at = FindWireField(field.fields, each.name);
    if (at < 0) return StrCat("has no field ", below);
    if (std::string why = WhyNotRead(each.type, field.fields[static_cast<size_t>(at)], below); !why.empty()) return why;
  }
  return "";
}

}  // namespace

absl::StatusOr<std::vector<WireField>> ParseWireSchema(const base::Json& schema) { return ParseFields(schema, 0); }

int FindWireField(const std::vector<WireField>& fields, const std::string& name) {
  for (size_t i = 0; i < fields.size(); ++i) {
    if (base::EqualsIgnoreCase(fields[i].name, name)) return static_cast<int>(i);
  }
  return -1;
}

std::string WhyNotRead(const Type& type, const WireField& field, const std::string& path) {
  if (type.is_record()) {
    if (!field.repeated || !IsRecord(field)) {
      return StrCat("has ", path, " as ", Written(field), ", and a record is a REPEATED RECORD");
    }
    return WhyNotReadFields(type.fields(), field, path);
  }
  const Type& each = type.is_array() ? type.element() : type;
  if (field.repeated != type.is_array()) {
    return StrCat("has ", path, " as ", Written(field), ", and the schema as ", type.ToString());
  }
  if (each.is_struct()) {
    if (!IsRecord(field)) return StrCat("has ", path, " as ", Written(field), ", and the schema as ", type.ToString());
    return WhyNotReadFields(each.fields(), field, path);
  }
  if (!field.collation.empty()) {
    return StrCat(
        "has ", path, " with the collation ", field.collation,
        ", under which texts are equal that differ: another project's rows too; take the collation off the column");
  }
  if (IsNamed(each.kind(), field.type)) return "";
  return StrCat("has ", path, " as ", Written(field), ", and the schema as ", type.ToString());
}

}  // namespace logquery::bigquery
