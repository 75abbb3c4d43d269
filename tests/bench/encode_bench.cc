// Rows to bytes: how many rows of the edge gateway a thread encodes in a second, from the engine's own STRUCT vectors, in each
// format; beside nlohmann's dump of the same rows, which are documents already, and a copy of the bytes, the floor.
//
//     logquery_bench_encode [--rows N] [--repeat N]
//
// Rows come from a folder that is made of sample rows and left out again. Times are the thread's on a processor, so that other
// work on the machine counts little; a figure is the best of all repeats.
#include <stdlib.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "lib/result/redacting_sink.h"
#include "logquery/query_service.h"
#include "logquery/row_encoder.h"
#include "logquery/store/duckdb_backend.h"
#include "shim/cli/folder/sample/sample.h"
#include "tests/bench/bench_util.h"

namespace logquery {
namespace {

using bench::Fail;
using bench::Need;

constexpr char kTable[] = "cloudflare.logs.prod";

struct Options {
  int64_t rows = 20'000;
  int repeat = 15;
};

double ThreadSeconds() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) / 1e9;
}

double SecondsOf(const std::function<void()>& run) {
  const double begin = ThreadSeconds();
  run();
  return ThreadSeconds() - begin;
}

// Runs every contender in turn on each batch that comes, while the batch lies in the engine's memory.
class Contest : public BatchSink {
 public:
  Contest(const Schema& schema, int repeat) : schema_(schema), repeat_(repeat), copy_(64 << 20, 'x') {}

  absl::Status Append(const Batch& batch) override {
    const std::string lines = Encode(batch, RowFormat::kNdjson, false);
    if (lines.size() > copy_.size()) Fail("a batch is larger than the room for its copy");
    rows_ += batch.rows();
    bytes_ += lines.size();
    std::vector<nlohmann::ordered_json> documents;
    for (size_t begin = 0; begin < lines.size();) {
      const size_t end = lines.find('\n', begin);
      documents.push_back(nlohmann::ordered_json::parse(lines.substr(begin, end - begin)));
      begin = end + 1;
    }
    const std::pair<const char*, std::function<void()>> contenders[] = {
        {"JSON", [&] { Encode(batch, RowFormat::kJson, false); }},
        {"NDJSON", [&] { Encode(batch, RowFormat::kNdjson, false); }},
        {"CSV", [&] { Encode(batch, RowFormat::kCsv, false); }},
        {"NDJSON, addresses redacted", [&] { Encode(batch, RowFormat::kNdjson, true); }},
        {"nlohmann's dump", [&] { Dump(documents); }},
        {"memcpy", [&] { Copy(lines); }},
    };
    std::map<std::string, double> best;
    for (int i = 0; i < repeat_; ++i) {
      for (const auto& [name, run] : contenders) {
        const double seconds = SecondsOf(run);
        const auto place = best.emplace(name, seconds).first;
        place->second = std::min(place->second, seconds);
      }
    }
    for (const auto& [name, run] : contenders) {
      if (seconds_.emplace(name, 0).second) names_.emplace_back(name);
      seconds_[name] += best[name];
    }
    return absl::OkStatus();
  }

  void Print() const {
    const auto rows = static_cast<double>(rows_);
    std::printf("%.0f rows of the edge gateway, %.0f bytes each as NDJSON\n", rows, static_cast<double>(bytes_) / rows);
    for (const std::string& name : names_) {
      const double seconds = seconds_.at(name);
      std::printf("%-28s %10.0f rows/s  %6.0f MB/s of NDJSON  nlohmann/this %6.2f  this/memcpy %6.1f\n", name.c_str(),
                  rows / seconds, static_cast<double>(bytes_) / 1e6 / seconds, seconds_.at("nlohmann's dump") / seconds,
                  seconds / seconds_.at("memcpy"));
    }
  }

 private:
  std::string Encode(const Batch& batch, RowFormat format, bool redacted) {
    EncodeOptions options;
    options.format = format;
    options.max_bytes = 1 << 30;
    RowEncoder encoder(schema_, options);
    const Redactor redactor;
    result::RedactingSink redacting(&redactor, &encoder);
    const absl::Status status = redacted ? redacting.Append(batch) : encoder.Append(batch);
    Need(status);
    return std::move(encoder).Finish();
  }

  static void Dump(const std::vector<nlohmann::ordered_json>& documents) {
    std::string body;
    for (const nlohmann::ordered_json& document : documents) {
      body += document.dump();
      body += '\n';
    }
    if (body.empty()) Fail("nothing was dumped");
  }

  void Copy(const std::string& text) {
    std::memcpy(copy_.data(), text.data(), text.size());
    if (copy_[text.size() / 2] == '\x01') Fail("no row has that");
  }

  const Schema schema_;
  const int repeat_;
  std::string copy_;
  int64_t rows_ = 0;
  size_t bytes_ = 0;
  std::vector<std::string> names_;
  std::map<std::string, double> seconds_;
};

Endpoint AllRows(int64_t rows) {
  Endpoint endpoint;
  endpoint.id = "3d0c2f6e-5b7a-4c1d-9e8f-0a1b2c3d4e5f";
  endpoint.name = "all";
  endpoint.query = "SELECT id, timestamp, event_message, metadata FROM `cloudflare.logs.prod`";
  endpoint.max_rows = rows;
  return endpoint;
}

void Run(const Options& options) {
  const bench::TemporaryFolder folder;
  shim::SampleOptions sample;
  sample.folder = folder / "sample";
  sample.rows = options.rows * 3;  // a third of them are the gateway's
  sample.end = absl::FromUnixSeconds(1'768'478'400);
  Need(shim::WriteSample(sample));
  const auto backend = Need(OpenDuckDb({.folder = folder / "data"}));
  Need(backend->store().Load({.table = kTable, .files = {sample.folder + "/" + kTable + ".ndjson"}}, nullptr));
  QueryServiceOptions service_options;
  service_options.backend = backend.get();
  service_options.endpoints = {AllRows(options.rows)};
  service_options.time_limit = absl::InfiniteDuration();
  const auto service = Need(QueryService::Create(service_options));
  QueryRequest request;
  request.endpoint = "all";
  const Schema schema = Need(service->Prepare(request))->schema();
  Contest contest(schema, options.repeat);
  Need(service->Run(request, contest));
  contest.Print();
}

int Main(int argc, char** argv) {
  Options options;
  for (int i = 1; i < argc; i += 2) {
    const std::string name = argv[i];
    const long value = i + 1 < argc ? std::strtol(argv[i + 1], nullptr, 10) : 0;
    if (value < 1 || (name != "--rows" && name != "--repeat")) {
      std::fprintf(stderr, "logquery_bench_encode [--rows N] [--repeat N]\n");
      return 2;
    }
    if (name == "--rows") options.rows = value;
    if (name == "--repeat") options.repeat = static_cast<int>(value);
  }
  Run(options);
  return 0;
}

}  // namespace
}  // namespace logquery

int main(int argc, char** argv) { return logquery::Main(argc, argv); }
