// Every function case of tests/emit, over stored rows. The cases' own tests are compiled into this room; the observer below
// checks each of their calls a second time.
#include "tests/isolation/stored_cases.h"

#include <catch2/catch_test_macros.hpp>

#include "lib/base/strings.h"
#include "lib/testing/function_cases.h"
#include "tests/emit/duckdb_function_cases.h"
#include "tests/isolation/stored_rows.h"

namespace logquery::isolation {
namespace {

int64_t observed = 0;

bool Holds(std::string_view text, std::string_view words) { return text.find(words) != std::string_view::npos; }

// Says what is wrong with the case over stored rows; empty: nothing.
std::string WrongWith(const emit::CheckedCall& call, StoredArguments form) {
  const absl::StatusOr<StoredResult> result = EvaluateStored(call.function, call.args, form);
  const std::string_view message = result.ok() ? std::string_view() : base::Message(result.status());
  // A literal is wanted where a column stands: the case of literals is all that there is.
  if (absl::IsUnimplemented(result.status())) return "";
  if (Holds(message, kMarker)) return base::StrCat("a hidden row's value shows: ", message);
  if (call.expected == nullptr) {
    if (result.ok()) return "no error";
    return Holds(message, call.words) ? "" : base::StrCat("another error: ", message);
  }
  if (!result.ok()) return base::StrCat("an error: ", message);
  if (static_cast<int64_t>(result->values.size()) != result->own_rows) {
    return base::StrCat(result->values.size(), " rows of ", result->own_rows);
  }
  for (const Value& value : result->values) {
    if (!testing::SameValue(value, *call.expected)) {
      return base::StrCat(value.DebugString(), " where the literals give ", call.expected->DebugString());
    }
  }
  const int64_t nulls = call.expected->is_null() ? result->own_rows : 0;
  return result->null_rows == nulls ? "" : base::StrCat("WHERE finds ", result->null_rows, " rows NULL, not ", nulls);
}

// Thousands of rows of a longer one are a test of memory, not of the function.
constexpr size_t kLongestCase = 8'000;

void CheckStored(const emit::CheckedCall& call) {
  ++observed;
  std::string text = base::StrCat(call.function, "(");
  for (const Value& arg : call.args) base::StrAppend(&text, &arg == &call.args.front() ? "" : ", ", arg.DebugString());
  if (call.expected != nullptr) text += call.expected->DebugString();
  if (text.size() > kLongestCase) return;
  for (const StoredArguments form : {StoredArguments::kFirst, StoredArguments::kAll}) {
    INFO(text << " over stored rows, " << (form == StoredArguments::kAll ? "all" : "the first") << " of its arguments");
    const std::string wrong = WrongWith(call, form);
    CHECK(wrong == "");
    if (call.args.size() < 2) break;
  }
}

[[maybe_unused]] const bool is_observing = [] {
  emit::ObserveCalls(CheckStored);
  return true;
}();

TEST_CASE("a case over stored rows returns the same as over literals") {
  const int64_t before = observed;
  emit::CheckCall("UPPER", {Value::String("abc")}, Value::String("ABC"));
  CHECK(observed == before + 1);
  const absl::StatusOr<StoredResult> result =
      EvaluateStored("CONCAT", {Value::String("a"), Value::String("b")}, StoredArguments::kAll);
  REQUIRE(result.ok());
  CHECK(result->values.size() == static_cast<size_t>(result->own_rows));
  CHECK(result->values.front() == Value::String("ab"));
  CHECK(result->null_rows == 0);
}

TEST_CASE("a wrong result over stored rows is detected") {
  const std::vector<Value> args = {Value::String("abc")};
  const Value wrong = Value::String("abc"), null = Value::Null(Type::String());
  CHECK(Holds(WrongWith({"UPPER", args, &wrong, ""}, StoredArguments::kFirst), "where the literals give"));
  CHECK(Holds(WrongWith({"UPPER", args, &null, ""}, StoredArguments::kFirst), "where the literals give"));
  CHECK(WrongWith({"UPPER", args, nullptr, "bad"}, StoredArguments::kFirst) == "no error");
  const std::vector<Value> zero = {Value::Int64(1), Value::Int64(0)};
  const Value one = Value::Int64(1);
  CHECK(Holds(WrongWith({"DIV", zero, &one, ""}, StoredArguments::kAll), "an error"));
  CHECK(Holds(WrongWith({"DIV", zero, nullptr, "no such words"}, StoredArguments::kAll), "another error"));
}

}  // namespace
}  // namespace logquery::isolation
