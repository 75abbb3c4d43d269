// Writes scalars.
#include <utility>

#include "lib/base/status_macros.h"
#include "lib/emit/emitter_impl.h"

namespace logquery::emit {

using rewrite::As;
using rewrite::ScalarKind;

namespace {

constexpr Text::Kind kOther = Text::Kind::kOther;

// Text that is the same in every row. A value that is put together of others is not simple.
Text Fixed(std::string sql, const Type& type) {
  Text text{std::move(sql), Text::Kind::kConstant};
  text.facts.simple = !type.is_array() && !type.is_struct() && !type.is(TypeKind::kInterval);
  return text;
}

}  // namespace

// Scalars look for columns in this SELECT as long as it lives.
class Emitter::Scope {
 public:
  Scope(Emitter& emitter, const Select& select) : emitter_(emitter) { emitter_.scopes_.push_back(&select); }
  ~Scope() { emitter_.scopes_.pop_back(); }
  Scope(const Scope&) = delete;
  Scope& operator=(const Scope&) = delete;

 private:
  Emitter& emitter_;
};

absl::StatusOr<Text> Emitter::ScalarText(const Select& select, const rewrite::Scalar& scalar) {
  Scope scope(*this, select);
  return Scalar(scalar);
}

absl::StatusOr<Text> Emitter::ScalarTextOfArray(const Select& select, const rewrite::Scalar& scalar) {
  LOGQUERY_ASSIGN_OR_RETURN(Text text, ScalarText(select, scalar));
  if (!scalar.type.is_record()) return text;
  LOGQUERY_ASSIGN_OR_RETURN(Sql plain, dialect_.Convert(scalar.type, Type::Array(scalar.type.element()), text));
  return Text{plain, kOther};
}

// A call is NULL if an operand is, and is computed early if its operands are; other scalars stay what they are.
Emitter::Foreseen Emitter::Foresee(const rewrite::Scalar& scalar, Foreseen operands) {
  switch (scalar.kind) {
    case ScalarKind::kConstant:
      return {As<rewrite::Constant>(scalar).value.is_null(), true};
    case ScalarKind::kParameter:
      return {true, true};
    case ScalarKind::kColumn:
    case ScalarKind::kSubquery:
      return {false, false};
    case ScalarKind::kCall:
    case ScalarKind::kCast:
    case ScalarKind::kField:
      return {operands.is_null || operands.is_constant, operands.is_constant};
    case ScalarKind::kCase:
      return {operands.is_constant, operands.is_constant};
    case ScalarKind::kStruct:
    case ScalarKind::kArray:
      return {false, operands.is_constant};
    case ScalarKind::kLambda:
      return {false, true};
  }
  return {};
}

absl::StatusOr<Text> Emitter::Scalar(const rewrite::Scalar& scalar) {
  const Foreseen before = std::exchange(operands_, Foreseen());
  absl::StatusOr<Text> text = ScalarOfKind(scalar);
  const Foreseen operands = std::exchange(operands_, before);
  const Foreseen foreseen = Foresee(scalar, operands);
  operands_.is_null = operands_.is_null || foreseen.is_null;
  operands_.is_constant = operands_.is_constant && foreseen.is_constant;
  if (!text.ok()) {
    // The innermost that has a place.
    if (!failed_.has_value() && scalar.span.end > scalar.span.begin) failed_ = scalar.span;
    return text.status();
  }
  return operands.is_null ? dialect_.KeepType(scalar, *std::move(text)) : *std::move(text);
}

absl::StatusOr<Text> Emitter::ScalarOfKind(const rewrite::Scalar& scalar) {
  switch (scalar.kind) {
    case ScalarKind::kConstant: {
      LOGQUERY_ASSIGN_OR_RETURN(std::string text, dialect_.Literal(As<rewrite::Constant>(scalar).value));
      return Fixed(std::move(text), scalar.type);
    }
    case ScalarKind::kColumn:
      return ColumnText(As<rewrite::ColumnRef>(scalar));
    case ScalarKind::kParameter:
      return ParameterText(As<rewrite::ParameterRef>(scalar));
    case ScalarKind::kField: {
      const auto& field = As<rewrite::FieldRef>(scalar);
      LOGQUERY_ASSIGN_OR_RETURN(Text base, Scalar(*field.base));
      return dialect_.Field(base, field.base->type, field.index);
    }
    case ScalarKind::kCall:
      return CallText(As<rewrite::FunctionCall>(scalar));
    case ScalarKind::kCast:
      return CastText(As<rewrite::Cast>(scalar));
    case ScalarKind::kCase:
      return CaseText(As<rewrite::Case>(scalar));
    case ScalarKind::kStruct: {
      LOGQUERY_ASSIGN_OR_RETURN(Texts fields, Sqls(As<rewrite::StructMake>(scalar).fields));
      LOGQUERY_ASSIGN_OR_RETURN(Sql text, dialect_.Struct(scalar.type, fields));
      return Text{text, kOther};
    }
    case ScalarKind::kArray: {
      LOGQUERY_ASSIGN_OR_RETURN(Texts elements, Sqls(As<rewrite::ArrayMake>(scalar).elements));
      return Text{dialect_.Array(scalar.type, elements), kOther};
    }
    case ScalarKind::kSubquery:
      return SubqueryText(As<rewrite::SubqueryScalar>(scalar));
    case ScalarKind::kLambda:
      return LambdaText(As<rewrite::LambdaScalar>(scalar));
  }
  return absl::InternalError("a scalar of no kind");
}

absl::StatusOr<Texts> Emitter::Sqls(const std::vector<rewrite::ScalarPtr>& scalars) {
  Texts texts;
  for (const rewrite::ScalarPtr& scalar : scalars) {
    LOGQUERY_ASSIGN_OR_RETURN(Text text, Scalar(*scalar));
    texts.push_back(text.ToSql());
  }
  return texts;
}

absl::StatusOr<Text> Emitter::ColumnText(const rewrite::ColumnRef& ref) {
  if (auto found = lambda_parameters_.find(ref.id); found != lambda_parameters_.end()) return found->second;
  for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope) {
    auto found = (*scope)->known.find(ref.id);
    if (found == (*scope)->known.end()) continue;
    if (found->second.computed) {
      return absl::InternalError(
          base::StrCat("column #", ref.id, " ", ref.name, " is used beside where it is computed"));
    }
    return found->second.text;
  }
  return absl::InternalError(base::StrCat("column #", ref.id, " ", ref.name, " is not in reach of where it is used"));
}

