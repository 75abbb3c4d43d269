// Makes the plan's calls of an aggregate, and what is computed of them.
#include "lib/clickhouse_sql/resolve/aggregate_maker.h"

#include <algorithm>

#include "lib/base/readable_text.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/rewrite/plan_walk.h"
#include "lib/rewrite/scalars.h"

namespace logquery::clickhouse_sql {

using base::StrCat;
using rewrite::AggregateCall;

const rewrite::Overload* AggregateOverload(std::string_view name, const std::vector<ScalarPtr>& arguments) {
  const rewrite::Function* function = rewrite::FindFunction(name);
  for (const rewrite::Overload& overload : function->overloads) {
    if (overload.parameters.size() < arguments.size() || (arguments.empty() && !overload.parameters.empty())) continue;
    if (arguments.empty()) return &overload;
    const rewrite::TypePattern& pattern = overload.parameters.front().type;
    if (pattern.kind != rewrite::TypePattern::Kind::kExact || pattern.exact == arguments.front()->type)
      return &overload;
  }
  return &function->overloads.front();
}

namespace {

// Makes one aggregate of the plan, and what is computed of it.
class AggregateMaker {
 public:
  AggregateMaker(Resolver& resolver, const Expr& call, AggregateName name)
      : resolver_(resolver), call_(call), name_(std::move(name)) {}

  absl::StatusOr<Ex> Make(AggregateParts parts, const AddAggregate& add) {
    args_ = std::move(parts.args);
    params_ = std::move(parts.params);
    filter_ = std::move(parts.filter);
    add_ = &add;
    for (Ex& arg : args_) arg = resolver_.Plain(std::move(arg));
    const std::string& base = name_.base;
    if (base == "count") return Count();
    if (base == "uniq" || base == "uniqExact" || base == "countDistinct" || base == "uniqCombined" ||
        base == "uniqHLL12")
      return Uniq();
    if (base == "sum" || base == "sumWithOverflow") return Sum();
    if (base == "avg") return Avg();
    if (base == "stddevPop") return OfFloat("STDDEV_POP");
    if (base == "stddevSamp") return OfFloat("STDDEV_SAMP");
    if (base == "varPop") return OfFloat("VAR_POP");
    if (base == "varSamp") return OfFloat("VAR_SAMP");
    if (base == "min") return OfValue("MIN");
    if (base == "max") return OfValue("MAX");
    if (base == "any" || base == "anyLast" || base == "any_value" || base == "first_value" || base == "last_value")
      return OfValue("ANY_VALUE");
    if (base == "argMin") return ByOther("MIN_BY");
    if (base == "argMax") return ByOther("MAX_BY");
    if (base == "quantile" || base == "median" || base == "quantileTDigest") return Quantile();
    if (base == "quantileExact" || base == "medianExact") return QuantileExact();
    if (base == "groupArray" || base == "groupUniqArray") return Array(base == "groupUniqArray");
    return resolver_.Error(call_.span, StrCat("the aggregate ", call_.text, " is not supported"));
  }

 private:
  absl::Status WantArgs(size_t count) {
    if (args_.size() == count) return absl::OkStatus();
    return resolver_.Error(
        call_.span, StrCat(call_.text, " takes ", base::Counted(count, "argument"), " here, not ", args_.size()));
  }
  Span SpanOf(size_t i) const { return i < call_.args.size() ? call_.args[i]->span : call_.span; }

  AggregateCall CallOf(std::string_view function, std::vector<ScalarPtr> arguments) {
    AggregateCall made;
    made.overload = AggregateOverload(function, arguments);
    made.arguments = std::move(arguments);
    if (filter_ != nullptr) made.filter = Same(filter_);
    made.distinct = name_.distinct || call_.distinct;
    return made;
  }
  AggregateCall CallOf(std::string_view function, ScalarPtr argument) {
    std::vector<ScalarPtr> arguments;
    arguments.push_back(std::move(argument));
    return CallOf(function, std::move(arguments));
  }

  absl::StatusOr<Ex> Count() {
    if (args_.size() > 1) return Uniq();
    const ScalarPtr rows = name_.or_null ? RowsBeforeFilter() : nullptr;
    if (args_.empty() || (!args_[0].type.nullable && !call_.distinct && !name_.distinct)) {
      AggregateCall made = CallOf("COUNT", std::vector<ScalarPtr>());
      made.distinct = false;
      if (made.filter != nullptr) {
        ScalarPtr condition = std::move(made.filter);
        made = CallOf("COUNTIF", std::move(condition));
        made.filter = nullptr;
        made.distinct = false;
      }
      return Counted((*add_)(std::move(made), Type::Int64()), rows);
    }
    return Counted((*add_)(CallOf("COUNT", std::move(args_[0].scalar)), Type::Int64()), rows);
  }

