// Calls of each function, with each argument nested in turn.
#include "tests/emit/nested_forms.h"

#include <set>
#include <utility>

#include "lib/base/strings.h"
#include "lib/emit/explain/spellings.h"
#include "lib/emit/spellings.h"
#include "lib/rewrite/functions/functions.h"

namespace logquery::testing {
namespace {

using base::StrCat;
using rewrite::TypePattern;

const std::vector<Type>& ScalarTypes() {
  static const auto& types =
      *new std::vector<Type>{Type::Int64(),     Type::Float64(),  Type::Numeric(), Type::BigNumeric(), Type::String(),
                             Type::Bytes(),     Type::Date(),     Type::Time(),    Type::Datetime(),   Type::Bool(),
                             Type::Timestamp(), Type::Interval(), Type::Json()};
  return types;
}

// The columns of a type are named after it: int64_1, int64_2, array_string_1 …
std::string ColumnOf(const Type& type, int number) {
  std::string name;
  for (const char c : type.ToString()) {
    if (c == '<') name += '_';
    if (c != '<' && c != '>') name += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  }
  return StrCat(name, "_", number);
}

// One way to choose what a signature leaves open.
struct Choice {
  Type number;       // NUM1
  const char* part;  // PART
  bool literals;     // the arguments beside the nested one are literals, not columns
  bool over;         // aggregates are window functions
};

std::string LiteralOf(const Type& type) {
  switch (type.kind()) {
    case TypeKind::kInt64:
      return "2";
    case TypeKind::kFloat64:
      return "2.5e0";
    case TypeKind::kNumeric:
      return "NUMERIC '2'";
    case TypeKind::kBigNumeric:
      return "BIGNUMERIC '2'";
    case TypeKind::kString:
      return "'a'";
    case TypeKind::kBytes:
      return "b'a'";
    case TypeKind::kArray:
      return StrCat("[", LiteralOf(type.element()), "]");
    default:
      return ColumnOf(type, 2);
  }
}

class CallForm {
 public:
  CallForm(const rewrite::Overload& overload, size_t nested, const Choice& choice)
      : overload_(overload), nested_(nested), choice_(choice) {}

  std::string Name() const { return Call("#"); }

  // SELECT f(…, f(…, f(…, x)))
  std::string Query(int depth) const {
    const TypePattern& pattern = overload_.parameters[nested_].type;
    const bool is_lambda = pattern.kind == TypePattern::Kind::kLambda;
    // A lambda of ARRAY_TRANSFORM may have any body; that of others is a condition.
    const Type wanted = is_lambda ? Type::Bool() : TypeOf(pattern);
    const bool same = TypeOf(overload_.result) == wanted;
    std::string text = ColumnOf(wanted, 1);
    for (int i = 0; i < depth; ++i) {
      const std::string call = Call(is_lambda ? StrCat("e", i, " -> ", text) : text);
      if (i + 1 == depth) return StrCat("SELECT ", call, " AS x FROM t");
      text = same ? call : StrCat("IF(", call, " IS NULL, ", ColumnOf(wanted, 1), ", ", ColumnOf(wanted, 2), ")");
    }
    return text;
  }

 private:
  Type TypeOf(const TypePattern& pattern) const {
    switch (pattern.kind) {
      case TypePattern::Kind::kExact:
        return pattern.exact;
      case TypePattern::Kind::kArray:
        return Type::Array(TypeOf(pattern.element[0]));
      case TypePattern::Kind::kNumber:
        return choice_.number;
      case TypePattern::Kind::kAny:
        return Type::Float64();
      default:
        return Type::String();
    }
  }

  std::string Call(const std::string& nested) const {
    std::vector<std::string> arguments;
    for (size_t i = 0; i < overload_.parameters.size(); ++i) {
      const rewrite::ParameterPattern& parameter = overload_.parameters[i];
      arguments.push_back(i == nested_ ? nested : Beside(parameter.type));
      if (!parameter.name.empty()) arguments.back() = StrCat(parameter.name, " => ", arguments.back());
      if (parameter.repeated) arguments.push_back(Beside(parameter.type));
    }
    const std::string call = CallText(arguments);
    switch (overload_.function->kind) {
      case rewrite::FunctionKind::kScalar:
        return call;
      case rewrite::FunctionKind::kAggregate:
        return StrCat("(SELECT ", call, choice_.over ? " OVER (PARTITION BY i.int64_2)" : "", " FROM t AS i LIMIT 1)");
      case rewrite::FunctionKind::kWindow:
        break;
    }
    return StrCat("(SELECT ", call, " OVER (ORDER BY i.int64_2) FROM t AS i LIMIT 1)");
  }

  std::string CallText(const std::vector<std::string>& arguments) const {
    const std::string_view name = overload_.function->name;
    if (name == "$and" || name == "$or")
      return StrCat("(", base::Join(arguments, name == "$and" ? " AND " : " OR "), ")");
    const std::string_view spelling = emit::GoogleSqlSpellings().Of(overload_);
    if (!spelling.empty()) return emit::FillTemplate(spelling, arguments);
    return StrCat(name, "(", base::Join(arguments, ", "), ")");
  }

  std::string Beside(const TypePattern& pattern) const {
    if (pattern.kind == TypePattern::Kind::kPart) return choice_.part;
    if (pattern.kind == TypePattern::Kind::kLambda) return "e -> e IS NULL";
    const Type type = TypeOf(pattern);
    return choice_.literals ? LiteralOf(type) : ColumnOf(type, 2);
  }

  const rewrite::Overload& overload_;
  const size_t nested_;
  const Choice choice_;
};

}  // namespace

Catalog NestedFormsCatalog() {
  Table table;
  table.name = "t";
  for (const Type& type : ScalarTypes()) {
    for (int i = 1; i <= 2; ++i) {
      table.columns.push_back({ColumnOf(type, i), type});
      table.columns.push_back({ColumnOf(Type::Array(type), i), Type::Array(type)});
    }
  }
  return Catalog({table}, 1);
}

std::vector<NestedForm> NestedCalls() {
  std::vector<NestedForm> forms;
  std::set<std::string> names;
  const auto add = [&](const rewrite::Overload& overload, size_t nested, const Choice& choice) {
    const CallForm form(overload, nested, choice);
    if (!names.insert(form.Name()).second) return;
    forms.push_back({form.Name(), [form](int depth) { return form.Query(depth); }});
  };
  for (const rewrite::FunctionRow* row : rewrite::AllFunctionRows()) {
    const rewrite::Function* function = rewrite::FindFunction(row->name);
    if (function->Has(rewrite::kInternal)) continue;
    const bool may_have_over = function->kind == rewrite::FunctionKind::kAggregate;
    for (const rewrite::Overload& overload : function->overloads) {
      if (overload.row != row) continue;
      for (size_t i = 0; i < overload.parameters.size(); ++i) {
        if (overload.parameters[i].type.kind == TypePattern::Kind::kPart) continue;
        for (const Type& number : {Type::Int64(), Type::Float64(), Type::Numeric(), Type::BigNumeric()}) {
          for (const char* part : {"DAY", "HOUR", "MONTH"}) {
            for (const bool literals : {false, true}) {
              add(overload, i, {number, part, literals, false});
              if (may_have_over) add(overload, i, {number, part, literals, true});
            }
          }
        }
      }
    }
  }
  return forms;
}

}  // namespace logquery::testing
