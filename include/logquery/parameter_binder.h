// From the strings of a call to the typed values of its query.
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

// Name and text, as a call sends them, in its order.
using ParameterTexts = std::vector<std::pair<std::string, std::string>>;

class BoundParameters {
 public:
  // The value bound to `name`, of its declared type, maybe NULL; nullptr when the endpoint has no such parameter.
  const Value* Find(std::string_view name) const;
  // In the order of the definition, computed ones included.
  const std::vector<std::pair<std::string, Value>>& values() const { return values_; }
  // What the call sent that the endpoint does not know, in the call's order.
  const std::vector<std::string>& ignored() const { return ignored_; }
  // The call's now.
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

  // Binds all parameters of `endpoint`; an empty text is the same as none.
  // InvalidArgument, with ErrorDetails::parameter: a parameter given twice, a required one missing or empty, a text that
  // is not of the type, a pattern that RE2 refuses (with its message), one not among the allowed, one that is computed,
  // one too long.
  absl::StatusOr<BoundParameters> Bind(const Endpoint& endpoint, const ParameterTexts& texts, absl::Time now) const;

 private:
  RetentionPolicy retention_;
  IntervalBucketer bucketer_;
};

// RFC 3339 / ISO 8601: with offset, `Z` or none (UTC), `T` or a space, date only, up to 9 digits of a second (truncated to
// microseconds); a `+` that was decoded to a space is understood. InvalidArgument: anything else.
absl::StatusOr<absl::Time> ParseTimestamp(std::string_view text);

}  // namespace logquery

#endif  // LOGQUERY_PARAMETER_BINDER_H_
