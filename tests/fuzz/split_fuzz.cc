// Bodies of any bytes: each row is a part of the body or was made within the memory that was asked for, each refused row has a
// reason, and what is made and not refused is one JSON object. The first byte chooses the form.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <iterator>
#include <string>
#include <string_view>

#include "lib/store/rows/json_reader.h"
#include "logquery/store/split_events.h"

namespace {

bool IsObject(std::string_view row) {
  logquery::store::JsonReader reader(row);
  std::string_view value;
  return reader.Peek() == '{' && reader.SkipValue(/*keys_differ=*/false, &value) && reader.AtEnd();
}

bool IsPartOf(std::string_view row, std::string_view text) {
  return row.data() >= text.data() && row.data() + row.size() <= text.data() + text.size();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using logquery::EventShape;
  constexpr EventShape kShapes[] = {EventShape::kRow,        EventShape::kObject,        EventShape::kVector,
                                    EventShape::kCloudflare, EventShape::kOtlp,          EventShape::kOtlpProtobuf,
                                    EventShape::kCloudEvent, EventShape::kCloudEventData};
  if (size == 0) return 0;
  const std::string_view body(reinterpret_cast<const char*>(data + 1), size - 1);
  size_t granted = 0;
  logquery::SplitOptions options;
  options.shape = kShapes[data[0] % std::size(kShapes)];
  options.by_lines = data[0] >= 128;
  options.attributes = R"({"specversion":"1.0","id":"1","source":"s","type":"t","datacontenttype":"application/json"})";
  options.max_made_bytes = 8 << 20;
  options.grow = [&granted](size_t bytes) {
    granted += bytes;
    return true;
  };
  const auto events = logquery::SplitEvents(body, options);
  if (!events.ok()) return 0;
  size_t made = 0;
  for (const std::string& row : events->made) made += row.size();
  if (made > granted) std::abort();
  size_t refused = 0;
  for (size_t i = 0; i < events->rows.size(); ++i) {
    const std::string_view row = events->rows[i];
    if (refused < events->refused.size() && events->refused[refused].index == static_cast<int64_t>(i)) {
      if (events->refused[refused++].reason.empty()) std::abort();
    } else if (!IsPartOf(row, body) && !IsObject(row)) {
      std::abort();
    }
  }
  if (refused != events->refused.size()) std::abort();
  return 0;
}
