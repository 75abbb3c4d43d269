// Reads the schema file, with the place of what is wrong in it.
#include "lib/model/schema_file.h"

#include <cstdio>
#include <cstdlib>
#include <utility>

#include "absl/strings/str_split.h"
#include "lib/base/embedded.h"
#include "lib/base/json.h"
#include "lib/base/limits.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "nlohmann/json.hpp"

namespace logquery::model {
namespace {

using Json = nlohmann::ordered_json;

constexpr TypeKind kScalarKinds[] = {
    TypeKind::kBool,       TypeKind::kInt64,    TypeKind::kFloat64, TypeKind::kNumeric,
    TypeKind::kBigNumeric, TypeKind::kString,   TypeKind::kBytes,   TypeKind::kDate,
    TypeKind::kTime,       TypeKind::kDatetime, TypeKind::kJson,    TypeKind::kTimestamp,
};

// Reads one file. `place` in its functions is where in the file a value stands: "postgres.logs.columns.metadata".
class Reader {
 public:
  explicit Reader(std::string_view source) : source_(source) {}

  absl::StatusOr<SchemaFile> Read(const Json& json) const {
    if (!json.is_object() || json.empty()) return Error("", "wants an object of tables");
    SchemaFile file;
    for (const auto& [name, declared] : json.items()) {
      LOGQUERY_ASSIGN_OR_RETURN(Table table, ReadTable(name, declared));
      LOGQUERY_ASSIGN_OR_RETURN(HotDeclaration hot, ReadHot(table, declared));
      file.tables.push_back(std::move(table));
      file.hot.push_back(std::move(hot));
    }
    return file;
  }

 private:
  absl::Status Error(std::string_view place, std::string_view problem) const {
    return absl::InvalidArgumentError(base::StrCat(source_, ": ", place, place.empty() ? "" : " ", problem));
  }

  absl::StatusOr<Table> ReadTable(const std::string& name, const Json& declared) const {
    if (!declared.is_object()) return Error(name, "wants an object with \"columns\"");
    for (const auto& item : declared.items()) {
      const std::string& key = item.key();
      if (key != "log" && key != "project" && key != "time" && key != "hot" && key != "columns") {
        return Error(name, base::StrCat("has an unknown key \"", key, "\"; known: log, project, time, hot, columns"));
      }
    }
    Table table;
    table.name = name;
    LOGQUERY_ASSIGN_OR_RETURN(table.log, ReadText(name, declared, "log"));
    LOGQUERY_ASSIGN_OR_RETURN(table.time_column, ReadText(name, declared, "time"));
    table.has_row_places = !table.time_column.empty();
    const std::string place = name + ".columns";
    if (!declared.contains("columns")) return Error(place, "is missing");
    if (!declared["columns"].is_object()) return Error(place, "wants an object of fields");
    LOGQUERY_ASSIGN_OR_RETURN(table.columns, ReadFields(place, declared["columns"], 0));
    LOGQUERY_RETURN_IF_ERROR(CheckTime(table));
    LOGQUERY_ASSIGN_OR_RETURN(table.project_path, ReadProject(table, declared));
    return table;
  }

  absl::StatusOr<std::string> ReadText(std::string_view table, const Json& declared, const char* key) const {
    if (!declared.contains(key)) return std::string();
    if (!declared[key].is_string()) return Error(base::StrCat(table, ".", key), "wants a string");
    return declared[key].get<std::string>();
  }

  absl::Status CheckTime(const Table& table) const {
    if (table.time_column.empty()) return absl::OkStatus();
    const Type* type = FieldType(table.columns, {table.time_column});
    if (type != nullptr && type->is(TypeKind::kTimestamp)) return absl::OkStatus();
    return Error(table.name + ".time", base::StrCat("names \"", table.time_column, "\", which is no TIMESTAMP column"));
  }

  absl::StatusOr<FieldPath> ReadProject(const Table& table, const Json& declared) const {
    if (!declared.contains("project")) return FieldPath();
    const std::string place = table.name + ".project";
    const Json& json = declared["project"];
    if (!json.is_array() || json.empty()) return Error(place, "wants an array of names, from a column down");
    FieldPath path;
    for (const Json& name : json) {
      if (!name.is_string()) return Error(place, "wants an array of names, from a column down");
      path.push_back(name.get<std::string>());
    }
    const Type* type = FieldType(table.columns, path);
    if (type != nullptr && type->is(TypeKind::kString)) return path;
    return Error(place, base::StrCat("names ", base::Join(path, "."), ", which is no STRING field"));
  }

  absl::StatusOr<HotDeclaration> ReadHot(const Table& table, const Json& declared) const {
    HotDeclaration hot;
    hot.table = table.name;
    if (!declared.contains("hot")) return hot;
    const Json& json = declared["hot"];
    const std::string place = table.name + ".hot";
    if (!json.is_object()) return Error(place, "wants an object with \"values\" and \"presence\"");
    for (const auto& [key, list] : json.items()) {
      if (key != "values" && key != "presence") {
        return Error(place, base::StrCat("has an unknown key \"", key, "\"; known: values, presence"));
      }
      LOGQUERY_RETURN_IF_ERROR(ReadHotPaths(table, base::StrCat(place, ".", key), list, key == "presence", hot));
    }
    return hot;
  }

