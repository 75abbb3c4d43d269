// The checks that the pass bound_growth adds around values that may be long or shown to many rows.
#include "lib/engines/duckdb/dialect/function_texts.h"

namespace logquery::emit {
namespace {

using absl::StatusOr;
using rewrite::FunctionCall;

// The bytes that an element takes in addition to the data it points to.
constexpr int64_t kElementBytes = 16;
// An element's share of the budget for the results of a lambda over an array.
constexpr int64_t kMadeElementBytes = 256;

// About how many bytes the value takes; NULL for NULL.
Sql BytesOf(const Type& type, const Sql& value) {
  switch (type.kind()) {
    case TypeKind::kString:
      return Cat("strlen(", value, ")");
    case TypeKind::kBytes:
      return Cat("octet_length(", value, ")");
    case TypeKind::kArray: {
      if (type.is_record()) break;
      const Sql length = Cat("len(", value, ") * ", kElementBytes);
      const TypeKind element = type.element().kind();
      if (element != TypeKind::kString && element != TypeKind::kBytes) return length;
      const Sql x = FreshName({value});
      return Cat("(", length, " + CAST(COALESCE(list_sum(list_transform(", value, ", lambda ", x, ": ",
                 BytesOf(type.element(), x), ")), 0) AS BIGINT))");
    }
    default:
      break;
  }
  return Cat(kElementBytes);
}

// Counts so many bytes against the budget; `args` may hold, behind the value, what makes the call one of its row.
Sql FitsText(const Sql& bytes, const Texts& args) {
  return args.size() > 1 ? Cat("lq_fits_beside(", bytes, ", ", args[1], ")") : Cat("lq_fits(", bytes, ")");
}

StatusOr<Sql> Bounded(const FunctionCall& call, const Texts& args) {
  const std::string_view beside = args.size() > 1 ? "_beside(" : "(";
  if (call.type.is(TypeKind::kString)) return Cat("lq_bounded", beside, JoinTexts(args, ", "), ")");
  if (call.type.is(TypeKind::kBytes)) return Cat("lq_bytes_bounded", beside, JoinTexts(args, ", "), ")");
  return Cat("(CASE WHEN ", FitsText(BytesOf(call.type, args[0]), args), " THEN ", args[0], " END)");
}

StatusOr<Sql> Fits(const FunctionCall& call, const Texts& args) {
  return FitsText(Cat("COALESCE(", BytesOf(call.arguments[0]->type, args[0]), ", 0)"), args);
}

StatusOr<Sql> BoundedValue(const FunctionCall& call, const Texts& args) {
  return Cat("(CASE WHEN ", BytesOf(call.type, args[0]), " > ", args[1], " THEN ",
             ErrorText(Cat("'a value that many rows share may have at most ' || ", args[1], " || ' bytes here'")),
             " ELSE ", args[0], " END)");
}

StatusOr<Sql> BoundedFrame(const FunctionCall& call, const Texts& args) {
  const Sql more =
      call.type.is_array() ? Cat("COALESCE(", args[2], ", 0) * ", kElementBytes) : Cat("COALESCE(", args[2], ", 0)");
  return Cat("(CASE WHEN ", args[1], " * ", kElementBytes, " + ", more, " > ", args[3], " THEN ",
             ErrorText(Cat("'a window gathers more than ' || ", args[3],
                           " || ' bytes of a partition for each of its rows; use GROUP BY, or a frame of few ROWS'")),
             " ELSE ", args[0], " END)");
}

StatusOr<Sql> BoundedElements(const FunctionCall&, const Texts& args) {
  return Cat("(CASE WHEN ", FitsText(Cat("len(", args[0], ") * ", kMadeElementBytes), args), " THEN ", args[0],
             " END)");
}

// Volatile to DuckDB, so that it moves no condition on the result below it; see functions/pin.cc.
StatusOr<Sql> Pin(const FunctionCall& call, const Texts& args) {
  return Cat(call.type.is(TypeKind::kJson) ? "lq_pin_json(" : "lq_pin(", args[0], ")");
}

constexpr DuckDbFunctionEntry kEntries[] = {
    {"pin", Pin},
    {"bounded", Bounded},
    {"fits", Fits},
    {"bounded_value", BoundedValue},
    {"bounded_frame", BoundedFrame},
    {"bounded_elements", BoundedElements},
};

}  // namespace

DuckDbFunctionList DuckDbBounds() { return kEntries; }

}  // namespace logquery::emit
