// Like BigQuery, it answers NULL for an array as an array without elements, and all scalars as text.
#include "tests/bigquery/googlesql_engine.h"

#include <charconv>
#include <cmath>
#include <cstdlib>

#include "absl/strings/escaping.h"
#include "absl/strings/str_replace.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/emit/dialects.h"
#include "lib/emit/emitter.h"
#include "lib/model/civil_text.h"
#include "lib/model/time_text.h"
#include "lib/rewrite/evaluate.h"
#include "lib/rewrite/passes/pass.h"
#include "lib/rewrite/resolve/resolver.h"
#include "lib/rewrite/tables_read.h"
#include "lib/sql/parser.h"

namespace logquery::testing {
namespace {

using base::StrCat;
using Json = nlohmann::ordered_json;

constexpr int64_t kEarliestMicros = -62'135'596'800'000'000;
constexpr int64_t kMostRows = 1'000'000;

std::string RestType(const Type& type) {
  switch (type.kind()) {
    case TypeKind::kInt64:
      return "INTEGER";
    case TypeKind::kFloat64:
      return "FLOAT";
    case TypeKind::kBool:
      return "BOOLEAN";
    case TypeKind::kStruct:
      return "RECORD";
    default:
      return std::string(TypeKindName(type.kind()));
  }
}

Json RestSchema(const Schema& schema, const std::string& required) {
  Json fields = Json::array();
  for (size_t i = 0; i < schema.size(); ++i) {
    const Type& type = schema[i].type;
    const bool repeated = type.is_record() || type.is_array();
    const Type& each = repeated ? type.element() : type;
    Json field = {{"name", schema[i].name.empty() ? StrCat("_field_", i + 1) : schema[i].name},
                  {"type", RestType(each)},
                  {"mode", repeated                     ? "REPEATED"
                           : schema[i].name == required ? "REQUIRED"
                                                        : "NULLABLE"}};
    if (each.is_struct()) field["fields"] = RestSchema(each.fields(), "")["fields"];
    fields.push_back(std::move(field));
  }
  return {{"fields", std::move(fields)}};
}

std::string FloatText(double number) {
  if (std::isnan(number)) return "NaN";
  if (std::isinf(number)) return number < 0 ? "-Infinity" : "Infinity";
  char digits[40];
  std::string text(digits, std::to_chars(digits, digits + sizeof(digits), number).ptr);
  return text.find_first_of(".e") == std::string::npos ? text + ".0" : text;
}

std::string CivilText(const Value& value) {
  std::string text;
  if (value.type().is(TypeKind::kDate)) {
    model::AppendDate(value.int64_value(), text);
  } else if (value.type().is(TypeKind::kTime)) {
    model::AppendTime(value.int64_value(), text);
  } else {
    model::AppendDatetime(value.int64_value(), 'T', text);
  }
  return text;
}

Json RestCell(const Value& value);

Json RestFields(const Value& value) {
  Json cells = Json::array();
  for (const Value& child : value.children()) cells.push_back(RestCell(child));
  return {{"f", std::move(cells)}};
}

Json RestScalar(const Value& value) {
  switch (value.type().kind()) {
    case TypeKind::kBool:
      return value.bool_value() ? "true" : "false";
    case TypeKind::kInt64:
    case TypeKind::kTimestamp:
      return StrCat(value.int64_value());
    case TypeKind::kFloat64:
      return FloatText(value.float64_value());
    case TypeKind::kDate:
    case TypeKind::kTime:
    case TypeKind::kDatetime:
      return CivilText(value);
    case TypeKind::kBytes: {
      std::string text;
      absl::Base64Escape(value.string_value(), &text);
      return text;
    }
    case TypeKind::kStruct:
      return RestFields(value);
    default:
      return value.string_value();
  }
}

Json RestCell(const Value& value) {
  const Type& type = value.type();
  if (type.is_record()) {
    Json list = Json::array();
    if (!value.is_null()) list.push_back({{"v", RestFields(value)}});
    return {{"v", std::move(list)}};
  }
  if (type.is_array()) {
    Json list = Json::array();
    if (!value.is_null()) {
      for (const Value& element : value.children()) list.push_back(RestCell(element));
    }
    return {{"v", std::move(list)}};
  }
  return {{"v", value.is_null() ? Json() : RestScalar(value)}};
}

class BoundedSink : public CollectingSink {
 public:
  absl::Status Append(const Batch& batch) override {
    rows_ += batch.rows();
    return rows_ > kMostRows ? absl::ResourceExhaustedError("too many rows") : CollectingSink::Append(batch);
  }

