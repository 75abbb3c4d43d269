// Log rows that the reference tests share: loaded once, read by every test.
#include "tests/reference/log_data.h"

#include <cstdio>
#include <ctime>
#include <fstream>
#include <memory>
#include <set>
#include <stdexcept>

#include "shim/sample/sample.h"
#include "tests/support/end_of_run.h"
#include "tests/support/folders.h"

namespace logquery::reference {
namespace {

constexpr char kEdge[] = "cloudflare.logs.prod";
constexpr char kRelay[] = "deno-relay-logs";

template <typename T>
T Need(absl::StatusOr<T> value) {
  if (!value.ok()) throw std::runtime_error(value.status().ToString());
  return *std::move(value);
}

std::string TimeText(int64_t time) {
  const std::time_t seconds = time / kSecond;
  char text[80];
  const size_t used = std::strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%S", std::gmtime(&seconds));
  std::snprintf(text + used, sizeof(text) - used, ".%06dZ", static_cast<int>(time % kSecond));
  return text;
}

// Metadata that lacks parts, in every form that a loader takes.
constexpr const char* kOddEdgeMetadata[] = {
    R"(null)",
    R"({})",
    R"([])",
    R"([{}])",
    R"({"request":null})",
    R"({"request":{}})",
    R"({"request":[]})",
    R"({"request":{"url":"https://odd.example.co/rest/v1/x"}})",
    R"({"request":{"path":"/rest/v1/x"}})",
    R"({"request":{"url":null,"path":null,"method":"GET"},"response":null})",
    R"({"request":{"url":"https://odd.example.co/auth/storage","path":"/auth/storage/rest/realtime"},"response":{}})",
    R"([{"request":[{"url":"https://odd.example.co/storage","path":"/storage","headers":[{"host":"h"}]}]}])",
    R"({"response":{"status_code":500,"headers":{}}})",
    R"({"response":{"status_code":"404"}})",
    R"({"request":{"url":"","path":""}})",
    R"({"request":{"url":"line\nbreak \"quoted\" é 😀","path":"/realtime\\\t","cf":{"asn":0,"isEUCountry":""}}})",
    R"({"request":{"cf":{"botManagement":{"score":99,"verifiedBot":true}},"sb":{"jwt":{"apikey":{"payload":{}}}}}})",
};

constexpr const char* kOddRelayMetadata[] = {
    R"(null)",
    R"({"project_ref":null,"function_id":"f1","execution_time_ms":1})",
    R"({"project_ref":"odd"})",
    R"({"project_ref":"odd","function_id":"f1","execution_time_ms":null,"response":{"status_code":200}})",
    R"({"project_ref":"odd","function_id":"f1","execution_time_ms":7})",
    R"({"project_ref":"odd","function_id":"f2","execution_time_ms":0,"response":{}})",
    R"({"project_ref":"odd","function_id":"f2","execution_time_ms":3,"response":{"status_code":null}})",
    R"({"project_ref":"odd","function_id":"f2","execution_time_ms":12,"response":{"status_code":400}})",
    R"({"project_ref":"odd","function_id":"f2","execution_time_ms":12,"response":{"status_code":399}})",
    R"([{"project_ref":"odd","function_id":null,"execution_time_ms":"41","response":[{"status_code":"599"}]}])",
    R"({"project_ref":"odd","function_id":"f1","execution_time_ms":9007199254740993,"response":{"status_code":600}})",
};

// Now and the bounds of every window and some buckets, each with its neighbours, and the future.
std::vector<int64_t> OddTimes() {
  const int64_t now = LogData::kEnd;
  std::vector<int64_t> times;
  for (const int64_t at : {now, now - kDay, now - 7 * kDay, now - 90 * kDay, now - kHour, now - now % kHour,
                           now - now % kDay, now - now % kMinute, now - now % kSecond - 299 * kSecond}) {
    for (const int64_t step : {-1, 0, 1}) times.push_back(at + step);
  }
  for (const int64_t ahead : {kSecond / 4, kMinute, kHour, kDay, 400 * kDay}) times.push_back(now + ahead);
  return times;
}