  // With -OrNull, what has counted nothing is NULL; behind -If it is NULL only where there are no rows to filter.
  Ex Counted(ScalarPtr count, const ScalarPtr& rows) {
    if (!name_.or_null) return {std::move(count), UInt64()};
    if (rows == nullptr) return {Call("NULLIF", Type::Int64(), std::move(count), Number(0)), UInt64().Nullable()};
    ScalarPtr none = Call("$equal", Type::Bool(), Same(rows), Number(0));
    return {If(std::move(none), NullOf(Type::Int64()), std::move(count)), UInt64().Nullable()};
  }

  // The number of rows whose arguments are not NULL, that of -If included, before its filter, where a combinator stands
  // behind that; otherwise nullptr.
  ScalarPtr RowsBeforeFilter() {
    if (!name_.outside_if) return nullptr;
    std::vector<ScalarPtr> conditions;
    for (const Ex& arg : args_) {
      if (arg.type.nullable) conditions.push_back(Not(IsNull(Same(arg.scalar))));
    }
    const rewrite::Constant* constant = rewrite::If<rewrite::Constant>(filter_.get());
    if (constant == nullptr || constant->value.is_null()) conditions.push_back(Not(IsNull(Same(filter_))));
    AggregateCall rows;
    if (!conditions.empty()) rows.arguments.push_back(And(std::move(conditions)));
    rows.overload = AggregateOverload(rows.arguments.empty() ? "COUNT" : "COUNTIF", rows.arguments);
    return (*add_)(std::move(rows), Type::Int64());
  }

  // Returns what the aggregate of floats gives for no rows: NaN, but 0 with -OrDefault. Some aggregates are NaN for few rows,
  // too; then there are rows.
  ScalarPtr FloatOfNothing() {
    if (!name_.or_default) return Nan();
    ScalarPtr rows = RowsBeforeFilter();
    if (rows == nullptr) rows = (*add_)(CallOf("COUNT", Same(args_[0].scalar)), Type::Int64());
    ScalarPtr none = Call("$equal", Type::Bool(), std::move(rows), Number(0));
    return If(std::move(none), Floating(0), Nan());
  }

  absl::StatusOr<Ex> Uniq() {
    if (args_.empty()) return resolver_.Error(call_.span, StrCat(call_.text, " wants an argument"));
    const ScalarPtr rows = name_.or_null ? RowsBeforeFilter() : nullptr;
    ScalarPtr value = std::move(args_[0].scalar);
    if (args_.size() > 1 ||
        !(args_[0].type.IsNumber() || args_[0].type.IsTime() || args_[0].type.Is(ChKind::kString))) {
      std::vector<ScalarPtr> parts;
      for (size_t i = 0; i < args_.size(); ++i) {
        ScalarPtr part = i == 0 ? std::move(value) : std::move(args_[i].scalar);
        if (!parts.empty()) parts.push_back(Text(","));
        parts.push_back(Call("TO_JSON_STRING", Type::String(), std::move(part)));
      }
      value = parts.size() == 1 ? std::move(parts[0]) : Call("$concat", Type::String(), std::move(parts));
    }
    AggregateCall made = CallOf("COUNT", std::move(value));
    made.distinct = true;
    return Counted((*add_)(std::move(made), Type::Int64()), rows);
  }

  // With -OrNull, or over nullable values, nothing gives NULL; otherwise the default.
  Ex WithDefault(ScalarPtr result, const ChType& type, ScalarPtr otherwise, bool nullable) {
    if (nullable || name_.or_null) return {std::move(result), type.Nullable()};
    return {IfNull(std::move(result), std::move(otherwise)), type.NotNull()};
  }

  absl::StatusOr<Ex> Sum() {
    LOGQUERY_RETURN_IF_ERROR(WantArgs(1));
    const ChType type = args_[0].type;
    const bool nullable = type.nullable;
    if (type.Is(ChKind::kFloat)) {
      return WithDefault((*add_)(CallOf("SUM", std::move(args_[0].scalar)), Type::Float64()), Float64(), Floating(0),
                         nullable);
    }
    if (type.Is(ChKind::kDecimal))
      return WithDefault((*add_)(CallOf("SUM", std::move(args_[0].scalar)), Type::Numeric()), type,
                         DefaultOf(type.NotNull()), nullable);
    LOGQUERY_ASSIGN_OR_RETURN(ScalarPtr value, resolver_.ToInt(std::move(args_[0]), SpanOf(0)));
    const ChType sum = Int(type.Is(ChKind::kInt) ? std::max(type.bits, 64) : 64, type.is_signed);
    return WithDefault((*add_)(CallOf("SUM", std::move(value)), Type::Int64()), sum, Number(0), nullable);
  }

