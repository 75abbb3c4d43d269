// Reads labels of definitions and of headers, and gives each the form that every place for labels takes.
#include "lib/endpoint/definitions/labels.h"

#include <algorithm>
#include <utility>

#include "absl/strings/ascii.h"
#include "lib/base/quoted_text.h"
#include "lib/base/strings.h"
#include "logquery/call_labels.h"
#include "logquery/error.h"
#include "logquery/project_parameter.h"
#include "logquery/query_service.h"
#include "logquery/redactor.h"

namespace logquery {
namespace {

using base::QuotedText;
using base::StrCat;

constexpr size_t kMaxLength = 63;  // of a key and of a value
constexpr size_t kMostRead = 1'024;
constexpr size_t kMaxHeaderBytes = 4'096;
constexpr size_t kMaxHeaderLabels = 64;
constexpr std::string_view kForm = "1 to 63 lower-case letters, digits, - and _, the first a letter";

bool IsOfLabel(char c) { return absl::ascii_islower(c) || absl::ascii_isdigit(c) || c == '-' || c == '_'; }

bool IsValue(std::string_view text) {
  return text.size() <= kMaxLength && std::all_of(text.begin(), text.end(), IsOfLabel);
}

bool IsKey(std::string_view text) { return !text.empty() && absl::ascii_islower(text.front()) && IsValue(text); }

std::string_view Stripped(std::string_view text) { return base::ToStd(absl::StripAsciiWhitespace(base::ToAbsl(text))); }

// The parts between commas that are not blank.
std::vector<std::string_view> Items(std::string_view text) {
  std::vector<std::string_view> items;
  while (!text.empty()) {
    const std::string_view item = text.substr(0, text.find(','));
    text.remove_prefix(std::min(text.size(), item.size() + 1));
    if (const std::string_view stripped = Stripped(item); !stripped.empty()) items.push_back(stripped);
  }
  return items;
}

absl::Status WrongHeader(std::string_view what) {
  return absl::InvalidArgumentError(StrCat("the header LF-ENDPOINT-LABELS ", what, "; it is key=value,key2=value2"));
}

std::string Normalized(std::string_view text) {
  // The text is redacted before it is cut, or an address could keep its beginning. Text far behind the cut need not be read.
  std::string value = Redactor().Redact(text.substr(0, kMostRead)).substr(0, kMaxLength);
  for (char& c : value) {
    c = absl::ascii_tolower(static_cast<unsigned char>(c));
    if (!IsOfLabel(c)) c = '_';
  }
  return value;
}

const std::string* Find(const Labels& texts, std::string_view name) {
  const auto found = std::find_if(texts.begin(), texts.end(), [name](const auto& text) { return text.first == name; });
  return found == texts.end() || found->second.empty() ? nullptr : &found->second;
}

// Returns the parameter's text as the call will have it, including what the token fixes.
std::string ParameterText(const Principal& principal, const Endpoint& definition, const QueryRequest& request,
                          const std::string& name) {
  if (const std::string* sent = Find(request.parameters, name); sent != nullptr) return *sent;
  for (const auto& [fixed, value] : principal.fixed_parameters) {
    if (fixed == name) return value;
  }
  if (name == "project" && principal.project_scope && ProjectParameter(definition) != nullptr) {
    return *principal.project_scope;
  }
  const Parameter* const parameter = definition.FindParameter(name);
  return parameter != nullptr ? parameter->default_text.value_or("") : "";
}

}  // namespace

namespace endpoint {

absl::StatusOr<std::vector<EndpointLabel>> ParseLabels(std::string_view text) {
  std::vector<EndpointLabel> labels;
  for (const std::string_view item : Items(text)) {
    const size_t equals = item.find('=');
    EndpointLabel label;
    label.key = Stripped(item.substr(0, equals));
    if (!IsKey(label.key)) {
      return absl::InvalidArgumentError(StrCat("has the key ", QuotedText(label.key), "; a key is ", kForm));
    }
    const auto same = [&label](const EndpointLabel& other) { return other.key == label.key; };
    if (std::any_of(labels.begin(), labels.end(), same)) {
      return absl::InvalidArgumentError(StrCat("has the key ", label.key, " twice"));
    }
    if (equals != item.npos) {
      const std::string_view value = Stripped(item.substr(equals + 1));
      const bool is_parameter = !value.empty() && value.front() == '@';
      label.from = is_parameter ? EndpointLabel::From::kParameter : EndpointLabel::From::kFixed;
      label.value = is_parameter ? value.substr(1) : value;
      if (label.value.empty() || (!is_parameter && !IsValue(label.value))) {
        return absl::InvalidArgumentError(
            StrCat("has ", QuotedText(item),
                   "; a value is up to 63 lower-case letters, digits, - and _, or @ and a "
                   "parameter's name"));
      }
    }
    labels.push_back(std::move(label));
  }
  if (labels.size() > kMaxLabels) {
    return absl::InvalidArgumentError(StrCat("has ", labels.size(), " labels, ", kMaxLabels, " at most"));
  }
  return labels;
}

}  // namespace endpoint

absl::StatusOr<Labels> ParseLabelHeader(std::string_view header) {
  if (header.size() > kMaxHeaderBytes) return WrongHeader(StrCat("is longer than ", kMaxHeaderBytes, " bytes"));
  Labels labels;
  for (const std::string_view item : Items(header)) {
    const size_t equals = item.find('=');
    const std::string_view key = Stripped(item.substr(0, equals));
    if (equals == item.npos || key.empty()) return WrongHeader(StrCat("has ", QuotedText(item)));
    if (labels.size() == kMaxHeaderLabels) return WrongHeader(StrCat("has more than ", kMaxHeaderLabels, " labels"));
    labels.emplace_back(key, Stripped(item.substr(equals + 1)));
  }
  return labels;
}

bool TakesLabels(const Endpoint& definition) {
  return std::any_of(definition.labels.begin(), definition.labels.end(),
                     [](const EndpointLabel& label) { return label.from != EndpointLabel::From::kFixed; });
}

Labels LabelsOf(const Principal& principal, const Endpoint& definition, const QueryRequest& request) {
  if (request.call_labels != nullptr) return *request.call_labels;
  Labels labels;
  for (const EndpointLabel& label : definition.labels) {
    std::string text = label.from == EndpointLabel::From::kFixed ? label.value : "";
    if (label.from == EndpointLabel::From::kParameter) {
      text = ParameterText(principal, definition, request, label.value);
    }
    if (text.empty()) {
      if (const std::string* sent = Find(request.labels, label.key); sent != nullptr) text = *sent;
    }
    if (!text.empty()) labels.emplace_back(label.key, Normalized(text));
  }
  return labels;
}

}  // namespace logquery
