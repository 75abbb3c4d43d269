#include "tests/reference/reference.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <stdexcept>

#include "re2/re2.h"

namespace logquery::reference {
namespace {

const Json kNull = nullptr;

// The record at `key`: an object, an array of one object; null where there is none.
const Json& Record(const Json& parent, const char* key) {
  if (!parent.is_object() || !parent.contains(key)) return kNull;
  const Json& value = parent.at(key);
  if (value.is_object()) return value;
  if (value.is_array() && value.size() == 1) return value.at(0);
  return kNull;
}

const Json& Field(const Json& record, const char* key) {
  if (!record.is_object() || !record.contains(key)) return kNull;
  return record.at(key);
}

std::optional<int64_t> Integer(const Json& value) {
  if (value.is_null()) return std::nullopt;
  if (value.is_string()) return std::stoll(value.get<std::string>());
  return value.get<int64_t>();
}

Json Cast(const Json& value, const std::string& type) {
  if (value.is_null()) return nullptr;
  if (type == "STRING") return value.is_string() ? value : Json(value.dump());
  if (type == "INT64") return *Integer(value);
  if (type == "BOOL") return value.is_string() ? Json(value.get<std::string>() == "true") : value;
  throw std::logic_error("the reference knows no " + type);
}

// A record as a row shows it: an array of one with every declared field, or an empty one.
Json ShownRecord(const Json& record, const Json& fields) {
  if (!record.is_object()) return Json::array();
  Json shown = Json::object();
  for (const auto& [name, type] : fields.items()) {
    shown[name] = type.is_object() ? ShownRecord(Record(record, name.c_str()), type)
                                   : Cast(Field(record, name.c_str()), type.get<std::string>());
  }
  return Json::array({shown});
}

std::string Id(const Row& row) { return row.json.at("id").get<std::string>(); }

int64_t FloorTo(int64_t time, int64_t step) { return time - (time % step + step) % step; }

std::string DateTimeText(int64_t time) {
  const std::chrono::sys_time<std::chrono::microseconds> point{std::chrono::microseconds(time)};
  const auto day = std::chrono::floor<std::chrono::days>(point);
  const std::chrono::year_month_day date(day);
  const std::chrono::hh_mm_ss clock(point - day);
  char text[64];
  std::snprintf(text, sizeof(text), "%04d-%02u-%02uT%02d:%02d:%02d", static_cast<int>(date.year()),
                static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                static_cast<int>(clock.hours().count()), static_cast<int>(clock.minutes().count()),
                static_cast<int>(clock.seconds().count()));
  return text;
}

struct Invocations {
  std::vector<int64_t> times;
  int64_t count = 0;
  int64_t errors = 0;
};

Json StatsRow(int64_t bucket, Invocations& calls) {
  std::sort(calls.times.begin(), calls.times.end());
  const auto n = static_cast<int64_t>(calls.times.size());
  const auto quantile = [&](int64_t i) -> Json {
    if (n == 0) return nullptr;
    return calls.times[std::max<int64_t>(1, (i * n + 99) / 100) - 1];
  };
  long double sum = 0;
  for (const int64_t time : calls.times) sum += time;
  Json row;
  row["timestamp"] = bucket;
  row["min_execution_time"] = quantile(0);
  row["max_execution_time"] = quantile(100);
  row["avg_execution_time"] = n == 0 ? Json(nullptr) : Json(static_cast<double>(sum / n));
  row["p95_execution_time"] = quantile(95);
  row["p99_execution_time"] = quantile(99);
  row["count"] = calls.count;
  row["error_count"] = calls.errors;
  return row;
}

}  // namespace

int64_t ParseTime(const std::string& text) {
  int year, month, day, hour, minute, second, used = 0;
  if (std::sscanf(text.c_str(), "%4d-%2d-%2dT%2d:%2d:%2d%n", &year, &month, &day, &hour, &minute, &second, &used) !=
          6 ||
      text.back() != 'Z') {
    throw std::invalid_argument("not a time of the test data: " + text);
  }
  const std::string digits = text[used] == '.' ? text.substr(used + 1, text.size() - used - 2) : "";
  const int64_t micros = std::stoll((digits + "000000").substr(0, 6));
  const auto days = std::chrono::sys_days(std::chrono::year(year) / month / day).time_since_epoch().count();
  return days * kDay + hour * kHour + minute * kMinute + second * kSecond + micros;
}

void ReadRows(const std::string& path, std::vector<Row>& rows) {
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    Json json = Json::parse(line);
    rows.push_back({ParseTime(json.at("timestamp").get<std::string>()), std::move(json)});
  }
}

Json ReadMetadataFields(const std::string& schema_path, const std::string& table) {
  std::ifstream file(schema_path);
  return Json::parse(file).at(table).at("columns").at("metadata");
}