  ScalarPtr Nan() { return Call("IEEE_DIVIDE", Type::Float64(), Floating(0), Floating(0)); }

  absl::StatusOr<Ex> OfFloat(std::string_view function) {
    LOGQUERY_RETURN_IF_ERROR(WantArgs(1));
    const bool nullable = args_[0].type.nullable;
    ScalarPtr of_nothing = FloatOfNothing();
    LOGQUERY_ASSIGN_OR_RETURN(ScalarPtr value, resolver_.ToFloat(std::move(args_[0]), SpanOf(0)));
    return WithDefault((*add_)(CallOf(function, std::move(value)), Type::Float64()), Float64(), std::move(of_nothing),
                       nullable);
  }

  // The average of integers is their sum, which must fit into 64 bits as that of sum, by their number.
  absl::StatusOr<Ex> Avg() {
    LOGQUERY_RETURN_IF_ERROR(WantArgs(1));
    if (!args_[0].type.Is(ChKind::kInt)) return OfFloat("AVG");
    const bool nullable = args_[0].type.nullable;
    ScalarPtr of_nothing = FloatOfNothing();
    ScalarPtr sum = (*add_)(CallOf("SUM", Same(args_[0].scalar)), Type::Int64());
    ScalarPtr count = (*add_)(CallOf("COUNT", std::move(args_[0].scalar)), Type::Int64());
    return WithDefault(AverageOf(std::move(sum), std::move(count)), Float64(), std::move(of_nothing), nullable);
  }

  absl::StatusOr<Ex> OfValue(std::string_view function) {
    LOGQUERY_RETURN_IF_ERROR(WantArgs(1));
    const ChType type = args_[0].type;
    if (type.Is(ChKind::kArray) || type.Is(ChKind::kTuple))
      return resolver_.Error(SpanOf(0), StrCat(call_.text, " of ", type.ToString(), " is not supported"));
    const bool skips_nan = type.Is(ChKind::kFloat) && function != "ANY_VALUE";
    ScalarPtr count;
    if (skips_nan) {
      // NaN is the result only where there is nothing else.
      count = (*add_)(CallOf("COUNT", Same(args_[0].scalar)), Type::Int64());
      args_[0].scalar = WithoutNan(std::move(args_[0].scalar));
    }
    // ClickHouse computes with constants after the least or greatest value, so the default has them, too.
    const bool adds_after = args_[0].of_default != nullptr && function != "ANY_VALUE" && !name_.filtered &&
                            !name_.or_default && call_.over == nullptr;
    ScalarPtr otherwise = adds_after ? std::move(args_[0].of_default) : DefaultOf(type.NotNull());
    AggregateCall made = CallOf(function, std::move(args_[0].scalar));
    made.distinct = false;
    ScalarPtr value = (*add_)(std::move(made), type.PlanType());
    if (skips_nan) {
      ScalarPtr some = Call("$greater", Type::Bool(), std::move(count), Number(0));
      value = IfNull(std::move(value), If(std::move(some), Nan(), NullOf(Type::Float64())));
    }
    // A value that can be NULL has such a default only where the constant can be NULL, so rows of NULL alone have it, too.
    if (adds_after && type.nullable && !name_.or_null) return Ex{IfNull(std::move(value), std::move(otherwise)), type};
    return WithDefault(std::move(value), type, std::move(otherwise), type.nullable);
  }

  static ScalarPtr WithoutNan(ScalarPtr value) {
    ScalarPtr nan = Call("IS_NAN", Type::Bool(), Same(value));
    return If(std::move(nan), NullOf(Type::Float64()), std::move(value));
  }

  // Rows in which either one is NULL, or NaN is compared, are skipped.
  absl::StatusOr<Ex> ByOther(std::string_view function) {
    LOGQUERY_RETURN_IF_ERROR(WantArgs(2));
    const ChType type = args_[0].type.Nullable(args_[1].type.nullable);
    if (args_[1].type.Is(ChKind::kFloat)) {
      args_[1].scalar = WithoutNan(std::move(args_[1].scalar));
      args_[1].type = args_[1].type.Nullable();
    }
    std::vector<ScalarPtr> conditions;
    if (filter_ != nullptr) conditions.push_back(std::move(filter_));
    for (const Ex& arg : args_) {
      if (arg.type.nullable) conditions.push_back(Not(IsNull(Same(arg.scalar))));
    }
    filter_ = conditions.empty() ? nullptr : And(std::move(conditions));
    std::vector<ScalarPtr> arguments;
    arguments.push_back(std::move(args_[0].scalar));
    arguments.push_back(std::move(args_[1].scalar));
    ScalarPtr value = (*add_)(CallOf(function, std::move(arguments)), type.PlanType());
    return WithDefault(std::move(value), type, DefaultOf(type.NotNull()), type.nullable);
  }

