// Functions of several types and properties, and queries that call them on the contract's tables.
#include "lib/testing/contract_functions.h"

#include <atomic>
#include <stdexcept>
#include <string>
#include <utility>

#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "logquery/scalar_function.h"

namespace logquery::testing {
namespace {

using Rows = std::vector<std::vector<Value>>;

std::atomic<bool>& AreRegistered() {
  static std::atomic<bool> registered = false;
  return registered;
}

absl::Status Join(const ScalarArguments& in, ScalarResult& out) {
  return out.SetText(base::StrCat(in.Text(0), "#", in.Int64(1)));
}

absl::Status CountNulls(const ScalarArguments& in, ScalarResult& out) {
  int64_t nulls = 0;
  for (size_t i = 0; i < in.size(); ++i) nulls += in.IsNull(i) ? 1 : 0;
  return out.SetInt64(nulls);
}

absl::Status FailAbove(const ScalarArguments& in, ScalarResult& out) {
  if (in.Int64(0) > in.Int64(1)) return absl::InternalError(base::StrCat(in.Int64(0), " is too large"));
  return out.SetInt64(in.Int64(0));
}

absl::Status ThrowAbove(const ScalarArguments& in, ScalarResult& out) {
  if (in.Int64(0) > in.Int64(1)) throw std::runtime_error("thrown");
  return out.SetInt64(in.Int64(0));
}

absl::Status Halves(const ScalarArguments& in, ScalarResult& out) {
  const std::string text(in.Text(0));
  const size_t middle = text.size() / 2;
  return out.Set(Value::Array(Type::String(), {Value::String(text.substr(0, middle)), Value::Null(Type::String()),
                                               Value::String(text.substr(middle))}));
}

absl::Status Same(const ScalarArguments& in, ScalarResult& out) { return out.Set(in.ValueAt(0)); }

std::vector<ScalarFunction> ContractFunctions() {
  std::vector<ScalarFunction> functions;
  functions.push_back({"contract_join", {Type::String(), Type::Int64()}, Type::String(), Join});
  functions.back().may_raise = false;
  functions.push_back({"contract_nulls", {Type::String(), Type::Int64()}, Type::Int64(), CountNulls});
  functions.back().takes_nulls = true;
  functions.push_back({"contract_fail", {Type::Int64(), Type::Int64()}, Type::Int64(), FailAbove});
  functions.push_back({"contract_throw", {Type::Int64(), Type::Int64()}, Type::Int64(), ThrowAbove});
  functions.push_back({"contract_halves", {Type::String()}, Type::Array(Type::String()), Halves});
  functions.push_back({"contract_impure", {Type::Int64()}, Type::Int64(), Same});
  functions.back().pure = false;
  for (const Type& type :
       {Type::Bool(), Type::Float64(), Type::Numeric(), Type::BigNumeric(), Type::Bytes(), Type::Date(), Type::Time(),
        Type::Datetime(), Type::Timestamp(), Type::Interval(), Type::Array(Type::String())}) {
    const std::string name = type.is_array() ? "texts" : type.ToString();
    functions.push_back({base::StrCat("contract_same_", name), {type}, type, Same});
  }
  return functions;
}

ContractQuery Query(const std::string& name, std::string sql, Schema schema, Rows rows) {
  ContractQuery query;
  query.name = base::StrCat("a program's function: ", name);
  query.sql = std::move(sql);
  query.schema = std::move(schema);
  query.rows = std::move(rows);
  return query;
}

ContractQuery Failing(const std::string& name, std::string sql) {
  ContractQuery query = Query(name, std::move(sql), {{"x", Type::Int64()}}, {});
  query.code = absl::StatusCode::kInvalidArgument;
  return query;
}

void AddOverRows(std::vector<ContractQuery>& queries) {
  const Schema text = {{"x", Type::String()}};
  const Schema number = {{"x", Type::Int64()}};
  queries.push_back(Query("in SELECT, with NULLs",
                          "SELECT contract_join(event_message, 7) AS x FROM `contract.logs` ORDER BY id", text,
                          {{Value::String("first#7")},
                           {Value::String("longer than twelve bytes, žluťoučký#7")},
                           {Value::Null(Type::String())},
                           {Value::String("#7")},
                           {Value::String("no metadata#7")}}));
  queries.push_back(Query("in WHERE, and nested",
                          "SELECT id AS x FROM `contract.logs` WHERE Contract_Join(contract_join(id, 1), 2) = 'b#1#2'",
                          text, {{Value::String("b")}}));
  queries.push_back(
      Query("that takes NULLs", "SELECT contract_nulls(event_message, NULL) AS x FROM `contract.logs` ORDER BY id",
            number, {{Value::Int64(1)}, {Value::Int64(1)}, {Value::Int64(2)}, {Value::Int64(1)}, {Value::Int64(1)}}));
  queries.push_back(Query("in GROUP BY, over many rows",
                          "SELECT contract_impure(MOD(n, 3)) AS x, COUNT(*) AS c FROM `contract.numbers` GROUP BY 1 "
                          "ORDER BY contract_fail(x, 5)",
                          {{"x", Type::Int64()}, {"c", Type::Int64()}},
                          {{Value::Int64(0), Value::Int64(6'667)},
                           {Value::Int64(1), Value::Int64(6'667)},
                           {Value::Int64(2), Value::Int64(6'666)}}));
  queries.push_back(
      Query("in JOIN, and in an aggregate",
            "SELECT SUM(contract_fail(a.n, 9)) AS x FROM `contract.numbers` AS a JOIN `contract.numbers` AS b "
            "ON contract_join(a.text, 1) = contract_join(b.text, 1) WHERE a.n < 10",
            number, {{Value::Int64(38)}}));
  queries.push_back(Query("that gives a list",
                          "SELECT part AS x FROM UNNEST(contract_halves('abcd')) AS part WITH OFFSET AS o ORDER BY o",
                          text, {{Value::String("ab")}, {Value::Null(Type::String())}, {Value::String("cd")}}));
  queries.push_back(
      Query("of constants", "SELECT contract_join(CONCAT('a', 'b'), 1 + 1) AS x", text, {{Value::String("ab#2")}}));
  ContractQuery parameters = Query("of parameters", "SELECT contract_fail(@n, @n) AS x", number, {{Value::Int64(12)}});
  parameters.parameters = {{"n", Value::Int64(12)}};
  queries.push_back(std::move(parameters));
}

void AddTypes(std::vector<ContractQuery>& queries) {
  const std::pair<const char*, Value> cases[] = {
      {"contract_same_bool(TRUE)", Value::Bool(true)},
      {"contract_same_float64(0.1)", Value::Float64(0.1)},
      {"contract_same_numeric(NUMERIC '-12.000000005')", Value::Numeric("-12.000000005")},
      {"contract_same_bignumeric(BIGNUMERIC '12.00000000000000000000000000000000000005')",
       Value::BigNumeric("12.00000000000000000000000000000000000005")},
      {"contract_same_bytes(b'\\x00\\xff')", Value::Bytes(std::string("\x00\xFF", 2))},
      {"contract_same_date(DATE '0001-01-01')", Value::Date(-719'162)},
      {"contract_same_time(TIME '23:59:59.999999')", Value::Time(86'399'999'999)},
      {"contract_same_datetime(DATETIME '1970-01-01 00:00:01')", Value::Datetime(1'000'000)},
      {"contract_same_timestamp(TIMESTAMP '1969-12-31 23:59:59.999999+00')", Value::TimestampMicros(-1)},
      {"contract_same_interval(INTERVAL '1-2 -3 0:0:6' YEAR TO SECOND)", Value::IntervalOf({14, -3, 6'000'000})},
      {"contract_same_texts(['a', NULL])",
       Value::Array(Type::String(), {Value::String("a"), Value::Null(Type::String())})},
  };
  for (const auto& [call, value] : cases) {
    queries.push_back(Query(call, base::StrCat("SELECT ", call, " AS x"), {{"x", value.type()}}, {{value}}));
    // The query reads a table, so that no planner evaluates it.
    queries.push_back(
        Query(base::StrCat(call, " for a row"),
              base::StrCat("SELECT IF(id = 'a', ", call, ", NULL) AS x FROM `contract.logs` WHERE id = 'a'"),
              {{"x", value.type()}}, {{value}}));
  }
}

void AddFunctionErrors(std::vector<ContractQuery>& queries) {
  queries.push_back(
      Failing("that returns an error for a row", "SELECT contract_fail(n, 19000) AS x FROM `contract.numbers`"));
  queries.push_back(Failing("that throws for a row", "SELECT contract_throw(n, 19000) AS x FROM `contract.numbers`"));
  queries.push_back(Failing("that returns an error for constants", "SELECT contract_fail(2, 1) AS x"));
  queries.push_back(Query("that would fail for rows which a filter drops",
                          "SELECT contract_fail(n, 2) AS x FROM `contract.numbers` WHERE n < 3 ORDER BY 1",
                          {{"x", Type::Int64()}}, {{Value::Int64(0)}, {Value::Int64(1)}, {Value::Int64(2)}}));
  queries.push_back(Query("whose errors SAFE turns into NULL",
                          "SELECT SAFE.contract_fail(n, 1) AS x FROM `contract.numbers` WHERE n < 3 ORDER BY n",
                          {{"x", Type::Int64()}}, {{Value::Int64(0)}, {Value::Int64(1)}, {Value()}}));
}

}  // namespace

absl::Status RegisterContractFunctions() {
  std::vector<ScalarFunction> functions = ContractFunctions();
  for (ScalarFunction& function : functions) {
    LOGQUERY_RETURN_IF_ERROR(RegisterScalarFunction(std::move(function)));
  }
  AreRegistered() = true;
  return absl::OkStatus();
}

void AddFunctionQueries(std::vector<ContractQuery>& queries) {
  if (!AreRegistered()) return;
  AddOverRows(queries);
  AddTypes(queries);
  AddFunctionErrors(queries);
}

}  // namespace logquery::testing
