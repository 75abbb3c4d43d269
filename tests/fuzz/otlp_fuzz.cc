// A request in protobuf as anybody may send it: whatever the bytes, each row is JSON, and no row takes more memory than was asked
// for.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "lib/store/rows/json_reader.h"
#include "logquery/store/split_events.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view body(reinterpret_cast<const char*>(data), size);
  size_t granted = 0;
  logquery::SplitOptions options;
  options.shape = logquery::EventShape::kOtlpProtobuf;
  options.max_made_bytes = 8 << 20;
  options.grow = [&granted](size_t bytes) {
    granted += bytes;
    return true;
  };
  const auto events = logquery::SplitEvents(body, options);
  if (!events.ok()) return 0;
  size_t made = 0;
  for (const std::string& row : events->made) {
    made += row.size();
    logquery::store::JsonReader reader(row);
    std::string_view value;
    if (reader.Peek() != '{' || !reader.SkipValue(/*keys_differ=*/false, &value) || !reader.AtEnd()) std::abort();
  }
  if (made > granted) std::abort();
  return 0;
}
