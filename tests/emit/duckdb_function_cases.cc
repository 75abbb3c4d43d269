#include "tests/emit/duckdb_function_cases.h"

#include <cmath>
#include <map>
#include <utility>

#include <catch2/catch_test_macros.hpp>

#include "absl/strings/escaping.h"
#include "absl/strings/str_format.h"
#include "lib/base/status_macros.h"
#include "lib/emit/duckdb_function_texts.h"
#include "lib/model/civil_text.h"
#include "logquery/duckdb/duckdb_backend.h"

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
    case PatternKind::kExact: return pattern.exact == type;
    case PatternKind::kPart: return type.is(TypeKind::kString);
    case PatternKind::kLambda: return false;
    case PatternKind::kArray: return type.is_array() && Fits(pattern.element[0], type.element(), variables);
    case PatternKind::kNumber:
      if (!IsNumber(type)) return false;
      break;
    case PatternKind::kOrderable:
      if (!HasOrder(type)) return false;
      break;
    case PatternKind::kAny:
    case PatternKind::kGroupable: break;
  }
  const auto [place, added] = variables.emplace(std::pair(pattern.kind, pattern.index), type);
  return added || place->second == type;
}

Type ResultOf(const TypePattern& pattern, const Variables& variables) {
  if (pattern.kind == PatternKind::kExact) return pattern.exact;
  if (pattern.kind == PatternKind::kArray) return Type::Array(ResultOf(pattern.element[0], variables));
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

bool IsPart(const Overload& overload, size_t i) {
  return i < overload.parameters.size() && overload.parameters[i].type.kind == PatternKind::kPart;
}

QueryBackend& Backend() {
  static DuckDbBackend& backend = *OpenDuckDb({})->release();
  return backend;
}

absl::StatusOr<std::vector<Value>> Run(const std::string& sql, const Type& type) {
  PreparedQuery::Parts parts;
  parts.dialect_text = sql;
  parts.schema = {{"x", type}};
  CollectingSink sink;
  LOGQUERY_RETURN_IF_ERROR(Backend().Execute(PreparedQuery(std::move(parts)), {}, {}, {}, sink));
  std::vector<Value> values;
  for (const auto& row : sink.rows()) values.push_back(row.at(0));
  return values;
}

bool Same(const Value& a, const Value& b) {
  if (a == b || a.is_null() || b.is_null() || !a.type().is(TypeKind::kFloat64) || !b.type().is(TypeKind::kFloat64)) {
    return a == b;
  }
  return std::abs(a.float64_value() - b.float64_value()) <= 1e-12 * std::abs(b.float64_value());
}

std::string CallText(std::string_view function, const std::vector<Value>& args) {
  std::string text = StrCat(function, "(");
  for (const Value& arg : args) text += StrCat(&arg == &args.front() ? "" : ", ", arg.DebugString());
  return text + ")";
}

}  // namespace

std::string DuckDbTypeText(const Type& type) {
  switch (type.kind()) {
    case TypeKind::kBool: return "BOOLEAN";
    case TypeKind::kInt64: return "BIGINT";
    case TypeKind::kFloat64: return "DOUBLE";
    case TypeKind::kNumeric:
    case TypeKind::kBigNumeric: return "DECIMAL(38,9)";
    case TypeKind::kString: return "VARCHAR";
    case TypeKind::kBytes: return "BLOB";
    case TypeKind::kDate: return "DATE";
    case TypeKind::kTime: return "TIME";
    case TypeKind::kDatetime:
    case TypeKind::kTimestamp: return "TIMESTAMP";
    case TypeKind::kInterval: return "INTERVAL";
    case TypeKind::kJson: return "JSON";
    case TypeKind::kArray: return StrCat(DuckDbTypeText(type.element()), "[]");
    case TypeKind::kStruct: break;
  }
  Texts fields;
  for (const Field& field : type.fields()) fields.push_back(StrCat("\"", field.name, "\" ", DuckDbTypeText(field.type)));
  return StrCat("STRUCT(", base::Join(fields, ", "), ")");
}

std::string DuckDbValueText(const Value& value) {
  const Type& type = value.type();
  std::string text;
  const auto cast = [&](const std::string& operand) { return StrCat("CAST(", operand, " AS ", DuckDbTypeText(type), ")"); };
  if (value.is_null()) return cast("NULL");
  switch (type.kind()) {
    case TypeKind::kBool: return value.bool_value() ? "TRUE" : "FALSE";
    case TypeKind::kInt64: return cast(Quote(StrCat(value.int64_value())));
    case TypeKind::kFloat64: return cast(Quote(absl::StrFormat("%.17g", value.float64_value())));
    case TypeKind::kString: return Quote(value.string_value());
    case TypeKind::kBytes: return StrCat("unhex('", absl::BytesToHexString(value.string_value()), "')");
    case TypeKind::kNumeric:
    case TypeKind::kBigNumeric:
    case TypeKind::kJson: return cast(Quote(value.string_value()));
    case TypeKind::kDate: model::AppendDate(value.int64_value(), text); return cast(Quote(text));
    case TypeKind::kTime: model::AppendTime(value.int64_value(), text); return cast(Quote(text));
    case TypeKind::kDatetime:
    case TypeKind::kTimestamp: model::AppendDatetime(value.int64_value(), ' ', text); return cast(Quote(text));
    case TypeKind::kInterval: {
      const Interval& interval = value.interval_value();
      return StrCat("(to_months(", interval.months, ") + to_days(", interval.days, ") + to_microseconds(",
                    interval.micros, "))");
    }
    case TypeKind::kArray:
    case TypeKind::kStruct: break;
  }
  Texts parts;
  for (const Value& child : value.children()) parts.push_back(DuckDbValueText(child));
  return cast(StrCat(type.is_array() ? "[" : "row(", base::Join(parts, ", "), type.is_array() ? "]" : ")"));
}

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