 private:
  int64_t rows_ = 0;
};

absl::StatusOr<Value> ScalarParameter(const std::string& name, const Json& json) {
  const std::string text = json.value("value", "");
  const auto typed = [&](const Type& type, auto make) { return json.contains("value") ? make() : Value::Null(type); };
  const auto whole = [&text] { return std::stoll(text); };
  if (name == "STRING") return typed(Type::String(), [&] { return Value::String(text); });
  if (name == "INT64") return typed(Type::Int64(), [&] { return Value::Int64(whole()); });
  if (name == "BOOL") return typed(Type::Bool(), [&] { return Value::Bool(text == "true"); });
  if (name == "FLOAT64")
    return typed(Type::Float64(), [&] { return Value::Float64(std::strtod(text.c_str(), nullptr)); });
  if (name == "BYTES") {
    std::string bytes;
    if (!absl::Base64Unescape(text, &bytes)) return absl::InvalidArgumentError("a BYTES parameter is no base64");
    return typed(Type::Bytes(), [&] { return Value::Bytes(bytes); });
  }
  if (name == "NUMERIC") return typed(Type::Numeric(), [&] { return Value::Numeric(text); });
  if (name == "TIMESTAMP" && !json.contains("value")) return Value::Null(Type::Timestamp());
  if (name == "TIMESTAMP") return model::ParseTimestampText(text, "UTC");
  if (name == "DATE" && !json.contains("value")) return Value::Null(Type::Date());
  if (name == "DATE") return model::ParseDateText(text);
  if (name == "DATETIME" && !json.contains("value")) return Value::Null(Type::Datetime());
  if (name == "DATETIME") return model::ParseDatetimeText(text);
  return absl::InvalidArgumentError(StrCat("this host takes no parameter of ", name));
}

absl::StatusOr<Value> ParameterValue(const Json& parameter) {
  const Json& type = parameter["parameterType"];
  const Json& value = parameter["parameterValue"];
  if (type["type"] != "ARRAY") return ScalarParameter(type["type"].get<std::string>(), value);
  const std::string element = type["arrayType"]["type"].get<std::string>();
  LOGQUERY_ASSIGN_OR_RETURN(const Value none, ScalarParameter(element, Json::object()));
  if (!value.contains("arrayValues")) return Value::Null(Type::Array(none.type()));
  std::vector<Value> elements;
  for (const Json& each : value["arrayValues"]) {
    LOGQUERY_ASSIGN_OR_RETURN(Value made, ScalarParameter(element, each));
    elements.push_back(std::move(made));
  }
  return Value::Array(none.type(), std::move(elements));
}

absl::StatusOr<Bindings> BindingsFor(const std::vector<Slot>& slots, const rewrite::QueryPlan& plan,
                                     const rewrite::ParameterValues& values) {
  Bindings bindings;
  for (const Slot& slot : slots) {
    if (const auto found = values.find(slot.name); found != values.end()) {
      bindings.push_back(found->second);
      continue;
    }
    const size_t before = bindings.size();
    for (const rewrite::DerivedParameter& derived : plan.derived) {
      if (derived.name != slot.name) continue;
      LOGQUERY_ASSIGN_OR_RETURN(Value value, rewrite::Evaluate(*derived.value, values, {}));
      bindings.push_back(std::move(value));
    }
    if (bindings.size() == before) return absl::InternalError(StrCat("no value for ", slot.name));
  }
  return bindings;
}

}  // namespace

absl::StatusOr<RestRows> GoogleSqlEngine::Run(const std::string& sql, const Json& parameters, bool dry_run,
                                              const CancellationToken& cancellation) const {
  std::string text = sql;
  // The dialect writes a table's path in one pair of backticks, which nothing else here holds.
  for (const auto& [path, table] : tables_)
    text = absl::StrReplaceAll(text, {{StrCat("`", path, "`"), StrCat("`", table, "`")}});
  LOGQUERY_ASSIGN_OR_RETURN(const Catalog catalog, backend_->ReadCatalog());
  rewrite::ResolveOptions options;
  options.catalog = &catalog;
  options.check_output = false;
  rewrite::ParameterValues values;
  for (const Json& parameter : parameters) {
    LOGQUERY_ASSIGN_OR_RETURN(Value value, ParameterValue(parameter));
    const auto name = parameter["name"].get<std::string>();
    options.parameters.push_back({name, value.type()});
    values.emplace(name, std::move(value));
  }
  values.emplace(rewrite::kFloorParameter, Value::TimestampMicros(kEarliestMicros));
  LOGQUERY_ASSIGN_OR_RETURN(const sql::QueryPtr query, sql::ParseQuery(text, {}));
  LOGQUERY_ASSIGN_OR_RETURN(rewrite::QueryPlan plan, rewrite::Resolve(*query, text, options));
  LOGQUERY_RETURN_IF_ERROR(rewrite::RunPasses(emit::PassesOf(Dialect::kDuckDb), {}, plan));
  LOGQUERY_ASSIGN_OR_RETURN(emit::EmittedQuery emitted, emit::Emit(plan, Dialect::kDuckDb));
  RestRows answer;
  answer.schema = RestSchema(plan.schema, "");
  if (dry_run) return answer;
  LOGQUERY_ASSIGN_OR_RETURN(const Bindings bindings, BindingsFor(emitted.slots, plan, values));
  PreparedQuery::Parts parts;
  parts.dialect_text = std::move(emitted.text);
  parts.slots = std::move(emitted.slots);
  parts.schema = plan.schema;
  parts.tables = rewrite::TablesRead(plan);
  BoundedSink sink;
  LOGQUERY_RETURN_IF_ERROR(backend_->Execute(PreparedQuery(std::move(parts)), bindings, {}, cancellation, sink));
  for (const std::vector<Value>& row : sink.rows()) {
    Json cells = Json::array();
    for (const Value& value : row) cells.push_back(RestCell(value));
    answer.rows.push_back({{"f", std::move(cells)}});
  }
  return answer;
}

absl::StatusOr<Json> GoogleSqlEngine::SchemaOf(const std::string& path) const {
  LOGQUERY_ASSIGN_OR_RETURN(const Catalog catalog, backend_->ReadCatalog());
  const auto found = tables_.find(path);
  const Table* const table = found == tables_.end() ? nullptr : catalog.Find(found->second);
  if (table == nullptr) return absl::NotFoundError(path);
  return RestSchema(table->columns, table->time_column);
}

}  // namespace logquery::testing
