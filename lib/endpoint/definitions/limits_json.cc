// Reads, prints and checks the limits of a token or an endpoint.
#include "lib/endpoint/definitions/limits_json.h"

#include <optional>

#include "lib/base/json/value.h"
#include "lib/base/strings.h"

namespace logquery::endpoint {
namespace {

using base::Json;

constexpr char kResultBytes[] = "max_result_bytes";
constexpr char kTimeLimit[] = "time_limit_ms";
constexpr char kConcurrent[] = "max_concurrent";
constexpr char kRate[] = "calls_per_minute";

std::optional<int64_t> ReadLimit(base::JsonFields& fields, const char* key) {
  if (fields.Find(key) == nullptr) return std::nullopt;
  return fields.Integer(key, kLimitRange);
}

absl::Status CheckLimit(const char* key, std::optional<int64_t> limit) {
  if (!limit.has_value() || *limit >= 1) return absl::OkStatus();
  return absl::InvalidArgumentError(base::StrCat(std::string_view(key), " must be at least 1, is ", *limit));
}

std::optional<int64_t> MillisecondsOf(const CallLimits& limits) {
  if (!limits.time_limit.has_value()) return std::nullopt;
  return absl::ToInt64Milliseconds(*limits.time_limit);
}

}  // namespace

CallLimits ReadLimits(base::JsonFields& fields) {
  CallLimits limits;
  const Json* const json = fields.Find("limits");
  if (json == nullptr) return limits;
  base::JsonFields own = fields.Inner(*json, base::StrCat(fields.Place("limits"), "."));
  limits.max_result_bytes = ReadLimit(own, kResultBytes);
  if (const auto milliseconds = ReadLimit(own, kTimeLimit)) limits.time_limit = absl::Milliseconds(*milliseconds);
  limits.max_concurrent = ReadLimit(own, kConcurrent);
  limits.calls_per_minute = ReadLimit(own, kRate);
  own.RefuseOthers();
  return limits;
}

Json PrintLimits(const CallLimits& limits) {
  Json json;
  const auto print = [&json](const char* key, std::optional<int64_t> limit) {
    if (limit.has_value()) json[key] = *limit;
  };
  print(kResultBytes, limits.max_result_bytes);
  print(kTimeLimit, MillisecondsOf(limits));
  print(kConcurrent, limits.max_concurrent);
  print(kRate, limits.calls_per_minute);
  return json;
}

absl::Status CheckLimits(const CallLimits& limits) {
  absl::Status status = CheckLimit(kResultBytes, limits.max_result_bytes);
  status.Update(CheckLimit(kTimeLimit, MillisecondsOf(limits)));
  status.Update(CheckLimit(kConcurrent, limits.max_concurrent));
  status.Update(CheckLimit(kRate, limits.calls_per_minute));
  return status;
}

}  // namespace logquery::endpoint
