// Builds rows from slices of the received text.
#include "lib/store/ingest/event_shapes.h"

#include <algorithm>
#include <array>
#include <iterator>

#include "lib/store/ingest/json_members.h"
#include "lib/store/ingest/json_text.h"
#include "lib/store/ingest/object_text.h"

namespace logquery::store {
namespace {

bool StaysAtTheTop(std::string_view key) {
  return key == "timestamp" || key == "message" || key == "event_message" || key == "id" || key == "project";
}

// The members in which the datasets of Logpush have their time, in order of preference.
constexpr std::string_view kLogpushTimes[] = {"timestamp",        "EdgeStartTimestamp", "Datetime",
                                              "EventTimestampMs", "Timestamp",          "When",
                                              "CreatedAt",        "SessionStartTime"};

bool IsTime(std::string_view json) { return json != "null" && json != "0" && json != "\"\""; }

}  // namespace

std::string RowOfObject(std::string_view object) {
  ObjectText row;
  row.AddText("event_message", object);
  ForEachMember(object, [&](std::string_view key, std::string_view value) {
    if (key == "project" && IsText(value)) row.Add(key, value);
  });
  row.Add("metadata", object);
  return row.ToString();
}

std::string RowOfVector(std::string_view event) {
  ObjectText row;
  ObjectText metadata;
  std::string_view level;
  bool has_level = false;
  bool has_message = false;
  ForEachMember(event, [&](std::string_view key, std::string_view value) {
    (StaysAtTheTop(key) ? row : metadata).Add(key, value);
    has_message = has_message || (IsMessage(key) && StaysAtTheTop(key) && value != "null");
    has_level = has_level || key == "level";
    if (key != "log") return;
    ForEachMember(value, [&](std::string_view name, std::string_view inner) {
      if (name == "level") level = inner;
    });
  });
  if (!level.empty() && !has_level) metadata.Add("level", level);
  const std::string text = metadata.ToString();
  if (!has_message) row.AddText("event_message", text);
  row.Add("metadata", text);
  return row.ToString();
}

std::string RowOfCloudflare(std::string_view event) {
  bool is_row = false;
  std::array<std::string_view, std::size(kLogpushTimes)> times;
  std::string_view project;
  ForEachMember(event, [&](std::string_view key, std::string_view value) {
    is_row = is_row || IsMessage(key);
    const auto* const time = std::find(std::begin(kLogpushTimes), std::end(kLogpushTimes), key);
    if (time != std::end(kLogpushTimes) && IsTime(value)) times[time - std::begin(kLogpushTimes)] = value;
    if (key == "project" && IsText(value)) project = value;
  });
  if (is_row) return std::string(event);
  ObjectText row;
  const auto* const time =
      std::find_if(times.begin(), times.end(), [](std::string_view json) { return !json.empty(); });
  if (time != times.end()) row.Add("timestamp", *time);
  row.AddText("event_message", event);
  if (!project.empty()) row.Add("project", project);
  row.Add("metadata", event);
  return row.ToString();
}

}  // namespace logquery::store
