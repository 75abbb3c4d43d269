// Our functions in DuckDB against the same functions on values: what goes in and comes out is the same, for every
// entry of the table, NULLs, lists and errors included, over several of the engine's vectors.
#include <catch2/catch_get_random_seed.hpp>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <random>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lib/engines/duckdb/backend/functions/function.h"
#include "lib/functions/evaluate.h"
#include "lib/functions/function_lists.h"
#include "lib/rewrite/functions/function_signature.h"
#include "lib/store/create_table.h"
#include "tests/backend/duckdb_test_util.h"

namespace logquery::duckdb {
namespace {

using functions::FunctionEntry;

constexpr size_t kRows = 3'000;  // more than a vector has
constexpr size_t kRepeated = 3;  // arguments for "STRING..."

// The emitter makes some of these functions' arguments in a form that they rely on (parts of sums, kinds of redaction, an
// operation's name, pairs of paths and values, flags that are never NULL); tests/emit runs them through the emitter.
bool TakesEmittedArguments(std::string_view name) {
  static const std::set<std::string_view>& names = *new std::set<std::string_view>{
      "lq_big_average",     "lq_big_sum",           "lq_big_variance",      "lq_format",
      "lq_integer_average", "lq_json_array_append", "lq_json_array_insert", "lq_json_remove",
      "lq_json_set",        "lq_numeric_average",   "lq_numeric_sum",       "lq_redact",
      "lq_redact_json",     "lq_search_json",       "lq_top_sums"};
  return names.contains(name);
}

// Values of a column, a sixth of them NULL.
class Values {
 public:
  explicit Values(uint32_t seed) : random_(seed) {}

