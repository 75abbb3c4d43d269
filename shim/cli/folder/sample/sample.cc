// Makes the rows of a sample: requests, queries and functions of a few projects, with the lines that each leaves in its logs.
#include "shim/cli/folder/sample/sample.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <memory>
#include <numeric>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "lib/base/json/value.h"
#include "lib/base/start_thread.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "shim/cli/folder/sample/file_output.h"
#include "shim/cli/folder/sample/sample_rows.h"

namespace logquery::shim {
namespace {

constexpr uint64_t kChunkRows = 500;
constexpr size_t kSources = kSampleSources.size();

struct Chunk {
  size_t source;
  uint64_t first;
  uint64_t rows;
  uint64_t of;  // rows of the source
};

absl::Status CheckOptions(const SampleOptions& options) {
  const auto wrong = [](std::string_view what) { return absl::InvalidArgumentError(base::ToAbsl(what)); };
  if (options.rows < 1 || options.rows > 1'000'000'000) return wrong("--rows must be 1 to 1,000,000,000");
  if (options.projects < 1 || options.projects > 100'000) return wrong("--projects must be 1 to 100,000");
  if (!(options.days >= 0.001 && options.days <= 3'650)) return wrong("--days must be 0.001 to 3650");
  if (options.end < absl::FromUnixSeconds(946'684'800) || options.end > absl::FromUnixSeconds(4'102'444'800)) {
    return wrong("--end must be in the years 2000 to 2100");
  }
  if (options.parts < 1 || options.parts > 100'000) return wrong("a sample has 1 to 100,000 parts");
  if (options.part < 1 || options.part > options.parts) return wrong("--part must be one of its parts, such as 2/30");
  return absl::OkStatus();
}

std::vector<Chunk> PlanChunks(const SampleOptions& options) {
  std::vector<Chunk> chunks;
  const int64_t rows = options.rows;
  const auto part = static_cast<uint64_t>(options.part);
  const auto parts = static_cast<uint64_t>(options.parts);
  int64_t left = rows;
  for (size_t source = kSources; source-- > 0;) {
    // The first source takes what rounding leaves, so that the sum is what was asked for.
    const int64_t share = source == 0 ? left : rows * kSampleSources[source].per_mille / 1'000;
    left -= share;
    const auto of = static_cast<uint64_t>(share);
    // A part has whole chunks, so that the place of a row does not depend on the parts.
    const uint64_t all = (of + kChunkRows - 1) / kChunkRows;
    for (uint64_t chunk = all * (part - 1) / parts; chunk < all * part / parts; ++chunk) {
      const uint64_t first = chunk * kChunkRows;
      chunks.push_back({source, first, std::min(kChunkRows, of - first), of});
    }
  }
  return chunks;
}

// Most rows are written down within a second of their arrival, a few up to a minute late.
int64_t LagMicros(SampleRandom& random) {
  const uint64_t kind = random.Below(100);
  return static_cast<int64_t>(random.Below(kind < 95 ? 1'000'000 : kind < 99 ? 5'000'000 : 60'000'000));
}

struct ChunkText {
  std::string text;
  std::vector<int64_t> rows_of_project;
};

// `result` is made anew; its memory is used again, as fresh pages cost more than the rows that go into them.
void WriteChunk(const SampleWorld& world, uint64_t seed, const Chunk& chunk, ChunkText& result) {
  const SampleSource& source = kSampleSources[chunk.source];
  SampleRandom random(seed, source.table, chunk.first);
  result.text.clear();
  result.rows_of_project.assign(world.projects().size(), 0);
  for (uint64_t i = chunk.first; i < chunk.first + chunk.rows; ++i) {
    const int64_t arrival = world.ArrivalMicros(i * 1'024 + random.Below(1'024), chunk.of * 1'024);
    const SampleTime time(std::max(arrival - LagMicros(random), world.start_micros()));
    const size_t project = world.PickProject(random);
    source.append({world, random, project, time, result.text});
    ++result.rows_of_project[project];
  }
}

// Threads make chunks in any order; each waits for its turn to write, so that the files come out in one.
class Writing {
 public:
  Writing(const SampleOptions& options, const SampleWorld& world)
      : world_(world), seed_(options.seed), folder_(options.folder), chunks_(PlanChunks(options)) {
    for (auto& counts : rows) counts.resize(world.projects().size());
  }

  absl::Status OpenFiles() {
    for (size_t i = 0; i < kSources; ++i) {
      LOGQUERY_RETURN_IF_ERROR(files_[i].Open(base::StrCat(folder_, "/", kSampleSources[i].table, ".ndjson")));
    }
    return absl::OkStatus();
  }

  void Work() {
    ChunkText text;
    while (true) {
      size_t mine;
      {
        absl::MutexLock lock(&mutex_);
        if (next_ == chunks_.size() || !status_.ok()) return;
        mine = next_++;
      }
      WriteChunk(world_, seed_, chunks_[mine], text);
      absl::MutexLock lock(&mutex_);
      const auto my_turn = [this, mine]() ABSL_SHARED_LOCKS_REQUIRED(mutex_) { return written_ == mine; };
      mutex_.Await(absl::Condition(&my_turn));
      Take(chunks_[mine].source, text);
      ++written_;
    }
  }

  absl::Status Finish() {
    absl::MutexLock lock(&mutex_);
    LOGQUERY_RETURN_IF_ERROR(status_);
    for (FileOutput& file : files_) LOGQUERY_RETURN_IF_ERROR(file.Commit());
    return absl::OkStatus();
  }

  std::array<std::vector<int64_t>, kSources> rows;  // of each project
  std::array<int64_t, kSources> bytes = {};

 private:
  void Take(size_t source, const ChunkText& text) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    if (!status_.ok()) return;
    status_ = files_[source].Write(text.text);
    bytes[source] += static_cast<int64_t>(text.text.size());
    for (size_t i = 0; i < text.rows_of_project.size(); ++i) rows[source][i] += text.rows_of_project[i];
  }

  const SampleWorld& world_;
  const uint64_t seed_;
  const std::string folder_;
  const std::vector<Chunk> chunks_;
  std::array<FileOutput, kSources> files_;
  absl::Mutex mutex_;
  size_t next_ ABSL_GUARDED_BY(mutex_) = 0;
  size_t written_ ABSL_GUARDED_BY(mutex_) = 0;
  absl::Status status_ ABSL_GUARDED_BY(mutex_);
};

absl::Status WriteManifest(const SampleOptions& options, const SampleWorld& world, const Writing& writing) {
  using base::Json;
  Json manifest = {{"rows", Json::object()},
                   {"bytes", Json::object()},
                   {"days", options.days},
                   {"seed", options.seed},
                   {"end", absl::FormatTime("%Y-%m-%dT%H:%M:%E*SZ", options.end, absl::UTCTimeZone())},
                   {"projects", Json::array()}};
  if (options.parts > 1) manifest["part"] = base::StrCat(options.part, "/", options.parts);
  for (size_t source = 0; source < kSources; ++source) {
    int64_t rows = 0;
    for (const int64_t count : writing.rows[source]) rows += count;
    manifest["rows"][std::string(kSampleSources[source].table)] = rows;
    manifest["bytes"][std::string(kSampleSources[source].table)] = writing.bytes[source];
  }
  for (size_t i = 0; i < world.projects().size(); ++i) {
    Json project = {{"ref", world.projects()[i].ref}, {"functions", Json::array()}};
    for (const SampleFunction& function : world.projects()[i].functions) project["functions"].push_back(function.id);
    for (size_t source = 0; source < kSources; ++source) {
      project[std::string(kSampleSources[source].table)] = writing.rows[source][i];
    }
    manifest["projects"].push_back(std::move(project));
  }
  FileOutput file;
  LOGQUERY_RETURN_IF_ERROR(file.Open(options.folder + "/manifest.json"));
  LOGQUERY_RETURN_IF_ERROR(file.Write(manifest.ToString(1) + "\n"));
  return file.Commit();
}

}  // namespace

absl::StatusOr<SampleReport> WriteSample(const SampleOptions& options) {
  LOGQUERY_RETURN_IF_ERROR(CheckOptions(options));
  std::error_code error;
  std::filesystem::create_directories(options.folder, error);
  if (error) return absl::UnavailableError(base::StrCat("can't make ", options.folder, ": ", error.message()));

  const absl::Time start = options.end - absl::Microseconds(std::llround(options.days * 86'400e6));
  const SampleWorld world(options.seed, options.projects, start, options.end);
  Writing writing(options, world);
  LOGQUERY_RETURN_IF_ERROR(writing.OpenFiles());
  const unsigned count = options.threads > 0 ? static_cast<unsigned>(options.threads)
                                             : std::clamp(std::thread::hardware_concurrency(), 1u, 8u);
  std::vector<std::thread> threads;
  for (unsigned i = 1; i < count; ++i) {
    absl::StatusOr<std::thread> thread = base::StartThread([&writing] { writing.Work(); });
    if (!thread.ok()) break;  // fewer take longer
    threads.push_back(*std::move(thread));
  }
  writing.Work();
  for (std::thread& thread : threads) thread.join();
  LOGQUERY_RETURN_IF_ERROR(writing.Finish());
  LOGQUERY_RETURN_IF_ERROR(WriteManifest(options, world, writing));

  SampleReport report{0, 0, static_cast<int>(kSources), world.projects().front().ref};
  for (const int64_t bytes : writing.bytes) report.bytes += bytes;
  for (const std::vector<int64_t>& counts : writing.rows)
    report.rows += std::accumulate(counts.begin(), counts.end(), int64_t{0});
  return report;
}

}  // namespace logquery::shim
