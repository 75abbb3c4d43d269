// Parses a schema file table by table. A problem ends the parsing of its own field only.
#include "lib/model/schema_reader.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/str_split.h"
#include "lib/base/json/value.h"
#include "lib/base/json_fields.h"
#include "lib/base/limits.h"
#include "lib/base/nearest_names.h"
#include "lib/base/strings.h"

namespace logquery::model {
namespace {

using base::Json;
using base::StrCat;

constexpr TypeKind kScalarKinds[] = {
    TypeKind::kBool,       TypeKind::kInt64,    TypeKind::kFloat64, TypeKind::kNumeric,
    TypeKind::kBigNumeric, TypeKind::kString,   TypeKind::kBytes,   TypeKind::kDate,
    TypeKind::kTime,       TypeKind::kDatetime, TypeKind::kJson,    TypeKind::kTimestamp,
};

constexpr int64_t kMostDays = 36'500;
constexpr int64_t kMostMegabytes = 1'000'000'000;

std::vector<std::string> ScalarNames() {
  std::vector<std::string> names;
  for (const TypeKind kind : kScalarKinds) names.emplace_back(TypeKindName(kind));
  return names;
}

// Reads one table. In its functions `place` is where a value stands in the file: "postgres.logs.columns.metadata".
class TableReader {
 public:
  TableReader(const std::string& name, const Json& declared, const Json& file, base::JsonProblems& problems)
      : name_(name), declared_(declared), file_(file), problems_(problems) {}

  void Read(SchemaFile& to) {
    table_.name = name_;
    hot_.table = name_;
    if (declared_.is_object()) {
      ReadKeys();
    } else {
      Fail(file_, name_, name_, "wants an object with \"columns\"");
    }
    to.tables.push_back(std::move(table_));
    to.hot.push_back(std::move(hot_));
    to.logs.push_back(std::move(log_));
  }

  // "fields" alone.
  void ReadFurther(SchemaFile& to) {
    RefuseOthers(declared_, name_, {"fields"});
    const Json& fields = declared_.at("fields");
    const std::string place = name_ + ".fields";
    if (!fields.is_object()) return Fail(declared_, "fields", place, "wants an object of fields");
    to.further.push_back({name_, ReadFields(declared_, "fields", place, fields, 0)});
  }

 private:
  void ReadKeys() {
    RefuseOthers(declared_, name_, {"log", "project", "time", "id", "message", "hot", "retention", "columns"});
    table_.log = Text("log", "");
    table_.time_column = Text("time", "");
    table_.has_row_places = !table_.time_column.empty();
    log_.id_column = Text("id", log_.id_column);
    log_.message_column = Text("message", log_.message_column);
    ReadRetention();
    const std::string place = name_ + ".columns";
    const auto columns = declared_.find("columns");
    if (columns == declared_.end()) return Fail(file_, name_, place, "is missing");
    if (!columns->is_object()) return Fail(declared_, "columns", place, "wants an object of fields");
    table_.columns = ReadFields(declared_, "columns", place, *columns, 0);
    if (table_.columns.empty()) return;  // what names columns is then no problem of its own
    if (IsString(log_.id_column)) table_.id_column = log_.id_column;
    CheckNamed("time", table_.time_column, TypeKind::kTimestamp, "TIMESTAMP");
    if (declared_.contains("id")) CheckNamed("id", log_.id_column, TypeKind::kString, "STRING");
    if (declared_.contains("message")) CheckNamed("message", log_.message_column, TypeKind::kString, "STRING");
    ReadProject();
    ReadHot();
  }

  void Fail(const Json& object, std::string_view key, std::string_view place, std::string_view problem) {
    problems_.Add({&object, std::string(key), StrCat(place, place.empty() ? "" : " ", problem)});
  }