  Value Next(const Type& type) {
    if (Below(6) == 0) return Value::Null(type);
    switch (type.kind()) {
      case TypeKind::kBool:
        return Value::Bool(Below(2) == 0);
      case TypeKind::kInt64:
        return Value::Int64(Below(16));
      case TypeKind::kFloat64:
        return Value::Float64(static_cast<double>(Below(100)) / 8 - 3);
      case TypeKind::kNumeric:
        return Value::Numeric(std::to_string(Below(9) - 4));
      case TypeKind::kBigNumeric:
        return Value::BigNumeric(std::to_string(Below(9) - 4));
      case TypeKind::kBytes:
        return Value::Bytes(Text());
      case TypeKind::kDate:
        return Value::Date(Below(20'000));
      case TypeKind::kDatetime:
        return Value::Datetime(int64_t{86'400'000'000} * Below(20'000) + Below(1'000'000));
      case TypeKind::kInterval:
        return Value::IntervalOf({Below(200'000) - 100'000, Below(9), Below(1'000)});
      case TypeKind::kTime:
      case TypeKind::kTimestamp:
        return type.is(TypeKind::kTime) ? Value::Time(Below(1'000'000)) : Value::TimestampMicros(Below(1'000'000));
      case TypeKind::kArray: {
        std::vector<Value> elements(static_cast<size_t>(Below(4)));
        for (Value& element : elements) element = Next(type.element());
        return Value::Array(type.element(), std::move(elements));
      }
      default:
        REQUIRE(type.is(TypeKind::kString));
        return Value::String(Text());
    }
  }

 private:
  int Below(int n) { return static_cast<int>(random_() % static_cast<uint32_t>(n)); }

  std::string Text() {
    static const std::vector<std::string>& texts =
        *new std::vector<std::string>{"",
                                      "a",
                                      "abc",
                                      "12",
                                      "-1.5",
                                      "%b_",
                                      "é",
                                      "+02:00",
                                      "Europe/Paris",
                                      "1-2 3 4:5:6",
                                      "08:30:00",
                                      "2026-03-04 05:06:07",
                                      "$.a",
                                      "0",
                                      "hex",
                                      "utf8",
                                      "NFC",
                                      R"({"a":[1,"two",null],"b":{"c":2.5}})",
                                      "from 203.0.113.7 to 10.0.0.1",
                                      "ip",
                                      "a text that is longer than the twelve bytes in place",
                                      "%d",
                                      "%Y-%m-%d",
                                      "NUMERIC",
                                      "[a-c]+",
                                      "1,2,,3",
                                      ","};
    return texts[static_cast<size_t>(Below(static_cast<int>(texts.size())))];
  }

  std::mt19937 random_;
};

Schema ArgumentsOf(const rewrite::Signature& signature) {
  Schema columns;
  for (const rewrite::ParameterPattern& parameter : signature.parameters) {
    for (size_t i = 0; i < (parameter.repeated ? kRepeated : 1); ++i) {
      columns.push_back({"a" + std::to_string(columns.size()), parameter.type.exact});
    }
  }
  return columns;
}

// "SELECT lq_or_null_name(a0, a1) FROM t ORDER BY n"
std::string QueryOf(const FunctionEntry& entry, size_t arguments) {
  std::string name = entry.name;
  if (!name.starts_with(kOrNull)) name = std::string(kOrNull) + name.substr(std::string("lq_").size());
  std::string list;
  for (size_t i = 0; i < arguments; ++i) list += (i == 0 ? "a" : ", a") + std::to_string(i);
  return "SELECT " + name + "(" + list + ") FROM t ORDER BY n";
}

bool Same(const Value& a, const Value& b) {
  if (a.is_null() || b.is_null()) return a.is_null() && b.is_null();
  if (a.type().is(TypeKind::kFloat64) && std::isnan(a.float64_value())) return std::isnan(b.float64_value());
  return a == b;
}

// How many rows have a value.
int Compare(DuckDbBackend& backend, const FunctionEntry& entry, Values& values) {
  const absl::StatusOr<rewrite::Signature> signature = rewrite::ParseSignature(entry.signature);
  REQUIRE(signature.ok());
  Schema columns = ArgumentsOf(*signature);
  const size_t arguments = columns.size();
  columns.push_back({"n", Type::Int64()});
  Rows rows(kRows);
  for (size_t i = 0; i < kRows; ++i) {
    for (size_t a = 0; a < arguments; ++a) rows[i].push_back(values.Next(columns[a].type));
    rows[i].push_back(Value::Int64(static_cast<int64_t>(i)));
  }
  REQUIRE(store::CreateTable(backend, "t", columns, rows).ok());
  const Type& type = signature->result.exact;
  std::vector<absl::StatusOr<Value>> expected;
  bool within_budget = true;
  for (std::vector<Value>& row : rows) {
    row.pop_back();
    expected.push_back(functions::Evaluate(entry, row, type));
    REQUIRE_FALSE(absl::IsInternal(expected.back().status()));
    within_budget = within_budget && !absl::IsResourceExhausted(expected.back().status());
  }
  const PreparedQuery query = Duck(QueryOf(entry, arguments), {{"x", type}});
  CollectingSink sink;
  const absl::Status status = Execute(backend, query, sink);
  // A call beyond its budget is an error also where others give NULL.
  CHECK(status.ok() == within_budget);
  if (!status.ok() || !within_budget) return 0;
  REQUIRE(sink.rows().size() == kRows);
  int with_value = 0;
  for (size_t i = 0; i < kRows; ++i) {
    const Value& result = sink.rows()[i][0];
    with_value += result.is_null() ? 0 : 1;
    if (Same(result, expected[i].ok() ? *expected[i] : Value::Null(type))) continue;
    FAIL_CHECK(entry.name << ", row " << i << ": " << expected[i].status().ToString());
  }
  return with_value;
}

TEST_CASE("each of our functions returns the same in the engine as on values") {
  const uint32_t seed = Catch::getSeed();
  CAPTURE(seed);
  Values values(seed);
  const auto backend = OpenInMemory();
  int with_values = 0;
  for (const functions::FunctionEntries list : functions::AllFunctions()) {
    for (const FunctionEntry& entry : list) {
      if (TakesEmittedArguments(entry.name)) continue;
      INFO(entry.name);
      with_values += Compare(*backend, entry, values) > 0 ? 1 : 0;
    }
  }
  // Random texts are right for most of them.
  CHECK(with_values > 130);
}

}  // namespace
}  // namespace logquery::duckdb
