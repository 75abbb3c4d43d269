// Checks the logs of a schema file individually, then against each other and the built-in logs.
#include "lib/model/own_logs.h"

#include <algorithm>
#include <utility>

#include "lib/base/json/value.h"
#include "lib/base/json_map.h"
#include "lib/base/json_parse.h"
#include "lib/base/json_place.h"
#include "lib/base/json_problems.h"
#include "lib/base/quoted_text.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/model/schema_reader.h"

namespace logquery::model {
namespace {

using base::Json;
using base::QuotedText;
using base::StrCat;

constexpr size_t kMaxLogName = 100;     // it is a folder's name, and part of file names
constexpr size_t kMaxColumnName = 300;  // BigQuery's
constexpr size_t kMaxColumns = 1'000;
constexpr size_t kMaxFurtherDepth = 15;  // as deep as fields are learned

bool IsLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool IsDigit(char c) { return c >= '0' && c <= '9'; }

// A letter or _, then those and digits; `more`: characters that may stand there too.
bool IsName(std::string_view name, size_t most, std::string_view more = "") {
  if (name.empty() || name.size() > most || !IsLetter(name.front())) return false;
  return std::all_of(name.begin(), name.end(),
                     [more](char c) { return IsLetter(c) || IsDigit(c) || more.find(c) != more.npos; });
}

// Why no top-level column may have the name; empty: it may.
std::string_view WhyReserved(std::string_view name) {
  if (base::EqualsIgnoreCase(name, "_undeclared")) return "keeps what rows have beyond the declared fields";
  if (base::EqualsIgnoreCase(name, "rowid")) return "is the engine's number of a row";
  constexpr std::string_view kPrefixes[] = {"_TABLE_",        "_FILE_",   "_PARTITION",
                                            "_ROW_TIMESTAMP", "__ROOT__", "_COLIDENTIFIER"};
  for (const std::string_view prefix : kPrefixes) {
    if (base::EqualsIgnoreCase(name.substr(0, prefix.size()), prefix)) return "begins as columns of BigQuery's own do";
  }
  return "";
}

class Rules {
 public:
  Rules(const Json& json, SchemaFile& file, base::JsonProblems& problems)
      : json_(json), file_(file), problems_(problems) {}

  void Check() {
    if (file_.tables.size() > kMaxOwnLogs) {
      problems_.Add({&json_, "", StrCat("has ", file_.tables.size(), " logs, and may have ", kMaxOwnLogs)});
      return;
    }
    for (const Table& table : BuiltInSchema().tables) {
      taken_.insert(table.name);
      taken_.insert(table.log);
    }
    built_in_ = taken_;
    for (size_t i = 0; i < file_.tables.size(); ++i) CheckLog(file_.tables[i], file_.hot[i]);
    for (FurtherFields& further : file_.further) CheckFurther(further);
  }

 private:
  void CheckLog(Table& table, const HotDeclaration& hot) {
    const Json& declared = json_.at(table.name);
    if (!IsName(table.name, kMaxLogName, ".-")) {
      Fail(json_, table.name, table.name,
           "is no name of a table: it begins with a letter or _, and has up to 100 "
           "letters, digits, _, . and -");
    }
    TakeName(json_, table.name, table.name, table.name);
    if (!declared.is_object() || built_in_.contains(table.name)) return;
    if (table.log.empty()) table.log = table.name;
    if (!IsName(table.log, kMaxLogName)) {
      Fail(declared, "log", table.name + ".log",
           StrCat(declared.contains("log") ? "" : "is missing, and the table's name can't stand in for it: ",
                  QuotedText(table.log),
                  " is no name of a log: it begins with a letter or _, and has up to 100 "
                  "letters, digits and _"));
    }
    if (!base::EqualsIgnoreCase(table.log, table.name)) TakeName(declared, "log", table.name + ".log", table.log);
    if (!declared.contains("time")) {
      Fail(json_, table.name, table.name + ".time", "is missing: it names the TIMESTAMP column that rows are kept by");
    }
    const auto columns = declared.find("columns");
    if (columns == declared.end() || !columns->is_object()) return;
    if (columns->size() > kMaxColumns) {
      return Fail(declared, "columns", table.name + ".columns",
                  StrCat("has ", columns->size(), " columns, and may have ", kMaxColumns));
    }
    for (const auto& [name, type] : columns->items()) CheckColumn(table.name + ".columns.", *columns, name, type, true);
    CheckHot(declared, table, hot);
  }

