// Parts of requests with events, and what becomes of them.
#ifndef LOGQUERY_TESTS_STORE_EVENT_PARTS_H_
#define LOGQUERY_TESTS_STORE_EVENT_PARTS_H_

#include <catch2/catch_test_macros.hpp>
#include <string>
#include <vector>

#include "logquery/store/events.h"
#include "tests/store/folder_test_util.h"

namespace logquery::store::event_tests {

using Texts = std::vector<std::string_view>;

inline const absl::Time kArrived = absl::FromUnixSeconds(1'772'600'700);

inline EventPart Part(const Texts& rows) {
  EventPart part;
  part.rows = rows;
  part.arrived = kArrived;
  return part;
}

inline std::vector<EventOutcome> AppendParts(DuckDbBackend& backend, std::vector<EventPart> parts,
                                             const std::string& table = "test_logs") {
  EventBatch batch;
  batch.table = table;
  batch.parts = std::move(parts);
  const auto outcomes = backend.store().AppendEvents(batch);
  INFO(outcomes.status().ToString());
  REQUIRE(outcomes.ok());
  return *outcomes;
}

inline EventOutcome AppendPart(DuckDbBackend& backend, const EventPart& part) {
  return AppendParts(backend, {part}).at(0);
}

inline std::string TextOf(DuckDbBackend& backend, const std::string& expression, const std::string& where = "true") {
  const Value value = SelectValue(backend,
                                  "SELECT string_agg(COALESCE((" + expression +
                                      ")::VARCHAR, 'NULL'), '|' ORDER BY rowid) FROM \"test.logs\" WHERE " + where,
                                  Type::String());
  return value.is_null() ? std::string() : std::string(value.string_value());
}

}  // namespace logquery::store::event_tests

#endif  // LOGQUERY_TESTS_STORE_EVENT_PARTS_H_