template <size_t N>
std::string OddRows(const char* const (&forms)[N], const char* columns, char kind) {
  std::string text;
  int number = 0;
  const auto add = [&](int64_t time, const char* metadata) {
    char id[32];
    std::snprintf(id, sizeof(id), "%c-%04d", kind, number++ * 7919 % 10'000);  // not in the order of the file
    text += R"({"id":")" + std::string(id) + R"(","timestamp":")" + TimeText(time) + R"(")" + columns;
    if (number % 5 != 0) text += R"(,"event_message":"message )" + std::to_string(number) + R"(")";
    if (metadata != nullptr) text += R"(,"metadata":)" + std::string(metadata);
    text += "}\n";
  };
  const std::vector<int64_t> times = OddTimes();
  for (size_t i = 0; i < times.size(); ++i) add(times[i], forms[i % N]);
  for (size_t i = 0; i < 3 * N; ++i)
    add(LogData::kEnd - 2 * kHour + static_cast<int64_t>(i % 3) * kMinute, forms[i % N]);
  // More than a page of one instant.
  for (size_t i = 0; i < 130; ++i) add(LogData::kEnd - 3 * kHour, i % 11 == 0 ? nullptr : forms[i % N]);
  return text;
}

}  // namespace

LogData& LogData::Get() {
  static LogData& held = *[] {
    auto* const made = new LogData;
    testing::AtEnd([made] { delete made; });
    return made;
  }();
  return held;
}

LogData::LogData() {
  std::string name = (std::filesystem::temp_directory_path() / "logquery-reference-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary folder");
  folder_ = name;
  backend_ = Need(OpenDuckDb({.folder = folder_ / "data"}));
  logs_.edge_metadata_fields = ReadMetadataFields(testing::SourcePath("lib/model/log_schema.json"), kEdge);
  AddSample("quarter", 3'000, 3, 100, 11);
  AddSample("week", 3'000, 4, 7, 12);
  AddSample("hours", 3'000, 2, 0.1, 13);
  AddOddRows();

  std::set<std::string> projects, functions;
  for (const Row& row : logs_.edge) projects.insert(row.json.at("project").get<std::string>());
  for (const Row& row : logs_.relay) {
    const Json& metadata = row.json.contains("metadata") ? row.json.at("metadata") : Json();
    if (!metadata.is_object() || !metadata.contains("function_id")) continue;
    if (metadata.at("function_id").is_string()) functions.insert(metadata.at("function_id").get<std::string>());
  }
  projects_.assign(projects.begin(), projects.end());
  functions_.assign(functions.begin(), functions.end());
}

LogData::~LogData() {
  backend_.reset();
  std::error_code ignored;
  std::filesystem::remove_all(folder_, ignored);
}

void LogData::Load(const std::string& table, const std::string& file) {
  const LoadReport report = Need(backend_->store().Load({.table = table, .files = {file}}, nullptr));
  if (report.rejected_rows != 0) throw std::runtime_error("rejected: " + report.first_rejected.front().reason);
  ReadRows(file, table == kEdge ? logs_.edge : logs_.relay);
}

void LogData::AddSample(const std::string& name, int rows, int projects, double days, uint64_t seed) {
  const std::string folder = folder_ / name;
  Need(shim::WriteSample({.folder = folder,
                          .rows = rows,
                          .projects = projects,
                          .days = days,
                          .seed = seed,
                          .end = absl::FromUnixMicros(kEnd),
                          .threads = 1}));
  for (const char* table : {kEdge, kRelay}) Load(table, folder + "/" + table + ".ndjson");
}

void LogData::AddOddRows() {
  const std::string edge = folder_ / "odd-edge.ndjson", relay = folder_ / "odd-relay.ndjson";
  std::ofstream(edge) << OddRows(kOddEdgeMetadata, R"(,"project":"odd")", 'e');
  std::ofstream(relay) << OddRows(kOddRelayMetadata, "", 'r');
  Load(kEdge, edge);
  Load(kRelay, relay);
}

Json Rows(const absl::StatusOr<QueryAnswer>& answer) {
  if (!answer.ok()) return answer.status().ToString();
  const Json body = Json::parse(answer->body);
  return body.size() == 1 && body.contains("result") ? body.at("result") : body;
}

}  // namespace logquery::reference
