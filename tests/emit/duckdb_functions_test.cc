// Every spelled row of the function table runs on DuckDB and gives the physical type that its result should have; and values
// of each function, against GoogleSQL's documentation.
#include <catch2/catch_test_macros.hpp>

#include "lib/base/strings.h"
#include "lib/engines/duckdb/dialect/functions.h"
#include "lib/engines/duckdb/dialect/spellings.h"
#include "tests/emit/duckdb_function_cases.h"

namespace logquery::emit {
namespace {

using base::StrCat;
using rewrite::FunctionKind;
using rewrite::FunctionRow;
using rewrite::Overload;
using rewrite::ParameterPattern;
using rewrite::TypePattern;

// Values of the types that a pattern's variables may stand for: one is enough here, but not for `$equal`.
std::optional<Type> SampleType(const TypePattern& pattern) {
  switch (pattern.kind) {
    case TypePattern::Kind::kExact:
      return pattern.exact;
    case TypePattern::Kind::kAny:
    case TypePattern::Kind::kOrderable:
    case TypePattern::Kind::kGroupable:
      return Type::String();
    case TypePattern::Kind::kNumber:
      return Type::Int64();
    case TypePattern::Kind::kPart:
      return Type::String();
    case TypePattern::Kind::kLambda:
    case TypePattern::Kind::kStruct:
      return std::nullopt;
    case TypePattern::Kind::kArray:
      break;
  }
  const std::optional<Type> element = SampleType(pattern.element[0]);
  if (!element.has_value()) return std::nullopt;
  return Type::Array(*element);
}

// NULLs for all of the row's parameters, with and without the optional ones; a literal where the code wants one.
std::optional<std::vector<Value>> SampleArguments(const Overload& overload, bool with_optional, std::string_view part) {
  std::vector<Value> args;
  for (const ParameterPattern& parameter : overload.parameters) {
    if (parameter.optional && !with_optional) break;
    const std::optional<Type> type = SampleType(parameter.type);
    if (!type.has_value()) return std::nullopt;
    if (!parameter.name.empty()) {
      const bool is_bool = parameter.type.exact.is(TypeKind::kBool);
      args.push_back(is_bool ? Value::Bool(true) : Value::String(parameter.default_text));
      continue;
    }
    const bool is_part = parameter.type.kind == TypePattern::Kind::kPart;
    args.push_back(is_part ? Value::String(std::string(part)) : Value::Null(*type));
  }
  return args;
}

// Returns whether the row's text could be made for some date part; its value must be of the result's type.
bool Runs(const Overload& overload, bool with_optional, ArgumentForm form) {
  bool ran = false;
  for (std::string_view part : {"DAY", "SECOND", "YEAR"}) {
    const auto args = SampleArguments(overload, with_optional, part);
    if (!args.has_value()) return true;
    const Picked picked{&overload, SampleType(overload.result).value_or(Type::Int64())};
    const auto sql = CallSql(picked, *args, form);
    if (absl::IsUnimplemented(sql.status()) || absl::IsInvalidArgument(sql.status())) {
      ran = ran || absl::IsUnimplemented(sql.status());
      continue;
    }
    REQUIRE(sql.ok());
    INFO(*sql);
    if (form == ArgumentForm::kColumns) {
      const auto typed = HasType(*sql, picked.result);
      INFO(typed.status().ToString());
      REQUIRE(typed.ok());
      CHECK(*typed);
    }
    // Some functions refuse NULL, as GoogleSQL does.
    const auto value = RunOne(*sql, picked.result, BindingsFor(picked, *args, form));
    INFO(value.status().ToString());
    CHECK((value.ok() || absl::IsInvalidArgument(value.status())));
    ran = true;
  }
  return ran;
}

TEST_CASE("every scalar function with a spelling runs with NULLs, and has the declared result type") {
  for (const std::string& name : rewrite::FunctionNames()) {
    const rewrite::Function* function = rewrite::FindFunction(name);
    if (function->kind != FunctionKind::kScalar || name == "ERROR") continue;
    for (const Overload& overload : function->overloads) {
      if (DuckDbSpellings().Of(overload).empty()) continue;
      for (bool with_optional : {false, true}) {
        for (ArgumentForm form : {ArgumentForm::kColumns, ArgumentForm::kLiterals, ArgumentForm::kParameters}) {
          INFO(SignatureText(overload) << " in form " << static_cast<int>(form));
          CHECK(Runs(overload, with_optional, form));
        }
      }
    }
  }
}

TEST_CASE("arithmetic: overflow and division by zero are errors, integers divide as FLOAT64") {
  CheckCall("$divide", {Value::Int64(7), Value::Int64(2)}, Value::Float64(3.5));
  CheckCall("$divide", {Value::Null(Type::Int64()), Value::Int64(0)}, Value::Null(Type::Float64()));
  CheckError("$divide", {Value::Int64(7), Value::Int64(0)}, "division by zero");
  CheckError("$add", {Value::Int64(INT64_MAX), Value::Int64(1)}, "INT64 overflow: 9223372036854775807 + 1");
  CheckCall("$divide", {Value::Numeric("10"), Value::Numeric("3")}, Value::Numeric("3.333333333"));
  CheckCall("$divide", {Value::Numeric("-2"), Value::Numeric("3")}, Value::Numeric("-0.666666667"));
  CheckCall("$shift_left", {Value::Int64(-1), Value::Int64(3)}, Value::Int64(-8));
  CheckCall("$shift_right", {Value::Int64(-1), Value::Int64(1)}, Value::Int64(INT64_MAX));
  CheckCall("$shift_left", {Value::Int64(1), Value::Int64(64)}, Value::Int64(0));
  CheckError("$shift_left", {Value::Int64(1), Value::Int64(-1)}, "negative");
}

}  // namespace
}  // namespace logquery::emit
