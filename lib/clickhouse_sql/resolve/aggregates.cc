// Aggregates with their combinators (-If, -OrNull, -OrDefault, -Array, -Distinct), and window functions.
#include <algorithm>
#include <array>

#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/clickhouse_sql/resolve/resolver_impl.h"
#include "lib/rewrite/plan_walk.h"
#include "lib/rewrite/scalars.h"

namespace logquery::clickhouse_sql {
namespace {

using base::StrCat;
using rewrite::AggregateCall;
using rewrite::ColumnRef;

constexpr std::array<std::string_view, 31> kAggregates = {"count",
                                                          "sum",
                                                          "min",
                                                          "max",
                                                          "avg",
                                                          "any",
                                                          "anyLast",
                                                          "argMin",
                                                          "argMax",
                                                          "uniq",
                                                          "uniqExact",
                                                          "quantile",
                                                          "quantileExact",
                                                          "median",
                                                          "groupArray",
                                                          "groupUniqArray",
                                                          "stddevPop",
                                                          "stddevSamp",
                                                          "varPop",
                                                          "varSamp",
                                                          "countDistinct",
                                                          "uniqCombined",
                                                          "uniqHLL12",
                                                          "quantileTDigest",
                                                          "medianExact",
                                                          "any_value",
                                                          "first_value",
                                                          "last_value",
                                                          "quantiles",
                                                          "corr",
                                                          "sumWithOverflow"};
constexpr std::array<std::string_view, 10> kInAnyCase = {"count", "sum",    "min",       "max",         "avg",
                                                         "any",   "median", "any_value", "first_value", "last_value"};

struct AggregateName {
  std::string base;  // empty: no aggregate
  bool filtered = false;
  bool or_null = false;
  bool of_array = false;
  bool distinct = false;
};

std::string BaseName(std::string_view name) {
  for (const std::string_view known : kAggregates) {
    if (known == name) return std::string(known);
  }
  for (const std::string_view known : kInAnyCase) {
    if (base::EqualsIgnoreCase(known, name)) return std::string(known);
  }
  return "";
}

AggregateName ParseName(std::string_view name) {
  AggregateName parsed;
  while (true) {
    parsed.base = BaseName(name);
    if (!parsed.base.empty()) return parsed;
    const auto take = [&](std::string_view suffix) {
      if (!name.ends_with(suffix)) return false;
      name.remove_suffix(suffix.size());
      return true;
    };
    if (take("OrNull")) {
      parsed.or_null = true;
    } else if (take("OrDefault")) {
      continue;
    } else if (take("Distinct")) {
      parsed.distinct = true;
    } else if (take("If") && !parsed.filtered) {
      parsed.filtered = true;
    } else if (take("Array") && !parsed.of_array) {
      parsed.of_array = true;
    } else {
      return {};
    }
  }
}

const rewrite::Overload* OverloadOf(std::string_view name, const std::vector<ScalarPtr>& arguments) {
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

}  // namespace

bool IsAggregateName(std::string_view name) { return !ParseName(name).base.empty(); }

namespace {

// Makes one aggregate of the plan, and what is computed of it.
class AggregateMaker {
 public:
  AggregateMaker(Resolver& resolver, const Expr& call, SelectScope& scope, AggregateName name)
      : resolver_(resolver), call_(call), scope_(scope), name_(std::move(name)) {}

  // The plan's call and its type, before defaults; several parts use AddPart.
  using Add = std::function<ScalarPtr(AggregateCall, const Type&)>;

  absl::StatusOr<Ex> Make(std::vector<Ex> args, std::vector<Ex> params, ScalarPtr filter, const Add& add) {
    args_ = std::move(args);
    params_ = std::move(params);
    filter_ = std::move(filter);
    add_ = &add;
    for (Ex& arg : args_) arg = resolver_.Plain(std::move(arg));
    const std::string& base = name_.base;
    if (base == "count") return Count();
    if (base == "uniq" || base == "uniqExact" || base == "countDistinct" || base == "uniqCombined" ||
        base == "uniqHLL12")
      return Uniq();
    if (base == "sum" || base == "sumWithOverflow") return Sum();
    if (base == "avg") return OfFloat("AVG");
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
    return resolver_.Error(call_.span, StrCat(call_.text, " takes ", count, " arguments here, not ", args_.size()));
  }
  Span SpanOf(size_t i) const { return i < call_.args.size() ? call_.args[i]->span : call_.span; }