absl::StatusOr<std::string> CallSql(const Picked& picked, const std::vector<Value>& args, ArgumentForm form) {
  std::vector<rewrite::ScalarPtr> scalars;
  Texts texts, columns;
  for (size_t i = 0; i < args.size(); ++i) {
    const bool literal = form == ArgumentForm::kLiterals || IsPart(*picked.overload, i);
    const std::string name = StrCat("c", i);
    columns.push_back(StrCat(DuckDbValueText(args[i]), " AS ", name));
    if (literal) {
      scalars.push_back(std::make_unique<rewrite::Constant>(args[i]));
      texts.push_back(DuckDbValueText(args[i]));
    } else {
      scalars.push_back(std::make_unique<rewrite::ColumnRef>(rewrite::PlanColumn{1, name, args[i].type()}));
      texts.push_back(form == ArgumentForm::kColumns ? name : StrCat("COALESCE(", name, ", ", name, ")"));
    }
  }
  const rewrite::FunctionCall call(picked.overload, picked.result, std::move(scalars));
  const std::string_view spelling = picked.overload->row->duckdb;
  if (spelling.empty()) return absl::UnimplementedError(rewrite::SignatureText(*picked.overload));
  std::string text;
  if (spelling[0] == '@') {
    const DuckDbFunction code = FindDuckDbFunction(spelling.substr(1));
    if (code == nullptr) return absl::InternalError(StrCat("no code for ", spelling));
    LOGQUERY_ASSIGN_OR_RETURN(text, code(call, texts));
  } else {
    text = FillTemplate(spelling, texts);
  }
  if (form == ArgumentForm::kLiterals || columns.empty()) return StrCat("SELECT ", text, " AS x");
  return StrCat("SELECT ", text, " AS x FROM (SELECT ", base::Join(columns, ", "), ") AS t");
}

absl::StatusOr<Value> Evaluate(std::string_view function, const std::vector<Value>& args, ArgumentForm form) {
  const Picked picked = PickOverload(function, args);
  LOGQUERY_ASSIGN_OR_RETURN(const std::string sql, CallSql(picked, args, form));
  INFO(sql);
  LOGQUERY_ASSIGN_OR_RETURN(const auto types, RunText(StrCat("SELECT typeof(x) AS x FROM (", sql, ") AS r")));
  CHECK(types == std::vector<std::string>{DuckDbTypeText(picked.result)});
  LOGQUERY_ASSIGN_OR_RETURN(const auto values, Run(sql, picked.result));
  REQUIRE(values.size() == 1);
  return values[0];
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
  AggregateTexts texts;
  for (const Value& arg : args) {
    call.arguments.push_back(std::make_unique<rewrite::Constant>(arg));
    texts.args.push_back(texts.args.empty() ? "v" : DuckDbValueText(arg));
  }
  LOGQUERY_ASSIGN_OR_RETURN(const std::string text, DuckDbAggregate(call, texts));
  Texts values;
  for (const Value& row : rows) values.push_back(StrCat("(", DuckDbValueText(row), ")"));
  const std::string from = StrCat(" FROM (VALUES ", base::Join(values, ", "), ") AS t(v)");
  INFO(text);
  LOGQUERY_ASSIGN_OR_RETURN(const auto types, RunText(StrCat("SELECT typeof(", text, ") AS x", from)));
  CHECK(types == std::vector<std::string>{DuckDbTypeText(picked.result)});
  LOGQUERY_ASSIGN_OR_RETURN(const auto found, Run(StrCat("SELECT ", text, " AS x", from), picked.result));
  REQUIRE(found.size() == 1);
  return found[0];
}

absl::StatusOr<std::vector<std::string>> RunText(const std::string& sql) {
  LOGQUERY_ASSIGN_OR_RETURN(const auto values, Run(StrCat("SELECT CAST(x AS VARCHAR) AS x FROM (", sql, ") AS s"), Type::String()));
  std::vector<std::string> texts;
  for (const Value& value : values) texts.push_back(value.is_null() ? "NULL" : value.string_value());
  return texts;
}

void CheckCall(std::string_view function, const std::vector<Value>& args, const Value& expected) {
  for (ArgumentForm form : {ArgumentForm::kLiterals, ArgumentForm::kColumns, ArgumentForm::kExpressions}) {
    INFO(CallText(function, args) << " in form " << static_cast<int>(form));
    const absl::StatusOr<Value> value = Evaluate(function, args, form);
    if (form != ArgumentForm::kLiterals && absl::IsUnimplemented(value.status())) continue;
    if (value.ok()) {
      INFO(value->DebugString() << " but should be " << expected.DebugString());
      CHECK(Same(*value, expected));
    } else {
      UNSCOPED_INFO(value.status().ToString());
      CHECK(value.ok());
    }
  }
}

void CheckError(std::string_view function, const std::vector<Value>& args, std::string_view words) {
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
