#include "tests/conformance/request.h"

#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "lib/base/json.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/emit/dialects.h"
#include "lib/emit/emitter.h"
#include "lib/endpoint/call/query_planner.h"
#include "lib/rewrite/evaluate.h"
#include "lib/rewrite/passes/pass.h"
#include "lib/rewrite/plan_walk.h"
#include "lib/rewrite/resolve/resolver.h"
#include "lib/split/split_text.h"
#include "lib/sql/parser.h"
#include "nlohmann/json.hpp"
#include "tests/conformance/value_json.h"

namespace logquery::conformance {
namespace {

using Json = nlohmann::ordered_json;

// Below the kit's own limit, so that a query that is stopped is an answer.
constexpr absl::Duration kTimeLimit = absl::Seconds(6);

// A member that has to be there, and of that kind.
absl::StatusOr<const Json*> Member(const Json& object, const char* name, bool (Json::*is)() const noexcept) {
  const auto found = object.is_object() ? object.find(name) : object.end();
  if (found == object.end() || !((*found).*is)()) {
    return absl::InvalidArgumentError(base::StrCat("the request wants a ", std::string_view(name)));
  }
  return &*found;
}

absl::StatusOr<std::string> Text(const Json& object, const char* name) {
  LOGQUERY_ASSIGN_OR_RETURN(const Json* member, Member(object, name, &Json::is_string));
  return member->get<std::string>();
}

absl::StatusOr<Field> ReadField(const Json& json) {
  if (!json.is_array() || json.size() < 2 || !json[0].is_string() || !json[1].is_string()) {
    return absl::InvalidArgumentError(base::StrCat("not a name and a type: ", json.dump()));
  }
  LOGQUERY_ASSIGN_OR_RETURN(Type type, ParseTypeText(json[1].get<std::string>()));
  return Field{json[0].get<std::string>(), std::move(type)};
}

absl::StatusOr<std::vector<Value>> ReadRow(const Json& json, const Schema& columns) {
  if (!json.is_array() || json.size() != columns.size()) {
    return absl::InvalidArgumentError(base::StrCat("not a row of ", columns.size(), " values: ", json.dump()));
  }
  std::vector<Value> row;
  for (size_t i = 0; i < columns.size(); ++i) {
    LOGQUERY_ASSIGN_OR_RETURN(Value value, ValueFromJson(json[i], columns[i].type));
    row.push_back(std::move(value));
  }
  return row;
}

absl::StatusOr<InputTable> ReadTable(const Json& json) {
  InputTable table;
  LOGQUERY_ASSIGN_OR_RETURN(table.name, Text(json, "name"));
  LOGQUERY_ASSIGN_OR_RETURN(const Json* columns, Member(json, "columns", &Json::is_array));
  for (const Json& column : *columns) {
    LOGQUERY_ASSIGN_OR_RETURN(Field field, ReadField(column));
    table.columns.push_back(std::move(field));
  }
  LOGQUERY_ASSIGN_OR_RETURN(const Json* rows, Member(json, "rows", &Json::is_array));
  for (const Json& each : *rows) {
    LOGQUERY_ASSIGN_OR_RETURN(std::vector<Value> row, ReadRow(each, table.columns));
    table.rows.push_back(std::move(row));
  }
  return table;
}

}  // namespace

absl::StatusOr<Request> ReadRequest(const Json& json) {
  Request request;
  LOGQUERY_ASSIGN_OR_RETURN(request.sql, Text(json, "sql"));
  if (json.contains("time_zone")) {
    LOGQUERY_ASSIGN_OR_RETURN(request.time_zone, Text(json, "time_zone"));
  }
  for (const Json& each : json.value("tables", Json::array())) {
    LOGQUERY_ASSIGN_OR_RETURN(InputTable table, ReadTable(each));
    request.tables.push_back(std::move(table));
  }
  for (const Json& each : json.value("params", Json::array())) {
    LOGQUERY_ASSIGN_OR_RETURN(Field field, ReadField(each));
    if (each.size() != 3) return absl::InvalidArgumentError(base::StrCat("not a parameter: ", each.dump()));
    LOGQUERY_ASSIGN_OR_RETURN(Value value, ValueFromJson(each[2], field.type));
    request.parameters.emplace_back(base::ToLower(field.name), std::move(value));
  }
  return request;
}

namespace {

absl::StatusOr<Bindings> Bind(const std::vector<Slot>& slots, const rewrite::QueryPlan& plan,
                              rewrite::ParameterValues& values) {
  for (const rewrite::DerivedParameter& derived : plan.derived) {
    LOGQUERY_ASSIGN_OR_RETURN(Value value, rewrite::Evaluate(*derived.value, values, {}));
    values.emplace(derived.name, std::move(value));
  }
  Bindings bindings;
  for (const Slot& slot : slots) {
    const auto found = values.find(slot.name);
    if (found == values.end()) return absl::InternalError(base::StrCat("no value for ", slot.name));
    bindings.push_back(found->second);
  }
  return bindings;
}

// The text for the engine in this process, and what goes to the other one before.
absl::Status Emit(const FragmentDialect* fragments, const rewrite::PassContext& context, rewrite::QueryPlan& plan,
                  PreparedQuery::Parts& parts) {
  emit::EmittedQuery emitted;
  if (fragments == nullptr) {
    LOGQUERY_RETURN_IF_ERROR(rewrite::RunPasses(emit::PassesOf(Dialect::kDuckDb), context, plan));
    LOGQUERY_ASSIGN_OR_RETURN(emitted, emit::Emit(plan, Dialect::kDuckDb));
  } else {
    LOGQUERY_RETURN_IF_ERROR(rewrite::RunPasses(rewrite::SharedPasses(), context, plan));
    LOGQUERY_ASSIGN_OR_RETURN(split::SplitText split,
                              split::EmitSplit(rewrite::CopyPlan(plan), *emit::SqlOf(fragments), Dialect::kDuckDb));
    emitted = std::move(split.rest);
    parts.fragments = std::move(split.fragments);
  }
  parts.dialect_text = std::move(emitted.text);
  parts.slots = std::move(emitted.slots);
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<Rows> RunQuery(const Request& request, QueryBackend& backend) {
  LOGQUERY_ASSIGN_OR_RETURN(const Catalog catalog, backend.ReadCatalog());
  LOGQUERY_ASSIGN_OR_RETURN(const sql::QueryPtr query, sql::ParseQuery(request.sql, {}));
  rewrite::ResolveOptions options;
  options.catalog = &catalog;
  options.time_zone = request.time_zone;
  options.check_output = false;
  rewrite::ParameterValues values;
  for (const auto& [name, value] : request.parameters) {
    options.parameters.push_back({name, value.type()});
    values.emplace(name, value);
  }
  values.emplace(rewrite::kNowParameter, Value::Timestamp(absl::Now()));
  LOGQUERY_ASSIGN_OR_RETURN(rewrite::QueryPlan plan, rewrite::Resolve(*query, request.sql, options));
  rewrite::PassContext context;
  context.values = &values;
  PreparedQuery::Parts parts;
  parts.schema = plan.schema;
  const Schema schema = plan.schema;
  LOGQUERY_RETURN_IF_ERROR(Emit(backend.capabilities().fragments, context, plan, parts));
  LOGQUERY_ASSIGN_OR_RETURN(const Bindings bindings, Bind(parts.slots, plan, values));
  CollectingSink sink;
  ExecutionLimits limits;
  limits.time_limit = kTimeLimit;
  LOGQUERY_RETURN_IF_ERROR(backend.Execute(PreparedQuery(std::move(parts)), bindings, limits, {}, sink));
  return Rows{schema, sink.rows()};
}

namespace {

void PutRows(const Rows& rows, Json& answer) {
  answer["columns"] = Json::array();
  for (const Field& field : rows.schema) answer["columns"].push_back({field.name, field.type.ToString()});
  answer["rows"] = Json::array();
  for (const std::vector<Value>& row : rows.rows) {
    Json list = Json::array();
    for (const Value& value : row) list.push_back(JsonFromValue(value));
    answer["rows"].push_back(std::move(list));
  }
}

absl::StatusOr<Json> ReadLine(const std::string& line) {
  LOGQUERY_RETURN_IF_ERROR(base::ParseJson("request", line).status());
  return Json::parse(line);
}

}  // namespace

std::string AnswerLine(const std::string& line, const std::function<absl::StatusOr<Rows>(const Request&)>& run) {
  Json answer = Json::object();
  const absl::StatusOr<Json> json = ReadLine(line);
  if (json.ok() && json->is_object() && json->contains("id")) answer["id"] = json->at("id");
  const absl::StatusOr<Request> request = json.ok() ? ReadRequest(*json) : json.status();
  const absl::StatusOr<Rows> rows = request.ok() ? run(*request) : request.status();
  if (rows.ok()) {
    PutRows(*rows, answer);
  } else {
    answer["error"] = rows.status().ToString();
  }
  return answer.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace logquery::conformance