  // Fields of a built-in log, which then has its table's name.
  void CheckFurther(FurtherFields& further) {
    const Json& declared = json_.at(further.table);
    const std::string place = further.table + ".fields.";
    for (const Table& table : BuiltInSchema().tables) {
      const bool is_it =
          base::EqualsIgnoreCase(table.name, further.table) || base::EqualsIgnoreCase(table.log, further.table);
      if (!is_it) continue;
      const Json& fields = declared.at("fields");
      if (fields.is_object()) {
        for (const auto& [name, type] : fields.items()) CheckColumn(place, fields, name, type, true);
        CheckLearnable(place, fields, further.fields, &table.columns, 1);
      }
      further.table = table.name;
      return;
    }
  }

  // `known`: the fields that the log has there; nullptr: none. Only what a store can learn from rows may be declared.
  void CheckLearnable(const std::string& place, const Json& parent, const Schema& fields, const Schema* known,
                      size_t depth) {
    for (const Field& field : fields) {
      const Type* const has = known == nullptr ? nullptr : FieldType(*known, {field.name});
      const std::string field_place = place + field.name;
      if (has != nullptr && has->is_record() != field.type.is_record()) {
        Fail(parent, field.name, field_place,
             StrCat("is ", has->is_record() ? "a record" : has->ToString(), " in the log"));
      } else if (field.type.is_record()) {
        if (depth == kMaxFurtherDepth) {
          Fail(parent, field.name, field_place, StrCat("is nested deeper than ", kMaxFurtherDepth));
          continue;
        }
        CheckLearnable(field_place + ".", parent.at(field.name), field.type.fields(),
                       has == nullptr ? nullptr : &has->fields(), depth + 1);
      } else if (has != nullptr && *has != field.type) {
        Fail(parent, field.name, field_place, StrCat("is ", has->ToString(), " in the log"));
      } else if (has == nullptr && !IsLearnable(field.type)) {
        Fail(parent, field.name, field_place,
             StrCat("is ", field.type.ToString(),
                    ", and a further field is BOOL, INT64, FLOAT64, STRING, an array of one of "
                    "these, or an object of fields"));
      }
    }
  }

  static bool IsLearnable(const Type& type) {
    const Type& scalar = type.is_array() ? type.element() : type;
    return scalar.is(TypeKind::kBool) || scalar.is(TypeKind::kInt64) || scalar.is(TypeKind::kFloat64) ||
           scalar.is(TypeKind::kString);
  }

  void TakeName(const Json& object, const std::string& key, const std::string& place, const std::string& name) {
    if (taken_.insert(name).second) return;
    const bool built_in = built_in_.contains(name);
    Fail(object, key, place,
         built_in ? StrCat("has the name of a built-in log, ", QuotedText(name),
                           ": its fields are learned from its rows and need no declaration; those that queries name "
                           "before may be declared as its \"fields\", alone")
                  : StrCat("has the name ", QuotedText(name), ", which another log of the file has"));
  }

  // A column, or a field of a record in it.
  void CheckColumn(const std::string& place, const Json& parent, const std::string& name, const Json& type, bool top) {
    if (!IsName(name, kMaxColumnName, "-")) {
      Fail(parent, name, place + name,
           "is no name of a column: it begins with a letter or _, and has up to 300 letters, digits, _ and -");
    }
    if (const std::string_view why = top ? WhyReserved(name) : ""; !why.empty()) {
      Fail(parent, name, place + name, StrCat("is a reserved name: ", name, " ", why));
    }
    const Json& inner = type.is_array() && type.size() == 1 ? type.front() : type;
    if (!inner.is_object()) return;
    for (const auto& [field, field_type] : inner.items()) {
      CheckColumn(StrCat(place, name, "."), inner, field, field_type, false);
    }
  }

  void CheckHot(const Json& declared, const Table& table, const HotDeclaration& hot) {
    base::NameSet seen;
    for (const FieldPath& path : hot.values) {
      const std::string text = base::Join(path, ".");
      const char* problem = nullptr;
      if (path.size() == 1) problem = ", which is a column already";
      if (FieldType(table.columns, path)->is_array()) problem = ", which is an ARRAY";
      if (!seen.insert(text).second) problem = " twice";
      if (problem != nullptr) Fail(declared, "hot", table.name + ".hot.values", StrCat("names ", text, problem));
    }
    seen.clear();
    for (const FieldPath& path : hot.presence) {
      const std::string text = base::Join(path, ".");
      if (seen.insert(text).second) continue;
      Fail(declared, "hot", table.name + ".hot.presence", StrCat("names ", text, " twice"));
    }
  }

  void Fail(const Json& object, std::string_view key, std::string_view place, std::string_view problem) {
    problems_.Add({&object, std::string(key), StrCat(place, " ", problem)});
  }