  void RefuseOthers(const Json& object, std::string_view place, const std::vector<std::string>& known) {
    for (const auto& item : object.items()) {
      if (std::find(known.begin(), known.end(), item.first) != known.end()) continue;
      Fail(object, item.first, place,
           StrCat("has an unknown key \"", item.first, "\"; known: ", base::Join(known, ", "),
                  base::DidYouMean(base::NearestNames(item.first, known))));
    }
  }

  std::string Text(const char* key, std::string fallback) {
    const auto found = declared_.find(key);
    if (found == declared_.end()) return fallback;
    if (found->is_string()) return found->get<std::string>();
    Fail(declared_, key, StrCat(name_, ".", key), StrCat("wants a string, is ", base::ShortJson(*found)));
    return fallback;
  }

  bool IsString(const std::string& column) const {
    const Type* type = FieldType(table_.columns, {column});
    return type != nullptr && type->is(TypeKind::kString);
  }

  // The declared column that `key` names, if it names one.
  void CheckNamed(const char* key, const std::string& column, TypeKind kind, std::string_view kind_name) {
    if (column.empty()) return;
    const Type* type = FieldType(table_.columns, {column});
    if (type != nullptr && type->is(kind)) return;
    std::vector<std::string> names;
    for (const Field& field : table_.columns) {
      if (field.type.is(kind)) names.push_back(field.name);
    }
    Fail(declared_, key, StrCat(name_, ".", key),
         StrCat("names \"", column, "\", which is no ", kind_name, " column",
                base::DidYouMean(base::NearestNames(column, names))));
  }

  void ReadRetention() {
    const auto found = declared_.find("retention");
    if (found == declared_.end()) return;
    const std::string place = name_ + ".retention";
    if (!found->is_object() || found->empty()) {
      return Fail(declared_, "retention", place, "wants an object with \"days\", \"max_mb\" or both");
    }
    RefuseOthers(*found, place, {"days", "max_mb"});
    log_.retention.days = Limit(*found, "days", place, kMostDays);
    log_.retention.max_mb = Limit(*found, "max_mb", place, kMostMegabytes);
  }

  int64_t Limit(const Json& object, const char* key, const std::string& place, int64_t most) {
    const auto found = object.find(key);
    if (found == object.end()) return 0;
    const bool fits =
        found->is_number_integer() && !(found->is_number_unsigned() && found->get<uint64_t>() > INT64_MAX);
    if (fits && found->get<int64_t>() >= 1 && found->get<int64_t>() <= most) return found->get<int64_t>();
    Fail(object, key, StrCat(place, ".", key),
         StrCat("must be a whole number from 1 to ", most, ", is ", base::ShortJson(*found)));
    return 0;
  }

  void ReadProject() {
    const auto found = declared_.find("project");
    if (found == declared_.end()) return;
    const std::string place = name_ + ".project";
    FieldPath path;
    bool names = found->is_array() && !found->empty();
    for (const Json& name : *found) {
      names = names && name.is_string();
      if (names) path.push_back(name.get<std::string>());
    }
    if (!names) return Fail(declared_, "project", place, "wants an array of names, from a column down");
    const Type* type = FieldType(table_.columns, path);
    if (type == nullptr || !type->is(TypeKind::kString)) {
      return Fail(declared_, "project", place, StrCat("names ", base::Join(path, "."), ", which is no STRING field"));
    }
    table_.project_path = std::move(path);
  }

  void ReadHot() {
    const auto found = declared_.find("hot");
    if (found == declared_.end()) return;
    const std::string place = name_ + ".hot";
    if (!found->is_object()) return Fail(declared_, "hot", place, "wants an object with \"values\" and \"presence\"");
    RefuseOthers(*found, place, {"values", "presence"});
    for (const char* key : {"values", "presence"}) {
      if (const auto list = found->find(key); list != found->end()) {
        ReadHotPaths(*found, key, StrCat(place, ".", key), *list, key == std::string_view("presence"));
      }
    }
  }