  absl::Status ReadHotPaths(const Table& table, const std::string& place, const Json& list, bool records,
                            HotDeclaration& hot) const {
    if (!list.is_array()) return Error(place, "wants an array of dotted paths");
    for (const Json& entry : list) {
      if (!entry.is_string()) return Error(place, "wants an array of dotted paths");
      const std::string text = entry.get<std::string>();
      FieldPath path = absl::StrSplit(text, '.');
      const Type* type = FieldType(table.columns, path);
      if (type == nullptr || type->is_record() != records) {
        return Error(place, base::StrCat("names ", text, ", which is no ", records ? "record" : "field with a value"));
      }
      (records ? hot.presence : hot.values).push_back(std::move(path));
    }
    return absl::OkStatus();
  }

  absl::StatusOr<std::vector<Field>> ReadFields(const std::string& place, const Json& json, int depth) const {
    if (json.empty()) return Error(place, "declares no fields");
    std::vector<Field> fields;
    base::NameSet names;
    for (const auto& [name, declared] : json.items()) {
      const std::string field_place = base::StrCat(place, ".", name);
      if (name.empty()) return Error(place, "has a field without a name");
      if (!names.insert(name).second) return Error(field_place, "stands twice, but for letter case");
      LOGQUERY_ASSIGN_OR_RETURN(Type type, ReadType(field_place, declared, depth + 1));
      fields.push_back({name, std::move(type)});
    }
    return fields;
  }

  absl::StatusOr<Type> ReadType(const std::string& place, const Json& json, int depth) const {
    if (depth > base::kMaxNesting) return Error(place, base::StrCat("is nested deeper than ", base::kMaxNesting));
    if (json.is_object()) {
      LOGQUERY_ASSIGN_OR_RETURN(std::vector<Field> fields, ReadFields(place, json, depth));
      return Type::Record(std::move(fields));
    }
    if (json.is_array()) {
      if (json.size() != 1 || json[0].is_array()) return Error(place, "wants one element type, such as [\"STRING\"]");
      LOGQUERY_ASSIGN_OR_RETURN(Type element, ReadType(place, json[0], depth + 1));
      if (element.is_record()) element = Type(element.element());
      return Type::Array(std::move(element));
    }
    const std::string name = json.is_string() ? json.get<std::string>() : json.dump();
    for (const TypeKind kind : kScalarKinds) {
      if (json.is_string() && base::EqualsIgnoreCase(TypeKindName(kind), name)) return Type(kind);
    }
    return Error(place,
                 base::StrCat("has an unknown type ", json.is_string() ? Json(name).dump() : name,
                              "; wanted a type such as \"STRING\" or \"INT64\", an object of fields, or [type]"));
  }

  std::string_view source_;
};

// Everything that makes a table another one, in an order, each part ended by a byte that no name has.
std::string Description(const Table& table) {
  std::string text = base::StrCat(table.name, "\n", table.storage_name, "\n", table.log, "\n", table.time_column, "\n",
                                  base::Join(table.project_path, "\t"), "\n");
  for (const Field& column : table.columns) {
    // The text of a type hides what is a record.
    base::StrAppend(&text, column.name, "\t", column.type.is_record() ? "record " : "", column.type.ToString(), "\n");
  }
  for (const std::vector<HotColumn>* columns : {&table.hot_columns, &table.learned_columns}) {
    for (const HotColumn& hot : *columns) {
      base::StrAppend(&text, base::Join(hot.path, "\t"), "\n", hot.column, static_cast<int>(hot.holds), "\n");
    }
    text += '\v';
  }
  return text + "\f";
}

}  // namespace

absl::StatusOr<SchemaFile> ParseSchemaFile(std::string_view source, std::string_view json) {
  LOGQUERY_ASSIGN_OR_RETURN(const Json parsed, base::ParseJson(source, json));
  return Reader(source).Read(parsed);
}

const SchemaFile& BuiltInSchema() {
  static const SchemaFile* const schema = [] {
    auto parsed = ParseSchemaFile("log_schema.json", base::EmbeddedFile("log_schema.json"));
    if (!parsed.ok()) {
      // Only a build with a broken file gets here; its tests do first.
      std::fprintf(stderr, "%s\n", parsed.status().ToString().c_str());
      std::abort();
    }
    return new SchemaFile(*std::move(parsed));
  }();
  return *schema;
}

const Type* FieldType(const Schema& columns, const FieldPath& path) {
  const std::vector<Field>* fields = &columns;
  const Type* type = nullptr;
  for (const std::string& name : path) {
    if (type != nullptr && !type->is_record()) return nullptr;
    type = nullptr;
    for (const Field& field : *fields) {
      if (base::EqualsIgnoreCase(field.name, name)) type = &field.type;
    }
    if (type == nullptr) return nullptr;
    fields = &type->fields();
  }
  return type;
}

// FNV-1a of 64 bits: the same on every machine and in every version of the compiler.
uint64_t Fingerprint(const std::vector<Table>& tables) {
  uint64_t hash = 0xcbf29ce484222325u;
  for (const Table& table : tables) {
    for (const unsigned char c : Description(table)) hash = (hash ^ c) * 0x100000001b3u;
  }
  return hash;
}

}  // namespace logquery::model