Json LogsAll(const Logs& logs, const LogsAllCall& call, int64_t now) {
  int64_t days = 1;
  if (call.tier == "PRO") days = 7;
  if (call.tier == "PAYG" || call.tier == "ENTERPRISE") days = 90;
  std::vector<const Row*> found;
  for (const Row& row : logs.edge) {
    if (Field(row.json, "project") != call.project || row.timestamp <= now - days * kDay) continue;
    if (call.start && row.timestamp <= *call.start) continue;
    if (call.end && row.timestamp > *call.end) continue;
    found.push_back(&row);
  }
  std::sort(found.begin(), found.end(), [](const Row* a, const Row* b) {
    return a->timestamp != b->timestamp ? a->timestamp > b->timestamp : Id(*a) < Id(*b);
  });
  if (found.size() > 100) found.resize(100);
  Json result = Json::array();
  for (const Row* row : found) {
    Json shown;
    shown["id"] = Id(*row);
    shown["timestamp"] = row->timestamp;
    shown["event_message"] = row->json.contains("event_message") ? row->json.at("event_message") : Json("");
    shown["metadata"] = ShownRecord(Record(row->json, "metadata"), logs.edge_metadata_fields);
    result.push_back(std::move(shown));
  }
  return result;
}

Json InvocationStats(const Logs& logs, const InvocationStatsCall& call, int64_t now) {
  struct Interval {
    int64_t step;
    int buckets;
  };
  static const std::map<std::string, Interval> intervals = {
      {"5min", {kSecond, 300}}, {"15min", {kMinute, 15}}, {"1hr", {kMinute, 60}}, {"7day", {kDay, 7}}};
  const auto known = intervals.find(call.interval);
  const Interval interval = known == intervals.end() ? Interval{kHour, 24} : known->second;

  std::map<int64_t, Invocations> buckets;
  for (int i = 0; i < interval.buckets; ++i) buckets[FloorTo(now, interval.step) - i * interval.step];
  for (const Row& row : logs.relay) {
    const Json& metadata = Record(row.json, "metadata");
    if (Field(metadata, "project_ref") != call.project) continue;
    if (!call.function_id.empty() && Field(metadata, "function_id") != call.function_id) continue;
    const auto bucket = buckets.find(FloorTo(row.timestamp, interval.step));
    if (bucket == buckets.end()) continue;
    ++bucket->second.count;
    if (const auto time = Integer(Field(metadata, "execution_time_ms"))) bucket->second.times.push_back(*time);
    const auto status = Integer(Field(Record(metadata, "response"), "status_code"));
    if (status && *status >= 400) ++bucket->second.errors;
  }
  Json result = Json::array();
  for (auto& [bucket, calls] : buckets) result.push_back(StatsRow(bucket, calls));
  return result;
}

Json ApiCounts(const Logs& logs, const ApiCountsCall& call, int64_t now) {
  const int64_t window = call.interval == "daily" ? 7 * kDay : kHour;
  const int64_t step = call.interval == "daily" ? kDay : call.interval == "hourly" ? kHour : kMinute;
  static constexpr const char* kKinds[] = {"rest", "storage", "auth", "realtime"};
  const RE2 pattern(call.pattern, RE2::Quiet);
  std::map<int64_t, Json> buckets;
  for (const Row& row : logs.edge) {
    const Json& request = Record(Record(row.json, "metadata"), "request");
    const Json& url = Field(request, "url");
    if (row.timestamp < now - window || !url.is_string()) continue;
    if (!RE2::PartialMatch(url.get_ref<const std::string&>(), pattern)) continue;
    if (!call.only_project.empty() && Field(row.json, "project") != call.only_project) continue;
    Json& counts = buckets[FloorTo(row.timestamp, step)];
    if (counts.is_null()) {
      counts["timestamp"] = DateTimeText(FloorTo(row.timestamp, step));
      for (const char* kind : kKinds) counts["total_" + std::string(kind) + "_requests"] = int64_t{0};
    }
    const Json& path = Field(request, "path");
    if (!path.is_string()) continue;
    for (const char* kind : kKinds) {
      Json& count = counts["total_" + std::string(kind) + "_requests"];
      if (path.get<std::string>().find("/" + std::string(kind)) != std::string::npos) count = count.get<int64_t>() + 1;
    }
  }
  Json result = Json::array();
  for (auto& [bucket, counts] : buckets) result.push_back(std::move(counts));
  return result;
}

std::string Difference(const Json& wanted, const Json& is, const std::string& where) {
  if (wanted.is_object() && is.is_object()) {
    auto a = wanted.items().begin(), b = is.items().begin();
    for (; a != wanted.items().end() && b != is.items().end(); ++a, ++b) {
      if (a.key() != b.key()) return where + ": key " + a.key() + " wanted, is " + b.key();
      const std::string found = Difference(a.value(), b.value(), where + "." + a.key());
      if (!found.empty()) return found;
    }
    if (wanted.size() == is.size()) return "";
  } else if (wanted.is_array() && is.is_array()) {
    for (size_t i = 0; i < std::min(wanted.size(), is.size()); ++i) {
      const std::string found = Difference(wanted[i], is[i], where + "[" + std::to_string(i) + "]");
      if (!found.empty()) return found;
    }
    if (wanted.size() == is.size()) return "";
    return where + ": " + std::to_string(wanted.size()) + " rows wanted, are " + std::to_string(is.size());
  } else if (wanted.is_number_float() && is.is_number()) {
    const double a = wanted.get<double>(), b = is.get<double>();
    if (std::abs(a - b) <= 1e-9 * std::max(std::abs(a), std::abs(b))) return "";
  } else if (wanted.type() == is.type() || (wanted.is_number_integer() && is.is_number_integer())) {
    if (wanted == is) return "";
  }
  return where + ": " + wanted.dump() + " wanted, is " + is.dump();
}

}  // namespace logquery::reference