absl::StatusOr<Text> Emitter::ParameterText(const rewrite::ParameterRef& parameter) {
  if (dialect_.WritesOutDerivedParameters()) {
    for (const rewrite::DerivedParameter& derived : plan_.derived) {
      if (derived.name == parameter.name) return Scalar(*derived.value);
    }
  }
  size_t slot = 0;
  while (slot < slots_.size() && slots_[slot].name != parameter.name) ++slot;
  if (slot == slots_.size()) slots_.push_back({parameter.name, parameter.type});
  return Fixed(dialect_.Parameter(static_cast<int>(slot) + 1, parameter.name, parameter.type), parameter.type);
}

absl::StatusOr<Text> Emitter::CallText(const rewrite::FunctionCall& call) {
  std::vector<Text> args;
  args.reserve(call.arguments.size());
  for (const rewrite::ScalarPtr& argument : call.arguments) {
    LOGQUERY_ASSIGN_OR_RETURN(Text text, Scalar(*argument));
    args.push_back(std::move(text));
  }
  return dialect_.Call(call, args);
}

absl::StatusOr<Text> Emitter::CastText(const rewrite::Cast& cast) {
  CastTexts texts;
  texts.cast = &cast;
  LOGQUERY_ASSIGN_OR_RETURN(texts.operand, Scalar(*cast.operand));
  if (cast.format != nullptr) {
    LOGQUERY_ASSIGN_OR_RETURN(Text text, Scalar(*cast.format));
    texts.format = text.ToSql();
  }
  if (cast.time_zone != nullptr) {
    LOGQUERY_ASSIGN_OR_RETURN(Text text, Scalar(*cast.time_zone));
    texts.time_zone = text.ToSql();
  }
  LOGQUERY_ASSIGN_OR_RETURN(Sql text, dialect_.Cast(texts));
  // A cast that changes nothing in storage is still what it was.
  const Text::Kind kind = text.text() == texts.operand.sql ? texts.operand.kind : kOther;
  return Text{text, kind};
}

absl::StatusOr<Text> Emitter::CaseText(const rewrite::Case& branches) {
  Sql text = "CASE";
  if (branches.operand != nullptr) {
    LOGQUERY_ASSIGN_OR_RETURN(Text operand, Scalar(*branches.operand));
    text.Append(Cat(" ", operand.ToSql()));
  }
  for (const rewrite::Case::When& when : branches.whens) {
    LOGQUERY_ASSIGN_OR_RETURN(Text condition, Scalar(*when.condition));
    LOGQUERY_ASSIGN_OR_RETURN(Text result, Scalar(*when.result));
    text.Append(Cat(" WHEN ", condition.ToSql(), " THEN ", result.ToSql()));
  }
  LOGQUERY_ASSIGN_OR_RETURN(Text otherwise, Scalar(*branches.otherwise));
  text.Append(Cat(" ELSE ", otherwise.ToSql(), " END"));
  return Text{text, kOther};
}

absl::StatusOr<Text> Emitter::LambdaText(const rewrite::LambdaScalar& lambda) {
  std::vector<std::string> names;
  for (const rewrite::PlanColumn& parameter : lambda.parameters) {
    names.push_back(Alias(parameter));
    Text name{names.back(), Text::Kind::kPath};
    name.facts.reads_column = false;
    lambda_parameters_[parameter.id] = std::move(name);
  }
  absl::StatusOr<Text> body = Scalar(*lambda.body);
  for (const rewrite::PlanColumn& parameter : lambda.parameters) lambda_parameters_.erase(parameter.id);
  LOGQUERY_RETURN_IF_ERROR(body.status());
  LOGQUERY_ASSIGN_OR_RETURN(Sql text, dialect_.Lambda(lambda, names, body->ToSql()));
  return Text{text, kOther};
}

}  // namespace logquery::emit
