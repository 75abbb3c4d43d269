// The contract's tables and queries: their rows, their SQL, and the expected results.
#include <cmath>
#include <cstdint>
#include <limits>

#include "lib/testing/contract_functions.h"
#include "logquery/testing/backend_contract.h"

namespace logquery::testing {
namespace {

using Rows = std::vector<std::vector<Value>>;

constexpr int64_t kDay = 1'769'817'600'000'000;  // 2026-01-31T00:00:00Z
constexpr int64_t kSecond = 1'000'000;
constexpr int64_t kManyRows = 20'000;

Type ResponseType() { return Type::Record({{"status_code", Type::Int64()}}); }

Type MetadataType() {
  return Type::Record({{"level", Type::String()}, {"response", ResponseType()}, {"tags", Type::Array(Type::String())}});
}

Value Response(Value status_code) { return Value::Struct(ResponseType(), {std::move(status_code)}); }

Value Metadata(Value level, Value response, Value tags) {
  return Value::Struct(MetadataType(), {std::move(level), std::move(response), std::move(tags)});
}

Value Tags(std::vector<Value> tags) { return Value::Array(Type::String(), std::move(tags)); }

// Rows of a log, with every way in which a part of metadata can be missing.
ContractTable Logs() {
  ContractTable logs;
  logs.table.name = "contract.logs";
  logs.table.columns = {{"id", Type::String()},
                        {"timestamp", Type::Timestamp()},
                        {"event_message", Type::String()},
                        {"project", Type::String()},
                        {"metadata", MetadataType()}};
  logs.table.time_column = "timestamp";
  logs.table.project_path = {"project"};
  const auto row = [](const char* id, int64_t second, Value message, const char* project, Value metadata) {
    return std::vector<Value>{Value::String(id), Value::TimestampMicros(kDay + second * kSecond), std::move(message),
                              Value::String(project), std::move(metadata)};
  };
  const Value no_tags = Value::Null(Type::Array(Type::String()));
  logs.rows = {
      row("a", 1, Value::String("first"), "p", Metadata(Value::String("info"), Response(Value::Int64(200)), Tags({}))),
      row("b", 2, Value::String("longer than twelve bytes, žluťoučký"), "p",
          Metadata(Value::String("error"), Response(Value::Int64(500)),
                   Tags({Value::String("x"), Value::String("y")}))),
      row("c", 2, Value::Null(Type::String()), "p", Metadata(Value::Null(Type::String()), Response(Value()), no_tags)),
      row("d", 3, Value::String(""), "p", Metadata(Value::String("warn"), Value::Null(ResponseType()), no_tags)),
      row("e", 4, Value::String("no metadata"), "q", Value::Null(MetadataType())),
  };
  return logs;
}

ContractTable Empty() {
  ContractTable empty;
  empty.table.name = "contract.empty";
  empty.table.columns = {{"id", Type::String()}, {"n", Type::Int64()}};
  return empty;
}

ContractTable Numbers() {
  ContractTable numbers;
  numbers.table.name = "contract.numbers";
  numbers.table.columns = {{"n", Type::Int64()}, {"text", Type::String()}};
  for (int64_t n = 0; n < kManyRows; ++n) {
    numbers.rows.push_back(
        {Value::Int64(n), n % 7 == 0 ? Value::Null(Type::String()) : Value::String("the number " + std::to_string(n))});
  }
  return numbers;
}

ContractQuery Query(std::string name, std::string sql, Schema schema, Rows rows) {
  ContractQuery query;
  query.name = std::move(name);
  query.sql = std::move(sql);
  query.schema = std::move(schema);
  query.rows = std::move(rows);
  return query;
}

ContractQuery Failing(std::string name, std::string sql, Schema schema, absl::StatusCode code) {
  ContractQuery query = Query(std::move(name), std::move(sql), std::move(schema), {});
  query.code = code;
  return query;
}

// A type's literal and its value. The result of a backend has to be equal, to the last bit.
struct Literal {
  const char* sql;
  Value value;
};

std::vector<Literal> Literals() {
  const Type pair = Type::Struct({{"a", Type::Int64()}, {"b", Type::String()}});
  return {
      {"TRUE", Value::Bool(true)},
      {"9223372036854775807", Value::Int64(INT64_MAX)},
      {"0.1", Value::Float64(0.1)},
      {"CAST('NaN' AS FLOAT64)", Value::Float64(std::nan(""))},
      {"CAST('-inf' AS FLOAT64)", Value::Float64(-std::numeric_limits<double>::infinity())},
      {"NUMERIC '-12.5'", Value::Numeric("-12.5")},
      {"NUMERIC '29999999999999999999999999999.999999999'", Value::Numeric("29999999999999999999999999999.999999999")},
      {"'it''s žluť'", Value::String("it's žluť")},
      {"b'\\x00\\xff'", Value::Bytes(std::string("\x00\xFF", 2))},
      {"DATE '0001-01-01'", Value::Date(-719'162)},
      {"TIME '23:59:59.999999'", Value::Time(86'399'999'999)},
      {"DATETIME '2026-01-31 08:00:00.000001'", Value::Datetime(kDay + 8 * 3600 * kSecond + 1)},
      {"TIMESTAMP '1969-12-31 23:59:59.999999+00'", Value::TimestampMicros(-1)},
      {"INTERVAL '1-2 -3 4:5:6' YEAR TO SECOND", Value::IntervalOf({14, -3, 14'706 * kSecond})},
      {"[1, 2]", Value::Array(Type::Int64(), {Value::Int64(1), Value::Int64(2)})},
      {"STRUCT(1 AS a, 'x' AS b)", Value::Struct(pair, {Value::Int64(1), Value::String("x")})},
      {"[STRUCT(1 AS a, 'x' AS b)]", Value::Array(pair, {Value::Struct(pair, {Value::Int64(1), Value::String("x")})})},
  };
}

void AddLiterals(std::vector<ContractQuery>& queries) {
  for (const Literal& literal : Literals()) {
    queries.push_back(Query(std::string("the literal ") + literal.sql, std::string("SELECT ") + literal.sql + " AS x",
                            {{"x", literal.value.type()}}, {{literal.value}}));
  }
}

void AddParameters(std::vector<ContractQuery>& queries) {
  const std::vector<Value> values = {
      Value::Bool(false),
      Value::Int64(INT64_MIN),
      Value::Float64(-0.5),
      Value::String("quote ' \" \\ ; -- žluť"),
      Value::String(""),
      Value::Date(-1),
      Value::TimestampMicros(kDay + 1),
      Value::Array(Type::Timestamp(), {Value::TimestampMicros(kDay), Value::TimestampMicros(kDay + 1)}),
      Value::Null(Type::String()),
      Value::Null(Type::Int64()),
      Value::Null(Type::Timestamp()),
  };
  for (const Value& value : values) {
    ContractQuery query = Query("the parameter " + value.type().ToString() + " " + value.DebugString(),
                                "SELECT @p AS x, id FROM `contract.logs` WHERE id = @id",
                                {{"x", value.type()}, {"id", Type::String()}}, {{value, Value::String("b")}});
    query.parameters = {{"p", value}, {"id", Value::String("b")}};
    queries.push_back(std::move(query));
  }
}

void AddTables(std::vector<ContractQuery>& queries) {
  const ContractTable logs = Logs();
  queries.push_back(Query("a whole table, its records as they are",
                          "SELECT id, timestamp, event_message, project, metadata FROM `contract.logs` ORDER BY id",
                          logs.table.columns, logs.rows));
  queries.push_back(Query("fields of nested records, of the rows that have them",
                          "SELECT t.id, r.status_code FROM `contract.logs` AS t CROSS JOIN UNNEST(t.metadata) AS m "
                          "CROSS JOIN UNNEST(m.response) AS r ORDER BY t.id",
                          {{"id", Type::String()}, {"status_code", Type::Int64()}},
                          {{Value::String("a"), Value::Int64(200)},
                           {Value::String("b"), Value::Int64(500)},
                           {Value::String("c"), Value()}}));
  queries.push_back(Query("a filter, and an order of two keys",
                          "SELECT id FROM `contract.logs` WHERE project = 'p' ORDER BY timestamp DESC, id",
                          {{"id", Type::String()}},
                          {{Value::String("d")}, {Value::String("b")}, {Value::String("c")}, {Value::String("a")}}));
  queries.push_back(
      Query("no rows", "SELECT id, n FROM `contract.empty`", {{"id", Type::String()}, {"n", Type::Int64()}}, {}));
  queries.push_back(Query("an aggregate of no rows", "SELECT COUNT(*) AS rows_, MAX(n) AS n FROM `contract.empty`",
                          {{"rows_", Type::Int64()}, {"n", Type::Int64()}}, {{Value::Int64(0), Value()}}));
}

void AddLarge(std::vector<ContractQuery>& queries) {
  ContractTable numbers = Numbers();
  queries.push_back(Query("many rows in order", "SELECT n, text FROM `contract.numbers` ORDER BY n",
                          numbers.table.columns, std::move(numbers.rows)));
  ContractQuery endless = Query("endless",
                                "SELECT COUNT(*) AS c FROM `contract.numbers` AS a, `contract.numbers` AS b, "
                                "`contract.numbers` AS c WHERE MOD(a.n * b.n + c.n, 7) = 3",
                                {{"c", Type::Int64()}}, {});
  endless.endless = true;
  queries.push_back(std::move(endless));
}

void AddErrors(std::vector<ContractQuery>& queries) {
  const Schema one = {{"x", Type::Int64()}};
  const auto add = [&](const char* name, const char* sql, const Schema& schema) {
    queries.push_back(Failing(name, sql, schema, absl::StatusCode::kInvalidArgument));
  };
  // The query reads a table, so that no planner can see the error coming.
  add("a division by zero", "SELECT DIV(n, n - n) AS x FROM `contract.numbers`", one);
  add("a cast that fails", "SELECT CAST(id AS INT64) AS x FROM `contract.logs`", one);
  add("an overflow", "SELECT n + 9223372036854775807 AS x FROM `contract.numbers` WHERE n > 0", one);
  add("an index outside its array", "SELECT [1, 2][OFFSET(n)] AS x FROM `contract.numbers` WHERE n > 1", one);
}

}  // namespace

const std::vector<ContractTable>& ContractTables() {
  static const auto* const tables = new std::vector<ContractTable>{Logs(), Empty(), Numbers()};
  return *tables;
}

const std::vector<ContractQuery>& ContractQueries() {
  static const auto* const queries = [] {
    auto* all = new std::vector<ContractQuery>;
    AddTables(*all);
    AddLiterals(*all);
    AddParameters(*all);
    AddLarge(*all);
    AddErrors(*all);
    AddFunctionQueries(*all);
    return all;
  }();
  return *queries;
}

}  // namespace logquery::testing
