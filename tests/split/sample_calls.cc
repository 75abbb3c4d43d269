// Builds the calls as plans, without SQL text: operators, and functions that only passes write, have no common syntax.
#include "tests/split/sample_calls.h"

#include <algorithm>
#include <functional>
#include <memory>
#include <utility>

#include "lib/base/strings.h"
#include "lib/rewrite/passes/may_raise.h"
#include "lib/rewrite/scalars.h"
#include "lib/split/reasons.h"
#include "tests/split/sample_types.h"

namespace logquery::testing {
namespace {

using rewrite::Constant;
using rewrite::Overload;
using rewrite::ParameterPattern;
using rewrite::PlanColumn;
using rewrite::ScalarPtr;
using rewrite::TypePattern;
using PatternKind = TypePattern::Kind;

constexpr std::string_view kColumns = "columns";
constexpr std::string_view kCalls = "calls";
constexpr std::string_view kColumnAndConstants = "a column, then constants";
constexpr std::string_view kCallAndConstants = "a call, then constants";

constexpr const char* kParts[] = {"MICROSECOND",  "MILLISECOND", "SECOND", "MINUTE",  "HOUR", "DAY",    "WEEK",
                                  "WEEK(MONDAY)", "ISOWEEK",     "MONTH",  "QUARTER", "YEAR", "ISOYEAR"};

// The types that the row's variables may stand for; one that is not read where there is none.
std::vector<Type> VariablesOf(const Overload& overload) {
  const std::string_view name = overload.row->name;
  if (name == "$element" || name == "$present") return {Record()};
  std::vector<Type> types = AllTypes();
  bool has_variable = false;
  for (const ParameterPattern& parameter : overload.parameters) {
    const TypePattern* const variable = VariableOf(parameter.type);
    if (variable == nullptr) continue;
    has_variable = true;
    const bool in_array = variable != &parameter.type;
    std::erase_if(types,
                  [&](const Type& type) { return !Takes(variable->kind, type) || (in_array && type.is_array()); });
  }
  return has_variable ? types : std::vector<Type>{Type::Int64()};
}

bool HasVariable(const Overload& overload) {
  return std::any_of(overload.parameters.begin(), overload.parameters.end(),
                     [](const ParameterPattern& parameter) { return VariableOf(parameter.type) != nullptr; });
}

bool IsValue(const ParameterPattern& parameter) {
  return parameter.name.empty() && parameter.type.kind != PatternKind::kPart &&
         parameter.type.kind != PatternKind::kLambda;
}

// Returns whether a row before it takes the same arguments, so that no query comes to it with these.
bool IsTakenBefore(const Overload& overload, const Type& variable) {
  for (const Overload& other : overload.function->overloads) {
    if (&other == &overload) return false;
    if (other.parameters.size() != overload.parameters.size()) continue;
    bool same = true;
    for (size_t i = 0; same && i < other.parameters.size(); ++i) {
      const TypePattern& theirs = other.parameters[i].type;
      const Type ours = Instance(overload.parameters[i].type, variable);
      same = IsVariable(theirs.kind) ? Takes(theirs.kind, ours)
                                     : theirs.kind == PatternKind::kExact && theirs.exact == ours;
    }
    if (same) return true;
  }
  return false;
}

// Makes one sample's arguments and counts its columns.
class Maker {
 public:
  Maker(SampleCall& sample, const Type& variable) : sample_(sample), variable_(variable) {}

  std::vector<ScalarPtr> Arguments() {
    const bool with_optional = sample_.trait(Trait::kOptional) != "left out";
    std::vector<ScalarPtr> arguments;
    for (const ParameterPattern& parameter : sample_.overload->parameters) {
      if (parameter.optional && !with_optional) break;
      arguments.push_back(Argument(parameter));
      if (parameter.repeated) arguments.push_back(Argument(parameter));
    }
    return arguments;
  }

  ScalarPtr Column(const Type& type) {
    PlanColumn column{static_cast<rewrite::ColumnId>(sample_.input.columns.size() + 1), "c", type};
    sample_.input.columns.push_back(column);
    return std::make_unique<rewrite::ColumnRef>(column);
  }

