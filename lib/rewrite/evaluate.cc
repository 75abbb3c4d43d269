// Evaluates constant and parameter expressions without an engine.
#include "lib/rewrite/evaluate.h"

#include <algorithm>
#include <ctime>
#include <optional>
#include <utility>

#include "absl/time/civil_time.h"
#include "lib/base/readable_text.h"
#include "lib/base/status_macros.h"
#include "lib/functions/evaluate.h"
#include "lib/model/interval_text.h"
#include "lib/model/time_text.h"
#include "lib/rewrite/resolve/coercion.h"
#include "lib/rewrite/resolve/resolver.h"

namespace logquery::rewrite {
namespace {

using base::StrCat;

struct Evaluation {
  const ParameterValues& values;
  const BucketGenerator& buckets;
  EvaluationBudget& budget;
};

absl::Duration ThreadTime() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return absl::DurationFromTimespec(time);
}

absl::Status Spent() {
  return absl::ResourceExhaustedError("the query has more constant expressions than are evaluated before it runs");
}

using Arguments = std::vector<Value>;

absl::Status Overflow(std::string_view what) {
  return absl::InvalidArgumentError(StrCat("the result of ", what, " is out of range"));
}

Value BoolOrNull(std::optional<bool> value) { return value ? Value::Bool(*value) : Value::Null(Type::Bool()); }

// -1, 0, 1; nullopt for NULL, or for values that have no order.
std::optional<int> Compare(const Value& a, const Value& b) {
  if (a.is_null() || b.is_null()) return std::nullopt;
  auto order = [](const auto& x, const auto& y) { return x < y ? -1 : y < x ? 1 : 0; };
  switch (a.type().kind()) {
    case TypeKind::kBool:
      return order(a.bool_value(), b.bool_value());
    case TypeKind::kFloat64:
      return order(a.float64_value(), b.float64_value());
    case TypeKind::kString:
    case TypeKind::kBytes:
      return order(a.string_value(), b.string_value());
    case TypeKind::kInt64:
    case TypeKind::kDate:
    case TypeKind::kTime:
    case TypeKind::kDatetime:
    case TypeKind::kTimestamp:
      return order(a.int64_value(), b.int64_value());
    default:
      return std::nullopt;
  }
}

bool Comparable(const Type& type) {
  switch (type.kind()) {
    case TypeKind::kNumeric:
    case TypeKind::kBigNumeric:
    case TypeKind::kInterval:
    case TypeKind::kJson:
    case TypeKind::kArray:
    case TypeKind::kStruct:
      return false;
    default:
      return true;
  }
}

template <typename Test>
absl::StatusOr<Value> Comparison(const Arguments& a, Test test) {
  std::optional<int> order = Compare(a[0], a[1]);
  return BoolOrNull(order ? std::optional<bool>(test(*order)) : std::nullopt);
}

absl::StatusOr<Value> In(const Arguments& a) {
  bool null = a[0].is_null();
  for (size_t i = 1; i < a.size(); ++i) {
    std::optional<int> order = Compare(a[0], a[i]);
    if (order == 0) return Value::Bool(true);
    null = null || !order;
  }
  return BoolOrNull(null ? std::nullopt : std::optional<bool>(false));
}

absl::StatusOr<Value> Logic(const Arguments& a, bool absorbing) {
  bool null = false;
  for (const Value& v : a) {
    if (v.is_null())
      null = true;
    else if (v.bool_value() == absorbing)
      return Value::Bool(absorbing);
  }
  return BoolOrNull(null ? std::nullopt : std::optional<bool>(!absorbing));
}

// A TIMESTAMP and a span of fixed length; months have none.
absl::StatusOr<Value> Shift(const Value& time, const Value& span, int sign) {
  if (time.is_null() || span.is_null()) return Value::Null(Type::Timestamp());
  const Interval& interval = span.interval_value();
  if (interval.months != 0) {
    return absl::InvalidArgumentError("a TIMESTAMP can't be moved by months or years; use a DATETIME");
  }
  absl::int128 micros = absl::int128(interval.days) * 86'400'000'000 + interval.micros;
  absl::int128 result = absl::int128(time.int64_value()) + sign * micros;
  // 0001-01-01 to 9999-12-31, as GoogleSQL bounds it.
  if (result < -62'135'596'800'000'000 || result > 253'402'300'799'999'999) return Overflow("moving a timestamp");
  return Value::TimestampMicros(static_cast<int64_t>(result));
}

int64_t FloorTo(int64_t value, int64_t step) {
  int64_t rest = value % step;
  return value - (rest < 0 ? rest + step : rest);
}

absl::StatusOr<Value> Truncate(const Arguments& a) {
  if (a[0].is_null()) return a[0];
  static const auto* steps =
      new base::StringMap<int64_t>{{"MICROSECOND", 1},     {"MILLISECOND", 1'000},  {"SECOND", 1'000'000},
                                   {"MINUTE", 60'000'000}, {"HOUR", 3'600'000'000}, {"DAY", 86'400'000'000}};
  return Value::TimestampMicros(FloorTo(a[0].int64_value(), steps->at(a[1].string_value())));
}

absl::StatusOr<Value> ElementAt(const Value& array, const Value& index, bool safe, const Type& type) {
  if (array.is_null() || index.is_null()) return Value::Null(type);
  int64_t at = index.int64_value();
  if (at < 0 || at >= static_cast<int64_t>(array.children().size())) {
    if (safe) return Value::Null(type);
    return absl::InvalidArgumentError(StrCat("the array index ", at, " is out of bounds: the array has ",
                                             base::Counted(array.children().size(), "element")));
  }
  return array.children()[at];
}

absl::StatusOr<Value> Buckets(const Arguments& a, const Evaluation& evaluation) {
  if (a[0].is_null() || a[1].is_null())
    return absl::InvalidArgumentError("generate_timestamp_trunc_array wants a count and a label, not NULL");
  auto now = evaluation.values.find(std::string_view(kNowParameter));
  if (now == evaluation.values.end() || !evaluation.buckets)
    return absl::InternalError("no now to generate buckets from");
  LOGQUERY_ASSIGN_OR_RETURN(
      std::vector<absl::Time> starts,
      evaluation.buckets(a[0].int64_value(), a[1].string_value(), absl::FromUnixMicros(now->second.int64_value())));
  std::vector<Value> elements;
  for (absl::Time start : starts) elements.push_back(Value::Timestamp(start));
  return Value::Array(Type::Timestamp(), std::move(elements));
}

using Routine = absl::StatusOr<Value> (*)(const FunctionCall& call, const Arguments& a, const Evaluation& evaluation);

const base::StringMap<Routine>& Routines() {
  using C = const FunctionCall&;
  using A = const Arguments&;
  using E = const Evaluation&;
  static const auto* routines = new base::StringMap<Routine>{
      {"$equal", [](C, A a, E) { return Comparison(a, [](int o) { return o == 0; }); }},
      {"$not_equal", [](C, A a, E) { return Comparison(a, [](int o) { return o != 0; }); }},
      {"$less", [](C, A a, E) { return Comparison(a, [](int o) { return o < 0; }); }},
      {"$less_or_equal", [](C, A a, E) { return Comparison(a, [](int o) { return o <= 0; }); }},
      {"$greater", [](C, A a, E) { return Comparison(a, [](int o) { return o > 0; }); }},
      {"$greater_or_equal", [](C, A a, E) { return Comparison(a, [](int o) { return o >= 0; }); }},
      {"$in", [](C, A a, E) { return In(a); }},
      {"$and", [](C, A a, E) { return Logic(a, false); }},
      {"$or", [](C, A a, E) { return Logic(a, true); }},
      {"$not",
       [](C, A a, E) -> absl::StatusOr<Value> { return a[0].is_null() ? a[0] : Value::Bool(!a[0].bool_value()); }},
      {"$is_null", [](C, A a, E) -> absl::StatusOr<Value> { return Value::Bool(a[0].is_null()); }},
      {"$is_true",
       [](C, A a, E) -> absl::StatusOr<Value> { return Value::Bool(!a[0].is_null() && a[0].bool_value()); }},
      {"$is_false",
       [](C, A a, E) -> absl::StatusOr<Value> { return Value::Bool(!a[0].is_null() && !a[0].bool_value()); }},
      {"COALESCE",
       [](C c, A a, E) -> absl::
                           StatusOr<Value> {
                             for (const Value& v : a)
                               if (!v.is_null()) return v;
                             return Value::Null(c.type);
                           }},
      {"IFNULL", [](C, A a, E) -> absl::StatusOr<Value> { return a[0].is_null() ? a[1] : a[0]; }},
      {"$interval",
       [](C c, A a, E) -> absl::
                           StatusOr<Value> {
                             if (a[0].is_null()) return Value::Null(c.type);
                             LOGQUERY_ASSIGN_OR_RETURN(const Interval interval,
                                                       model::IntervalOfParts(a[0].int64_value(), a[1].string_value()));
                             return Value::IntervalOf(interval);
                           }},
      {"TIMESTAMP_ADD", [](C, A a, E) { return Shift(a[0], a[1], 1); }},
      {"TIMESTAMP_SUB", [](C, A a, E) { return Shift(a[0], a[1], -1); }},
      {"TIMESTAMP_TRUNC", [](C, A a, E) { return Truncate(a); }},
      {"$at_offset", [](C c, A a, E) { return ElementAt(a[0], a[1], false, c.type); }},
      {"$safe_at_offset", [](C c, A a, E) { return ElementAt(a[0], a[1], true, c.type); }},
      {"GENERATE_TIMESTAMP_TRUNC_ARRAY", [](C, A a, E e) { return Buckets(a, e); }}};
  return *routines;
}

// Functions whose results an engine would limit while it runs are not evaluated here.
bool CallKnown(const FunctionCall& call) {
  if (call.overload->own != nullptr) {
    return !call.safe && !call.overload->function->Has(kGrows) && !call.overload->function->Has(kVolatile);
  }
  std::string_view name = call.overload->row->name;
  auto found = Routines().find(name);
  if (found == Routines().end() || found->second == nullptr || call.safe) return false;
  // These functions have rows for DATE and DATETIME too, which only an engine computes.
  if (name.starts_with("TIMESTAMP_") && !call.arguments[0]->type.is(TypeKind::kTimestamp)) return false;
  if (name == "TIMESTAMP_TRUNC") {
    const Constant* part = If<Constant>(call.arguments[1].get());
    static const auto* parts = new base::StringSet{"MICROSECOND", "MILLISECOND", "SECOND", "MINUTE", "HOUR", "DAY"};
    return part != nullptr && call.arguments.size() == 2 && parts->contains(part->value.string_value());
  }
  bool compares = name == "$equal" || name == "$not_equal" || name == "$in" || name.substr(0, 5) == "$less" ||
                  name.substr(0, 8) == "$greater";
  if (!compares) return true;
  const Type& type = call.arguments[0]->type;
  // A resolver makes both sides one type. Where one has not, the engine compares them, or says why it can't.
  const bool same = std::all_of(call.arguments.begin(), call.arguments.end(),
                                [&](const ScalarPtr& argument) { return argument->type == type; });
  return same && Comparable(type) && type.kind() != TypeKind::kFloat64;
}

absl::StatusOr<Value> EvaluateOwn(const FunctionCall& call, const Arguments& arguments, EvaluationBudget& budget) {
  if (budget.IsSpent()) return Spent();
  absl::StatusOr<Value> value = functions::Evaluate(*call.overload->own, arguments, call.type, budget.work());
  if (absl::IsCancelled(value.status())) return Spent();
  const bool of_the_values = absl::IsOutOfRange(value.status()) || absl::IsResourceExhausted(value.status());
  if (of_the_values) return absl::InvalidArgumentError(value.status().message());
  return value;
}

bool CastKnown(const Cast& cast) {
  if (cast.safe || cast.format != nullptr || cast.time_zone != nullptr) return false;
  const Type &from = cast.operand->type, &to = cast.type;
  if (from == to) return true;
  bool time = to.is(TypeKind::kTimestamp) || to.is(TypeKind::kDate) || to.is(TypeKind::kDatetime);
  return from.is(TypeKind::kString) && time;
}

absl::StatusOr<Value> EvaluateCast(const Cast& cast, const Evaluation& evaluation) {
  LOGQUERY_ASSIGN_OR_RETURN(Value value,
                            Evaluate(*cast.operand, evaluation.values, evaluation.buckets, evaluation.budget));
  if (value.is_null()) return Value::Null(cast.type);
  if (cast.operand->type == cast.type) return value;
  return ParseLiteral(cast.type, value.string_value(), "UTC");
}

absl::StatusOr<Value> EvaluateCase(const Case& expr, const Evaluation& evaluation) {
  Value operand;
  if (expr.operand != nullptr) {
    LOGQUERY_ASSIGN_OR_RETURN(operand,
                              Evaluate(*expr.operand, evaluation.values, evaluation.buckets, evaluation.budget));
  }
  for (const Case::When& when : expr.whens) {
    LOGQUERY_ASSIGN_OR_RETURN(Value condition,
                              Evaluate(*when.condition, evaluation.values, evaluation.buckets, evaluation.budget));
    bool taken =
        expr.operand != nullptr ? Compare(operand, condition) == 0 : !condition.is_null() && condition.bool_value();
    if (taken) return Evaluate(*when.result, evaluation.values, evaluation.buckets, evaluation.budget);
  }
  return Evaluate(*expr.otherwise, evaluation.values, evaluation.buckets, evaluation.budget);
}

}  // namespace

bool CanEvaluate(const Scalar& scalar) {
  switch (scalar.kind) {
    case ScalarKind::kConstant:
    case ScalarKind::kParameter:
      return true;
    case ScalarKind::kCall:
      for (const ScalarPtr& argument : As<FunctionCall>(scalar).arguments) {
        if (!CanEvaluate(*argument)) return false;
      }
      return CallKnown(As<FunctionCall>(scalar));
    case ScalarKind::kCast:
      return CastKnown(As<Cast>(scalar)) && CanEvaluate(*As<Cast>(scalar).operand);
    case ScalarKind::kCase: {
      const auto& expr = As<Case>(scalar);
      bool ok = CanEvaluate(*expr.otherwise) &&
                (expr.operand == nullptr || (CanEvaluate(*expr.operand) && Comparable(expr.operand->type)));
      for (const Case::When& when : expr.whens) ok = ok && CanEvaluate(*when.condition) && CanEvaluate(*when.result);
      return ok;
    }
    case ScalarKind::kColumn:
    case ScalarKind::kField:
    case ScalarKind::kStruct:
    case ScalarKind::kArray:
    case ScalarKind::kSubquery:
    case ScalarKind::kLambda:
      return false;
  }
  return false;
}

EvaluationBudget::EvaluationBudget(uint64_t steps, absl::Duration time) : work_(/*stop=*/nullptr, steps), time_(time) {}

bool EvaluationBudget::IsSpent() {
  const absl::Duration now = ThreadTime();
  if (!ends_) ends_ = now + time_;
  is_spent_ = is_spent_ || work_.IsStopped() || now > *ends_;
  return is_spent_;
}

absl::StatusOr<Value> Evaluate(const Scalar& scalar, const ParameterValues& values, const BucketGenerator& buckets) {
  EvaluationBudget budget;
  return Evaluate(scalar, values, buckets, budget);
}

absl::StatusOr<Value> Evaluate(const Scalar& scalar, const ParameterValues& values, const BucketGenerator& buckets,
                               EvaluationBudget& budget) {
  Evaluation evaluation{values, buckets, budget};
  switch (scalar.kind) {
    case ScalarKind::kConstant:
      return As<Constant>(scalar).value;
    case ScalarKind::kParameter: {
      auto found = values.find(std::string_view(As<ParameterRef>(scalar).name));
      if (found == values.end())
        return absl::NotFoundError(StrCat("the parameter @", As<ParameterRef>(scalar).name, " has no value"));
      return found->second;
    }
    case ScalarKind::kCall: {
      const auto& call = As<FunctionCall>(scalar);
      Arguments arguments;
      for (const ScalarPtr& argument : call.arguments) {
        LOGQUERY_ASSIGN_OR_RETURN(Value value, Evaluate(*argument, values, buckets, budget));
        arguments.push_back(std::move(value));
      }
      if (call.overload->own != nullptr) return EvaluateOwn(call, arguments, budget);
      auto found = Routines().find(std::string_view(call.overload->row->name));
      if (found == Routines().end() || found->second == nullptr) break;
      return found->second(call, arguments, evaluation);
    }
    case ScalarKind::kCast:
      return EvaluateCast(As<Cast>(scalar), evaluation);
    case ScalarKind::kCase:
      return EvaluateCase(As<Case>(scalar), evaluation);
    case ScalarKind::kColumn:
    case ScalarKind::kField:
    case ScalarKind::kStruct:
    case ScalarKind::kArray:
    case ScalarKind::kSubquery:
    case ScalarKind::kLambda:
      break;
  }
  return absl::InternalError("Evaluate was asked for what CanEvaluate refuses");
}

}  // namespace logquery::rewrite