  AggregateCall CallOf(std::string_view function, std::vector<ScalarPtr> arguments) {
    AggregateCall made;
    made.overload = OverloadOf(function, arguments);
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
    if (args_.empty() || (!args_[0].type.nullable && !call_.distinct && !name_.distinct)) {
      AggregateCall made = CallOf("COUNT", std::vector<ScalarPtr>());
      made.distinct = false;
      if (made.filter != nullptr) {
        ScalarPtr condition = std::move(made.filter);
        made = CallOf("COUNTIF", std::move(condition));
        made.filter = nullptr;
        made.distinct = false;
      }
      return Ex{(*add_)(std::move(made), Type::Int64()), UInt64()};
    }
    return Ex{(*add_)(CallOf("COUNT", std::move(args_[0].scalar)), Type::Int64()), UInt64()};
  }

  absl::StatusOr<Ex> Uniq() {
    if (args_.empty()) return resolver_.Error(call_.span, StrCat(call_.text, " wants an argument"));
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
    return Ex{(*add_)(std::move(made), Type::Int64()), UInt64()};
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
    return WithDefault((*add_)(CallOf("SUM", std::move(value)), Type::Int64()), Int(64, type.is_signed), Number(0),
                       nullable);
  }

  ScalarPtr Nan() { return Call("IEEE_DIVIDE", Type::Float64(), Floating(0), Floating(0)); }

  absl::StatusOr<Ex> OfFloat(std::string_view function) {
    LOGQUERY_RETURN_IF_ERROR(WantArgs(1));
    const bool nullable = args_[0].type.nullable;
    LOGQUERY_ASSIGN_OR_RETURN(ScalarPtr value, resolver_.ToFloat(std::move(args_[0]), SpanOf(0)));
    return WithDefault((*add_)(CallOf(function, std::move(value)), Type::Float64()), Float64(), Nan(), nullable);
  }

  absl::StatusOr<Ex> OfValue(std::string_view function) {
    LOGQUERY_RETURN_IF_ERROR(WantArgs(1));
    const ChType type = args_[0].type;
    if (type.Is(ChKind::kArray) || type.Is(ChKind::kTuple))
      return resolver_.Error(SpanOf(0), StrCat(call_.text, " of ", type.ToString(), " is not supported"));
    AggregateCall made = CallOf(function, std::move(args_[0].scalar));
    made.distinct = false;
    ScalarPtr value = (*add_)(std::move(made), type.PlanType());
    return WithDefault(std::move(value), type, DefaultOf(type.NotNull()), type.nullable);
  }

  absl::StatusOr<Ex> ByOther(std::string_view function) {
    LOGQUERY_RETURN_IF_ERROR(WantArgs(2));
    const ChType type = args_[0].type;
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
    LOGQUERY_ASSIGN_OR_RETURN(ScalarPtr value, resolver_.ToFloat(std::move(args_[0]), SpanOf(0)));
    std::vector<ScalarPtr> arguments;
    arguments.push_back(std::move(value));
    arguments.push_back(Floating(level));
    return WithDefault((*add_)(CallOf("$ch.quantile", std::move(arguments)), Type::Float64()), Float64(), Nan(),
                       nullable);
  }

