// Answers that are packed, and those that are too long for memory: over sockets, with the real engine.
#include <malloc.h>
#include <signal.h>
#include <sys/resource.h>

#include <atomic>
#include <catch2/catch_test_macros.hpp>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>
#include <vector>

#include "absl/synchronization/notification.h"
#include "lib/base/strings.h"
#include "tests/shim/served_logs.h"
#include "tests/support/arrow_stream.h"
#include "tests/support/child_process.h"
#include "tests/support/unpack.h"

namespace logquery::shim {
namespace {

// 9 MB of rows.
constexpr char kLong[] =
    "/api/endpoints/query/logs.all?project=abc&sql=select+id,event_message+from+edge_logs+order+by+id";
constexpr char kShort[] = "/api/endpoints/query/logs.all?project=abc&sql=select+count(*)+as+n+from+edge_logs";
constexpr char kCounted[] = R"({"result":[{"n":900}]})";

ServedLogsOptions LongRows() {
  ServedLogsOptions options{.rows = 900, .row_bytes = 10'000, .max_body_memory = 64 << 10};
  return options;
}

// Every file in the folder that has a name.
size_t FilesIn(const std::filesystem::path& folder) {
  size_t count = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder))
    count += entry.is_regular_file() ? 1 : 0;
  return count;
}

TEST_CASE("rows compressed as zstd or gzip over a socket are the same rows") {
  ServedLogs logs({.rows = 300});
  constexpr char kRows[] = "/api/endpoints/query/logs.all?project=abc&format=ndjson";
  const std::string plain = Get(logs.port(), kRows);
  REQUIRE(StatusOf(plain) == 200);
  REQUIRE(BodyOf(plain).size() > 1'024);
  CHECK(HeaderOf(plain, "Content-Encoding").empty());
  const std::pair<const char*, ContentCoding> cases[] = {{"zstd", ContentCoding::kZstd},
                                                         {"gzip", ContentCoding::kGzip},
                                                         {"gzip, deflate, br, zstd", ContentCoding::kZstd},
                                                         {"gzip, zstd;q=0.5", ContentCoding::kGzip},
                                                         {"gzip;q=0.5, zstd;q=0", ContentCoding::kGzip}};
  for (const auto& [accepts, coding] : cases) {
    CAPTURE(accepts);
    const std::string header = base::StrCat("Accept-Encoding: ", accepts, "\r\n");
    const std::string packed = Get(logs.port(), kRows, header);
    CHECK(StatusOf(packed) == 200);
    CHECK(HeaderOf(packed, "Content-Encoding") == ContentCodingName(coding));
    CHECK(HeaderOf(packed, "Vary") == "Accept, Accept-Encoding");
    CHECK(BodyOf(packed).size() < BodyOf(plain).size() / 2);
    CHECK(testing::Unpack(BodyOf(packed), coding) == BodyOf(plain));
    CHECK(HeaderOf(packed, "ETag") != HeaderOf(plain, "ETag"));

    const std::string seen = base::StrCat(header, "If-None-Match: ", HeaderOf(packed, "ETag"), "\r\n");
    CHECK(StatusOf(Get(logs.port(), kRows, seen)) == 304);
    RawClient head(logs.port());
    head.Send(base::StrCat("HEAD ", kRows, " HTTP/1.1\r\nHost: t\r\nX-API-KEY: good\r\n", header, "\r\n"));
    const std::string response = head.Receive(/*head_only=*/true);
    CHECK(HeaderOf(response, "Content-Length") == HeaderOf(packed, "Content-Length"));
    CHECK(HeaderOf(response, "Content-Encoding") == ContentCodingName(coding));
  }
}

TEST_CASE("an answer above the memory limit is sent complete from a file, and leaves none behind") {
  ServedLogs logs(LongRows());
  ServedLogsOptions options = LongRows();
  options.max_body_memory = std::nullopt;
  ServedLogs in_memory(options);
  const std::string expected = BodyOf(Get(in_memory.port(), kLong));
  REQUIRE(nlohmann::json::parse(expected)["result"].size() == 900);
  const std::string response = Get(logs.port(), kLong);
  CHECK(StatusOf(response) == 200);
  CHECK(BodyOf(response) == expected);
  CHECK(FilesIn(logs.temporary()) == 0);

  // A connection goes on after it.
  RawClient client(logs.port());
  for (int i = 0; i < 3; ++i) {
    client.Send(base::StrCat("GET ", i == 1 ? kShort : kLong, " HTTP/1.1\r\nHost: t\r\nX-API-KEY: good\r\n\r\n"));
    CHECK(BodyOf(client.Receive()) == (i == 1 ? kCounted : expected));
  }
  client.Send(base::StrCat("HEAD ", kLong, " HTTP/1.1\r\nHost: t\r\nX-API-KEY: good\r\n\r\n"));
  CHECK(HeaderOf(client.Receive(/*head_only=*/true), "Content-Length") == std::to_string(expected.size()));
  CHECK(StatusOf(Get(logs.port(), kLong, base::StrCat("If-None-Match: ", HeaderOf(response, "ETag"), "\r\n"))) == 304);
  const std::string packed = Get(logs.port(), kLong, "Accept-Encoding: gzip\r\n");
  CHECK(testing::Unpack(BodyOf(packed), ContentCoding::kGzip) == expected);
}

TEST_CASE("Arrow and Parquet answers above the memory limit are sent complete from a file, and leave none behind") {
  ServedLogsOptions options = LongRows();
  options.max_body_memory = 1'000;
  ServedLogs logs(options);
  const std::string stream = BodyOf(Get(logs.port(), base::StrCat(kLong, "&format=arrow")));
  int64_t rows = 0;
  for (const testing::ArrowStream::Batch& batch : testing::ReadArrowStream(stream).batches) rows += batch.rows;
  CHECK(rows == 900);
  CHECK(stream.size() > 900 * 10'000);

  const std::string response = Get(logs.port(), base::StrCat(kLong, "&format=parquet"));
  CHECK(HeaderOf(response, "Content-Type") == "application/vnd.apache.parquet");
  const std::string file = BodyOf(response);
  CHECK(file.size() > 1'000);
  CHECK(HeaderOf(response, "Content-Length") == std::to_string(file.size()));
  CHECK(file.starts_with("PAR1"));
  CHECK(file.ends_with("PAR1"));
  CHECK(FilesIn(logs.temporary()) == 0);
}

TEST_CASE("a client that leaves while its Parquet file is written cancels the query, and the next file is whole") {
  ServedLogs logs(LongRows());
  absl::Notification began, ended;
  std::atomic<bool> is_first = true;
  logs.watched().before = [&](const CancellationToken& cancellation) {
    if (!is_first.exchange(false)) return;
    began.Notify();
    while (!cancellation.IsCancelled()) std::this_thread::yield();
  };
  absl::StatusCode outcome = absl::StatusCode::kOk;
  logs.watched().after = [&](const absl::Status& status) {
    if (ended.HasBeenNotified()) return;
    outcome = status.code();
    ended.Notify();
  };
  const std::string path = base::StrCat(kLong, "&format=parquet");
  RawClient client(logs.port());
  client.Send(base::StrCat("GET ", path, " HTTP/1.1\r\nHost: t\r\nX-API-KEY: good\r\n\r\n"));
  began.WaitForNotification();
  client.Close();
  ended.WaitForNotification();
  CHECK(outcome == absl::StatusCode::kCancelled);
  CHECK(BodyOf(Get(logs.port(), path)).ends_with("PAR1"));
  CHECK(FilesIn(logs.temporary()) == 0);
}

// Returns the bytes that malloc has given out. Under a sanitizer it says 0, and the test is about the bytes alone.
size_t MemoryInUse() {
  const struct mallinfo2 info = mallinfo2();
  return info.uordblks + info.hblkhd;
}

TEST_CASE("many slow readers of long answers get them complete and need little memory") {
  constexpr size_t kReaders = 24;
  ServedLogsOptions options = LongRows();
  options.http.limits.send = options.http.limits.send_stall = absl::Hours(1);
  ServedLogs logs(options);
  const size_t length = Get(logs.port(), kLong).size();
  const size_t before = MemoryInUse();
  std::vector<std::unique_ptr<RawClient>> readers;
  for (size_t i = 0; i < kReaders; ++i) {
    readers.push_back(std::make_unique<RawClient>(logs.port(), 4'096));
    readers.back()->Send(base::StrCat("GET ", kLong, " HTTP/1.1\r\nHost: t\r\nX-API-KEY: good\r\n\r\n"));
    REQUIRE(readers.back()->ReceiveByte() == 'H');
  }
  // In memory they would be 24 times 9 MB.
  const size_t after = MemoryInUse();
  CHECK(after < before + kReaders * length / 4);
  CHECK(BodyOf(Get(logs.port(), kShort)) == kCounted);
  for (size_t i = 0; i < kReaders; ++i) {
    if (i % 8 == 0) CHECK(readers[i]->Receive().size() > 900 * 10'000);  // the others leave
    readers[i]->Close();
  }
  CHECK(BodyOf(Get(logs.port(), kShort)) == kCounted);
  CHECK(FilesIn(logs.temporary()) == 0);
}

// A limit of file sizes is what a full disk is.
TEST_CASE("child: long answers on a full disk", "[.child]") {
  ServedLogs logs(LongRows());
  signal(SIGXFSZ, SIG_IGN);
  const rlimit limit = {1 << 20, RLIM_INFINITY};
  REQUIRE(setrlimit(RLIMIT_FSIZE, &limit) == 0);
  for (const char* coding : {"", "Accept-Encoding: gzip\r\n"}) {
    const std::string response = Get(logs.port(), kLong, coding);
    CHECK(StatusOf(response) == 503);
    CHECK_FALSE(HeaderOf(response, "Retry-After").empty());
    const nlohmann::json error = nlohmann::json::parse(BodyOf(response))["error"];
    CHECK(error["status"] == "UNAVAILABLE");
    CHECK(error["message"] ==
          "the answer is longer than what is held in memory, and its file can't be written: File too large");
    CHECK(BodyOf(Get(logs.port(), kShort)) == kCounted);
  }
  const rlimit no_limit = {RLIM_INFINITY, RLIM_INFINITY};
  REQUIRE(setrlimit(RLIMIT_FSIZE, &no_limit) == 0);
  CHECK(Get(logs.port(), kLong).size() > 900 * 10'000);
  CHECK(FilesIn(logs.temporary()) == 0);
}

TEST_CASE("a disk too full for a long answer is an error, never a truncated answer, and short ones continue") {
  CHECK(testing::RunInChild("child: long answers on a full disk", "") == 0);
}

}  // namespace
}  // namespace logquery::shim
