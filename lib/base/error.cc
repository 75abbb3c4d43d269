// Stores error details as a payload of the status: tagged parts, each preceded by its length. The payload stays in the
// process.
#include "logquery/error.h"

#include <array>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>

#include "absl/strings/cord.h"
#include "absl/types/optional.h"
#include "lib/base/strings.h"

namespace logquery {
namespace {

// The names of all reasons, at the index of their values.
constexpr std::array<std::string_view, 5> kReasonNames = {"", "resourcesExceeded", "rateLimitExceeded",
                                                          "outcomeUnknown", "unknownTable"};

constexpr char kPayloadUrl[] = "logquery/ErrorDetails";

// The payload's form: for each part that is there its tag, its length, a colon and its bytes. It stays in the process.
void AppendPart(char tag, std::string_view text, std::string& out) {
  if (!text.empty()) base::StrAppend(&out, std::string_view(&tag, 1), text.size(), ":", text);
}

void AppendNumber(char tag, int64_t number, std::string& out) {
  if (number != 0) AppendPart(tag, std::to_string(number), out);
}

std::string Encode(const ErrorDetails& details) {
  std::string out;
  AppendPart('p', details.parameter, out);
  AppendNumber('l', details.line, out);
  AppendNumber('c', details.column, out);
  AppendPart('s', details.snippet, out);
  for (const std::string& name : details.nearest) AppendPart('n', name, out);
  AppendPart('r', ErrorReasonName(details.reason), out);
  AppendPart('f', details.source, out);
  AppendNumber('w', absl::ToInt64Microseconds(details.retry_after), out);
  return out;
}

template <typename Number>
bool ParseNumber(std::string_view text, Number& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size();
}

bool SetReason(std::string_view name, ErrorDetails& details) {
  const std::optional<ErrorReason> reason = ParseErrorReason(name);
  details.reason = reason.value_or(ErrorReason::kNone);
  return reason.has_value();
}

bool SetPart(char tag, std::string_view text, ErrorDetails& details) {
  switch (tag) {
    case 'p':
      details.parameter = text;
      return true;
    case 'l':
      return ParseNumber(text, details.line);
    case 'c':
      return ParseNumber(text, details.column);
    case 's':
      details.snippet = text;
      return true;
    case 'n':
      details.nearest.emplace_back(text);
      return true;
    case 'r':
      return SetReason(text, details);
    case 'f':
      details.source = text;
      return true;
    case 'w': {
      int64_t micros = 0;
      if (!ParseNumber(text, micros)) return false;
      details.retry_after = absl::Microseconds(micros);
      return true;
    }
    default:
      return false;
  }
}

std::optional<ErrorDetails> Decode(std::string_view payload) {
  ErrorDetails details;
  while (!payload.empty()) {
    const size_t colon = payload.find(':');
    size_t length = 0;
    if (colon == std::string_view::npos || !ParseNumber(payload.substr(1, colon - 1), length)) return std::nullopt;
    if (length > payload.size() - colon - 1) return std::nullopt;
    if (!SetPart(payload[0], payload.substr(colon + 1, length), details)) return std::nullopt;
    payload.remove_prefix(colon + 1 + length);
  }
  return details;
}

}  // namespace

std::string_view ErrorReasonName(ErrorReason reason) {
  const auto index = static_cast<size_t>(reason);
  return index < kReasonNames.size() ? kReasonNames[index] : "";
}

std::optional<ErrorReason> ParseErrorReason(std::string_view name) {
  for (size_t i = 0; i < kReasonNames.size(); ++i) {
    if (name == kReasonNames[i]) return static_cast<ErrorReason>(i);
  }
  return std::nullopt;
}

bool ErrorDetails::empty() const {
  return parameter.empty() && line == 0 && column == 0 && snippet.empty() && nearest.empty() &&
         reason == ErrorReason::kNone && source.empty() && retry_after == absl::ZeroDuration();
}

ErrorDetails GetErrorDetails(const absl::Status& status) {
  const absl::optional<absl::Cord> payload = status.GetPayload(kPayloadUrl);
  if (!payload.has_value()) return {};
  return Decode(std::string(*payload)).value_or(ErrorDetails());
}

absl::Status WithErrorDetails(absl::Status status, const ErrorDetails& details) {
  if (status.ok()) return status;
  if (details.empty()) {
    status.ErasePayload(kPayloadUrl);
  } else {
    status.SetPayload(kPayloadUrl, absl::Cord(Encode(details)));
  }
  return status;
}

}  // namespace logquery
