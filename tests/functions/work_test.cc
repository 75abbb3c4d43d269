// Every function of ours on large hostile arguments: it ends soon after the query is to end. The steps that it counts are
// compared, and its processor time with that of a function whose steps are small.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lib/functions/function_lists.h"
#include "lib/rewrite/functions/function_signature.h"
#include "tests/support/thread_time.h"

namespace logquery::functions {
namespace {

// The sanitizers look for other faults than steps that take long, and make each ten times as long.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kComparesTime = false;
constexpr int kShare = 16;
#else
constexpr bool kComparesTime = true;
constexpr int kShare = 4;
#endif
constexpr size_t kBytes = (512 << 10) / kShare;
constexpr int kElements = 50'000 / kShare;
constexpr uint64_t kSteps = (1 << 20) / kShare;
constexpr int kRepeated = 4;  // arguments of a parameter that repeats
// Copying the arguments takes some of the time, and a step of other functions takes longer than a small one.
constexpr double kMostTimes = 400;

std::string Repeated(std::string_view text, size_t bytes) {
  std::string all;
  while (all.size() < bytes) all += text;
  return all;
}

// Texts on which searches, patterns, sets of characters and parsers that start anew at each place take the square of
// the length.
const std::vector<std::string>& Texts() {
  static const auto& texts = *new std::vector<std::string>{
      Repeated("a", kBytes),
      Repeated("a", kBytes / 2) + "b",
      "%" + Repeated("a", kBytes / 2) + "b%",
      "[" + Repeated("{\"k\":1},", kBytes / 2) + "null]",
      Repeated("9", kBytes),
      Repeated("a ", kBytes),
      "a.*z|a",
      "$.k",
      "%" + Repeated("a", kBytes / 2) + "_b%",
  };
  return texts;
}

Value ListOf(const Type& element, size_t variant) {
  std::vector<Value> values;
  for (int i = 0; i < kElements; ++i) {
    const std::string text = variant % 2 == 0 ? std::to_string(i) : "1";
    values.push_back(element.is(TypeKind::kBytes)        ? Value::Bytes(text)
                     : element.is(TypeKind::kBigNumeric) ? Value::BigNumeric(text)
                                                         : Value::String(text));
  }
  return Value::Array(element, std::move(values));
}

// How many variants of a large value differ.
size_t VariantsOf(const Type& type) {
  return type.is(TypeKind::kString) || type.is(TypeKind::kBytes) ? Texts().size() : 2;
}

// A large value of the type; each variant is another one.
Value MakeLargeValue(const Type& type, size_t variant) {
  switch (type.kind()) {
    case TypeKind::kString:
      return Value::String(Texts()[variant % Texts().size()]);
    case TypeKind::kBytes:
      return Value::Bytes(Texts()[variant % Texts().size()]);
    case TypeKind::kInt64:
      return Value::Int64(variant % 2 == 0 ? 1 : 1'000'000);
    case TypeKind::kFloat64:
      return Value::Float64(1e28);
    case TypeKind::kBool:
      return Value::Bool(variant % 2 == 0);
    case TypeKind::kNumeric:
      return Value::Numeric("99999999999999999999999999999");
    case TypeKind::kBigNumeric:
      return Value::BigNumeric("99999999999999999999999999999.5");
    case TypeKind::kDate:
      return Value::Date(20'000);
    case TypeKind::kTime:
      return Value::Time(1);
    case TypeKind::kDatetime:
      return Value::Datetime(1);
    case TypeKind::kTimestamp:
      return Value::TimestampMicros(1);
    case TypeKind::kInterval:
      return Value::IntervalOf({0, 1, 0});
    default:
      return ListOf(type.element(), variant);
  }
}

const Value& LargeValue(const Type& type, size_t variant) {
  static auto& made = *new std::map<std::pair<std::string, size_t>, Value>();
  variant %= VariantsOf(type);
  const auto [found, is_new] = made.try_emplace({type.ToString(), variant});
  if (is_new) found->second = MakeLargeValue(type, variant);
  return found->second;
}

bool IsLarge(const Type& type) { return type.is(TypeKind::kString) || type.is(TypeKind::kBytes) || type.is_array(); }

class Discarded : public ResultColumn {
 public:
  Discarded() : ResultColumn(&fixed_) {}
  void SetNull(int64_t) override {}
  void SetText(int64_t, std::string_view) override {}
  void SetTexts(int64_t, const TextList&) override {}
  void SetInts(int64_t, const std::vector<int64_t>&) override {}

 private:
  alignas(16) char fixed_[16] = {};
};

struct Outcome {
  absl::Status status;
  uint64_t steps = 0;
  double seconds = 0;
};

// Calls the function, with the query ending after kSteps.
Outcome Run(const FunctionEntry& entry, std::vector<Value> arguments) {
  Schema schema;
  for (const Value& argument : arguments) schema.push_back({"", argument.type()});
  std::vector<std::vector<Value>> rows;
  rows.push_back(std::move(arguments));
  const ValueBatch row(schema, rows);
  const Batch batch = row.batch();
  std::vector<ColumnView> columns;
  for (size_t i = 0; i < batch.column_count(); ++i) columns.push_back(batch.column(i));
  Work work(nullptr, kSteps);
  Discarded result;
  const double begin = testing::ThreadSeconds();
  Outcome outcome;
  outcome.status = EvaluateRows(entry, OnError::kFail, columns, /*rows=*/1, work, result);
  outcome.seconds = testing::ThreadSeconds() - begin;
  outcome.steps = work.spent();
  return outcome;
}

TEST_CASE("a function that takes long for one row ends when the query does") {
  const auto text = [](size_t i) { return LargeValue(Type::String(), i); };
  CHECK(absl::IsCancelled(Run(*FindFunction("lq_like"), {text(0), text(8)}).status));
  CHECK(absl::IsCancelled(Run(*FindFunction("lq_regexp_extract_all"), {text(0), text(6)}).status));
  CHECK(absl::IsCancelled(Run(*FindFunction("lq_regexp_replace"), {text(0), text(6), text(7)}).status));
}

// The time in which LIKE takes the steps after which a query of Run ends: a step of it looks at a character or two.
double SecondsOfSmallSteps() {
  const FunctionEntry& like = *FindFunction("lq_like");
  const std::vector<Value> arguments = {LargeValue(Type::String(), 0), LargeValue(Type::String(), 8)};
  double shortest = Run(like, arguments).seconds;
  for (int i = 0; i < 4; ++i) shortest = std::min(shortest, Run(like, arguments).seconds);
  return shortest;
}

TEST_CASE("every function ends soon after the query does, whatever its arguments are") {
  const double most = kMostTimes * SecondsOfSmallSteps();
  for (const FunctionEntries list : AllFunctions()) {
    for (const FunctionEntry& entry : list) {
      const rewrite::Signature signature = *rewrite::ParseSignature(entry.signature);
      std::set<std::vector<size_t>> seen;
      // The first argument is a text of each kind, those after it are each kind in turn.
      for (size_t first = 0; first < Texts().size(); ++first) {
        for (size_t others = 0; others < Texts().size(); ++others) {
          std::vector<Type> types;
          std::vector<size_t> chosen;
          int large = 0;
          for (const rewrite::ParameterPattern& parameter : signature.parameters) {
            const int count = parameter.repeated ? kRepeated : 1;
            for (int i = 0; i < count; ++i) {
              chosen.push_back((types.empty() ? first : others) % VariantsOf(parameter.type.exact));
              types.push_back(parameter.type.exact);
            }
            large += IsLarge(parameter.type.exact) ? count : 0;
          }
          if ((large < 2 || !kComparesTime) && others > 1) break;
          if (!seen.insert(chosen).second) continue;
          // Lists have many values: they are copied once.
          std::vector<Value> arguments;
          arguments.reserve(types.size());
          for (size_t i = 0; i < types.size(); ++i) arguments.push_back(LargeValue(types[i], chosen[i]));
          const Outcome outcome = Run(entry, std::move(arguments));
          INFO(entry.name << " of texts " << first << " and " << others << ": " << outcome.status.ToString());
          CHECK(outcome.steps <= 3 * kSteps);
          CHECK((!kComparesTime || outcome.seconds < most));
        }
      }
    }
  }
}

}  // namespace
}  // namespace logquery::functions