 private:
  ScalarPtr Argument(const ParameterPattern& parameter) {
    if (!parameter.name.empty()) return Default(parameter);
    if (parameter.type.kind == PatternKind::kPart) {
      return std::make_unique<Constant>(Value::String(sample_.trait(Trait::kPart)));
    }
    if (parameter.type.kind == PatternKind::kLambda) {
      return std::make_unique<rewrite::LambdaScalar>(std::vector<PlanColumn>{{1'000, "e", variable_}},
                                                     rewrite::MakeBool(true));
    }
    const Type type = Instance(parameter.type, variable_);
    const std::string& form = sample_.trait(Trait::kArguments);
    const bool is_first = values_++ == 0;
    const bool of_constants = form == kColumnAndConstants || form == kCallAndConstants;
    if (!is_first && of_constants) return std::make_unique<Constant>(ConstantOf(type));
    if (form == kCalls || form == "a call" || (is_first && form == kCallAndConstants)) return Call(type);
    return Column(type);
  }

  // A call that is of this type whatever this is.
  ScalarPtr Call(const Type& type) {
    std::vector<ScalarPtr> arguments;
    arguments.push_back(Column(type));
    arguments.push_back(Column(type));
    return rewrite::MakeTypedCall("IFNULL", type, std::move(arguments));
  }

  static ScalarPtr Default(const ParameterPattern& parameter) {
    if (parameter.type.exact.is(TypeKind::kBool)) return rewrite::MakeBool(parameter.default_text == "TRUE");
    return std::make_unique<Constant>(Value::String(parameter.default_text));
  }

  SampleCall& sample_;
  const Type variable_;
  size_t values_ = 0;
};

Type ResultOf(const Overload& overload, const Type& variable) {
  if (std::string_view(overload.row->name) == "$element") return variable.element();
  return Instance(overload.result, variable);
}

void FillScalar(SampleCall& sample, const Type& variable) {
  const Type result = ResultOf(*sample.overload, variable);
  // The call's now is bound, and what is made of it too.
  if (sample.overload->function->Has(rewrite::kReadsClock)) {
    sample.scalar = std::make_unique<rewrite::ParameterRef>("@now", result);
    return;
  }
  sample.scalar = std::make_unique<rewrite::FunctionCall>(sample.overload, result, Maker(sample, variable).Arguments());
}

void FillNode(SampleCall& sample, const Type& variable) {
  Maker maker(sample, variable);
  rewrite::AggregateCall call;
  call.overload = sample.overload;
  call.arguments = maker.Arguments();
  call.distinct = sample.trait(Trait::kModifier) == "DISTINCT";
  if (sample.trait(Trait::kModifier) == "HAVING") {
    call.having = maker.Column(Type::Int64());
    call.having_max = true;
  }
  const PlanColumn column{2'000, "result", ResultOf(*sample.overload, variable)};
  auto input = std::make_unique<rewrite::SingleRow>();
  input->columns = sample.input.columns;
  if (sample.overload->function->kind == rewrite::FunctionKind::kAggregate) {
    auto aggregate = std::make_unique<rewrite::Aggregate>(std::move(input));
    aggregate->columns = {column};
    aggregate->calls.push_back({column, std::move(call)});
    sample.node = std::move(aggregate);
    return;
  }
  auto window = std::make_unique<rewrite::Window>(std::move(input));
  window->columns = window->input->columns;
  window->columns.push_back(column);
  window->calls.emplace_back();
  window->calls.back().column = column;
  window->calls.back().call = std::move(call);
  sample.node = std::move(window);
}

std::vector<std::string> PartsOf(const Overload& overload) {
  for (const ParameterPattern& parameter : overload.parameters) {
    if (parameter.type.kind == PatternKind::kPart) return {std::begin(kParts), std::end(kParts)};
  }
  return {""};
}

std::vector<std::string> FormsOf(const Overload& overload, bool with_optional) {
  int64_t values = 0;
  for (const ParameterPattern& parameter : overload.parameters) {
    if (IsValue(parameter) && (with_optional || !parameter.optional)) values += parameter.repeated ? 2 : 1;
  }
  if (values == 0) return {""};
  if (values == 1) return {"a column", "a call"};
  return {std::string(kColumns), std::string(kColumnAndConstants), std::string(kCallAndConstants), std::string(kCalls)};
}

std::vector<std::string> OptionalsOf(const Overload& overload) {
  for (const ParameterPattern& parameter : overload.parameters) {
    if (parameter.optional) return {"left out", "given"};
  }
  return {""};
}

std::vector<std::string> ModifiersOf(const Overload& overload) {
  if (overload.function->kind != rewrite::FunctionKind::kAggregate || overload.parameters.empty()) return {""};
  return {"", "DISTINCT", "HAVING"};
}

// All arguments of the calls that the sample holds.
void ForEachArgument(const SampleCall& sample, const std::function<void(const rewrite::Scalar&)>& visit) {
  const std::vector<ScalarPtr>* arguments = nullptr;
  if (const auto* const call = rewrite::If<rewrite::FunctionCall>(sample.scalar.get())) arguments = &call->arguments;
  if (const auto* const node = rewrite::If<rewrite::Aggregate>(sample.node.get())) {
    arguments = &node->calls[0].call.arguments;
  }
  if (arguments == nullptr) return;
  for (const ScalarPtr& argument : *arguments) visit(*argument);
}

}  // namespace

std::vector<SampleCall> SampleCallsOf(const Overload& overload) {
  std::vector<SampleCall> samples;
  const bool of_row = overload.function->kind == rewrite::FunctionKind::kScalar;
  const auto add = [&](const Type& variable, std::array<std::string, kTraits> traits) {
    SampleCall sample;
    sample.overload = &overload;
    sample.traits = std::move(traits);
    sample.variable = variable;
    of_row ? FillScalar(sample, variable) : FillNode(sample, variable);
    samples.push_back(std::move(sample));
  };
  for (const Type& variable : VariablesOf(overload)) {
    if (IsTakenBefore(overload, variable)) continue;
    const std::string type = HasVariable(overload) ? NameOf(variable) : "";
    for (const std::string& optional : OptionalsOf(overload)) {
      for (const std::string& form : FormsOf(overload, optional != "left out")) {
        for (const std::string& part : PartsOf(overload)) {
          for (const std::string& modifier : ModifiersOf(overload)) {
            add(variable, {type, part, form, optional, modifier});
          }
        }
      }
    }
  }
  return samples;
}

std::string WhyNot(const SampleCall& call, const emit::Powers& powers) {
  const split::Reasons reasons(powers);
  return call.scalar != nullptr ? reasons.WhyNot(*call.scalar, call.input) : reasons.WhyNot(*call.node);
}

std::string WhyNotItself(const SampleCall& call, const emit::Powers& powers) {
  if (call.scalar != nullptr) {
    if (const auto said = powers.WhyNot(*call.scalar)) return *said;
    return rewrite::MayRaiseAlone(*call.scalar) ? "it may raise an error" : "";
  }
  if (const auto said = powers.WhyNot(*call.node)) return *said;
  const auto* const aggregate = rewrite::If<rewrite::Aggregate>(call.node.get());
  return aggregate == nullptr ? "" : powers.WhyNot(aggregate->calls[0].call).value_or("");
}

bool IsAboutArguments(const SampleCall& call, const emit::Powers& powers) {
  const split::Reasons reasons(powers);
  bool refused = !call.trait(Trait::kType).empty() && !powers.Carries(call.variable) && WhyNot(call, powers).empty();
  ForEachArgument(call, [&](const rewrite::Scalar& argument) {
    refused = refused || !reasons.WhyNot(argument, call.input).empty();
  });
  return refused;
}

std::string TypeOfCall(const Overload& overload, const std::vector<ScalarPtr>& arguments) {
  for (size_t i = 0; i < overload.parameters.size() && i < arguments.size(); ++i) {
    const TypePattern* const variable = VariableOf(overload.parameters[i].type);
    if (variable == nullptr) continue;
    return NameOf(variable == &overload.parameters[i].type ? arguments[i]->type : arguments[i]->type.element());
  }
  return "";
}

}  // namespace logquery::testing
