// Binds the texts that a caller sent, and the values computed from them, to a definition's parameters in order.
#include "logquery/parameter_binder.h"

#include <algorithm>
#include <optional>

#include "lib/base/nearest_names.h"
#include "lib/base/quoted_text.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/endpoint/definitions/parameter_text.h"
#include "logquery/error.h"
#include "logquery/parameter_text.h"

namespace logquery {
namespace {

using endpoint::ParameterError;

// The texts that a call sent, by name. What the call left empty is not in it.
using SentTexts = base::StringMap<std::string_view>;

// A caller's own query over the endpoint's CTEs: the service takes it before the parameters are bound.
constexpr std::string_view kSqlParameter = "sql";

absl::StatusOr<SentTexts> Sort(const Endpoint& definition, const ParameterTexts& texts,
                               std::vector<std::string>& ignored) {
  SentTexts sent;
  base::StringSet seen;
  for (const auto& [name, text] : texts) {
    const Parameter* parameter = definition.FindParameter(name);
    const bool first = seen.insert(name).second;
    if (parameter == nullptr && name != kSqlParameter) {
      if (first) ignored.push_back(name);
      continue;
    }
    if (!first) return ParameterError(name, "is given more than once; send it once");
    if (parameter == nullptr || text.empty()) continue;
    if (parameter->computed.has_value()) return ParameterError(name, "is set by the service; leave it out");
    sent.emplace(name, text);
  }
  return sent;
}

// The text that counts for `parameter`; empty when there is none.
std::string_view EffectiveText(const Parameter& parameter, const SentTexts& sent) {
  const auto found = sent.find(parameter.name);
  if (found != sent.end()) return found->second;
  return parameter.default_text.has_value() ? std::string_view(*parameter.default_text) : std::string_view();
}

// `ignored`: what the call sent that the endpoint does not know, where the missing parameter's name may be misspelt.
absl::StatusOr<Value> BindSent(const Parameter& parameter, std::string_view text,
                               const std::vector<std::string>& ignored) {
  if (!text.empty()) return ParseParameter(parameter, text);
  if (!parameter.required) return Value::Null(parameter.type);
  std::string problem = "is missing or empty; it ";
  problem += parameter.allowed.empty() ? "needs a value" : base::StrCat("must be ", endpoint::OneOf(parameter.allowed));
  for (const std::string& name : ignored) {
    if (base::NearestNames(name, {parameter.name}).empty()) continue;
    base::StrAppend(&problem, "; the call has ", base::QuotedText(name), ", which is no parameter: did you mean ",
                    parameter.name, "?");
    const absl::Status error = ParameterError(parameter.name, problem);
    ErrorDetails details = GetErrorDetails(error);
    details.nearest = {parameter.name};
    return WithErrorDetails(error, details);
  }
  return ParameterError(parameter.name, problem);
}

// The entry of `choices` for `text`, or else the one that stands for any other text.
template <typename T>
absl::StatusOr<const T*> Choose(const ComputedParameter& computed, const std::map<std::string, T>& choices,
                                std::string_view text) {
  auto found = choices.find(std::string(text));
  if (found == choices.end() && !computed.otherwise.empty()) found = choices.find(computed.otherwise);
  if (found != choices.end()) return &found->second;
  std::vector<std::string> known;
  for (const auto& [key, unused] : choices) known.push_back(key);
  return ParameterError(computed.from,
                        base::StrCat("must be ", endpoint::OneOf(known), "; is ", base::QuotedText(text)));
}

Value TimestampArray(const std::vector<absl::Time>& times) {
  std::vector<Value> elements;
  elements.reserve(times.size());
  for (const absl::Time time : times) elements.push_back(Value::Timestamp(time));
  return Value::Array(Type::Timestamp(), std::move(elements));
}

absl::StatusOr<Value> Compute(const ComputedParameter& computed, std::string_view text,
                              const RetentionPolicy& retention, absl::Time now) {
  switch (computed.by) {
    case ComputedParameter::By::kRetention: {
      if (computed.windows.empty()) return Value::Timestamp(retention.Start(text, now));
      LOGQUERY_ASSIGN_OR_RETURN(const absl::Duration* window, Choose(computed, computed.windows, text));
      return Value::Timestamp(now - *window);
    }
    case ComputedParameter::By::kBuckets: {
      LOGQUERY_ASSIGN_OR_RETURN(const auto* buckets, Choose(computed, computed.buckets, text));
      LOGQUERY_ASSIGN_OR_RETURN(const auto starts, IntervalBucketer::Generate(buckets->count, buckets->label, now));
      return TimestampArray(starts);
    }
    case ComputedParameter::By::kWindowStart: {
      LOGQUERY_ASSIGN_OR_RETURN(const absl::Duration* window, Choose(computed, computed.windows, text));
      return Value::Timestamp(now - *window);
    }
  }
  return absl::InternalError("a computed parameter of an unknown kind");
}

}  // namespace

const Value* BoundParameters::Find(std::string_view name) const {
  for (const auto& [known, value] : values_) {
    if (known == name) return &value;
  }
  return nullptr;
}

void BoundParameters::Set(std::string name, Value value) {
  for (auto& [known, old] : values_) {
    if (known != name) continue;
    old = std::move(value);
    return;
  }
  values_.emplace_back(std::move(name), std::move(value));
}

absl::StatusOr<BoundParameters> ParameterBinder::Bind(const Endpoint& endpoint, const ParameterTexts& texts,
                                                      absl::Time now) const {
  BoundParameters bound;
  bound.now_ = now;
  LOGQUERY_ASSIGN_OR_RETURN(const SentTexts sent, Sort(endpoint, texts, bound.ignored_));
  for (const Parameter& parameter : endpoint.parameters) {
    if (!parameter.computed.has_value()) {
      LOGQUERY_ASSIGN_OR_RETURN(Value value, BindSent(parameter, EffectiveText(parameter, sent), bound.ignored_));
      bound.values_.emplace_back(parameter.name, std::move(value));
      continue;
    }
    const Parameter* from = endpoint.FindParameter(parameter.computed->from);
    const std::string_view text = from == nullptr ? std::string_view() : EffectiveText(*from, sent);
    LOGQUERY_ASSIGN_OR_RETURN(Value value, Compute(*parameter.computed, text, retention_, now));
    bound.values_.emplace_back(parameter.name, std::move(value));
  }
  return bound;
}

}  // namespace logquery