  void ReadHotPaths(const Json& hot, const char* key, const std::string& place, const Json& list, bool records) {
    if (!list.is_array()) return Fail(hot, key, place, "wants an array of dotted paths");
    for (const Json& entry : list) {
      if (!entry.is_string()) return Fail(hot, key, place, "wants an array of dotted paths");
      const std::string text = entry.get<std::string>();
      FieldPath path = absl::StrSplit(text, '.');
      const Type* type = FieldType(table_.columns, path);
      if (type == nullptr || type->is_record() != records) {
        Fail(hot, key, place, StrCat("names ", text, ", which is no ", records ? "record" : "field with a value"));
        continue;
      }
      (records ? hot_.presence : hot_.values).push_back(std::move(path));
    }
  }

  // `json` is the member `key` of `parent`.
  std::vector<Field> ReadFields(const Json& parent, std::string_view key, const std::string& place, const Json& json,
                                int depth) {
    std::vector<Field> fields;
    if (json.empty()) {
      Fail(parent, key, place, "declares no fields");
      return fields;
    }
    base::NameSet names;
    for (const auto& [name, declared] : json.items()) {
      const std::string field_place = StrCat(place, ".", name);
      if (name.empty()) {
        Fail(parent, key, place, "has a field without a name");
      } else if (!names.insert(name).second) {
        Fail(json, name, field_place, "stands twice, but for letter case");
      } else if (Type type; ReadType(json, name, field_place, declared, depth + 1, type)) {
        fields.push_back({name, std::move(type)});
      }
    }
    return fields;
  }

  bool ReadType(const Json& parent, const std::string& key, const std::string& place, const Json& json, int depth,
                Type& type) {
    if (depth > base::kMaxNesting) {
      Fail(parent, key, place, StrCat("is nested deeper than ", base::kMaxNesting));
      return false;
    }
    if (json.is_object()) {
      std::vector<Field> fields = ReadFields(parent, key, place, json, depth);
      if (fields.empty()) return false;
      type = Type::Record(std::move(fields));
      return true;
    }
    if (json.is_array()) {
      if (json.size() != 1 || json[0].is_array()) {
        Fail(parent, key, place, "wants one element type, such as [\"STRING\"]");
        return false;
      }
      Type element;
      if (!ReadType(parent, key, place, json[0], depth + 1, element)) return false;
      if (element.is_record()) element = Type(element.element());
      type = Type::Array(std::move(element));
      return true;
    }
    return ReadScalar(parent, key, place, json, type);
  }

  bool ReadScalar(const Json& parent, const std::string& key, const std::string& place, const Json& json, Type& type) {
    const std::string name = json.is_string() ? json.get<std::string>() : json.ToString();
    for (const TypeKind kind : kScalarKinds) {
      if (!json.is_string() || !base::EqualsIgnoreCase(TypeKindName(kind), name)) continue;
      type = Type(kind);
      return true;
    }
    Fail(parent, key, place,
         StrCat("has an unknown type ", json.is_string() ? base::ShortJson(json) : name,
                "; wanted a type such as \"STRING\" or \"INT64\", an object of fields, or [type]",
                json.is_string() ? base::DidYouMean(base::NearestNames(name, ScalarNames())) : ""));
    return false;
  }

  const std::string& name_;
  const Json& declared_;
  const Json& file_;
  base::JsonProblems& problems_;
  Table table_;
  HotDeclaration hot_;
  LogDeclaration log_;
};

}  // namespace

SchemaFile ReadSchema(const Json& json, base::JsonProblems& problems, const base::NameSet& extended) {
  SchemaFile file;
  if (!json.is_object() || json.empty()) {
    problems.Add({&json, "", "wants an object of tables"});
    return file;
  }
  for (const auto& [name, declared] : json.items()) {
    TableReader reader(name, declared, json, problems);
    if (extended.contains(name) && declared.is_object() && declared.contains("fields")) {
      reader.ReadFurther(file);
    } else {
      reader.Read(file);
    }
  }
  return file;
}

}  // namespace logquery::model
