// Functions on arrays and tuples.
#include <algorithm>

#include "lib/base/limits.h"
#include "lib/base/readable_text.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/clickhouse_sql/resolve/resolver_impl.h"
#include "lib/rewrite/plan_walk.h"
#include "lib/rewrite/scalars.h"

namespace logquery::clickhouse_sql {

using base::StrCat;
using rewrite::ColumnRef;

absl::StatusOr<Ex> ArrayAt(CallArgs& call, size_t i) {
  if (i >= call.size())
    return call.resolver.Error(call.call.span, StrCat(call.call.text, " wants an array behind the lambda"));
  if (!call[i].type.Is(ChKind::kArray))
    return call.resolver.Error(call.SpanOf(i),
                               StrCat(call.call.text, " wants an array here, not ", call[i].type.ToString()));
  return std::move(call[i]);
}

ScalarPtr OfSameLength(ScalarPtr list, const ScalarPtr& other, const std::string& function) {
  const Type type = list->type;
  const auto length = [](const ScalarPtr& of) { return Call("ARRAY_LENGTH", Type::Int64(), Same(of)); };
  ScalarPtr equal = Call("$equal", Type::Bool(), length(list), length(other));
  ScalarPtr error = Call("ERROR", type, Text(StrCat(function, " wants arrays of the same length")));
  return If(std::move(equal), std::move(list), std::move(error));
}

std::unique_ptr<rewrite::Unnest> ElementRows(ScalarPtr list, const PlanColumn& column) {
  auto unnest = std::make_unique<rewrite::Unnest>(std::make_unique<rewrite::SingleRow>());
  unnest->columns.push_back(column);
  unnest->elements.push_back(column);
  unnest->arrays.push_back(std::move(list));
  return unnest;
}

namespace {

absl::StatusOr<Ex> MakeArray(CallArgs& call) {
  std::vector<const ChType*> types;
  for (size_t i = 0; i < call.size(); ++i) {
    call[i] = call.resolver.Plain(std::move(call[i]));
    types.push_back(&call[i].type);
  }
  LOGQUERY_ASSIGN_OR_RETURN(const ChType element, call.resolver.Common(types, call.call.span));
  if (element.Is(ChKind::kArray)) return call.resolver.Error(call.call.span, "arrays of arrays are not supported");
  std::vector<ScalarPtr> elements;
  for (size_t i = 0; i < call.size(); ++i) {
    LOGQUERY_ASSIGN_OR_RETURN(Ex value, call.resolver.Convert(std::move(call[i]), element, call.SpanOf(i)));
    elements.push_back(std::move(value.scalar));
  }
  const ChType type = ArrayOf(element);
  return Ex{std::make_unique<rewrite::ArrayMake>(type.PlanType(), std::move(elements)), type};
}

absl::StatusOr<Ex> MakeTuple(CallArgs& call) {
  ChType type;
  type.kind = ChKind::kTuple;
  std::vector<ScalarPtr> fields;
  for (size_t i = 0; i < call.size(); ++i) {
    Ex value = call.resolver.Plain(std::move(call[i]));
    type.parts.push_back(value.type);
    fields.push_back(std::move(value.scalar));
  }
  return Ex{std::make_unique<rewrite::StructMake>(type.PlanType(), std::move(fields)), type};
}

absl::StatusOr<Ex> TupleElement(CallArgs& call) {
  if (!call[0].type.Is(ChKind::kTuple))
    return call.resolver.Error(call.SpanOf(0), StrCat("a tuple is wanted here, not ", call[0].type.ToString()));
  const auto size = static_cast<int64_t>(call[0].type.parts.size());
  const std::vector<std::string>& names = call[0].type.names;
  int64_t at = 0;
  if (const std::optional<std::string> name = LiteralText(call[1])) {
    at = std::find(names.begin(), names.end(), *name) - names.begin() + 1;
    if (at > static_cast<int64_t>(names.size()))
      return call.resolver.Error(call.SpanOf(1), StrCat("the tuple has no element ", *name), names);
  } else {
    LOGQUERY_ASSIGN_OR_RETURN(at, call.resolver.WantInt(call[1], call.SpanOf(1), "the position"));
  }
  if (at < 1 || at > size)
    return call.resolver.Error(call.SpanOf(1), StrCat("the tuple has ", base::Counted(size, "element")));
  const ChType type = call[0].type.parts[static_cast<size_t>(at - 1)];
  return Ex{std::make_unique<rewrite::FieldRef>(std::move(call[0].scalar), static_cast<int>(at - 1)), type};
}

absl::StatusOr<Ex> Has(CallArgs& call) {
  LOGQUERY_ASSIGN_OR_RETURN(Ex list, ArrayAt(call, 0));
  if (call[1].type.nullable)
    return call.resolver.Error(call.SpanOf(1), "has with a value that may be NULL is not supported");
  // Both become the type that they have in common, so that 300 is not found among UInt8.
  LOGQUERY_ASSIGN_OR_RETURN(const ChType common,
                            call.resolver.Common({&list.type.parts[0], &call[1].type}, call.call.span));
  LOGQUERY_ASSIGN_OR_RETURN(list, call.resolver.Convert(std::move(list), ArrayOf(common), call.SpanOf(0)));
  LOGQUERY_ASSIGN_OR_RETURN(Ex value, call.resolver.Convert(std::move(call[1]), common, call.SpanOf(1)));
  ScalarPtr found = Call("$in_array", Type::Bool(), std::move(value.scalar), std::move(list.scalar));
  return Ex{IfNull(std::move(found), True(false)), UInt8(), true};
}

// arraySlice(array, offset [, length]): positions from 1, or from the end where they are negative. Positions before the
// first one count as part of the length; a negative length leaves so many elements off at the end.
absl::StatusOr<Ex> Slice(CallArgs& call) {
  LOGQUERY_ASSIGN_OR_RETURN(Ex list, ArrayAt(call, 0));
  LOGQUERY_ASSIGN_OR_RETURN(const int64_t offset, call.resolver.WantInt(call[1], call.SpanOf(1), "the offset"));
  int64_t length = INT64_MAX;
  if (call.size() > 2) {
    LOGQUERY_ASSIGN_OR_RETURN(length, call.resolver.WantInt(call[2], call.SpanOf(2), "the length"));
  }
  const Type plan = list.type.PlanType();
  const ChType type = list.type;
  if (offset == 0 || length == 0) return Ex{DefaultOf(type), type};
  const PlanColumn x = call.resolver.NewColumn("x", type.parts[0].PlanType());
  const PlanColumn i = call.resolver.NewColumn("i", Type::Int64());
  // Beyond any array's length, and small enough for sums of two.
  static constexpr int64_t kMost = int64_t{1} << 40;
  const auto bounded = [](int64_t count) { return std::clamp(count, -kMost, kMost); };
  const auto from_end = [&](int64_t count) {
    return Call("$add", Type::Int64(), Call("ARRAY_LENGTH", Type::Int64(), Same(list.scalar)), Number(bounded(count)));
  };
  ScalarPtr first = offset < 0 ? from_end(offset) : Number(bounded(offset) - 1);
  ScalarPtr last = length < 0 ? from_end(bounded(length) - 1)
                              : Call("$add", Type::Int64(), Same(first), Number(bounded(length) - 1));
  ScalarPtr within = Call("$between", Type::Bool(), std::make_unique<ColumnRef>(i), std::move(first), std::move(last));
  ScalarPtr lambda = std::make_unique<rewrite::LambdaScalar>(std::vector<PlanColumn>{x, i}, std::move(within));
  return Ex{Call("ARRAY_FILTER", plan, std::move(list.scalar), std::move(lambda)), type};
}

absl::StatusOr<Ex> Concatenated(CallArgs& call) {
  std::vector<const ChType*> types;
  for (size_t i = 0; i < call.size(); ++i) {
    LOGQUERY_ASSIGN_OR_RETURN(call[i], ArrayAt(call, i));
    types.push_back(&call[i].type);
  }
  LOGQUERY_ASSIGN_OR_RETURN(const ChType type, call.resolver.Common(types, call.call.span));
  for (size_t i = 0; i < call.size(); ++i) {
    const ChType& element = call[i].type.parts[0];
    const bool unsigned64 = element.Is(ChKind::kInt) && element.bits == 64 && !element.is_signed;
    if (unsigned64 && type.parts[0].is_signed)
      return call.resolver.Error(call.call.span, "arrays of UInt64 and of signed integers have no type in common");
  }
  std::vector<ScalarPtr> lists;
  for (size_t i = 0; i < call.size(); ++i) {
    LOGQUERY_ASSIGN_OR_RETURN(Ex list, call.resolver.Convert(std::move(call[i]), type, call.SpanOf(i)));
    lists.push_back(std::move(list.scalar));
  }
  return Ex{Call("ARRAY_CONCAT", type.PlanType(), std::move(lists)), type};
}

absl::StatusOr<Ex> Reversed(CallArgs& call) {
  const bool nullable = call.AnyNullable();
  if (call[0].type.Is(ChKind::kString))
    return Ex{Call("$ch.reverse", Type::String(), std::move(call[0].scalar)), String().Nullable(nullable)};
  LOGQUERY_ASSIGN_OR_RETURN(Ex list, ArrayAt(call, 0));
  return Ex{Call("ARRAY_REVERSE", list.type.PlanType(), std::move(list.scalar)), list.type};
}

absl::StatusOr<Ex> Joined(CallArgs& call) {
  LOGQUERY_ASSIGN_OR_RETURN(Ex list, ArrayAt(call, 0));
  if (!list.type.parts[0].Is(ChKind::kString)) {
    const PlanColumn x = call.resolver.NewColumn("x", list.type.parts[0].PlanType());
    LOGQUERY_ASSIGN_OR_RETURN(
        ScalarPtr text, call.resolver.ToText({std::make_unique<ColumnRef>(x), list.type.parts[0]}, call.SpanOf(0)));
    ScalarPtr lambda = std::make_unique<rewrite::LambdaScalar>(std::vector<PlanColumn>{x}, std::move(text));
    list.scalar = Call("ARRAY_TRANSFORM", Type::Array(Type::String()), std::move(list.scalar), std::move(lambda));
  }
  ScalarPtr separator = Text("");
  if (call.size() > 1) {
    LOGQUERY_ASSIGN_OR_RETURN(Ex given, call.resolver.Convert(std::move(call[1]), String(), call.SpanOf(1)));
    separator = std::move(given.scalar);
  }
  return Ex{Call("ARRAY_TO_STRING", Type::String(), std::move(list.scalar), std::move(separator)), String()};
}

absl::StatusOr<Ex> Range(CallArgs& call) {
  int64_t begin = 0, step = 1;
  if (call.size() > 1) {
    LOGQUERY_ASSIGN_OR_RETURN(begin, call.resolver.WantInt(call[0], call.SpanOf(0), "the begin"));
  }
  const size_t at = call.size() > 1 ? 1 : 0;
  // range(length(list)) has as many elements as the list.
  const Expr& written = *call.call.args[at];
  const bool as_list = call.size() == 1 && written.kind == ExprKind::kCall && written.text == "length" &&
                       call[0].type.Is(ChKind::kInt) && !call[0].type.nullable && ConstantOf(call[0]) == nullptr;
  if (as_list) {
    ScalarPtr last = Call("$subtract", Type::Int64(), std::move(call[0].scalar), Number(1));
    return Ex{Call("GENERATE_ARRAY", Type::Array(Type::Int64()), Number(0), std::move(last), Number(1)),
              ArrayOf(call[0].type)};
  }
  LOGQUERY_ASSIGN_OR_RETURN(const int64_t end, call.resolver.WantInt(call[at], call.SpanOf(at), "the end"));
  if (call.size() > 2) {
    LOGQUERY_ASSIGN_OR_RETURN(step, call.resolver.WantInt(call[2], call.SpanOf(2), "the step"));
  }
  if (step < 1) return call.resolver.Error(call.call.span, "the step of range must be positive");
  std::vector<const ChType*> types;
  for (size_t i = 0; i < call.size(); ++i) types.push_back(&call[i].type);
  LOGQUERY_ASSIGN_OR_RETURN(const ChType element, call.resolver.Common(types, call.call.span));
  const ChType type = ArrayOf(element);
  if (end <= begin) return Ex{DefaultOf(type), type};
  if ((end - begin) / step > base::kMaxGeneratedElements)
    return call.resolver.Error(call.call.span,
                               StrCat("range gives more than ", base::kMaxGeneratedElements, " elements"));
  return Ex{Call("GENERATE_ARRAY", Type::Array(Type::Int64()), Number(begin), Number(end - 1), Number(step)), type};
}

}  // namespace

void AddArrayFunctions(FunctionMap& functions) {
  constexpr size_t kAny = 10'000;
  functions["array"] = {0, kAny, MakeArray};
  functions["tuple"] = {0, 100, MakeTuple};
  functions["tupleElement"] = {2, 2, TupleElement};
  functions["has"] = {2, 2, Has};
  functions["arraySlice"] = {2, 3, Slice};
  functions["arrayConcat"] = {1, 100, Concatenated};
  functions["arrayReverse"] = functions["reverse"] = {1, 1, Reversed};
  functions["arrayStringConcat"] = {1, 2, Joined};
  functions["range"] = {1, 3, Range};
}

}  // namespace logquery::clickhouse_sql
