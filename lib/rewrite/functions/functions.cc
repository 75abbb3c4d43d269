// Builds the function table from its rows, once.
#include "lib/rewrite/functions/functions.h"

#include <algorithm>
#include <cassert>
#include <memory>
#include <utility>

#include "absl/strings/str_split.h"
#include "lib/base/strings.h"
#include "lib/functions/function_lists.h"
#include "lib/functions/program_functions.h"
#include "lib/rewrite/functions/ch/ch_rows.h"
#include "lib/rewrite/functions/function_lists.h"
#include "lib/rewrite/functions/function_signature.h"

namespace logquery::rewrite {
namespace {

// "(INT64, INT64)" of "(INT64, INT64) -> INT64".
std::string_view Parameters(std::string_view signature) { return signature.substr(0, signature.rfind(") -> ") + 1); }

struct Table {
  base::NameMap<std::unique_ptr<Function>> functions;
  std::vector<std::string> names;
};

Table BuildTable() {
  Table table;
  const std::vector<const FunctionRow*> rows = AllFunctionRows();
  for (size_t id = 0; id < rows.size(); ++id) {
    const FunctionRow* const row = rows[id];
    absl::StatusOr<Signature> signature = ParseSignature(row->signature);
    assert(signature.ok());
    if (!signature.ok()) continue;
    std::unique_ptr<Function>& function = table.functions[row->name];
    if (function == nullptr) {
      function = std::make_unique<Function>();
      function->name = row->name;
      function->kind = row->kind;
      function->flags = row->flags;
      if (row->name[0] != '$') table.names.emplace_back(row->name);
    }
    function->overloads.push_back(
        {row, function.get(), id, std::move(signature->parameters), std::move(signature->result), OwnFunction(*row)});
  }
  std::sort(table.names.begin(), table.names.end());
  return table;
}

uint32_t FlagsOf(const ScalarFunction& function) {
  uint32_t flags = kNone;
  if (!function.pure) flags |= kVolatile;
  if (!function.may_raise) flags |= kTotal;
  if (!function.takes_nulls) flags |= kNoNullArgs;
  if (!function.in_sandbox) flags |= kNotInSandbox;
  // The function's results may be long. They count against the budget of our own functions.
  if (function.result.is_array() || function.result.is(TypeKind::kString) || function.result.is(TypeKind::kBytes)) {
    flags |= kGrows;
  }
  return flags;
}

// The rows of the embedding program's functions.
FunctionRows ProgramRows() {
  static const auto& rows = *[] {
    auto* const made = new std::vector<FunctionRow>;
    for (const functions::ProgramFunction& function : functions::ProgramFunctions()) {
      made->push_back({function.name, kScalar, function.signature, FlagsOf(*function.declared)});
    }
    return made;
  }();
  return rows;
}

// Our functions by the names and parameters of the rows that they evaluate.
base::StringMap<const functions::FunctionEntry*> OwnFunctions() {
  base::StringMap<const functions::FunctionEntry*> own;
  for (const functions::FunctionEntries& entries : functions::AllFunctions()) {
    for (const functions::FunctionEntry& entry : entries) {
      const std::string_view signature = entry.signature;
      const std::vector<std::string> names = absl::StrSplit(entry.evaluates, ' ', absl::SkipEmpty());
      for (const std::string& name : names) {
        own.emplace(base::StrCat(name, Parameters(signature)), &entry);
      }
    }
  }
  return own;
}

const Table& TheTable() {
  static const Table& table = *new Table(BuildTable());
  return table;
}

}  // namespace

std::vector<const FunctionRow*> BuiltInFunctionRows() {
  std::vector<const FunctionRow*> all;
  for (FunctionRows rows : {OperatorRows(), ComparisonRows(), ConditionalRows(), StringRows(), RegexpRows(),
                            MathRows(),     ConversionRows(), TimestampRows(),   DateRows(),   DatetimeRows(),
                            TimeRows(),     IntervalRows(),   ArrayRows(),       JsonRows(),   HashRows(),
                            NetRows(),      AggregateRows(),  ApproximateRows(), WindowRows(), ChRows()}) {
    for (const FunctionRow& row : rows) all.push_back(&row);
  }
  return all;
}

std::vector<const FunctionRow*> AllFunctionRows() {
  std::vector<const FunctionRow*> all = BuiltInFunctionRows();
  for (const FunctionRow& row : ProgramRows()) all.push_back(&row);
  return all;
}

std::string NameWithParameters(const FunctionRow& row) { return base::StrCat(row.name, Parameters(row.signature)); }

const functions::FunctionEntry* OwnFunction(const FunctionRow& row) {
  static const auto& own = *new auto(OwnFunctions());
  const auto found = own.find(NameWithParameters(row));
  return found == own.end() ? nullptr : found->second;
}

const Function* FindFunction(std::string_view name) {
  const auto found = TheTable().functions.find(name);
  return found == TheTable().functions.end() ? nullptr : found->second.get();
}

const std::vector<std::string>& FunctionNames() { return TheTable().names; }

std::string SignatureText(const Overload& overload) {
  std::vector<std::string> parameters;
  std::vector<std::string> named;
  for (const ParameterPattern& parameter : overload.parameters) {
    if (!parameter.name.empty()) {
      named.push_back(base::StrCat("[", parameter.name, " => ", TypePatternText(parameter.type), "]"));
      continue;
    }
    std::string text = TypePatternText(parameter.type);
    if (parameter.repeated) text += "...";
    parameters.push_back(parameter.optional ? base::StrCat("[", text, "]") : std::move(text));
  }
  parameters.insert(parameters.end(), named.begin(), named.end());
  return base::StrCat(overload.row->name, "(", base::Join(parameters, ", "), ") -> ", TypePatternText(overload.result));
}

}  // namespace logquery::rewrite
