// Prints expressions: the operators of the parser, by the same precedence.
#include <algorithm>
#include <array>

#include "absl/strings/ascii.h"
#include "lib/base/back_quoted.h"
#include "lib/base/strings.h"
#include "lib/clickhouse_sql/parser_impl.h"
#include "lib/clickhouse_sql/printer_impl.h"
#include "lib/functions/ch/ch_lists.h"

namespace logquery::clickhouse_sql {
namespace {

using base::StrCat;

// Levels of precedence, the loosest first.
enum Level { kAny, kOr, kAnd, kNot, kComparison, kConcat, kSum, kProduct, kSign, kPostfix };

struct Operator {
  std::string_view function;
  std::string_view symbol;
  Level level;
};

constexpr std::array<Operator, 15> kBinary = {{{"equals", "=", kComparison},
                                               {"notEquals", "!=", kComparison},
                                               {"less", "<", kComparison},
                                               {"lessOrEquals", "<=", kComparison},
                                               {"greater", ">", kComparison},
                                               {"greaterOrEquals", ">=", kComparison},
                                               {"like", "LIKE", kComparison},
                                               {"notLike", "NOT LIKE", kComparison},
                                               {"ilike", "ILIKE", kComparison},
                                               {"notILike", "NOT ILIKE", kComparison},
                                               {"plus", "+", kSum},
                                               {"minus", "-", kSum},
                                               {"multiply", "*", kProduct},
                                               {"divide", "/", kProduct},
                                               {"modulo", "%", kProduct}}};

const Operator* BinaryOf(const Expr& call) {
  if (call.args.size() != 2 || call.has_params || call.over != nullptr) return nullptr;
  const auto* const found =
      std::find_if(kBinary.begin(), kBinary.end(), [&](const Operator& known) { return known.function == call.text; });
  return found == kBinary.end() ? nullptr : found;
}

bool IsPlainName(std::string_view name) {
  if (name.empty() || absl::ascii_isdigit(static_cast<unsigned char>(name[0]))) return false;
  return std::all_of(name.begin(), name.end(),
                     [](char c) { return absl::ascii_isalnum(static_cast<unsigned char>(c)) || c == '_'; });
}

// Words that begin an expression of another kind than a name.
bool OpensExpression(std::string_view name) {
  constexpr std::array<std::string_view, 6> kWords = {"NULL", "TRUE", "FALSE", "CASE", "INTERVAL", "DATE"};
  return std::any_of(kWords.begin(), kWords.end(),
                     [&](std::string_view word) { return base::EqualsIgnoreCase(word, name); });
}

// The unit of toIntervalHour(1), if the count is a literal; otherwise an empty text.
std::string IntervalUnit(const Expr& call) {
  constexpr std::string_view kPrefix = "toInterval";
  if (!call.text.starts_with(kPrefix) || call.args.size() != 1 || call.args[0]->kind != ExprKind::kNumber) return "";
  return absl::AsciiStrToUpper(call.text.substr(kPrefix.size()));
}

}  // namespace

std::string QuoteName(std::string_view name) {
  if (IsPlainName(name) && !IsReserved(name) && !OpensExpression(name)) return std::string(name);
  return base::BackQuoted(name);
}

std::string Printer::WithAlias(const Expr& expr) {
  const std::string text = ExprText(expr, kAny);
  if (expr.alias.empty()) return text;
  return StrCat(text, " AS ", QuoteName(expr.alias));
}

std::string Printer::ListText(const std::vector<ExprPtr>& exprs) {
  std::vector<std::string> texts;
  for (const ExprPtr& expr : exprs) texts.push_back(WithAlias(*expr));
  return base::Join(texts, ", ");
}

std::string Printer::OrderText(const OrderItem& item) {
  std::string text = StrCat(ExprText(*item.value, kAny), item.descending ? " DESC" : "");
  if (item.nulls_first) text += *item.nulls_first ? " NULLS FIRST" : " NULLS LAST";
  if (!item.with_fill) return text;
  text += " WITH FILL";
  if (item.fill_from != nullptr) text += StrCat(" FROM ", ExprText(*item.fill_from, kAny));
  if (item.fill_to != nullptr) text += StrCat(" TO ", ExprText(*item.fill_to, kAny));
  if (item.fill_step != nullptr) text += StrCat(" STEP ", ExprText(*item.fill_step, kAny));
  return text;
}

std::string Printer::WindowText(const WindowSpec& spec) {
  std::vector<std::string> parts;
  if (!spec.partition_by.empty()) parts.push_back(StrCat("PARTITION BY ", ListText(spec.partition_by)));
  if (!spec.order_by.empty()) {
    std::vector<std::string> keys;
    for (const OrderItem& item : spec.order_by) keys.push_back(OrderText(item));
    parts.push_back(StrCat("ORDER BY ", base::Join(keys, ", ")));
  }
  if (spec.framed) {
    const auto bound = [&](const WindowBound& at) -> std::string {
      switch (at.kind) {
        case WindowBound::Kind::kUnboundedPreceding:
          return "UNBOUNDED PRECEDING";
        case WindowBound::Kind::kPreceding:
          return StrCat(ExprText(*at.offset, kSum), " PRECEDING");
        case WindowBound::Kind::kCurrentRow:
          return "CURRENT ROW";
        case WindowBound::Kind::kFollowing:
          return StrCat(ExprText(*at.offset, kSum), " FOLLOWING");
        case WindowBound::Kind::kUnboundedFollowing:
          return "UNBOUNDED FOLLOWING";
      }
      return "";
    };
    parts.push_back(StrCat(spec.rows ? "ROWS" : "RANGE", " BETWEEN ", bound(spec.begin), " AND ", bound(spec.end)));
  }
  return StrCat("(", base::Join(parts, " "), ")");
}

std::string Printer::CaseText(const Expr& call) {
  const bool operand = call.text == "caseWithExpression";
  std::string text = operand ? StrCat("CASE ", ExprText(*call.args[0], kAny)) : "CASE";
  for (size_t i = operand ? 1 : 0; i + 1 < call.args.size(); i += 2) {
    text += StrCat(" WHEN ", ExprText(*call.args[i], kAny), " THEN ", ExprText(*call.args[i + 1], kAny));
  }
  if (call.args.back()->kind != ExprKind::kNull) text += StrCat(" ELSE ", ExprText(*call.args.back(), kAny));
  return text + " END";
}

// `level` is set to that of the call's operator.
std::string Printer::CallText(const Expr& call, int& level) {
  const auto& args = call.args;
  level = kPostfix;
  if (const Operator* binary = BinaryOf(call)) {
    level = binary->level;
    // Comparisons are parenthesised inside of each other, for the reader's sake.
    const int left = binary->level == kComparison ? kConcat : binary->level;
    return StrCat(ExprText(*args[0], left), " ", binary->symbol, " ", ExprText(*args[1], binary->level + 1));
  }
  if ((call.text == "and" || call.text == "or") && args.size() > 1) {
    level = call.text == "and" ? kAnd : kOr;
    std::vector<std::string> parts;
    for (const ExprPtr& arg : args) parts.push_back(ExprText(*arg, level + 1));
    return base::Join(parts, call.text == "and" ? " AND " : " OR ");
  }
  if (call.text == "not" && args.size() == 1) {
    level = kNot;
    return StrCat("NOT ", ExprText(*args[0], kNot));
  }
  if (call.text == "negate" && args.size() == 1) {
    level = kSign;
    return StrCat("-", ExprText(*args[0], kPostfix));
  }
  if ((call.text == "isNull" || call.text == "isNotNull") && args.size() == 1) {
    level = kComparison;
    return StrCat(ExprText(*args[0], kConcat), call.text == "isNull" ? " IS NULL" : " IS NOT NULL");
  }
  if ((call.text == "between" || call.text == "notBetween") && args.size() == 3) {
    level = kComparison;
    return StrCat(ExprText(*args[0], kConcat), call.text == "between" ? " BETWEEN " : " NOT BETWEEN ",
                  ExprText(*args[1], kConcat), " AND ", ExprText(*args[2], kConcat));
  }
  if ((call.text == "in" || call.text == "notIn") && args.size() == 2) {
    level = kComparison;
    const bool list = args[1]->kind == ExprKind::kCall && args[1]->text == "tuple";
    const std::string set = list ? StrCat("(", ListText(args[1]->args), ")") : ExprText(*args[1], kConcat);
    return StrCat(ExprText(*args[0], kConcat), call.text == "in" ? " IN " : " NOT IN ", set);
  }
  if (call.text == "arrayElement" && args.size() == 2)
    return StrCat(ExprText(*args[0], kPostfix), "[", ExprText(*args[1], kAny), "]");
  if (call.text == "tupleElement" && args.size() == 2 && args[1]->kind == ExprKind::kNumber)
    return StrCat(ExprText(*args[0], kPostfix), ".", args[1]->text);
  if (call.text == "array") return StrCat("[", ListText(args), "]");
  if (call.text == "tuple" && args.size() > 1) return StrCat("(", ListText(args), ")");
  if (call.text == "CAST" && args.size() == 2 && args[1]->kind == ExprKind::kString)
    return StrCat("CAST(", ExprText(*args[0], kAny), " AS ", args[1]->text, ")");
  if ((call.text == "multiIf" && args.size() > 2) || call.text == "caseWithExpression") return CaseText(call);
  if (const std::string unit = IntervalUnit(call); !unit.empty()) return StrCat("INTERVAL ", args[0]->text, " ", unit);
  const bool star = args.size() == 1 && args[0]->kind == ExprKind::kStar && args[0]->path.empty();
  std::string text = call.text;
  if (call.has_params) text += StrCat("(", ListText(call.params), ")");
  text += StrCat("(", call.distinct ? "DISTINCT " : "", star ? "" : ListText(args), ")");
  if (call.over != nullptr) text += StrCat(" OVER ", WindowText(*call.over));
  return text;
}

// A subquery inside of an expression, on one line.
std::string Printer::Subquery(const Query& query) {
  Printer inner({});
  inner.one_line_ = true;
  inner.PrintQuery(query);
  return StrCat("(", inner.Finish(), ")");
}

std::string Printer::ExprText(const Expr& expr, int level) {
  switch (expr.kind) {
    case ExprKind::kNull:
      return "NULL";
    case ExprKind::kBool:
      return expr.is_true ? "true" : "false";
    case ExprKind::kNumber:
      return expr.text.starts_with("-") && level > kSign ? StrCat("(", expr.text, ")") : expr.text;
    case ExprKind::kString:
      return functions::ChQuotedText(expr.text);
    case ExprKind::kName:
    case ExprKind::kStar: {
      std::vector<std::string> names;
      for (const std::string& name : expr.path) names.push_back(QuoteName(name));
      if (expr.kind == ExprKind::kStar) names.emplace_back("*");
      return base::Join(names, ".");
    }
    case ExprKind::kLambda: {
      std::vector<std::string> names;
      for (const std::string& name : expr.path) names.push_back(QuoteName(name));
      const std::string list = base::Join(names, ", ");
      const std::string text =
          StrCat(names.size() == 1 ? list : StrCat("(", list, ")"), " -> ", ExprText(*expr.args[0], kAny));
      return level > kAny ? StrCat("(", text, ")") : text;
    }
    case ExprKind::kSubquery:
      return Subquery(*expr.query);
    case ExprKind::kParameter:
      return StrCat("{", expr.text, ":", expr.type_name, "}");
    case ExprKind::kCall: {
      int own = kPostfix;
      std::string text = CallText(expr, own);
      return own < level ? StrCat("(", text, ")") : text;
    }
  }
  return "";
}

}  // namespace logquery::clickhouse_sql
