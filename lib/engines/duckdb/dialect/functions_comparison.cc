// Comparisons of values whose equality or order in DuckDB differs from GoogleSQL's.
#include <algorithm>
#include <cmath>

#include "lib/engines/duckdb/dialect/function_texts.h"
#include "lib/rewrite/scalars.h"

namespace logquery::emit {
namespace {

using absl::StatusOr;
using rewrite::FunctionCall;

// A constant FLOAT64 that is not NaN: DuckDB compares with it as IEEE does, mostly.
bool IsPlainNumber(const FunctionCall& call, size_t index) {
  const Value* value = rewrite::ConstantArgument(call, index);
  return value != nullptr && value->type().is(TypeKind::kFloat64) && !std::isnan(value->float64_value());
}

Sql Compare(const Sql& x, std::string_view op, const Sql& y) { return Cat("(", x, " ", op, " ", y, ")"); }

// In DuckDB NaN equals itself and is the greatest number. `when_nan` is GoogleSQL's result for a first operand that is
// NaN: an expression of the second one, so that NULL stays NULL.
Sql UnlessNan(const Texts& args, std::string_view op, std::string_view when_nan_op) {
  return Once(args, [&](const Texts& a) {
    return Cat("(CASE WHEN isnan(", a[0], ") THEN ", a[1], " ", when_nan_op, " ", a[1], " ELSE ", a[0], " ", op, " ",
               a[1], " END)");
  });
}

StatusOr<Sql> FloatEqual(const FunctionCall& call, const Texts& args) {
  if (IsPlainNumber(call, 0) || IsPlainNumber(call, 1)) return Compare(args[0], "=", args[1]);
  return UnlessNan(args, "=", "<>");
}

StatusOr<Sql> FloatNotEqual(const FunctionCall& call, const Texts& args) {
  if (IsPlainNumber(call, 0) || IsPlainNumber(call, 1)) return Compare(args[0], "<>", args[1]);
  return UnlessNan(args, "<>", "=");
}

// `greater` `op` `lesser`, where op is > or >=. `bound` is whether `lesser` is a plain number: then the comparison keeps a
// form that skips row groups.
Sql FloatGreaterText(const Sql& greater, const Sql& lesser, std::string_view op, bool greater_is_plain,
                     bool lesser_is_plain) {
  if (greater_is_plain) return Compare(greater, op, lesser);
  if (!lesser_is_plain) return UnlessNan({greater, lesser}, op, "<>");
  return Once({greater, lesser}, [&](const Texts& a) {
    return Cat("(", a[0], " ", op, " ", a[1], " AND ", a[0], " <= CAST('Infinity' AS DOUBLE))");
  });
}

StatusOr<Sql> FloatGreater(const FunctionCall& call, const Texts& args) {
  return FloatGreaterText(args[0], args[1], ">", IsPlainNumber(call, 0), IsPlainNumber(call, 1));
}
StatusOr<Sql> FloatGreaterOrEqual(const FunctionCall& call, const Texts& args) {
  return FloatGreaterText(args[0], args[1], ">=", IsPlainNumber(call, 0), IsPlainNumber(call, 1));
}
StatusOr<Sql> FloatLess(const FunctionCall& call, const Texts& args) {
  return FloatGreaterText(args[1], args[0], ">", IsPlainNumber(call, 1), IsPlainNumber(call, 0));
}
StatusOr<Sql> FloatLessOrEqual(const FunctionCall& call, const Texts& args) {
  return FloatGreaterText(args[1], args[0], ">=", IsPlainNumber(call, 1), IsPlainNumber(call, 0));
}

StatusOr<Sql> FloatBetween(const FunctionCall& call, const Texts& args) {
  // NaN is above every upper bound that is a number.
  if (IsPlainNumber(call, 2)) return OnceIfLarge(call, 0, args, "($1 BETWEEN $2 AND $3)");
  return Once(args, [](const Texts& a) {
    return Cat("(", UnlessNan({a[0], a[1]}, ">=", "<>"), " AND ", UnlessNan({a[2], a[0]}, ">=", "<>"), ")");
  });
}

StatusOr<Sql> FloatIn(const FunctionCall& call, const Texts& args) {
  bool plain = IsPlainNumber(call, 0);
  if (!plain) {
    plain = true;
    for (size_t i = 1; i < args.size(); ++i) plain = plain && IsPlainNumber(call, i);
  }
  if (plain) return FillTemplate("($1 IN ($2*))", args);
  return Once(args, [](const Texts& a) {
    Texts equal;
    for (size_t i = 1; i < a.size(); ++i) equal.push_back(UnlessNan({a[0], a[i]}, "=", "<>"));
    return Balanced(equal, "OR");
  });
}

StatusOr<Sql> FloatNullIf(const FunctionCall& call, const Texts& args) {
  if (IsPlainNumber(call, 1)) return OnceIfLarge(call, 0, args, "NULLIF($1, $2)");
  return Once(args, [](const Texts& a) {
    return Cat("(CASE WHEN ", UnlessNan({a[0], a[1]}, "=", "<>"), " THEN NULL ELSE ", a[0], " END)");
  });
}

// Equality of two texts of one type, as GoogleSQL has it: of STRUCTs field by field, so that a NULL field makes NULL.
StatusOr<Sql> EqualText(const Type& type, const Sql& x, const Sql& y) {
  if (type.is(TypeKind::kFloat64)) return UnlessNan({x, y}, "=", "<>");
  if (!type.is_struct()) {
    if (type.is_array() || type.is(TypeKind::kJson)) {
      return absl::InvalidArgumentError(StrCat("values of type ", type.ToString(), " can't be compared"));
    }
    return Compare(x, "=", y);
  }
  if (type.fields().empty()) return Cat("(", x, " IS NOT NULL AND ", y, " IS NOT NULL)");
  Texts equal;
  for (size_t i = 1; i <= type.fields().size(); ++i) {
    const auto field = [i](const Sql& of) { return StructFieldAt(of, i); };
    StatusOr<Sql> text = EqualText(type.fields()[i - 1].type, field(x), field(y));
    if (!text.ok()) return text;
    equal.push_back(*std::move(text));
  }
  return Balanced(equal, "AND");
}

StatusOr<Sql> AnyStructEqual(const FunctionCall& call, const Texts& args, std::string_view before) {
  absl::Status status;
  Sql text = Once(args, [&](const Texts& a) -> Sql {
    Texts equal;
    for (size_t i = 1; i < a.size(); ++i) {
      StatusOr<Sql> one = EqualText(call.arguments[0]->type, a[0], a[i]);
      if (!one.ok()) {
        status = one.status();
        return "";
      }
      equal.push_back(*std::move(one));
    }
    return Cat("(", before, Balanced(equal, "OR"), ")");
  });
  if (!status.ok()) return status;
  return text;
}

StatusOr<Sql> StructEqual(const FunctionCall& call, const Texts& args) { return AnyStructEqual(call, args, ""); }
StatusOr<Sql> StructNotEqual(const FunctionCall& call, const Texts& args) { return AnyStructEqual(call, args, "NOT "); }

StatusOr<Sql> Between(const FunctionCall& call, const Texts& args) {
  return OnceIfLarge(call, 0, args, "($1 BETWEEN $2 AND $3)");
}

// STRUCTs that have a NULL field equal nothing.
StatusOr<Sql> NullIf(const FunctionCall& call, const Texts& args) {
  if (!call.type.is_struct()) return OnceIfLarge(call, 0, args, "NULLIF($1, $2)");
  absl::Status status;
  Sql text = Once(args, [&](const Texts& a) {
    const StatusOr<Sql> equal = EqualText(call.type, a[0], a[1]);
    status = equal.status();
    return equal.ok() ? Cat("(CASE WHEN ", *equal, " THEN NULL ELSE ", a[0], " END)") : Sql();
  });
  if (!status.ok()) return status;
  return text;
}

// A STRUCT equals none for sure that has a NULL in the same field.
StatusOr<Sql> StructInArray(const Type& type, const Texts& args) {
  absl::Status failed;
  Sql text = Once(args, [&](const Texts& a) {
    const Sql element = FreshName(a);
    const StatusOr<Sql> equal = EqualText(type, a[0], element);
    failed.Update(equal.status());
    const Sql each = Cat("list_transform(", a[1], ", lambda ", element, ": ", equal.value_or(""), ")");
    return Once({each}, [](const Texts& e) {
      return Cat("(CASE WHEN list_contains(", e[0], ", TRUE) THEN TRUE WHEN list_position(", e[0],
                 ", NULL) IS NOT NULL THEN NULL ELSE FALSE END)");
    });
  });
  if (!failed.ok()) return failed;
  return text;
}

// NULL is FALSE here where the array is NULL or empty, else NULL unless found.
StatusOr<Sql> InArray(const FunctionCall& call, const Texts& args) {
  if (call.arguments[0]->type.is_struct()) return StructInArray(call.arguments[0]->type, args);
  return Once(args, [](const Texts& a) {
    return Cat("(COALESCE(list_contains(", a[1], ", ", a[0], "), FALSE) OR CASE WHEN len(", a[1], ") > 0 AND (", a[0],
               " IS NULL OR list_position(", a[1], ", NULL) IS NOT NULL) THEN NULL ELSE FALSE END)");
  });
}

absl::Status CheckPattern(const FunctionCall& call, size_t index) {
  const std::optional<std::string> pattern = ConstantString(call, index);
  if (!pattern.has_value()) return absl::OkStatus();
  size_t slashes = 0;
  while (slashes < pattern->size() && (*pattern)[pattern->size() - 1 - slashes] == '\\') ++slashes;
  if (slashes % 2 == 0) return absl::OkStatus();
  return absl::InvalidArgumentError(StrCat("LIKE pattern ends with a backslash: ", Quote(*pattern).text()));
}

// Returns x where the pattern is %x%.
std::optional<std::string_view> ContainedText(std::string_view pattern) {
  if (pattern.size() < 3 || pattern.front() != '%' || pattern.back() != '%') return std::nullopt;
  const std::string_view part = pattern.substr(1, pattern.size() - 2);
  return part.find_first_of("%_\\") == std::string_view::npos ? std::optional(part) : std::nullopt;
}

// DuckDB's own LIKE is called for the beginnings of texts alone, by which it leaves out rows that it need not read. It compares
// other patterns anew at each place of a text, and does not look at its interrupt between rows.
bool IsBeginning(std::string_view pattern) {
  const size_t special = pattern.find_first_of("%_\\");
  return special == std::string_view::npos || pattern.find_first_not_of('%', special) == std::string_view::npos;
}

// `folds`: without regard to small and capital letters.
Sql LikeText(const FunctionCall& call, size_t index, const Sql& text, bool folds, const Sql& pattern) {
  const std::optional<std::string> constant = ConstantString(call, index);
  if (folds) return Cat("lq_like(lower(", text, "), lower(", pattern, "))");
  if (IsNullConstant(call, index) || (constant.has_value() && IsBeginning(*constant))) {
    return Cat("(", text, " LIKE ", pattern, ")");
  }
  if (constant.has_value()) {
    if (const auto part = ContainedText(*constant)) return Cat("lq_contains(", text, ", ", Quote(*part), ")");
  }
  return Cat("lq_like(", text, ", ", pattern, ")");
}

StatusOr<Sql> LikeOf(const FunctionCall& call, const Texts& args, bool folds) {
  if (absl::Status status = CheckPattern(call, 1); !status.ok()) return status;
  return LikeText(call, 1, args[0], folds, args[1]);
}

StatusOr<Sql> Like(const FunctionCall& call, const Texts& args) { return LikeOf(call, args, /*folds=*/false); }
StatusOr<Sql> ILike(const FunctionCall& call, const Texts& args) { return LikeOf(call, args, /*folds=*/true); }

StatusOr<Sql> LikeMany(const FunctionCall& call, const Texts& args, std::string_view op) {
  for (size_t i = 1; i < args.size(); ++i) {
    if (absl::Status status = CheckPattern(call, i); !status.ok()) return status;
  }
  return Once(args, [&](const Texts& a) {
    Texts parts;
    const bool bytes = call.arguments[0]->type.is(TypeKind::kBytes);
    for (size_t i = 1; i < a.size(); ++i) {
      parts.push_back(bytes ? Cat("lq_bytes_like(", a[0], ", ", a[i], ")")
                            : LikeText(call, i, a[0], /*folds=*/false, a[i]));
    }
    return Balanced(parts, op);
  });
}

StatusOr<Sql> LikeAny(const FunctionCall& call, const Texts& args) { return LikeMany(call, args, "OR"); }
StatusOr<Sql> LikeAll(const FunctionCall& call, const Texts& args) { return LikeMany(call, args, "AND"); }

constexpr DuckDbFunctionEntry kEntries[] = {
    {"float_equal", FloatEqual},
    {"float_not_equal", FloatNotEqual},
    {"float_less", FloatLess},
    {"float_less_or_equal", FloatLessOrEqual},
    {"float_greater", FloatGreater},
    {"float_greater_or_equal", FloatGreaterOrEqual},
    {"float_between", FloatBetween},
    {"float_in", FloatIn},
    {"float_nullif", FloatNullIf},
    {"between", Between},
    {"nullif", NullIf},
    {"struct_equal", StructEqual},
    {"struct_not_equal", StructNotEqual},
    {"struct_in", StructEqual},
    {"in_array", InArray},
    {"like", Like},
    {"ilike", ILike},
    {"like_any", LikeAny},
    {"like_all", LikeAll},
};

}  // namespace

DuckDbFunctionList DuckDbComparisons() { return kEntries; }

}  // namespace logquery::emit
