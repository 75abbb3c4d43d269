// Calls: by the table of templates, and those that depend on their arguments.
#include <re2/re2.h>

#include <algorithm>

#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/clickhouse_sql/build.h"
#include "lib/tools/rewrite_sql/function_rows.h"
#include "lib/tools/rewrite_sql/to_clickhouse.h"

namespace logquery::tools {

using base::StrCat;

namespace {

const sql::Literal* LiteralOf(const sql::Call& call, size_t i, sql::Literal::Form form) {
  if (i >= call.arguments.size() || call.arguments[i].value == nullptr) return nullptr;
  const auto* literal = sql::If<sql::Literal>(call.arguments[i].value.get());
  return literal != nullptr && literal->form == form ? literal : nullptr;
}

// An integer literal, perhaps with a sign.
std::optional<int64_t> IntegerOf(const sql::Call& call, size_t i) {
  if (const auto* literal = LiteralOf(call, i, sql::Literal::Form::kInteger)) return std::atoll(literal->text.c_str());
  if (i >= call.arguments.size()) return std::nullopt;
  const auto* unary = sql::If<sql::Unary>(call.arguments[i].value.get());
  if (unary == nullptr || unary->op != sql::Unary::Op::kMinus) return std::nullopt;
  const auto* literal = sql::If<sql::Literal>(unary->operand.get());
  if (literal == nullptr || literal->form != sql::Literal::Form::kInteger) return std::nullopt;
  return -std::atoll(literal->text.c_str());
}

bool Fits(const Type& type, char wanted) {
  switch (wanted) {
    case 's':
      return type.is(TypeKind::kString);
    case 'i':
      return type.is(TypeKind::kInt64);
    case 'f':
      return type.is(TypeKind::kFloat64);
    case 'n':
      return type.is(TypeKind::kInt64) || type.is(TypeKind::kFloat64);
    case 'a':
      return type.is_array() && !type.is_record();
    default:
      return false;
  }
}

}  // namespace

absl::StatusOr<ChValue> ToClickHouse::TableCall(const sql::Call& call, const std::string& name, const Scope& scope) {
  const FunctionRow* row = FindFunctionRow(name, call.arguments.size());
  if (row == nullptr) return Unsupported(call.name[0].span, StrCat("the function ", name));
  std::vector<ch::ExprPtr> args;
  bool nullable = false;
  for (size_t i = 0; i < call.arguments.size(); ++i) {
    const sql::Expr* argument = call.arguments[i].value.get();
    if (argument == nullptr || call.arguments[i].name || !Fits(TypeOf(*argument), row->types[i]))
      return Unsupported(call.span, StrCat(name, " of a value of this type"));
    skips_null_ = name == "ARRAY_TO_STRING" && argument->kind == sql::ExprKind::kSubquery;
    absl::StatusOr<ChValue> value = Expr(*argument, scope);
    skips_null_ = false;
    LOGQUERY_RETURN_IF_ERROR(value.status());
    nullable = nullable || value->nullable;
    args.push_back(std::move(value->expr));
  }
  const bool division = name == "DIV" || name == "MOD";
  // ClickHouse may divide where a condition around the division rules the row out.
  const auto* divisor = division ? LiteralOf(call, 1, sql::Literal::Form::kInteger) : nullptr;
  const bool may_be_zero =
      division && (divisor == nullptr || divisor->text.find_first_of("123456789") == std::string::npos);
  if (may_be_zero) {
    args[1] = ch::MakeCallOf("nullIf", std::move(args[1]), ch::MakeNumber(0));
    nullable = true;
  }
  LOGQUERY_ASSIGN_OR_RETURN(ch::ExprPtr made, ch::FillTemplate(row->text, args));
  if (!row->note.empty()) Note(call.span, row->note);
  if (division) Note(call.span, "integers beyond 64 bits are an error in BigQuery, and wrap around in ClickHouse");
  return ChValue{std::move(made), TypeOf(call), row->result == "null" || (row->result.empty() && nullable), false};
}

absl::StatusOr<ChValue> ToClickHouse::ChoiceCall(const sql::Call& call, const std::string& name, const Scope& scope,
                                                 bool& handled) {
  const size_t count = call.arguments.size();
  std::vector<ch::ExprPtr> args;
  if (name == "IF" && count == 3) {
    LOGQUERY_ASSIGN_OR_RETURN(ChValue condition, Expr(*call.arguments[0].value, scope, Use::kCondition));
    LOGQUERY_ASSIGN_OR_RETURN(ChValue yes, Expr(*call.arguments[1].value, scope));
    LOGQUERY_ASSIGN_OR_RETURN(ChValue no, Expr(*call.arguments[2].value, scope));
    const bool nullable = yes.nullable || no.nullable;
    const bool is_datetime = yes.is_datetime && no.is_datetime;
    return ChValue{ch::MakeCallOf("if", std::move(condition.expr), std::move(yes.expr), std::move(no.expr)),
                   TypeOf(call), nullable, is_datetime};
  }
  if (name == "COALESCE" || (name == "IFNULL" && count == 2)) {
    bool nullable = true;
    for (const sql::Call::Argument& argument : call.arguments) {
      LOGQUERY_ASSIGN_OR_RETURN(ChValue value, Expr(*argument.value, scope));
      nullable = nullable && value.nullable;
      args.push_back(std::move(value.expr));
    }
    return ChValue{ch::MakeCall(name == "IFNULL" ? "ifNull" : "coalesce", std::move(args)), TypeOf(call), nullable,
                   false};
  }
  if (name == "NULLIF" && count == 2) {
    LOGQUERY_ASSIGN_OR_RETURN(ChValue a, Expr(*call.arguments[0].value, scope));
    LOGQUERY_ASSIGN_OR_RETURN(ChValue b, Operand(*call.arguments[1].value, &TypeOf(*call.arguments[0].value), scope));
    return ChValue{ch::MakeCallOf("nullIf", std::move(a.expr), std::move(b.expr)), TypeOf(call), true, false};
  }
  if (name == "ROUND" && (count == 1 || count == 2)) {
    const std::optional<int64_t> digits = count == 1 ? 0 : IntegerOf(call, 1);
    const Type& type = TypeOf(*call.arguments[0].value);
    if (!digits || *digits < 0 || *digits > 9 || !(type.is(TypeKind::kFloat64) || type.is(TypeKind::kInt64)))
      return Unsupported(call.span, "ROUND of other values than numbers, or to other places than 0 to 9");
    LOGQUERY_ASSIGN_OR_RETURN(ChValue value, Expr(*call.arguments[0].value, scope));
    if (type.is(TypeKind::kInt64)) {
      value.expr = ch::MakeCallOf("toFloat64", std::move(value.expr));
      return value;
    }
    return Round(std::move(value), *digits, call.span);
  }
  handled = false;
  return ChValue();
}

absl::StatusOr<ChValue> ToClickHouse::TextCall(const sql::Call& call, const std::string& name, const Scope& scope,
                                               Use use, bool& handled) {
  const size_t count = call.arguments.size();
  if ((name == "STARTS_WITH" || name == "ENDS_WITH") && count == 2 && use == Use::kCondition) {
    const auto* text = LiteralOf(call, 1, sql::Literal::Form::kString);
    ch::ExprPtr plain = text != nullptr && !text->text.empty() ? PlainText(*call.arguments[0].value, scope) : nullptr;
    if (plain != nullptr) {
      return ChValue{
          ch::MakeCallOf(name == "ENDS_WITH" ? "endsWith" : "startsWith", std::move(plain), ch::MakeString(text->text)),
          Type::Bool(), false, false};
    }
  }
  if (name == "REGEXP_CONTAINS" || name == "REGEXP_EXTRACT" || name == "REGEXP_REPLACE")
    return PatternCall(call, name, scope, use);
  if (name == "CONCAT") {
    std::vector<ch::ExprPtr> args;
    bool nullable = false;
    for (const sql::Call::Argument& argument : call.arguments) {
      if (!TypeOf(*argument.value).is(TypeKind::kString))
        return Unsupported(call.span, "CONCAT of other values than texts");
      LOGQUERY_ASSIGN_OR_RETURN(ChValue value, Expr(*argument.value, scope));
      nullable = nullable || value.nullable;
      args.push_back(std::move(value.expr));
    }
    return ChValue{ch::MakeCall("concat", std::move(args)), Type::String(), nullable, false};
  }
  if ((name == "SUBSTR" || name == "SUBSTRING") && (count == 2 || count == 3)) {
    const std::optional<int64_t> begin = IntegerOf(call, 1);
    const std::optional<int64_t> length = count == 3 ? IntegerOf(call, 2) : 0;
    if (!TypeOf(*call.arguments[0].value).is(TypeKind::kString) || !begin || !length || *length < 0)
      return Unsupported(call.span, "SUBSTR with a place or length that is no integer literal, or of BYTES");
    LOGQUERY_ASSIGN_OR_RETURN(ChValue text, Expr(*call.arguments[0].value, scope));
    Note(call.span, "ClickHouse's plain text functions count bytes; the …UTF8 ones count characters");
    std::vector<ch::ExprPtr> args;
    args.push_back(std::move(text.expr));
    args.push_back(ch::MakeNumber(*begin == 0 ? 1 : *begin));
    if (*begin < 0) {
      // A place before the first character is the first one.
      Note(call.span, "SUBSTR from a place before the first character begins there; in ClickHouse it ends early");
      std::vector<ch::ExprPtr> parts;
      parts.push_back(ch::CloneExpr(*args[0]));
      parts.push_back(ch::MakeNumber(-*begin - 1));
      LOGQUERY_ASSIGN_OR_RETURN(args[1],
                                ch::FillTemplate("if(lengthUTF8(_1) > _2, toInt64(lengthUTF8(_1)) - _2, 1)", parts));
    }
    if (count == 3) args.push_back(ch::MakeNumber(*length));
    return ChValue{ch::MakeCall("substringUTF8", std::move(args)), Type::String(), text.nullable, false};
  }
  if (name == "SPLIT" && (count == 1 || count == 2)) {
    const auto* by = LiteralOf(call, 1, sql::Literal::Form::kString);
    if (count == 2 && (by == nullptr || by->text.empty()))
      return Unsupported(call.span, "SPLIT by no literal, or by ''");
    if (!TypeOf(*call.arguments[0].value).is(TypeKind::kString)) return Unsupported(call.span, "SPLIT of BYTES");
    LOGQUERY_ASSIGN_OR_RETURN(ChValue text, Expr(*call.arguments[0].value, scope));
    if (text.nullable) {
      Note(call.span, "SPLIT of NULL is NULL; no list is NULL in ClickHouse, so it is that of ''");
      text.expr = ch::MakeCallOf("ifNull", std::move(text.expr), ch::MakeString(""));
    }
    return ChValue{
        ch::MakeCallOf("splitByString", ch::MakeString(by == nullptr ? "," : by->text), std::move(text.expr)),
        TypeOf(call), false, false};
  }
  if (name == "LPAD" && (count == 2 || count == 3)) {
    const std::optional<int64_t> width = IntegerOf(call, 1);
    const auto* pad = LiteralOf(call, 2, sql::Literal::Form::kString);
    const bool one = count == 2 || (pad != nullptr && pad->text.size() == 1);
    if (!width || *width < 0 || !one)
      return Unsupported(call.span, "LPAD to no literal, or with more than one character");
    std::vector<ch::ExprPtr> args;
    LOGQUERY_ASSIGN_OR_RETURN(ChValue text, Expr(*call.arguments[0].value, scope));
    args.push_back(std::move(text.expr));
    args.push_back(ch::MakeNumber(*width));
    args.push_back(ch::MakeString(pad == nullptr ? " " : pad->text));
    LOGQUERY_ASSIGN_OR_RETURN(ch::ExprPtr made,
                              ch::FillTemplate("if(lengthUTF8(_1) < _2, concat(repeat(_3, _2 - "
                                               "toInt64(lengthUTF8(_1))), _1), substringUTF8(_1, 1, _2))",
                                               args));
    return ChValue{std::move(made), Type::String(), text.nullable, false};
  }
  if (name == "JSON_VALUE") return JsonCall(call, scope);
  if (name == "FORMAT") return Printed(call, scope);
  handled = false;
  return ChValue();
}

absl::StatusOr<ChValue> ToClickHouse::PatternCall(const sql::Call& call, const std::string& name, const Scope& scope,
                                                  Use use) {
  const auto* literal = LiteralOf(call, 1, sql::Literal::Form::kString);
  const bool replace = name == "REGEXP_REPLACE";
  if (literal == nullptr || call.arguments.size() != (replace ? 3U : 2U) ||
      !TypeOf(*call.arguments[0].value).is(TypeKind::kString)) {
    return Unsupported(call.span, StrCat(name, " with another pattern than a literal, or with more arguments"));
  }
  const RE2 pattern(literal->text, RE2::Quiet);
  if (!pattern.ok()) return Unsupported(literal->span, StrCat("the pattern is not valid: ", pattern.error()));
  std::string text = literal->text;
  if (text.find('.') != std::string::npos) {
    Note(literal->span, "the dot of a pattern also matches a line's end in ClickHouse; (?-s) makes it BigQuery's");
    text = StrCat("(?-s)", text);
  }
  const bool plain = name == "REGEXP_CONTAINS" && use == Use::kCondition && !RE2::PartialMatch("", pattern);
  LOGQUERY_ASSIGN_OR_RETURN(ChValue value, TextOperand(*call.arguments[0].value, plain, nullptr, scope));
  std::vector<ch::ExprPtr> args;
  args.push_back(std::move(value.expr));
  args.push_back(ch::MakeString(text));
  if (name == "REGEXP_CONTAINS")
    return ChValue{ch::MakeCall("match", std::move(args)), Type::Bool(), value.nullable, false};
  if (replace) {
    const auto* by = LiteralOf(call, 2, sql::Literal::Form::kString);
    if (by == nullptr) return Unsupported(call.span, "REGEXP_REPLACE by another text than a literal");
    if (RE2::PartialMatch("", pattern))
      return Unsupported(literal->span, "REGEXP_REPLACE with a pattern that matches ''");
    args.push_back(ch::MakeString(by->text));
    return ChValue{ch::MakeCall("replaceRegexpAll", std::move(args)), Type::String(), value.nullable, false};
  }
  if (pattern.NumberOfCapturingGroups() > 1) return Unsupported(literal->span, "a pattern with more than one group");
  Note(call.span, "extract gives '' where nothing matches; REGEXP_EXTRACT gives NULL");
  LOGQUERY_ASSIGN_OR_RETURN(ch::ExprPtr made, ch::FillTemplate("if(match(_1, _2), extract(_1, _2), NULL)", args));
  return ChValue{std::move(made), Type::String(), true, false};
}

// FORMAT('%s/%05d', a, b) is printf, whose elements are the same for texts, integers and %f.
absl::StatusOr<ChValue> ToClickHouse::Printed(const sql::Call& call, const Scope& scope) {
  const auto* format = LiteralOf(call, 0, sql::Literal::Form::kString);
  if (format == nullptr) return Unsupported(call.span, "FORMAT by no literal");
  const std::string& text = format->text;
  std::vector<ch::ExprPtr> args;
  args.push_back(ch::MakeString(text));
  bool nullable = false;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') continue;
    if (i + 1 < text.size() && text[i + 1] == '%') {
      ++i;
      continue;
    }
    const size_t begin = i;
    static const RE2* const element = new RE2(R"(%(?:[-+ 0]*[0-9]*d|[-+ 0]*[0-9]*\.[0-9]f|[-+ 0]*[0-9]*f|s))");
    re2::StringPiece rest(text.data() + i, text.size() - i);
    if (!RE2::Consume(&rest, *element))
      return Unsupported(format->span,
                         StrCat("the format element at '", text.substr(begin, 8), "'; %s, %d and %f are supported"));
    i = text.size() - rest.size() - 1;
    const char letter = text[i];
    const size_t at = args.size();
    const sql::Expr* argument = at < call.arguments.size() ? call.arguments[at].value.get() : nullptr;
    const bool fits = argument != nullptr && Fits(TypeOf(*argument), letter == 'd' ? 'i' : letter);
    if (!fits)
      return Unsupported(call.span, StrCat("FORMAT of %", std::string(1, letter), " with a value of another type"));
    LOGQUERY_ASSIGN_OR_RETURN(ChValue value, Expr(*argument, scope));
    nullable = nullable || value.nullable;
    args.push_back(std::move(value.expr));
  }
  if (args.size() != call.arguments.size()) return Unsupported(call.span, "FORMAT with more values than elements");
  return ChValue{ch::MakeCall("printf", std::move(args)), Type::String(), nullable, false};
}

