// What the pass bound_growth puts around values that may be long, or may be shown to many rows.
#include "lib/emit/duckdb/function_texts.h"

namespace logquery::emit {
namespace {

using absl::StatusOr;
using rewrite::FunctionCall;

// What an element takes beside what it points to.
constexpr int64_t kElementBytes = 16;
// Of what a lambda makes of an array, an element's share of the budget.
constexpr int64_t kMadeElementBytes = 256;

// About how many bytes the value takes; NULL for NULL.
std::string BytesOf(const Type& type, const std::string& value) {
  switch (type.kind()) {
    case TypeKind::kString:
      return StrCat("strlen(", value, ")");
    case TypeKind::kBytes:
      return StrCat("octet_length(", value, ")");
    case TypeKind::kArray: {
      if (type.is_record()) break;
      const std::string length = StrCat("len(", value, ") * ", kElementBytes);
      const TypeKind element = type.element().kind();
      if (element != TypeKind::kString && element != TypeKind::kBytes) return length;
      const std::string x = FreshName({value});
      return StrCat("(", length, " + CAST(COALESCE(list_sum(list_transform(", value, ", lambda ", x, ": ",
                    BytesOf(type.element(), x), ")), 0) AS BIGINT))");
    }
    default:
      break;
  }
  return StrCat(kElementBytes);
}

// Counts so many bytes against the budget; `args` may hold, behind the value, what makes the call one of its row.
std::string FitsText(const std::string& bytes, const Texts& args) {
  return args.size() > 1 ? StrCat("lq_fits_beside(", bytes, ", ", args[1], ")") : StrCat("lq_fits(", bytes, ")");
}

StatusOr<std::string> Bounded(const FunctionCall& call, const Texts& args) {
  const std::string_view beside = args.size() > 1 ? "_beside(" : "(";
  if (call.type.is(TypeKind::kString)) return StrCat("lq_bounded", beside, base::Join(args, ", "), ")");
  if (call.type.is(TypeKind::kBytes)) return StrCat("lq_bytes_bounded", beside, base::Join(args, ", "), ")");
  return StrCat("(CASE WHEN ", FitsText(BytesOf(call.type, args[0]), args), " THEN ", args[0], " END)");
}

StatusOr<std::string> Fits(const FunctionCall& call, const Texts& args) {
  return FitsText(StrCat("COALESCE(", BytesOf(call.arguments[0]->type, args[0]), ", 0)"), args);
}

StatusOr<std::string> BoundedValue(const FunctionCall& call, const Texts& args) {
  return StrCat("(CASE WHEN ", BytesOf(call.type, args[0]), " > ", args[1], " THEN ",
                ErrorText(StrCat("'a value that many rows share may have at most ' || ", args[1], " || ' bytes here'")),
                " ELSE ", args[0], " END)");
}

StatusOr<std::string> BoundedFrame(const FunctionCall& call, const Texts& args) {
  const std::string more = call.type.is_array() ? StrCat("COALESCE(", args[2], ", 0) * ", kElementBytes)
                                                : StrCat("COALESCE(", args[2], ", 0)");
  return StrCat(
      "(CASE WHEN ", args[1], " * ", kElementBytes, " + ", more, " > ", args[3], " THEN ",
      ErrorText(StrCat("'a window gathers more than ' || ", args[3],
                       " || ' bytes of a partition for each of its rows; use GROUP BY, or a frame of few ROWS'")),
      " ELSE ", args[0], " END)");
}

StatusOr<std::string> BoundedElements(const FunctionCall&, const Texts& args) {
  return StrCat("(CASE WHEN ", FitsText(StrCat("len(", args[0], ") * ", kMadeElementBytes), args), " THEN ", args[0],
                " END)");
}

// Volatile to DuckDB, so that it moves no condition on the result below it; see functions/pin.cc.
StatusOr<std::string> Pin(const FunctionCall& call, const Texts& args) {
  return StrCat(call.type.is(TypeKind::kJson) ? "lq_pin_json(" : "lq_pin(", args[0], ")");
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
