// Builds the function table from its rows, once.
#include "lib/rewrite/functions/functions.h"

#include <algorithm>
#include <cassert>
#include <memory>
#include <utility>

#include "lib/base/strings.h"
#include "lib/rewrite/functions/function_lists.h"
#include "lib/rewrite/functions/function_signature.h"

namespace logquery::rewrite {
namespace {

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
        {row, function.get(), id, std::move(signature->parameters), std::move(signature->result)});
  }
  std::sort(table.names.begin(), table.names.end());
  return table;
}

const Table& TheTable() {
  static const Table& table = *new Table(BuildTable());
  return table;
}

}  // namespace

std::vector<const FunctionRow*> AllFunctionRows() {
  std::vector<const FunctionRow*> all;
  for (FunctionRows rows :
       {OperatorRows(), ComparisonRows(), ConditionalRows(), StringRows(), RegexpRows(), MathRows(), ConversionRows(),
        TimestampRows(), DateRows(), DatetimeRows(), TimeRows(), IntervalRows(), ArrayRows(), JsonRows(), HashRows(),
        NetRows(), AggregateRows(), ApproximateRows(), WindowRows()}) {
    for (const FunctionRow& row : rows) all.push_back(&row);
  }
  return all;
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
