#include "shim/cli/folder/sample/sample.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "lib/base/strings.h"
#include "logquery/catalog.h"
#include "shim/cli/folder/sample/sample_rows.h"

namespace logquery::shim {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

class Folder {
 public:
  explicit Folder(const std::string& name)
      : path_(fs::temp_directory_path() / base::StrCat("logquery-", name, "-", getpid())) {}
  ~Folder() { fs::remove_all(path_); }
  std::string path() const { return path_.string(); }
  std::map<std::string, std::string> Files() const {
    std::map<std::string, std::string> files;
    for (const auto& entry : fs::directory_iterator(path_)) {
      std::ifstream file(entry.path(), std::ios::binary);
      files[entry.path().filename().string()] = std::string(std::istreambuf_iterator<char>(file), {});
    }
    return files;
  }

 private:
  fs::path path_;
};

SampleOptions Options(const Folder& folder) {
  SampleOptions options;
  options.folder = folder.path();
  options.rows = 20'000;
  options.projects = 5;
  options.days = 2;
  options.end = absl::FromUnixSeconds(1'768'480'496);
  return options;
}

std::vector<Json> RowsOf(const std::string& text) {
  std::vector<Json> rows;
  for (size_t at = 0; at < text.size();) {
    const size_t end = text.find('\n', at);
    rows.push_back(Json::parse(text.substr(at, end - at)));
    at = end + 1;
  }
  return rows;
}

uint64_t Fingerprint(const std::string& text) {
  uint64_t hash = 0xcbf29ce484222325;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return hash;
}

TEST_CASE("a sample is nine logs and a manifest") {
  const Folder folder("sample");
  const auto report = WriteSample(Options(folder));

  REQUIRE(report.ok());
  CHECK(report->rows == 20'000);
  const auto files = folder.Files();
  CHECK(files.size() == 10);
  const Json manifest = Json::parse(files.at("manifest.json"));
  CHECK(manifest["projects"].size() == 5);
  CHECK(manifest["projects"][0]["ref"] == report->busiest_project);
  int64_t rows = 0;
  int64_t of_projects = 0;
  for (const SampleSource& source : kSampleSources) {
    const std::string table(source.table);
    rows += manifest["rows"][table].get<int64_t>();
    CHECK(static_cast<int64_t>(RowsOf(files.at(table + ".ndjson")).size()) == manifest["rows"][table]);
    for (const Json& project : manifest["projects"]) of_projects += project[table].get<int64_t>();
  }
  CHECK(rows == 20'000);
  CHECK(of_projects == 20'000);
}

TEST_CASE("the same options give the same bytes, whatever the number of threads") {
  const Folder one("sample1");
  const Folder two("sample2");
  SampleOptions options = Options(one);
  options.threads = 1;
  REQUIRE(WriteSample(options).ok());
  options.folder = two.path();
  options.threads = 5;
  REQUIRE(WriteSample(options).ok());
  CHECK(one.Files() == two.Files());

  SECTION("and on another machine, too") {
    std::string all;
    for (const auto& [name, text] : one.Files()) all += text;
    CHECK(Fingerprint(all) == 0x4a00ed8e9ff4c256);
  }
  SECTION("another seed gives others") {
    options.seed = 2;
    REQUIRE(WriteSample(options).ok());
    const std::string edge = base::StrCat(kSampleSources[0].table, ".ndjson");
    CHECK(one.Files().at(edge) != two.Files().at(edge));
  }
}

TEST_CASE("the parts of a sample, one after another, are the whole, each log in the order of time") {
  const Folder whole("sample-whole");
  REQUIRE(WriteSample(Options(whole)).ok());
  std::map<std::string, std::string> joined;
  std::vector<std::string> edge_starts;
  int64_t rows = 0;
  for (int part = 1; part <= 4; ++part) {
    const Folder folder(base::StrCat("sample-part", part));
    SampleOptions options = Options(folder);
    options.part = part;
    options.parts = 4;
    const auto report = WriteSample(options);
    REQUIRE(report.ok());
    rows += report->rows;
    auto files = folder.Files();
    CHECK(Json::parse(files.at("manifest.json"))["part"] == base::StrCat(part, "/4"));
    files.erase("manifest.json");
    for (const auto& [name, text] : files) joined[name] += text;
    edge_starts.push_back(RowsOf(files.at(base::StrCat(kSampleSources[0].table, ".ndjson"))).front()["timestamp"]);
  }
  auto all = whole.Files();
  all.erase("manifest.json");
  CHECK(joined == all);
  CHECK(rows == 20'000);
  CHECK(std::is_sorted(edge_starts.begin(), edge_starts.end()));
}

// Every leaf that `value` has must be declared by `type`.
void CheckDeclared(const Json& value, const Type& type, const std::string& path) {
  if (value.is_null()) return;
  if (value.is_object()) {
    for (const auto& [key, member] : value.items()) {
      const int field = type.is_array() || type.is_struct() ? type.FindField(key) : -1;
      INFO(path << "." << key);
      REQUIRE(field >= 0);
      CheckDeclared(member, type.fields()[static_cast<size_t>(field)].type, path + "." + key);
    }
  } else if (type.is(TypeKind::kInt64)) {
    INFO(path);
    CHECK(value.is_number_integer());
  }
}

TEST_CASE("rows have the declared fields alone, and every odd shape that logs have") {
  const Folder folder("shapes");
  SampleOptions options = Options(folder);
  options.rows = 20'000;
  REQUIRE(WriteSample(options).ok());
  const auto files = folder.Files();
  const Catalog catalog = Catalog::DeclaredLogs();
  for (const SampleSource& source : kSampleSources) {
    const Table* table = catalog.Find(source.table);
    REQUIRE(table != nullptr);
    for (const Json& row : RowsOf(files.at(std::string(source.table) + ".ndjson"))) {
      CheckDeclared(row, Type::Struct(table->columns), std::string(source.table));
    }
  }

  std::map<std::string, int> seen;
  std::string last;
  for (const Json& row : RowsOf(files.at("cloudflare.logs.prod.ndjson"))) {
    const Json& metadata = row["metadata"];
    seen["disorder"] += row["timestamp"].get<std::string>() < last;
    last = row["timestamp"].get<std::string>();
    seen["null metadata"] += metadata.is_null();
    seen["empty metadata"] += metadata.is_object() && metadata.empty();
    seen["no response"] += metadata.contains("request") && !metadata.contains("response");
    const std::string message = row["event_message"];
    seen["IPv6"] += message.find("2001:") != std::string::npos;
    seen["not ASCII"] += row.dump(-1, ' ', true).find("\\u") != std::string::npos;
  }
  for (const Json& row : RowsOf(files.at("deno-relay-logs.ndjson"))) {
    seen["no execution time"] +=
        row["metadata"].contains("function_id") && !row["metadata"].contains("execution_time_ms");
  }
  for (const char* shape :
       {"disorder", "null metadata", "empty metadata", "no response", "IPv6", "not ASCII", "no execution time"}) {
    CAPTURE(shape);
    CHECK(seen[shape] > 0);
  }
}

TEST_CASE("timestamps stay within the days that were asked for, and more come by day than by night") {
  const Folder folder("curve");
  REQUIRE(WriteSample(Options(folder)).ok());
  std::map<std::string, int> by_hour;
  for (const Json& row : RowsOf(folder.Files().at("cloudflare.logs.prod.ndjson"))) {
    const std::string timestamp = row["timestamp"];
    CHECK(timestamp >= "2026-01-13T12:34:56");
    CHECK(timestamp <= "2026-01-15T12:34:56");
    ++by_hour[timestamp.substr(0, 13)];
  }
  CHECK(by_hour["2026-01-14T15"] > 2 * by_hour["2026-01-14T03"]);
}

TEST_CASE("a project's rank is how busy it is") {
  const Folder folder("zipf");
  REQUIRE(WriteSample(Options(folder)).ok());
  const Json projects = Json::parse(folder.Files().at("manifest.json"))["projects"];
  const double first = projects[0]["cloudflare.logs.prod"];
  CHECK(first / projects[1]["cloudflare.logs.prod"].get<double>() > 1.7);
  CHECK(first / projects[1]["cloudflare.logs.prod"].get<double>() < 2.3);
}

TEST_CASE("options out of range, and folders that can't be written") {
  const Folder folder("refused");
  SampleOptions options = Options(folder);
  options.rows = 0;
  CHECK(WriteSample(options).status().code() == absl::StatusCode::kInvalidArgument);
  options = Options(folder);
  options.days = -1;
  CHECK(WriteSample(options).status().code() == absl::StatusCode::kInvalidArgument);
  options = Options(folder);
  options.end = absl::InfiniteFuture();
  CHECK(WriteSample(options).status().code() == absl::StatusCode::kInvalidArgument);
  for (const auto& [part, parts] : {std::pair(0, 4), std::pair(5, 4), std::pair(1, 0)}) {
    options = Options(folder);
    options.part = part;
    options.parts = parts;
    CHECK(WriteSample(options).status().code() == absl::StatusCode::kInvalidArgument);
  }
  options = Options(folder);
  options.folder = "/dev/null/x";
  CHECK(WriteSample(options).status().code() == absl::StatusCode::kUnavailable);
}

}  // namespace
}  // namespace logquery::shim