// JSON_VALUE(text, '$.a.b'): a path of plain names.
absl::StatusOr<ChValue> ToClickHouse::JsonCall(const sql::Call& call, const Scope& scope) {
  const auto* path = LiteralOf(call, 1, sql::Literal::Form::kString);
  static const RE2* const plain_path = new RE2(R"(\$(\.[A-Za-z_][A-Za-z0-9_]*)+)");
  if (path == nullptr || !RE2::FullMatch(path->text, *plain_path) ||
      !TypeOf(*call.arguments[0].value).is(TypeKind::kString))
    return Unsupported(call.span, "JSON_VALUE with another path than $.name.name, or of another value than a text");
  LOGQUERY_ASSIGN_OR_RETURN(ChValue text, Expr(*call.arguments[0].value, scope));
  std::vector<ch::ExprPtr> args;
  args.push_back(std::move(text.expr));
  for (size_t at = 2; at <= path->text.size();) {
    const size_t dot = std::min(path->text.find('.', at), path->text.size());
    args.push_back(ch::MakeString(path->text.substr(at, dot - at)));
    at = dot + 1;
  }
  std::vector<ch::ExprPtr> again;
  for (const ch::ExprPtr& arg : args) again.push_back(ch::CloneExpr(*arg));
  Note(call.span,
       "JSON_VALUE is NULL for a list, an object, null and no value; fractions are written in their shortest form");
  ch::ExprPtr type = ch::MakeCall("JSONType", std::move(again));
  ch::ExprPtr kinds = ch::MakeCallOf("tuple", ch::MakeString("String"), ch::MakeString("Int64"),
                                     ch::MakeString("UInt64"), ch::MakeString("Double"), ch::MakeString("Bool"));
  ch::ExprPtr scalar = ch::MakeCallOf("in", std::move(type), std::move(kinds));
  return ChValue{
      ch::MakeCallOf("if", std::move(scalar), ch::MakeCall("JSONExtractString", std::move(args)), ch::MakeNull()),
      Type::String(), true, false};
}

