// Prints operators, with parentheses only where necessary.
#include "lib/sql/printer_impl.h"

namespace logquery::sql {
namespace {

struct OperatorText {
  std::string_view text;
  Binding binding;
};

OperatorText TextOf(Binary::Op op) {
  switch (op) {
    case Binary::Op::kMultiply:
      return {" * ", Binding::kMultiply};
    case Binary::Op::kDivide:
      return {" / ", Binding::kMultiply};
    case Binary::Op::kAdd:
      return {" + ", Binding::kAdd};
    case Binary::Op::kSubtract:
      return {" - ", Binding::kAdd};
    case Binary::Op::kShiftLeft:
      return {" << ", Binding::kShift};
    case Binary::Op::kShiftRight:
      return {" >> ", Binding::kShift};
    case Binary::Op::kBitAnd:
      return {" & ", Binding::kBitAnd};
    case Binary::Op::kBitXor:
      return {" ^ ", Binding::kBitXor};
    case Binary::Op::kBitOr:
      return {" | ", Binding::kBitOr};
    case Binary::Op::kEqual:
      return {" = ", Binding::kComparison};
    case Binary::Op::kNotEqual:
      return {" != ", Binding::kComparison};
    case Binary::Op::kLess:
      return {" < ", Binding::kComparison};
    case Binary::Op::kLessOrEqual:
      return {" <= ", Binding::kComparison};
    case Binary::Op::kGreater:
      return {" > ", Binding::kComparison};
    case Binary::Op::kGreaterOrEqual:
      return {" >= ", Binding::kComparison};
    case Binary::Op::kIsDistinct:
      return {" IS DISTINCT FROM ", Binding::kComparison};
    case Binary::Op::kIsNotDistinct:
      return {" IS NOT DISTINCT FROM ", Binding::kComparison};
  }
  return {" ? ", Binding::kOr};
}

OperatorText TextOf(Nary::Op op) {
  switch (op) {
    case Nary::Op::kAnd:
      return {" AND ", Binding::kAnd};
    case Nary::Op::kOr:
      return {" OR ", Binding::kOr};
    case Nary::Op::kConcat:
      return {" || ", Binding::kConcat};
  }
  return {" ? ", Binding::kOr};
}

Binding BindingOf(const Expr& expr) {
  switch (expr.kind) {
    case ExprKind::kUnary:
      return As<Unary>(expr).op == Unary::Op::kNot ? Binding::kNot : Binding::kUnary;
    case ExprKind::kBinary:
      return TextOf(As<Binary>(expr).op).binding;
    case ExprKind::kNary:
      return TextOf(As<Nary>(expr).op).binding;
    case ExprKind::kIsTest:
    case ExprKind::kBetween:
    case ExprKind::kIn:
    case ExprKind::kLike:
      return Binding::kComparison;
    // An INTERVAL ends in a word, and a dot or a bracket after it would not belong to it.
    case ExprKind::kInterval:
      return Binding::kUnary;
    case ExprKind::kLambda:
      return Binding::kOr;
    case ExprKind::kLiteral:
    case ExprKind::kParameter:
    case ExprKind::kPath:
    case ExprKind::kFieldAccess:
    case ExprKind::kSubscript:
    case ExprKind::kCase:
    case ExprKind::kCast:
    case ExprKind::kExtract:
    case ExprKind::kStruct:
    case ExprKind::kArray:
    case ExprKind::kCall:
    case ExprKind::kSubquery:
    case ExprKind::kWithExpr:
      return Binding::kPrimary;
  }
  return Binding::kPrimary;
}

}  // namespace

void Printer::PrintOperand(const Expr& expr, Binding loosest) {
  const Binding binding = BindingOf(expr);
  const bool bare = parentheses_ == Parentheses::kAll ? binding == Binding::kPrimary : binding >= loosest;
  if (bare) return PrintNode(expr);
  Put("(");
  PrintNode(expr);
  Put(")");
}

// A number would take the dot for its own; after OVER w a bracket looks like part of the window.
void Printer::PrintBase(const Expr& expr) {
  const auto* const call = If<Call>(&expr);
  const bool bare = expr.kind != ExprKind::kLiteral && (call == nullptr || call->over == nullptr);
  if (bare) return PrintOperand(expr, Binding::kPrimary);
  Put("(");
  PrintNode(expr);
  Put(")");
}

void Printer::PrintUnary(const Unary& unary) {
  switch (unary.op) {
    case Unary::Op::kNot:
      Put("NOT ");
      return PrintOperand(*unary.operand, Binding::kNot);
    case Unary::Op::kMinus:
      Put("-");
      break;
    case Unary::Op::kPlus:
      Put("+");
      break;
    case Unary::Op::kBitNot:
      Put("~");
      break;
  }
  // Two dashes would begin a comment.
  const auto* const inner = If<Unary>(unary.operand.get());
  if (unary.op == Unary::Op::kMinus && inner != nullptr && inner->op == Unary::Op::kMinus) Put(" ");
  PrintOperand(*unary.operand, Binding::kUnary);
}

void Printer::PrintBinary(const Binary& binary) {
  const OperatorText op = TextOf(binary.op);
  const bool groups = op.binding != Binding::kComparison;
  PrintOperand(*binary.left, groups ? op.binding : Tighter(op.binding));
  Put(op.text);
  PrintOperand(*binary.right, Tighter(op.binding));
}

void Printer::PrintNary(const Nary& nary) {
  const OperatorText op = TextOf(nary.op);
  for (size_t i = 0; i < nary.operands.size(); ++i) {
    if (i > 0) Put(op.text);
    PrintOperand(*nary.operands[i], Tighter(op.binding));
  }
}

void Printer::PrintIsTest(const IsTest& test) {
  PrintOperand(*test.operand, Binding::kBitOr);
  Put(test.negated ? " IS NOT " : " IS ");
  switch (test.what) {
    case IsTest::What::kNull:
      return Put("NULL");
    case IsTest::What::kTrue:
      return Put("TRUE");
    case IsTest::What::kFalse:
      return Put("FALSE");
    case IsTest::What::kUnknown:
      return Put("UNKNOWN");
  }
}

void Printer::PrintBetween(const Between& between) {
  PrintOperand(*between.value, Binding::kBitOr);
  Put(between.negated ? " NOT BETWEEN " : " BETWEEN ");
  PrintOperand(*between.low, Binding::kBitOr);
  Put(" AND ");
  PrintOperand(*between.high, Binding::kBitOr);
}

void Printer::PrintIn(const InExpr& in) {
  PrintOperand(*in.value, Binding::kBitOr);
  Put(in.negated ? " NOT IN " : " IN ");
  PrintCandidates(in.candidates);
}

void Printer::PrintLike(const LikeExpr& like) {
  PrintOperand(*like.value, Binding::kBitOr);
  if (like.negated) Put(" NOT");
  Put(like.ignore_case ? " ILIKE " : " LIKE ");
  if (like.quantifier == LikeExpr::Quantifier::kOne) return PrintOperand(*like.patterns.list.front(), Binding::kBitOr);
  Put(like.quantifier == LikeExpr::Quantifier::kAny ? "ANY " : "ALL ");
  PrintCandidates(like.patterns);
}

void Printer::PrintCandidates(const Candidates& candidates) {
  if (candidates.unnest != nullptr) Put("UNNEST");
  Put("(");
  if (candidates.subquery != nullptr) {
    PrintQuery(*candidates.subquery);
  } else if (candidates.unnest != nullptr) {
    PrintExpr(*candidates.unnest);
  } else {
    PrintExprs(candidates.list);
  }
  Put(")");
}

}  // namespace logquery::sql
