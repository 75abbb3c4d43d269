// Values as the conformance kit's protocol writes them in JSON, both ways.
//
//     absl::StatusOr<Type> type = ParseTypeText("STRUCT<a INT64, b ARRAY<DATE>>");
//     absl::StatusOr<Value> value = ValueFromJson(nlohmann::ordered_json::parse(R"([1, ["2026-01-31"]])"), *type);
//     JsonFromValue(*value).dump();    // [1,["2026-01-31"]]
#ifndef LOGQUERY_TESTS_CONFORMANCE_VALUE_JSON_H_
#define LOGQUERY_TESTS_CONFORMANCE_VALUE_JSON_H_

#include <string>

#include "absl/status/statusor.h"
#include "logquery/type.h"
#include "logquery/value.h"
#include "nlohmann/json_fwd.hpp"

namespace logquery::conformance {

// A type as GoogleSQL writes it. InvalidArgument: it is none.
absl::StatusOr<Type> ParseTypeText(const std::string& text);

// InvalidArgument: the JSON is no value of that type; the message has both.
absl::StatusOr<Value> ValueFromJson(const nlohmann::ordered_json& json, const Type& type);

nlohmann::ordered_json JsonFromValue(const Value& value);

}  // namespace logquery::conformance

#endif  // LOGQUERY_TESTS_CONFORMANCE_VALUE_JSON_H_