  const Json& json_;
  SchemaFile& file_;
  base::JsonProblems& problems_;
  base::NameSet taken_;
  base::NameSet built_in_;
};

Json TypeJson(const Type& type);

Json FieldsJson(const std::vector<Field>& fields) {
  Json json = Json::object();
  for (const Field& field : fields) json[field.name] = TypeJson(field.type);
  return json;
}

Json TypeJson(const Type& type) {
  if (type.is_record() || type.is_struct()) return FieldsJson(type.fields());
  if (type.is_array()) return Json::array({TypeJson(type.element())});
  return std::string(TypeKindName(type.kind()));
}

Json PathsJson(const std::vector<FieldPath>& paths) {
  Json json = Json::array();
  for (const FieldPath& path : paths) json.push_back(base::Join(path, "."));
  return json;
}

// Empty, as a shell leaves a file whose command failed.
constexpr char kBlank[] =
    "the file is empty; `logquery schema --infer ROWS.ndjson --out schema.json` makes one by rows that you have";

bool IsBlank(std::string_view json) { return json.find_first_not_of(" \t\r\n") == json.npos; }

}  // namespace

SchemaFile ReadOwnLogs(std::string_view json, std::vector<SchemaProblem>& problems) {
  Json parsed;
  base::JsonTextError error;
  if (IsBlank(json)) {
    problems.push_back({0, kBlank});
    return {};
  }
  if (!base::ParseJsonText(json, parsed, error)) {
    problems.push_back({error.offset, StrCat(error.syntax ? "not JSON: " : "the JSON ", error.message)});
    return {};
  }
  base::JsonProblems found;
  base::NameSet built_in;
  for (const Table& table : BuiltInSchema().tables) {
    built_in.insert(table.name);
    built_in.insert(table.log);
  }
  SchemaFile file = ReadSchema(parsed, found, built_in);
  Rules(parsed, file, found).Check();
  const base::JsonMap map(json, parsed);
  for (const base::JsonProblem& problem : found.all()) {
    problems.push_back({map.OffsetOfMember(*problem.object, problem.key), problem.message});
  }
  std::stable_sort(problems.begin(), problems.end(),
                   [](const SchemaProblem& a, const SchemaProblem& b) { return a.offset < b.offset; });
  return file;
}

absl::StatusOr<SchemaFile> ParseOwnLogs(std::string_view source, std::string_view json) {
  std::vector<SchemaProblem> problems;
  SchemaFile file = ReadOwnLogs(json, problems);
  if (problems.empty()) return file;
  const SchemaProblem& first = problems.front();
  if (IsBlank(json)) return absl::InvalidArgumentError(StrCat(source, ": ", first.message));
  return absl::InvalidArgumentError(StrCat(source, " at ", base::PlaceInText(json, first.offset), ": ", first.message));
}

std::string LogOfTable(std::string_view table) {
  std::string log(table);
  std::replace_if(
      log.begin(), log.end(), [](char c) { return c == '.' || c == '-'; }, '_');
  return log;
}

std::string OwnLogText(const SchemaFile& file, size_t index) {
  const Table& table = file.tables[index];
  const LogDeclaration& log = file.logs[index];
  Json declared = {{"log", table.log}, {"time", table.time_column}};
  if (!table.project_path.empty()) declared["project"] = table.project_path;
  const auto is_text = [&](const std::string& column) {
    const Type* type = FieldType(table.columns, {column});
    return type != nullptr && type->is(TypeKind::kString);
  };
  if (is_text(log.id_column)) declared["id"] = log.id_column;
  if (is_text(log.message_column)) declared["message"] = log.message_column;
  declared["hot"] = {{"values", PathsJson(file.hot[index].values)}, {"presence", PathsJson(file.hot[index].presence)}};
  Json retention = Json::object();
  if (log.retention.days > 0) retention["days"] = log.retention.days;
  if (log.retention.max_mb > 0) retention["max_mb"] = log.retention.max_mb;
  if (!retention.empty()) declared["retention"] = std::move(retention);
  declared["columns"] = FieldsJson(table.columns);
  Json text = Json::object();
  text[table.name] = std::move(declared);
  return text.ToString();
}

bool SameOwnLogs(const SchemaFile& a, const SchemaFile& b) {
  if (a.tables.size() != b.tables.size() || a.further.size() != b.further.size()) return false;
  for (size_t i = 0; i < a.further.size(); ++i) {
    if (a.further[i].table != b.further[i].table) return false;
    if (FieldsJson(a.further[i].fields) != FieldsJson(b.further[i].fields)) return false;
  }
  for (size_t i = 0; i < a.tables.size(); ++i) {
    if (OwnLogText(a, i) != OwnLogText(b, i)) return false;
  }
  return true;
}

}  // namespace logquery::model
