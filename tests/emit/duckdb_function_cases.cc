#include "tests/emit/duckdb_function_cases.h"

#include <catch2/catch_test_macros.hpp>
#include <map>
#include <utility>

#include "lib/base/status_macros.h"
#include "lib/engines/duckdb/dialect/function_texts.h"
#include "lib/engines/duckdb/dialect/spellings.h"
#include "lib/engines/duckdb/dialect/types.h"
#include "lib/testing/function_cases.h"
#include "logquery/store/duckdb_backend.h"
#include "tests/support/end_of_run.h"

namespace logquery::emit {
namespace {

using rewrite::Overload;
using rewrite::TypePattern;
using PatternKind = TypePattern::Kind;
using Variables = std::map<std::pair<PatternKind, int>, Type>;

bool IsNumber(const Type& type) {
  return type.is(TypeKind::kInt64) || type.is(TypeKind::kFloat64) || type.is(TypeKind::kNumeric) ||
         type.is(TypeKind::kBigNumeric);
}

bool HasOrder(const Type& type) { return !type.is_array() && !type.is_struct() && !type.is(TypeKind::kJson); }

bool Fits(const TypePattern& pattern, const Type& type, Variables& variables) {
  switch (pattern.kind) {
    case PatternKind::kExact:
      return pattern.exact == type;
    case PatternKind::kPart:
      return type.is(TypeKind::kString);
    case PatternKind::kStruct:
    case PatternKind::kLambda:
      return false;
    case PatternKind::kArray:
      return type.is_array() && Fits(pattern.element[0], type.element(), variables);
    case PatternKind::kNumber:
      if (!IsNumber(type)) return false;
      break;
    case PatternKind::kOrderable:
      if (!HasOrder(type)) return false;
      break;
    case PatternKind::kAny:
    case PatternKind::kGroupable:
      break;
  }
  const auto [place, added] = variables.emplace(std::pair(pattern.kind, pattern.index), type);
  return added || place->second == type;
}

Type ResultOf(const TypePattern& pattern, const Variables& variables) {
  if (pattern.kind == PatternKind::kExact) return pattern.exact;
  if (pattern.kind == PatternKind::kArray) return Type::Array(ResultOf(pattern.element[0], variables));
  if (pattern.kind == PatternKind::kStruct) {
    std::vector<Field> fields = pattern.exact.fields();
    for (size_t i = 0; i < fields.size(); ++i) fields[i].type = ResultOf(pattern.element[i], variables);
    return Type::Struct(std::move(fields));
  }
  const auto found = variables.find({pattern.kind, pattern.index});
  return found == variables.end() ? Type::Int64() : found->second;
}

bool Takes(const Overload& overload, const std::vector<Value>& args, Variables& variables) {
  const auto& parameters = overload.parameters;
  for (size_t i = 0; i < args.size(); ++i) {
    if (i >= parameters.size() && (parameters.empty() || !parameters.back().repeated)) return false;
    if (!Fits(parameters[std::min(i, parameters.size() - 1)].type, args[i].type(), variables)) return false;
  }
  return args.size() >= parameters.size() || parameters[args.size()].optional;
}

// Returns whether the argument is always written out: date parts are, and arguments that have names.
bool IsPart(const Overload& overload, size_t i) {
  if (i >= overload.parameters.size()) return false;
  return overload.parameters[i].type.kind == PatternKind::kPart || !overload.parameters[i].name.empty();
}

// The arguments with the defaults of those that have names before them.
std::vector<Value> WithDefaults(std::string_view function, const std::vector<Value>& args) {
  const rewrite::Function* found = rewrite::FindFunction(function);
  REQUIRE(found != nullptr);
  std::vector<Value> all;
  for (const rewrite::ParameterPattern& parameter : found->overloads[0].parameters) {
    if (parameter.name.empty()) break;
    const bool is_bool = parameter.type.exact.is(TypeKind::kBool);
    all.push_back(is_bool ? Value::Bool(parameter.default_text == "TRUE") : Value::String(parameter.default_text));
  }
  all.insert(all.end(), args.begin(), args.end());
  return all;
}

QueryBackend& Backend() {
  static std::unique_ptr<DuckDbBackend>& backend = *[] {
    auto* const opened = new std::unique_ptr<DuckDbBackend>(*OpenDuckDb({}));
    testing::AtEnd([opened] { delete opened; });
    return opened;
  }();
  return *backend;
}

absl::StatusOr<std::vector<Value>> Run(const std::string& sql, const Type& type,
                                       const std::vector<Value>& bindings = {}) {
  PreparedQuery::Parts parts;
  for (const Value& value : bindings) parts.slots.push_back({"p", value.type()});
  parts.dialect_text = sql;
  parts.schema = {{"x", type}};
  CollectingSink sink;
  LOGQUERY_RETURN_IF_ERROR(Backend().Execute(PreparedQuery(std::move(parts)), bindings, {}, {}, sink));
  std::vector<Value> values;
  for (const auto& row : sink.rows()) values.push_back(row.at(0));
  return values;
}

std::string LiteralOf(const Value& value) {
  const absl::StatusOr<std::string> literal = DuckDbLiteral(value);
  REQUIRE(literal.ok());
  return *literal;
}

CallObserver call_observer = nullptr;

void TellObserver(std::string_view function, const std::vector<Value>& args, const Value* expected,
                  std::string_view words) {
  if (call_observer != nullptr) call_observer({function, WithDefaults(function, args), expected, words});
}

std::string CallText(std::string_view function, const std::vector<Value>& args) {
  std::string text = StrCat(function, "(");
  for (const Value& arg : args) text += StrCat(&arg == &args.front() ? "" : ", ", arg.DebugString());
  return text + ")";
}

}  // namespace

void ObserveCalls(CallObserver observer) { call_observer = observer; }

Picked PickOverload(std::string_view function, const std::vector<Value>& args) {
  const rewrite::Function* found = rewrite::FindFunction(function);
  INFO(CallText(function, args));
  REQUIRE(found != nullptr);
  for (const Overload& overload : found->overloads) {
    Variables variables;
    if (Takes(overload, args, variables)) return {&overload, ResultOf(overload.result, variables)};
  }
  FAIL("no overload");
  return {};
}

// A value that is put together of others is not simple.
Sql Operand(std::string literal, const Type& type) {
  const bool simple = !type.is_array() && !type.is_struct() && !type.is(TypeKind::kInterval);
  return Sql(std::move(literal), {.simple = simple});
}

absl::StatusOr<std::string> CallSql(const Picked& picked, const std::vector<Value>& args, ArgumentForm form) {
  std::vector<rewrite::ScalarPtr> scalars;
  Texts texts;
  std::vector<std::string> columns;
  int parameters = 0;
  for (size_t i = 0; i < args.size(); ++i) {
    const bool literal = form == ArgumentForm::kLiterals || IsPart(*picked.overload, i);
    const std::string name = StrCat("c", i);
    columns.push_back(StrCat(LiteralOf(args[i]), " AS ", name));
    if (form == ArgumentForm::kParameters && !IsPart(*picked.overload, i)) {
      scalars.push_back(std::make_unique<rewrite::ParameterRef>(name, args[i].type()));
      texts.push_back(Sql::Simple(StrCat("$", ++parameters, "::", DuckDbType(args[i].type()))));
    } else if (literal) {
      scalars.push_back(std::make_unique<rewrite::Constant>(args[i]));
      texts.push_back(Operand(LiteralOf(args[i]), args[i].type()));
    } else {
      scalars.push_back(std::make_unique<rewrite::ColumnRef>(rewrite::PlanColumn{1, name, args[i].type()}));
      const bool is_column = form == ArgumentForm::kColumns;
      texts.push_back(is_column ? Sql::Simple(name) : Cat("COALESCE(", name, ", ", name, ")"));
    }
  }
  const rewrite::FunctionCall call(picked.overload, picked.result, std::move(scalars));
  const std::string_view spelling = DuckDbSpellings().Of(*picked.overload);
  if (spelling.empty()) return absl::UnimplementedError(rewrite::SignatureText(*picked.overload));
  Sql text;
  if (spelling[0] == '@') {
    const DuckDbFunction code = FindDuckDbFunction(spelling.substr(1));
    if (code == nullptr) return absl::InternalError(StrCat("no code for ", spelling));
    LOGQUERY_ASSIGN_OR_RETURN(text, code(call, texts));
  } else {
    text = FillTemplate(spelling, texts);
  }
  if (form == ArgumentForm::kLiterals || form == ArgumentForm::kParameters || columns.empty())
    return StrCat("SELECT ", text.text(), " AS x");
  return StrCat("SELECT ", text.text(), " AS x FROM (SELECT ", base::Join(columns, ", "), ") AS t");
}

absl::StatusOr<Value> Evaluate(std::string_view function, const std::vector<Value>& given, ArgumentForm form) {
  const std::vector<Value> args = WithDefaults(function, given);
  const Picked picked = PickOverload(function, args);
  LOGQUERY_ASSIGN_OR_RETURN(const std::string sql, CallSql(picked, args, form));
  INFO(sql);
  if (form == ArgumentForm::kColumns) {
    LOGQUERY_ASSIGN_OR_RETURN(const bool typed, HasType(sql, picked.result));
    CHECK(typed);
  }
  return RunOne(sql, picked.result, BindingsFor(picked, args, form));
}

std::vector<Value> BindingsFor(const Picked& picked, const std::vector<Value>& args, ArgumentForm form) {
  std::vector<Value> bindings;
  if (form != ArgumentForm::kParameters) return bindings;
  for (size_t i = 0; i < args.size(); ++i) {
    if (!IsPart(*picked.overload, i)) bindings.push_back(args[i]);
  }
  return bindings;
}

absl::StatusOr<Value> EvaluateAggregate(std::string_view function, const std::vector<Value>& rows,
                                        const std::vector<Value>& more, const rewrite::AggregateCall& modifiers) {
  std::vector<Value> args = {rows.front()};
  args.insert(args.end(), more.begin(), more.end());
  const Picked picked = PickOverload(function, args);
  rewrite::AggregateCall call;
  call.overload = picked.overload;
  call.distinct = modifiers.distinct;
  call.ignore_nulls = modifiers.ignore_nulls;
  call.respect_nulls = modifiers.respect_nulls;
  AggregateTexts texts;
  for (const Value& arg : args) {
    call.arguments.push_back(std::make_unique<rewrite::Constant>(arg));
    texts.args.push_back(texts.args.empty() ? Sql::Simple("v") : Operand(LiteralOf(arg), arg.type()));
  }
  LOGQUERY_ASSIGN_OR_RETURN(const Sql made, DuckDbAggregate(call, texts));
  const std::string& text = made.text();
  std::vector<std::string> values;
  for (const Value& row : rows) values.push_back(StrCat("(", LiteralOf(row), ")"));
  const std::string from = StrCat(" FROM (VALUES ", base::Join(values, ", "), ") AS t(v)");
  INFO(text);
  LOGQUERY_ASSIGN_OR_RETURN(const bool typed, HasType(StrCat("SELECT ", text, " AS x", from), picked.result));
  CHECK(typed);
  LOGQUERY_ASSIGN_OR_RETURN(const auto found, Run(StrCat("SELECT ", text, " AS x", from), picked.result));
  REQUIRE(found.size() == 1);
  return found[0];
}

absl::StatusOr<bool> HasType(const std::string& sql, const Type& type) {
  LOGQUERY_ASSIGN_OR_RETURN(const auto same, Run(StrCat("SELECT typeof(x) = typeof(CAST(NULL AS ", DuckDbType(type),
                                                        ")) AS x FROM (", sql, ") AS r"),
                                                 Type::Bool()));
  REQUIRE(same.size() == 1);
  return same[0].bool_value();
}

absl::StatusOr<Value> RunOne(const std::string& sql, const Type& type, const std::vector<Value>& bindings) {
  const std::string typed = StrCat("SELECT CAST(x AS ", DuckDbType(type), ") AS x FROM (", sql, ") AS r");
  LOGQUERY_ASSIGN_OR_RETURN(const auto values, Run(typed, type, bindings));
  REQUIRE(values.size() == 1);
  return values[0];
}

void CheckCall(std::string_view function, const std::vector<Value>& args, const Value& expected) {
  TellObserver(function, args, &expected, "");
  for (ArgumentForm form : {ArgumentForm::kLiterals, ArgumentForm::kColumns, ArgumentForm::kExpressions}) {
    INFO(CallText(function, args) << " in form " << static_cast<int>(form));
    const absl::StatusOr<Value> value = Evaluate(function, args, form);
    if (form != ArgumentForm::kLiterals && absl::IsUnimplemented(value.status())) continue;
    if (value.ok()) {
      INFO(value->DebugString() << " but should be " << expected.DebugString());
      CHECK(testing::SameValue(*value, expected));
    } else {
      UNSCOPED_INFO(value.status().ToString());
      CHECK(value.ok());
    }
  }
}

void CheckError(std::string_view function, const std::vector<Value>& args, std::string_view words) {
  TellObserver(function, args, nullptr, words);
  for (ArgumentForm form : {ArgumentForm::kLiterals, ArgumentForm::kColumns, ArgumentForm::kExpressions}) {
    INFO(CallText(function, args) << " in form " << static_cast<int>(form));
    const absl::StatusOr<Value> value = Evaluate(function, args, form);
    if (form != ArgumentForm::kLiterals && absl::IsUnimplemented(value.status())) continue;
    REQUIRE_FALSE(value.ok());
    UNSCOPED_INFO(value.status().ToString());
    CHECK(base::Message(value.status()).find(words) != std::string_view::npos);
  }
}

}  // namespace logquery::emit
