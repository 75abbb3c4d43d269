// Converts the parameter texts of a call to typed values.
//
//     ParameterBinder binder(RetentionPolicy::Default(&clock), IntervalBucketer(&clock));
//     auto bound = binder.Bind(endpoint, {{"project", "abc"}, {"interval", "1day"}}, now);
//     bound->Find("project");    // STRING "abc"
//
// Thread-safe: const after construction.
#ifndef LOGQUERY_PARAMETER_BINDER_H_
#define LOGQUERY_PARAMETER_BINDER_H_

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "logquery/endpoint.h"
#include "logquery/interval_bucketer.h"
#include "logquery/retention_policy.h"
#include "logquery/value.h"

namespace logquery {

// Names and texts as the call sends them, in the call's order.
using ParameterTexts = std::vector<std::pair<std::string, std::string>>;

class BoundParameters {
 public:
  // Returns the value bound to `name`, of its declared type and possibly NULL; nullptr if the endpoint has no such
  // parameter.
  const Value* Find(std::string_view name) const;
  // In the order of the definition, including computed parameters.
  const std::vector<std::pair<std::string, Value>>& values() const { return values_; }
  // Names that the call sent and the endpoint does not declare, in the call's order.
  const std::vector<std::string>& ignored() const { return ignored_; }
  // The time that the call uses as now.
  absl::Time now() const { return now_; }

  void Set(std::string name, Value value);

 private:
  friend class ParameterBinder;
  std::vector<std::pair<std::string, Value>> values_;
  std::vector<std::string> ignored_;
  absl::Time now_;
};

class ParameterBinder {
 public:
  ParameterBinder(RetentionPolicy retention, IntervalBucketer bucketer)
      : retention_(std::move(retention)), bucketer_(bucketer) {}

  // Binds all parameters of `endpoint`; an empty text counts as absent. InvalidArgument, with ErrorDetails::parameter:
  // a parameter is sent twice; a required one is missing; a text does not parse as the type; a pattern is rejected by
  // RE2 (the message quotes it); a text is not one of the allowed ones, or too long; a number is below the minimum or
  // above the maximum; the caller sends a computed parameter.
  absl::StatusOr<BoundParameters> Bind(const Endpoint& endpoint, const ParameterTexts& texts, absl::Time now) const;

 private:
  RetentionPolicy retention_;
  IntervalBucketer bucketer_;
};

// Parses RFC 3339 / ISO 8601 text: with an offset, `Z` or neither (UTC); with `T` or a space; a date alone; up to 9
// fractional digits (truncated to microseconds). Accepts a `+` that was decoded to a space. InvalidArgument: anything
// else.
absl::StatusOr<absl::Time> ParseTimestamp(std::string_view text);

}  // namespace logquery

#endif  // LOGQUERY_PARAMETER_BINDER_H_
