// Prints function calls, windows and lambdas.
#include "lib/base/strings.h"
#include "lib/sql/keywords.h"
#include "lib/sql/printer.h"
#include "lib/sql/printer_impl.h"

namespace logquery::sql {
namespace {

// Words that followed by a parenthesis mean something else than a call, at least in some places.
bool IsMistakable(Keyword keyword) {
  switch (keyword) {
    case Keyword::kSafe:
    case Keyword::kSafeCast:
    case Keyword::kOffset:
    case Keyword::kOrdinal:
    case Keyword::kSafeOffset:
    case Keyword::kSafeOrdinal:
    case Keyword::kKey:
    case Keyword::kSafeKey:
    case Keyword::kWeek:
      return true;
    default:
      return false;
  }
}

}  // namespace

void Printer::PrintCallName(const Call& call) {
  if (call.safe) Put("SAFE.");
  for (const Identifier& name : call.name) {
    const bool first = &name == &call.name.front();
    const Keyword keyword = FindKeyword(name.text);
    if (!first) Put(".");
    if (IsFunctionKeyword(keyword) && call.name.size() == 1) {
      Put(name.text);
    } else if (first && IsMistakable(keyword)) {
      Put(base::StrCat("`", name.text, "`"));
    } else {
      PutName(name);
    }
  }
}

void Printer::PrintCall(const Call& call) {
  PrintCallName(call);
  Put(call.distinct ? "(DISTINCT " : "(");
  PutList(call.arguments, [this](const Call::Argument& argument) { PrintArgument(argument); });
  if (call.nulls == Call::Nulls::kIgnore) Put(" IGNORE NULLS");
  if (call.nulls == Call::Nulls::kRespect) Put(" RESPECT NULLS");
  PutClause(call.having_max ? " HAVING MAX " : " HAVING MIN ", call.having);
  if (!call.order_by.empty()) Put(" ORDER BY ");
  PutList(call.order_by, [this](const OrderItem& item) { PrintOrderItem(item); });
  PutClause(" LIMIT ", call.limit);
  Put(")");
  if (call.over != nullptr) PrintOver(*call.over);
}

void Printer::PrintArgument(const Call::Argument& argument) {
  if (argument.name.has_value()) {
    PutName(*argument.name);
    Put(" => ");
  }
  if (argument.value == nullptr) return Put("*");
  PrintExpr(*argument.value);
  if (!argument.part_argument.empty()) Put(base::StrCat("(", argument.part_argument, ")"));
}

void Printer::PrintOver(const WindowSpec& spec) {
  Put(" OVER ");
  const bool name_alone = spec.partition_by.empty() && spec.order_by.empty() && !spec.frame.has_value();
  if (spec.base.has_value() && name_alone) return PutName(*spec.base);
  PrintWindowSpec(spec);
}

void Printer::PrintWindowSpec(const WindowSpec& spec) {
  std::string_view separator;
  const auto begin_part = [this, &separator] {
    Put(separator);
    separator = " ";
  };
  Put("(");
  if (spec.base.has_value()) {
    begin_part();
    PutName(*spec.base);
  }
  if (!spec.partition_by.empty()) {
    begin_part();
    Put("PARTITION BY ");
    PrintExprs(spec.partition_by);
  }
  if (!spec.order_by.empty()) {
    begin_part();
    Put("ORDER BY ");
    PutList(spec.order_by, [this](const OrderItem& item) { PrintOrderItem(item); });
  }
  if (spec.frame.has_value()) {
    begin_part();
    PrintFrame(*spec.frame);
  }
  Put(")");
}

void Printer::PrintFrame(const WindowFrame& frame) {
  switch (frame.unit) {
    case WindowFrame::Unit::kRows:
      Put("ROWS ");
      break;
    case WindowFrame::Unit::kRange:
      Put("RANGE ");
      break;
    case WindowFrame::Unit::kGroups:
      Put("GROUPS ");
      break;
  }
  if (!frame.end.has_value()) return PrintBound(frame.start);
  Put("BETWEEN ");
  PrintBound(frame.start);
  Put(" AND ");
  PrintBound(*frame.end);
}

void Printer::PrintBound(const WindowBound& bound) {
  if (bound.offset != nullptr) {
    PrintOperand(*bound.offset, Binding::kBitOr);
    Put(" ");
  }
  switch (bound.kind) {
    case WindowBound::Kind::kUnboundedPreceding:
      return Put("UNBOUNDED PRECEDING");
    case WindowBound::Kind::kPreceding:
      return Put("PRECEDING");
    case WindowBound::Kind::kCurrentRow:
      return Put("CURRENT ROW");
    case WindowBound::Kind::kFollowing:
      return Put("FOLLOWING");
    case WindowBound::Kind::kUnboundedFollowing:
      return Put("UNBOUNDED FOLLOWING");
  }
}

void Printer::PrintLambda(const Lambda& lambda) {
  const bool one = lambda.parameters.size() == 1;
  if (!one) Put("(");
  PutNames(lambda.parameters);
  Put(one ? " -> " : ") -> ");
  PrintExpr(*lambda.body);
}

}  // namespace logquery::sql
