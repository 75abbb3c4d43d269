#include "tests/conformance/answerer.h"

#include <vector>

#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "lib/base/json.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/emit/dialects.h"
#include "lib/emit/emitter.h"
#include "lib/rewrite/evaluate.h"
#include "lib/rewrite/passes/pass.h"
#include "lib/rewrite/resolve/resolver.h"
#include "lib/sql/parser.h"
#include "lib/store/create_table.h"
#include "nlohmann/json.hpp"
#include "tests/conformance/value_json.h"

namespace logquery::conformance {
namespace {

using Json = nlohmann::ordered_json;

// Below the kit's own limit, so that a query that is stopped is an answer.
constexpr absl::Duration kTimeLimit = absl::Seconds(6);

struct InputTable {
  std::string name;
  Schema columns;
  std::vector<std::vector<Value>> rows;
};

struct Request {
  std::string sql;
  std::string time_zone = "UTC";
  std::vector<InputTable> tables;
  std::vector<std::pair<std::string, Value>> parameters;
};

struct Rows {
  Schema schema;
  std::vector<std::vector<Value>> rows;
};

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

// Makes the tables, and drops them in the end.
class Tables {
 public:
  explicit Tables(DuckDbBackend* backend) : backend_(backend) {}
  ~Tables() {
    // What could not be dropped would fail the next request that makes it.
    for (const std::string& name : made_) store::DropTable(*backend_, name).IgnoreError();
  }
  Tables(const Tables&) = delete;
  Tables& operator=(const Tables&) = delete;

  absl::Status Make(const InputTable& table) {
    LOGQUERY_RETURN_IF_ERROR(store::CreateTable(*backend_, table.name, table.columns, table.rows));
    made_.push_back(table.name);
    return absl::OkStatus();
  }

 private:
  DuckDbBackend* backend_;
  std::vector<std::string> made_;
};

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

absl::StatusOr<Rows> Run(const Request& request, DuckDbBackend& backend) {
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
  LOGQUERY_RETURN_IF_ERROR(rewrite::RunPasses(emit::PassesOf(Dialect::kDuckDb), context, plan));
  LOGQUERY_ASSIGN_OR_RETURN(emit::EmittedQuery emitted, emit::Emit(plan, Dialect::kDuckDb));
  LOGQUERY_ASSIGN_OR_RETURN(const Bindings bindings, Bind(emitted.slots, plan, values));
  PreparedQuery::Parts parts;
  parts.dialect_text = emitted.text;
  parts.slots = std::move(emitted.slots);
  parts.schema = plan.schema;
  CollectingSink sink;
  ExecutionLimits limits;
  limits.time_limit = kTimeLimit;
  LOGQUERY_RETURN_IF_ERROR(backend.Execute(PreparedQuery(std::move(parts)), bindings, limits, {}, sink));
  return Rows{plan.schema, sink.rows()};
}

absl::StatusOr<Rows> AnswerRequest(const Json& json, DuckDbBackend& backend) {
  LOGQUERY_ASSIGN_OR_RETURN(const Request request, ReadRequest(json));
  Tables tables(&backend);
  for (const InputTable& table : request.tables) LOGQUERY_RETURN_IF_ERROR(tables.Make(table));
  return Run(request, backend);
}

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

}  // namespace

absl::StatusOr<std::unique_ptr<Answerer>> Answerer::Open() {
  LOGQUERY_ASSIGN_OR_RETURN(std::unique_ptr<DuckDbBackend> backend, OpenDuckDb({.threads = 1}));
  return std::unique_ptr<Answerer>(new Answerer(std::move(backend)));
}

std::string Answerer::Answer(const std::string& line) {
  Json answer = Json::object();
  const absl::StatusOr<Json> request = base::ParseJson("request", line);
  if (request.ok() && request->is_object() && request->contains("id")) answer["id"] = request->at("id");
  absl::StatusOr<Rows> rows = request.ok() ? AnswerRequest(*request, *backend_) : request.status();
  if (rows.ok()) {
    PutRows(*rows, answer);
  } else {
    answer["error"] = rows.status().ToString();
  }
  return answer.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace logquery::conformance
