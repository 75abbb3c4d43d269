// Strict, because a model corrects itself from an error, and does not notice an argument that is ignored.
#include "lib/serving/mcp/tool_arguments.h"

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "lib/base/nearest_names.h"
#include "lib/base/quoted_text.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "logquery/error.h"

namespace logquery::serving {
namespace {

using base::Json;
using base::StrCat;

absl::Status WrongArgument(std::string_view name, const std::string& message, std::vector<std::string> nearest = {}) {
  ErrorDetails details;
  details.parameter = name;
  details.nearest = std::move(nearest);
  return WithErrorDetails(absl::InvalidArgumentError(message), details);
}

// Our own arguments that the tool takes.
std::vector<std::string_view> OwnArguments(Tool::Kind tool) {
  switch (tool) {
    case Tool::Kind::kListLogs:
      return {kLogArgument, kEndpointArgument};
    case Tool::Kind::kQueryLogs:
      return {kSqlArgument, kMaxRowsArgument, kCursorArgument, kDryRunArgument, kEndpointArgument};
    case Tool::Kind::kExplainError:
      return {kErrorArgument};
    case Tool::Kind::kEndpoint:
      break;
  }
  return {kMaxRowsArgument, kCursorArgument};
}

absl::Status UnknownArgument(std::string_view name, Tool::Kind tool, const Endpoint& endpoint) {
  std::vector<std::string> known;
  for (const Parameter& parameter : endpoint.parameters) {
    if (!parameter.computed) known.push_back(parameter.name);
  }
  for (const std::string_view own : OwnArguments(tool)) known.emplace_back(own);
  const std::vector<std::string> nearest = base::NearestNames(name, known);
  return WrongArgument(name,
                       StrCat("there is no argument ", base::QuotedText(name), base::DidYouMean(nearest),
                              "; there are ", base::Join(known, ", ")),
                       nearest);
}

// A value for a parameter: a list is sent as its JSON text.
absl::StatusOr<std::string> ParameterValue(std::string_view name, const Json& value) {
  const bool is_list = value.is_array() && std::none_of(value.begin(), value.end(), [](const Json& element) {
                         return element.is_structured() || element.is_null();
                       });
  if (value.is_string()) return value.text();
  if (value.is_primitive() || is_list) return value.ToString();
  return WrongArgument(name, StrCat("the argument ", base::QuotedText(name),
                                    " must be a text, a number, true or false, or a list of these"));
}

absl::Status ReadOwn(const std::string& name, const Json& value, ToolArguments& to) {
  if (name == kMaxRowsArgument) {
    if (!value.is_number_integer() || value.get<int64_t>() < 1) {
      return WrongArgument(name, "max_rows must be an integer of at least 1");
    }
    to.max_rows = value.get<int64_t>();
    return absl::OkStatus();
  }
  if (name == kDryRunArgument) {
    if (!value.is_boolean()) return WrongArgument(name, "dry_run must be true or false");
    to.dry_run = value.get<bool>();
    return absl::OkStatus();
  }
  if (!value.is_string()) return WrongArgument(name, StrCat(name, " must be a text"));
  if (name == kLogArgument) to.log = value.text();
  if (name == kSqlArgument || name == kCursorArgument) to.parameters.emplace_back(name, value.text());
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<ToolArguments> ReadArguments(const Json& arguments, Tool::Kind tool, const Endpoint& endpoint) {
  ToolArguments read;
  const std::vector<std::string_view> own = OwnArguments(tool);
  for (const auto& [name, value] : arguments.items()) {
    if (value.is_null()) continue;
    const Parameter* const parameter = endpoint.FindParameter(name);
    if (parameter != nullptr && !parameter->computed) {
      LOGQUERY_ASSIGN_OR_RETURN(std::string text, ParameterValue(name, value));
      read.parameters.emplace_back(name, std::move(text));
    } else if (std::find(own.begin(), own.end(), name) != own.end()) {
      LOGQUERY_RETURN_IF_ERROR(ReadOwn(name, value, read));
    } else {
      return UnknownArgument(name, tool, endpoint);
    }
  }
  return read;
}

absl::StatusOr<std::string> TextArgument(const Json& arguments, std::string_view name) {
  const auto found = arguments.find(name);
  if (found == arguments.end() || found->is_null()) return std::string();
  if (!found->is_string()) return WrongArgument(name, StrCat(name, " must be a text"));
  return found->text();
}

}  // namespace logquery::serving