  // The element floor(p·n) of the sorted values.
  absl::StatusOr<Ex> QuantileExact() {
    LOGQUERY_RETURN_IF_ERROR(WantArgs(1));
    LOGQUERY_ASSIGN_OR_RETURN(const double level, Level());
    const ChType type = args_[0].type;
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
    if (args_[0].type.Is(ChKind::kArray) || args_[0].type.Is(ChKind::kTuple))
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
  SelectScope& scope_;
  const AggregateName name_;
  std::vector<Ex> args_;
  std::vector<Ex> params_;
  ScalarPtr filter_;
  const Add* add_ = nullptr;
};

}  // namespace

absl::StatusOr<std::optional<Ex>> Resolver::ResolveAggregate(const Expr& call, SelectScope& scope) {
  const AggregateName name = ParseName(call.text);
  if (name.base.empty()) return std::optional<Ex>();
  if (name.base == "any" && FindFunction(call.text) != nullptr) return std::optional<Ex>();
  if (scope.clause == SelectScope::Clause::kRows)
    return Error(call.span, StrCat("the aggregate ", call.text, " is not allowed here; write HAVING, or a subquery"));
  if (scope.in_aggregate) return Error(call.span, StrCat("the aggregate ", call.text, " stands inside of another one"));
  if (!scope.lambda_names.empty())
    return Error(call.span, StrCat("the aggregate ", call.text, " stands inside of a lambda"));
  scope.in_aggregate = true;
  std::vector<Ex> args, params;
  absl::Status status;
  for (const ExprPtr& arg : call.args) {
    if (arg->kind == ExprKind::kStar && name.base == "count") continue;
    absl::StatusOr<Ex> value = ResolveExpr(*arg, scope);
    if (!value.ok()) {
      status = value.status();
      break;
    }
    args.push_back(*std::move(value));
  }
  scope.in_aggregate = false;
  LOGQUERY_RETURN_IF_ERROR(status);
  for (const ExprPtr& param : call.params) {
    LOGQUERY_ASSIGN_OR_RETURN(Ex value, ResolveExpr(*param, scope));
    params.push_back(std::move(value));
  }
  ScalarPtr filter;
  if (name.filtered) {
    if (args.empty()) return Error(call.span, StrCat(call.text, " wants a condition"));
    LOGQUERY_ASSIGN_OR_RETURN(filter, ToBool(std::move(args.back()), call.args.back()->span));
    args.pop_back();
  }
  if (name.of_array) {
    // Over the elements of the arrays of all rows: only what can be put together of each row's result.
    const bool simple = name.base == "sum" || name.base == "min" || name.base == "max" || name.base == "count";
    if (args.size() != 1 || !args[0].type.Is(ChKind::kArray))
      return Error(call.span, StrCat(call.text, " wants one array"));
    const ChType element = args[0].type.parts[0];
    if (simple && (element.Is(ChKind::kInt) || element.Is(ChKind::kFloat))) {
      const PlanColumn column = NewColumn("x", element.PlanType());
      auto unnest = std::make_unique<rewrite::Unnest>(std::make_unique<rewrite::SingleRow>());
      unnest->columns.push_back(column);
      unnest->elements.push_back(column);
      unnest->arrays.push_back(std::move(args[0].scalar));
      auto sum = std::make_unique<rewrite::Aggregate>(std::move(unnest));
      AggregateCall made;
      std::vector<ScalarPtr> arguments;
      arguments.push_back(std::make_unique<ColumnRef>(column));
      made.overload = OverloadOf(name.base == "sum"   ? "SUM"
                                 : name.base == "min" ? "MIN"
                                 : name.base == "max" ? "MAX"
                                                      : "COUNT",
                                 arguments);
      made.arguments = std::move(arguments);
      const Type type = name.base == "count" ? Type::Int64() : element.PlanType();
      const PlanColumn result = NewColumn("part", type);
      sum->calls.push_back({result, std::move(made)});
      sum->columns.push_back(result);
      args[0] =
          Ex{std::make_unique<rewrite::SubqueryScalar>(rewrite::SubqueryScalar::Form::kScalar, type, std::move(sum)),
             name.base == "count" ? UInt64().Nullable() : element.Nullable()};
      const AggregateName outer{name.base == "count" ? "sum" : name.base, name.filtered, name.or_null, false, false};
      AggregateMaker maker(*this, call, scope, outer);
      const ChType made_type = name.base == "sum" && element.Is(ChKind::kInt) ? Int(64, element.is_signed) : element;
      const AggregateMaker::Add add_part = [&](AggregateCall part, const Type& part_type) -> ScalarPtr {
        const PlanColumn part_column = NewColumn(call.text, part_type);
        scope.calls.push_back({part_column, std::move(part)});
        scope.made.insert(part_column.id);
        return std::make_unique<ColumnRef>(part_column);
      };
      LOGQUERY_ASSIGN_OR_RETURN(Ex value, maker.Make(std::move(args), std::move(params), std::move(filter), add_part));
      if (!name.or_null)
        value = Ex{IfNull(std::move(value.scalar), DefaultOf(made_type.NotNull())), made_type.NotNull()};
      return std::optional<Ex>(std::move(value));
    }
    const bool unique =
        name.base == "uniq" || name.base == "uniqExact" || name.base == "groupUniqArray" || name.base == "groupArray";
    if (!unique) return Error(call.span, StrCat("the aggregate ", call.text, " is not supported"));
    // All elements as one list; then what is asked of it.
    AggregateCall all;
    std::vector<ScalarPtr> arguments;
    arguments.push_back(std::move(args[0].scalar));
    all.overload = OverloadOf("ARRAY_CONCAT_AGG", arguments);
    all.arguments = std::move(arguments);
    all.filter = std::move(filter);
    const ChType list = ArrayOf(element);
    const PlanColumn column = NewColumn(call.text, list.PlanType());
    scope.calls.push_back({column, std::move(all)});
    scope.made.insert(column.id);
    ScalarPtr elements = IfNull(std::make_unique<ColumnRef>(column), DefaultOf(list));
    if (name.base == "groupArray") return std::optional<Ex>(Ex{std::move(elements), list});
    const PlanColumn x = NewColumn("x", element.PlanType());
    auto unnest = std::make_unique<rewrite::Unnest>(std::make_unique<rewrite::SingleRow>());
    unnest->columns.push_back(x);
    unnest->elements.push_back(x);
    unnest->arrays.push_back(std::move(elements));
    const bool to_list = name.base == "groupUniqArray";
    auto aggregate = std::make_unique<rewrite::Aggregate>(std::move(unnest));
    AggregateCall made;
    made.arguments.push_back(std::make_unique<ColumnRef>(x));
    made.overload = OverloadOf(to_list ? "ARRAY_AGG" : "COUNT", made.arguments);
    made.distinct = true;
    const Type type = to_list ? list.PlanType() : Type::Int64();
    const PlanColumn result = NewColumn("part", type);
    aggregate->calls.push_back({result, std::move(made)});
    aggregate->columns.push_back(result);
    ScalarPtr value =
        std::make_unique<rewrite::SubqueryScalar>(rewrite::SubqueryScalar::Form::kScalar, type, std::move(aggregate));
    if (to_list) return std::optional<Ex>(Ex{IfNull(std::move(value), DefaultOf(list)), list});
    return std::optional<Ex>(Ex{std::move(value), UInt64()});
  }
  const AggregateMaker::Add add = [&](AggregateCall made, const Type& type) -> ScalarPtr {
    const PlanColumn column = NewColumn(call.text, type);
    scope.calls.push_back({column, std::move(made)});
    scope.made.insert(column.id);
    return std::make_unique<ColumnRef>(column);
  };
  AggregateMaker maker(*this, call, scope, name);
  LOGQUERY_ASSIGN_OR_RETURN(Ex value, maker.Make(std::move(args), std::move(params), std::move(filter), add));
  return std::optional<Ex>(std::move(value));
}

absl::StatusOr<Ex> Resolver::AddWindow(const Expr& call, AggregateCall made, const Type& type, SelectScope& scope) {
  const WindowSpec& spec = *call.over;
  rewrite::Window::Call window;
  window.column = NewColumn(call.text, type);
  window.call = std::move(made);
  for (const ExprPtr& part : spec.partition_by) {
    LOGQUERY_ASSIGN_OR_RETURN(Ex value, ResolveExpr(*part, scope));
    window.partition_by.push_back(Plain(std::move(value)).scalar);
  }
  for (const OrderItem& item : spec.order_by) {
    LOGQUERY_ASSIGN_OR_RETURN(Ex value, ResolveExpr(*item.value, scope));
    window.order_by.push_back({Plain(std::move(value)).scalar, item.descending, item.nulls_first.value_or(false)});
  }
  if (spec.framed) {
    rewrite::WindowFramePlan frame;
    frame.unit = spec.rows ? sql::WindowFrame::Unit::kRows : sql::WindowFrame::Unit::kRange;
    frame.start = static_cast<sql::WindowBound::Kind>(spec.begin.kind);
    frame.end = static_cast<sql::WindowBound::Kind>(spec.end.kind);
    for (const auto& [bound, offset] :
         {std::pair(&spec.begin, &frame.start_offset), std::pair(&spec.end, &frame.end_offset)}) {
      if (bound->offset == nullptr) continue;
      LOGQUERY_ASSIGN_OR_RETURN(Ex value, ResolveExpr(*bound->offset, scope));
      LOGQUERY_ASSIGN_OR_RETURN(const int64_t count, WantInt(value, bound->offset->span, "the frame's offset"));
      *offset = Number(count);
    }
    window.frame = std::move(frame);
  }
  const PlanColumn column = window.column;
  scope.windows.push_back(std::move(window));
  scope.made.insert(column.id);
  return Ex{std::make_unique<ColumnRef>(column), UInt64()};
}

absl::StatusOr<std::optional<Ex>> Resolver::ResolveWindowFunction(const Expr& call, SelectScope& scope) {
  if (scope.clause == SelectScope::Clause::kRows)
    return Error(call.span, "a window function is not allowed here; write QUALIFY, or a subquery");
  if (scope.in_aggregate) return Error(call.span, "a window function stands inside of an aggregate");
  for (const auto& [name, function] :
       {std::pair("row_number", "ROW_NUMBER"), std::pair("rank", "RANK"), std::pair("dense_rank", "DENSE_RANK")}) {
    if (!base::EqualsIgnoreCase(call.text, name)) continue;
    if (!call.args.empty()) return Error(call.span, StrCat(call.text, " takes no arguments"));
    AggregateCall made;
    made.overload = OverloadOf(function, {});
    LOGQUERY_ASSIGN_OR_RETURN(Ex value, AddWindow(call, std::move(made), Type::Int64(), scope));
    return std::optional<Ex>(std::move(value));
  }
  const bool lag = base::EqualsIgnoreCase(call.text, "lag") || call.text == "lagInFrame";
  const bool lead = base::EqualsIgnoreCase(call.text, "lead") || call.text == "leadInFrame";
  if (lag || lead) {
    if (call.args.empty() || call.args.size() > 3)
      return Error(call.span, StrCat(call.text, " takes 1 to 3 arguments"));
    std::vector<Ex> args;
    for (const ExprPtr& arg : call.args) {
      LOGQUERY_ASSIGN_OR_RETURN(Ex value, ResolveExpr(*arg, scope));
      args.push_back(Plain(std::move(value)));
    }
    AggregateCall made;
    ChType type = args[0].type;
    int64_t offset = 1;
    if (args.size() > 1) {
      LOGQUERY_ASSIGN_OR_RETURN(offset, WantInt(args[1], call.args[1]->span, "the offset"));
    }
    ScalarPtr otherwise = DefaultOf(type);
    if (args.size() > 2) {
      LOGQUERY_ASSIGN_OR_RETURN(type, Common({&args[0].type, &args[2].type}, call.span));
      LOGQUERY_ASSIGN_OR_RETURN(Ex given, Convert(std::move(args[2]), type, call.span));
      otherwise = std::move(given.scalar);
    }
    made.arguments.push_back(std::move(args[0].scalar));
    made.arguments.push_back(Number(offset));
    made.overload = OverloadOf(lag ? "LAG" : "LEAD", made.arguments);
    LOGQUERY_ASSIGN_OR_RETURN(Ex value, AddWindow(call, std::move(made), type.PlanType(), scope));
    if (!type.nullable) value.scalar = IfNull(std::move(value.scalar), std::move(otherwise));
    value.type = type;
    return std::optional<Ex>(std::move(value));
  }
  const AggregateName name = ParseName(call.text);
  if (name.base.empty() || name.of_array) return std::optional<Ex>();
  scope.in_window = true;
  std::vector<Ex> args, params;
  for (const ExprPtr& arg : call.args) {
    if (arg->kind == ExprKind::kStar && name.base == "count") continue;
    LOGQUERY_ASSIGN_OR_RETURN(Ex value, ResolveExpr(*arg, scope));
    args.push_back(std::move(value));
  }
  for (const ExprPtr& param : call.params) {
    LOGQUERY_ASSIGN_OR_RETURN(Ex value, ResolveExpr(*param, scope));
    params.push_back(std::move(value));
  }
  scope.in_window = false;
  ScalarPtr filter;
  if (name.filtered) {
    if (args.empty()) return Error(call.span, StrCat(call.text, " wants a condition"));
    LOGQUERY_ASSIGN_OR_RETURN(filter, ToBool(std::move(args.back()), call.args.back()->span));
    args.pop_back();
  }
  absl::Status status;
  const AggregateMaker::Add add = [&](AggregateCall made, const Type& type) -> ScalarPtr {
    absl::StatusOr<Ex> value = AddWindow(call, std::move(made), type, scope);
    if (value.ok()) return std::move(value->scalar);
    status = value.status();
    return NullOf(type);
  };
  AggregateMaker maker(*this, call, scope, name);
  LOGQUERY_ASSIGN_OR_RETURN(Ex value, maker.Make(std::move(args), std::move(params), std::move(filter), add));
  LOGQUERY_RETURN_IF_ERROR(status);
  return std::optional<Ex>(std::move(value));
}

}  // namespace logquery::clickhouse_sql