absl::StatusOr<ChValue> ToClickHouse::Call(const sql::Call& call, const Scope& scope, Use use) {
  const std::string name = base::ToUpper(call.name.back().text);
  if (call.name.size() != 1) return Unsupported(call.span, "a function with a path of names");
  if (call.safe) {
    // SUBSTR fails for a negative length; the functions of texts fail for no value.
    const std::optional<int64_t> length = IntegerOf(call, 2);
    if (name == "SUBSTR" && length && *length < 0)
      return ChValue{ch::MakeCallOf("CAST", ch::MakeNull(), ch::MakeString("Nullable(String)")), Type::String(), true,
                     false};
    const FunctionRow* row = FindFunctionRow(name, call.arguments.size());
    const bool of_texts = row != nullptr && row->types.find_first_not_of('s') == std::string_view::npos;
    if (!of_texts && !(name == "SUBSTR" && length)) return Unsupported(call.span, "SAFE. before this function");
  }
  for (const sql::Call::Argument& argument : call.arguments) {
    if (argument.name) return Unsupported(argument.name->span, "a named argument");
  }
  bool handled = true;
  if (call.over != nullptr) {
    LOGQUERY_ASSIGN_OR_RETURN(ChValue value, WindowCall(call, name, scope, handled));
    if (handled) return value;
    return Unsupported(call.span, StrCat("the window function ", name));
  }
  using Part = absl::StatusOr<ChValue>;
  Part aggregate = Aggregate(call, name, scope, handled);
  if (handled || !aggregate.ok()) return aggregate;
  handled = true;
  Part choice = ChoiceCall(call, name, scope, handled);
  if (handled || !choice.ok()) return choice;
  handled = true;
  Part text = TextCall(call, name, scope, use, handled);
  if (handled || !text.ok()) return text;
  handled = true;
  Part time = TimeCall(call, name, scope, handled);
  if (handled || !time.ok()) return time;
  return TableCall(call, name, scope);
}

}  // namespace logquery::tools
