// Compares the two declarations of each shared parameter, and adds the parameters that only `read` declares.
#include "lib/endpoint/definitions/read_parameters.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "lib/base/readable_text.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/endpoint/definitions/parameter_text.h"
#include "logquery/parameter_text.h"

namespace logquery::endpoint {
namespace {

using base::StrCat;

bool IsSubset(const std::vector<std::string>& texts, const std::vector<std::string>& of) {
  return std::all_of(texts.begin(), texts.end(),
                     [&of](const std::string& text) { return std::find(of.begin(), of.end(), text) != of.end(); });
}

// Whether callers may send numbers by `own` that `read` refuses. Both are of one type.
bool IsWider(const Parameter& own, const Parameter& read) {
  Parameter number = read;
  if (number.type.is_array()) number.type = read.type.element();
  number.allowed.clear();
  for (const auto& [bound, limit] : {std::pair(&own.minimum, &read.minimum), std::pair(&own.maximum, &read.maximum)}) {
    if (limit->has_value() && (!bound->has_value() || !ParseParameter(number, **bound).ok())) return true;
  }
  return false;
}

// Says what is wrong with `own` for a query that counts on `read`; empty: nothing is.
std::string Difference(const Parameter& own, const Parameter& read) {
  if (own.name != read.name) return StrCat("is written ", read.name);
  if (!(own.type == read.type)) return StrCat("is ", read.type.ToString(), ", not ", own.type.ToString());
  if (!(own.computed == read.computed)) return "is computed in another way";
  const bool always_there = own.required || own.default_text.has_value();
  if (read.required && !always_there) return "is required";
  if (read.default_text && !always_there) return StrCat("has the default ", *read.default_text);
  if (read.is_pattern && !own.is_pattern) return "is a PATTERN";
  if (!read.allowed.empty() && (own.allowed.empty() || !IsSubset(own.allowed, read.allowed))) {
    return StrCat("allows only ", base::Join(read.allowed, ", "));
  }
  if (IsWider(own, read)) return StrCat("takes only numbers ", RangeText(read));
  if (own.max_length > read.max_length) return StrCat("has at most ", base::Counted(read.max_length, "character"));
  return "";
}

}  // namespace

absl::Status TakeParameters(const Endpoint& read, Endpoint& definition) {
  for (const Parameter& parameter : read.parameters) {
    const auto own =
        std::find_if(definition.parameters.begin(), definition.parameters.end(),
                     [&](const Parameter& known) { return base::EqualsIgnoreCase(known.name, parameter.name); });
    if (own == definition.parameters.end()) {
      definition.parameters.push_back(parameter);
      continue;
    }
    const std::string difference = Difference(*own, parameter);
    if (difference.empty()) continue;
    return absl::InvalidArgumentError(StrCat("endpoint ", definition.name, ": parameters: ", own->name,
                                             " is passed on to the endpoint ", read.name, ", in which it ", difference,
                                             "; declare it as there, or leave it out"));
  }
  return absl::OkStatus();
}

}  // namespace logquery::endpoint