  absl::StatusOr<double> Level() {
    if (params_.empty()) return 0.5;
    LOGQUERY_ASSIGN_OR_RETURN(const ScalarPtr level, resolver_.ToFloat(std::move(params_[0]), call_.span));
    const rewrite::Constant* constant = rewrite::If<rewrite::Constant>(level.get());
    const double value = constant == nullptr || constant->value.is_null() ? -1 : constant->value.float64_value();
    if (params_.size() > 1 || !(value >= 0 && value <= 1))
      return resolver_.Error(call_.span, StrCat(call_.text, " takes one level from 0 to 1"));
    return value;
  }

  absl::StatusOr<Ex> Quantile() {
    LOGQUERY_RETURN_IF_ERROR(WantArgs(1));
    LOGQUERY_ASSIGN_OR_RETURN(const double level, Level());
    const bool nullable = args_[0].type.nullable;
    const bool is_float = args_[0].type.Is(ChKind::kFloat);
    ScalarPtr of_nothing = FloatOfNothing();
    LOGQUERY_ASSIGN_OR_RETURN(ScalarPtr value, resolver_.ToFloat(std::move(args_[0]), SpanOf(0)));
    std::vector<ScalarPtr> arguments;
    arguments.push_back(is_float ? WithoutNan(std::move(value)) : std::move(value));
    arguments.push_back(Floating(level));
    return WithDefault((*add_)(CallOf("$ch.quantile", std::move(arguments)), Type::Float64()), Float64(),
                       std::move(of_nothing), nullable);
  }

  // The element floor(p·n) of the sorted values.
  absl::StatusOr<Ex> QuantileExact() {
    LOGQUERY_RETURN_IF_ERROR(WantArgs(1));
    LOGQUERY_ASSIGN_OR_RETURN(const double level, Level());
    const ChType type = args_[0].type;
    if (type.Is(ChKind::kFloat)) args_[0].scalar = WithoutNan(std::move(args_[0].scalar));
    AggregateCall list = CallOf("ARRAY_AGG", Same(args_[0].scalar));
    list.ignore_nulls = true;
    list.order_by.push_back({Same(args_[0].scalar), false, true});
    AggregateCall count = CallOf("COUNT", std::move(args_[0].scalar));
    const ScalarPtr size = (*add_)(std::move(count), Type::Int64());
    ScalarPtr values = (*add_)(std::move(list), Type::Array(type.PlanType()));
    ScalarPtr position =
        Call("$multiply", Type::Float64(), Floating(level), clickhouse_sql::CastTo(Same(size), Type::Float64()));
    ScalarPtr whole = clickhouse_sql::CastTo(Call("FLOOR", Type::Float64(), std::move(position)), Type::Int64());
    ScalarPtr last = Call("$subtract", Type::Int64(), Same(size), Number(1));
    ScalarPtr at = Call("LEAST", Type::Int64(), std::move(whole), std::move(last));
    ScalarPtr value = Call("$safe_at_offset", type.PlanType(), std::move(values), std::move(at));
    return WithDefault(std::move(value), type, type.Is(ChKind::kFloat) ? Nan() : DefaultOf(type.NotNull()),
                       type.nullable);
  }

  absl::StatusOr<Ex> Array(bool unique) {
    LOGQUERY_RETURN_IF_ERROR(WantArgs(1));
    const ChType type = ArrayOf(args_[0].type.NotNull());
    if (args_[0].type.Is(ChKind::kArray) || (args_[0].type.Is(ChKind::kTuple) && (unique || call_.distinct)))
      return resolver_.Error(SpanOf(0), StrCat(call_.text, " of ", args_[0].type.ToString(), " is not supported"));
    AggregateCall made = CallOf("ARRAY_AGG", std::move(args_[0].scalar));
    made.ignore_nulls = true;
    made.distinct = made.distinct || unique;
    if (!params_.empty()) {
      LOGQUERY_ASSIGN_OR_RETURN(const int64_t most, resolver_.WantInt(params_[0], call_.span, "the most elements"));
      made.limit = Number(most);
    }
    ScalarPtr list = (*add_)(std::move(made), type.PlanType());
    return Ex{IfNull(std::move(list), DefaultOf(type)), type};
  }

  Resolver& resolver_;
  const Expr& call_;
  const AggregateName name_;
  std::vector<Ex> args_;
  std::vector<Ex> params_;
  ScalarPtr filter_;
  const AddAggregate* add_ = nullptr;
};

}  // namespace

absl::StatusOr<Ex> MakeAggregate(Resolver& resolver, const Expr& call, AggregateName name, AggregateParts parts,
                                 const AddAggregate& add) {
  return AggregateMaker(resolver, call, std::move(name)).Make(std::move(parts), add);
}

}  // namespace logquery::clickhouse_sql
