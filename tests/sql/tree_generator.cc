#include "tests/sql/tree_generator.h"

#include <iterator>
#include <utility>

namespace logquery::sql {

Identifier TreeGenerator::MakeName() {
  static constexpr const char* kNames[] = {
      "a",   "b",          "c2",        "_d",   "Timestamp", "date",         "offset", "value", "select",
      "a b", "x-y.z",      "é",         "safe", "key",       "current_date", "pivot",  "week",  "ilike",
      "if",  "back`quote", "line\nend", "cast", "interval",  "json",         "with",   "left"};
  return {kNames[Below(std::size(kNames))], {}, false};
}

std::vector<Identifier> TreeGenerator::MakeNames(int most) {
  std::vector<Identifier> names(static_cast<size_t>(1 + Below(most)));
  for (Identifier& name : names) name = MakeName();
  return names;
}

std::vector<ExprPtr> TreeGenerator::MakeExprs(int most, int depth) {
  std::vector<ExprPtr> exprs;
  for (int i = 1 + Below(most); i > 0; --i) exprs.push_back(MakeExpr(depth));
  return exprs;
}

ExprPtr TreeGenerator::MakeExpr(int depth) {
  if (depth <= 0) return MakeLeaf();
  switch (Below(8)) {
    case 0:
      return MakeLeaf();
    case 1:
    case 2:
      return MakeOperator(depth - 1);
    case 3:
      return MakeComparison(depth - 1);
    case 4:
      return MakePostfix(depth - 1);
    case 5:
      return MakeConstructor(depth - 1);
    case 6:
      return MakeSpecial(depth - 1);
    default:
      return MakeCall(depth - 1);
  }
}

ExprPtr TreeGenerator::MakeLeaf() {
  if (Chance(40)) return MakeLiteral();
  if (Chance(20)) {
    auto parameter = std::make_unique<ParameterExpr>();
    parameter->name = MakeName().text;
    return parameter;
  }
  auto path = std::make_unique<PathExpr>();
  path->names = MakeNames(3);
  return path;
}

ExprPtr TreeGenerator::MakeLiteral() {
  static constexpr TypeKind kTyped[] = {TypeKind::kDate, TypeKind::kTimestamp, TypeKind::kNumeric, TypeKind::kJson};
  static constexpr const char* kTexts[] = {
      "", "plain", "it's", "say \"hi\"", "back\\slash", "tab\tline\nend\r", "é€🙂", "--", "/*", "`", "\x01\x7F"};
  auto literal = std::make_unique<Literal>();
  literal->form = static_cast<Literal::Form>(Below(7));
  switch (literal->form) {
    case Literal::Form::kNull:
      break;
    case Literal::Form::kBool:
      literal->text = Chance(50) ? "true" : "false";
      break;
    case Literal::Form::kInteger:
      literal->text = Chance(50) ? "12" : "0x1F";
      break;
    case Literal::Form::kFloat:
      literal->text = Chance(50) ? "1." : ".5e-3";
      break;
    case Literal::Form::kString:
      literal->text = kTexts[Below(std::size(kTexts))];
      break;
    case Literal::Form::kBytes:
      literal->text = Chance(50) ? std::string("a\0\xFF'", 4) : "x";
      break;
    case Literal::Form::kTyped:
      literal->type = Type(kTyped[Below(std::size(kTyped))]);
      literal->text = kTexts[Below(std::size(kTexts))];
      break;
  }
  return literal;
}

ExprPtr TreeGenerator::MakeOperator(int depth) {
  if (Chance(25)) {
    auto unary = std::make_unique<Unary>();
    unary->op = static_cast<Unary::Op>(Below(4));
    unary->operand = MakeExpr(depth);
    return unary;
  }
  if (Chance(40)) {
    auto nary = std::make_unique<Nary>();
    nary->op = static_cast<Nary::Op>(Below(3));
    nary->operands = MakeExprs(3, depth);
    nary->operands.push_back(MakeExpr(depth));
    return nary;
  }
  auto binary = std::make_unique<Binary>();
  binary->op = static_cast<Binary::Op>(Below(static_cast<int>(Binary::Op::kIsNotDistinct) + 1));
  binary->left = MakeExpr(depth);
  binary->right = MakeExpr(depth);
  return binary;
}

Candidates TreeGenerator::MakeCandidates(int depth) {
  Candidates candidates;
  switch (Below(3)) {
    case 0:
      candidates.list = MakeExprs(3, depth);
      break;
    case 1:
      candidates.unnest = MakeExpr(depth);
      break;
    default:
      candidates.subquery = MakeQuery(depth - 1);
      break;
  }
  // One subquery in parentheses is what the candidates are, not one of a list.
  if (candidates.list.size() == 1 && candidates.list[0]->kind == ExprKind::kSubquery) {
    candidates.list.push_back(MakeLeaf());
  }
  return candidates;
}

ExprPtr TreeGenerator::MakeComparison(int depth) {
  if (Chance(25)) {
    auto test = std::make_unique<IsTest>();
    test->operand = MakeExpr(depth);
    test->what = static_cast<IsTest::What>(Below(4));
    test->negated = Chance(50);
    return test;
  }
  if (Chance(33)) {
    auto between = std::make_unique<Between>();
    between->value = MakeExpr(depth);
    between->low = MakeExpr(depth);
    between->high = MakeExpr(depth);
    between->negated = Chance(50);
    return between;
  }
  if (Chance(50)) {
    auto in = std::make_unique<InExpr>();
    in->value = MakeExpr(depth);
    in->candidates = MakeCandidates(depth);
    in->negated = Chance(50);
    return in;
  }
  auto like = std::make_unique<LikeExpr>();
  like->value = MakeExpr(depth);
  like->quantifier = static_cast<LikeExpr::Quantifier>(Below(3));
  like->negated = Chance(50);
  like->ignore_case = Chance(50);
  if (like->quantifier == LikeExpr::Quantifier::kOne) {
    like->patterns.list.push_back(MakeExpr(depth));
  } else {
    like->patterns = MakeCandidates(depth);
  }
  return like;
}

ExprPtr TreeGenerator::MakePostfix(int depth) {
  if (Chance(50)) {
    auto subscript = std::make_unique<Subscript>();
    subscript->base = MakeExpr(depth);
    subscript->mode = static_cast<Subscript::Mode>(Below(7));
    subscript->index = MakeExpr(depth);
    return subscript;
  }
  auto access = std::make_unique<FieldAccess>();
  access->base = MakeExpr(depth);
  // A path with one more name is a path.
  if (access->base->kind == ExprKind::kPath) access->base = MakeConstructor(depth);
  access->field = MakeName();
  return access;
}

TypeName TreeGenerator::MakeType(int depth) {
  TypeName name;
  if (depth > 0 && Chance(20)) {
    TypeName element = MakeType(depth - 1);
    if (element.type.is_array()) return element;
    name.type = Type::Array(element.type);
    name.parts.push_back(std::move(element));
  } else if (depth > 0 && Chance(25)) {
    std::vector<Field> fields;
    for (int i = Below(3); i > 0; --i) {
      name.parts.push_back(MakeType(depth - 1));
      fields.push_back({Chance(70) ? MakeName().text : "", name.parts.back().type});
    }
    name.type = Type::Struct(std::move(fields));
  } else {
    name.type = Type(static_cast<TypeKind>(Below(static_cast<int>(TypeKind::kArray))));
    if (Chance(20)) name.parameters = {10, 2};
  }
  return name;
}

ExprPtr TreeGenerator::MakeConstructor(int depth) {
  if (Chance(30)) {
    auto array = std::make_unique<ArrayExpr>();
    if (Chance(50)) array->elements = MakeExprs(3, depth);
    if (Chance(30)) {
      array->type.emplace();
      array->type->parts.push_back(MakeType(0));
      array->type->type = Type::Array(array->type->parts.front().type);
    }
    return array;
  }
  if (Chance(30)) {
    auto subquery = std::make_unique<SubqueryExpr>();
    subquery->form = static_cast<SubqueryExpr::Form>(Below(3));
    subquery->query = MakeQuery(depth - 1);
    return subquery;
  }
  auto node = std::make_unique<StructExpr>();
  node->is_tuple = Chance(40);
  for (int i = node->is_tuple ? 2 : Below(3); i > 0; --i) {
    node->items.push_back({MakeExpr(depth), node->is_tuple ? std::nullopt : MaybeName()});
  }
  return node;
}

ExprPtr TreeGenerator::MakeSpecial(int depth) {
  switch (Below(5)) {
    case 0: {
      auto node = std::make_unique<CaseExpr>();
      if (Chance(50)) node->operand = MakeExpr(depth);
      for (int i = 1 + Below(2); i > 0; --i) node->whens.push_back({MakeExpr(depth), MakeExpr(depth)});
      if (Chance(50)) node->otherwise = MakeExpr(depth);
      return node;
    }
    case 1: {
      auto cast = std::make_unique<CastExpr>();
      cast->operand = MakeExpr(depth);
      cast->type = MakeType(2);
      cast->safe = Chance(50);
      if (Chance(30)) cast->format = MakeExpr(depth);
      if (cast->format != nullptr && Chance(50)) cast->time_zone = MakeExpr(depth);
      return cast;
    }
    case 2: {
      auto extract = std::make_unique<ExtractExpr>();
      extract->part = {"WEEK", {}, false};
      if (Chance(50)) extract->part_argument = "MONDAY";
      extract->operand = MakeExpr(depth);
      if (Chance(30)) extract->time_zone = MakeExpr(depth);
      return extract;
    }
    case 3: {
      auto interval = std::make_unique<IntervalExpr>();
      interval->value = MakeExpr(depth);
      interval->from = "DAY";
      if (Chance(30)) interval->to = "SECOND";
      return interval;
    }
    default: {
      auto with = std::make_unique<WithExpr>();
      for (int i = 1 + Below(2); i > 0; --i) with->bindings.push_back({MakeName(), MakeExpr(depth)});
      with->body = MakeExpr(depth);
      return with;
    }
  }
}

ExprPtr TreeGenerator::MakeCall(int depth) {
  auto call = std::make_unique<Call>();
  call->name = MakeNames(2);
  call->safe = Chance(20);
  for (int i = Below(4); i > 0; --i) {
    Call::Argument argument;
    argument.value = MakeExpr(depth);
    if (Chance(15)) argument.name = MakeName();
    if (Chance(10)) {
      auto lambda = std::make_unique<Lambda>();
      lambda->parameters = MakeNames(2);
      lambda->body = std::move(argument.value);
      argument.value = std::move(lambda);
    }
    call->arguments.push_back(std::move(argument));
  }
  if (call->arguments.empty() && Chance(30)) call->arguments.push_back({});
  if (!call->arguments.empty() && Chance(30)) {
    call->distinct = Chance(50);
    call->nulls = static_cast<Call::Nulls>(Below(3));
    if (Chance(30)) call->having = MakeExpr(depth);
    call->having_max = call->having != nullptr && Chance(50);
    call->order_by = MakeOrder(depth);
    if (Chance(30)) call->limit = MakeExpr(depth);
  }
  if (Chance(20)) call->over = std::make_unique<WindowSpec>(MakeWindow(depth));
  return call;
}

}  // namespace logquery::sql
