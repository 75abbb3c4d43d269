// Any text as a caller's ClickHouse SQL either becomes a plan that verifies and that the engine's dialect can be written for,
// or is an error of the caller's with a message.
//
//     fuzz_second_language tests/fuzz/corpus/second_language          of the preset fuzz
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "tests/fuzz/caller_sql.h"
#include "tests/fuzz/otel_calls.h"

namespace logquery::fuzz {
namespace {

void CheckQuery(std::string_view sql) {
  static const OtelCalls& calls = *new OtelCalls;
  const absl::Status status = calls.Plan(sql);
  Require(status.ok() || IsOfTheCaller(status), status.ToString());
}

}  // namespace
}  // namespace logquery::fuzz

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  logquery::fuzz::CheckQuery({reinterpret_cast<const char*>(data), size});
  return 0;
}
