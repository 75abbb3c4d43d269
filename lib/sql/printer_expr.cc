// Prints expressions other than operators and calls.
#include "lib/base/strings.h"
#include "lib/sql/printer.h"
#include "lib/sql/printer_impl.h"

namespace logquery::sql {
namespace {

// These names are function calls even without parentheses, so that a column of such a name keeps its back-quotes.
bool IsClockName(std::string_view name) {
  for (const std::string_view clock : {"CURRENT_DATE", "CURRENT_TIME", "CURRENT_DATETIME", "CURRENT_TIMESTAMP"}) {
    if (base::EqualsIgnoreCase(name, clock)) return true;
  }
  return false;
}

}  // namespace

void Printer::PrintNode(const Expr& expr) {
  switch (expr.kind) {
    case ExprKind::kLiteral:
      return PrintLiteral(As<Literal>(expr));
    case ExprKind::kInterval:
      return PrintInterval(As<IntervalExpr>(expr));
    case ExprKind::kParameter:
      return Put(base::StrCat("@", QuoteIdentifier(As<ParameterExpr>(expr).name)));
    case ExprKind::kPath:
      return PrintPath(As<PathExpr>(expr));
    case ExprKind::kFieldAccess:
      PrintBase(*As<FieldAccess>(expr).base);
      Put(".");
      return PutName(As<FieldAccess>(expr).field);
    case ExprKind::kSubscript:
      return PrintSubscript(As<Subscript>(expr));
    case ExprKind::kUnary:
      return PrintUnary(As<Unary>(expr));
    case ExprKind::kBinary:
      return PrintBinary(As<Binary>(expr));
    case ExprKind::kNary:
      return PrintNary(As<Nary>(expr));
    case ExprKind::kIsTest:
      return PrintIsTest(As<IsTest>(expr));
    case ExprKind::kBetween:
      return PrintBetween(As<Between>(expr));
    case ExprKind::kIn:
      return PrintIn(As<InExpr>(expr));
    case ExprKind::kLike:
      return PrintLike(As<LikeExpr>(expr));
    case ExprKind::kCase:
      return PrintCase(As<CaseExpr>(expr));
    case ExprKind::kCast:
      return PrintCast(As<CastExpr>(expr));
    case ExprKind::kExtract:
      return PrintExtract(As<ExtractExpr>(expr));
    case ExprKind::kStruct:
      return PrintStruct(As<StructExpr>(expr));
    case ExprKind::kArray:
      return PrintArray(As<ArrayExpr>(expr));
    case ExprKind::kCall:
      return PrintCall(As<Call>(expr));
    case ExprKind::kLambda:
      return PrintLambda(As<Lambda>(expr));
    case ExprKind::kSubquery:
      return PrintSubquery(As<SubqueryExpr>(expr));
    case ExprKind::kWithExpr:
      return PrintWithExpr(As<WithExpr>(expr));
  }
}

void Printer::PrintExprs(const std::vector<ExprPtr>& exprs) {
  PutList(exprs, [this](const ExprPtr& expr) { PrintExpr(*expr); });
}

void Printer::PrintLiteral(const Literal& literal) {
  switch (literal.form) {
    case Literal::Form::kNull:
      return Put("NULL");
    case Literal::Form::kBool:
      return Put(literal.text == "true" ? "TRUE" : "FALSE");
    case Literal::Form::kInteger:
    case Literal::Form::kFloat:
      return Put(literal.text);
    case Literal::Form::kString:
      return Put(QuoteString(literal.text));
    case Literal::Form::kBytes:
      return Put(QuoteBytes(literal.text));
    case Literal::Form::kTyped:
      return Put(base::StrCat(TypeKindName(literal.type.kind()), " ", QuoteString(literal.text)));
  }
}

void Printer::PrintInterval(const IntervalExpr& interval) {
  Put("INTERVAL ");
  PrintExpr(*interval.value);
  Put(" ");
  Put(QuoteIdentifier(interval.from));
  if (interval.to.empty()) return;
  Put(" TO ");
  Put(QuoteIdentifier(interval.to));
}

void Printer::PrintPath(const PathExpr& path) {
  const std::string& name = path.names.front().text;
  if (path.names.size() == 1 && IsClockName(name)) return Put(base::StrCat("`", name, "`"));
  PutPath(path.names);
}

void Printer::PrintSubscript(const Subscript& subscript) {
  PrintBase(*subscript.base);
  Put("[");
  switch (subscript.mode) {
    case Subscript::Mode::kPlain:
      break;
    case Subscript::Mode::kOffset:
      Put("OFFSET(");
      break;
    case Subscript::Mode::kOrdinal:
      Put("ORDINAL(");
      break;
    case Subscript::Mode::kSafeOffset:
      Put("SAFE_OFFSET(");
      break;
    case Subscript::Mode::kSafeOrdinal:
      Put("SAFE_ORDINAL(");
      break;
    case Subscript::Mode::kKey:
      Put("KEY(");
      break;
    case Subscript::Mode::kSafeKey:
      Put("SAFE_KEY(");
      break;
  }
  PrintExpr(*subscript.index);
  Put(subscript.mode == Subscript::Mode::kPlain ? "]" : ")]");
}

void Printer::PrintCase(const CaseExpr& node) {
  Put("CASE");
  PutClause(" ", node.operand);
  for (const CaseExpr::When& when : node.whens) {
    PutClause(" WHEN ", when.condition);
    PutClause(" THEN ", when.result);
  }
  PutClause(" ELSE ", node.otherwise);
  Put(" END");
}

void Printer::PrintCast(const CastExpr& cast) {
  Put(cast.safe ? "SAFE_CAST(" : "CAST(");
  PrintExpr(*cast.operand);
  Put(" AS ");
  PrintType(cast.type);
  PutClause(" FORMAT ", cast.format);
  PutClause(" AT TIME ZONE ", cast.time_zone);
  Put(")");
}

void Printer::PrintExtract(const ExtractExpr& extract) {
  Put("EXTRACT(");
  Put(QuoteIdentifier(base::ToUpper(extract.part.text)));
  if (!extract.part_argument.empty()) Put(base::StrCat("(", QuoteIdentifier(extract.part_argument), ")"));
  PutClause(" FROM ", extract.operand);
  PutClause(" AT TIME ZONE ", extract.time_zone);
  Put(")");
}

void Printer::PrintStruct(const StructExpr& node) {
  if (node.type.has_value()) {
    PrintType(*node.type);
  } else if (!node.is_tuple) {
    Put("STRUCT");
  }
  Put("(");
  PutList(node.items, [this](const StructExpr::Item& item) {
    PrintExpr(*item.value);
    PutAlias(item.alias);
  });
  Put(")");
}

void Printer::PrintArray(const ArrayExpr& array) {
  if (array.type.has_value()) PrintType(*array.type);
  Put("[");
  PrintExprs(array.elements);
  Put("]");
}

void Printer::PrintSubquery(const SubqueryExpr& subquery) {
  if (subquery.form == SubqueryExpr::Form::kArray) Put("ARRAY");
  if (subquery.form == SubqueryExpr::Form::kExists) Put("EXISTS");
  Put("(");
  PrintQuery(*subquery.query);
  Put(")");
}

void Printer::PrintWithExpr(const WithExpr& with) {
  Put("WITH(");
  for (const WithExpr::Binding& binding : with.bindings) {
    PutName(binding.name);
    PutClause(" AS ", binding.value);
    Put(", ");
  }
  PrintExpr(*with.body);
  Put(")");
}

void Printer::PrintType(const TypeName& name) {
  if (name.type.is_array() && name.parts.size() == 1) {
    Put("ARRAY<");
    PrintType(name.parts.front());
    Put(">");
  } else if (name.type.is_struct() && name.parts.size() == name.type.fields().size()) {
    Put("STRUCT<");
    for (size_t i = 0; i < name.parts.size(); ++i) {
      const std::string& field = name.type.fields()[i].name;
      Put(base::StrCat(i > 0 ? ", " : "", field.empty() ? "" : QuoteIdentifier(field) + " "));
      PrintType(name.parts[i]);
    }
    Put(">");
  } else {
    Put(name.type.ToString());
  }
  if (name.parameters.empty()) return;
  Put("(");
  PutList(name.parameters, [this](int64_t parameter) { Put(std::to_string(parameter)); });
  Put(")");
}

}  // namespace logquery::sql
