// Requests of OTLP in protobuf, and the rows that they are split into.
#ifndef LOGQUERY_TESTS_STORE_OTLP_MESSAGES_H_
#define LOGQUERY_TESTS_STORE_OTLP_MESSAGES_H_

#include <catch2/catch_test_macros.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "lib/base/strings.h"
#include "logquery/store/split_events.h"
#include "tests/support/wire_message.h"

namespace logquery::otlp_tests {

using testing::WireMessage;
using Texts = std::vector<std::string>;

inline absl::StatusOr<EventTexts> Split(std::string_view body, EventShape shape = EventShape::kOtlpProtobuf) {
  return SplitEvents(body, {.shape = shape});
}

inline Texts RowsOf(std::string_view body, EventShape shape = EventShape::kOtlpProtobuf) {
  const auto events = Split(body, shape);
  INFO(events.status().ToString());
  REQUIRE(events.ok());
  return {events->rows.begin(), events->rows.end()};
}

// A request with these records, of a resource and a scope.
inline std::string Request(const std::vector<WireMessage>& records, const WireMessage& resource = {},
                           const WireMessage& scope = {}) {
  WireMessage scope_logs, resource_logs, request;
  scope_logs.Message(1, scope);
  for (const WireMessage& record : records) scope_logs.Message(2, record);
  resource_logs.Message(1, resource).Message(2, scope_logs);
  return request.Message(1, resource_logs).bytes();
}

inline WireMessage Attribute(std::string_view key, const WireMessage& value) {
  return WireMessage().Text(1, key).Message(2, value);
}
inline WireMessage TextValue(std::string_view text) { return WireMessage().Text(1, text); }

}  // namespace logquery::otlp_tests

#endif  // LOGQUERY_TESTS_STORE_OTLP_MESSAGES_H_
