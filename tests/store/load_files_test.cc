// Files as a whole: loaded once, compressed, damaged, missing, or interrupted.
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include "tests/store/folder_test_util.h"
#include "tests/store/stored_files.h"

namespace logquery::store::store_tests {
namespace {

std::string Gzip(const std::string& text) {
  std::string out(text.size() + 1000, '\0');
  z_stream stream{};
  REQUIRE(deflateInit2(&stream, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) == Z_OK);
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  REQUIRE(deflate(&stream, Z_FINISH) == Z_STREAM_END);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

TEST_CASE("a file is loaded once, whatever its name; each table has its own") {
  TemporaryFolder folder;
  const auto backend = OpenFolder(folder / "data");
  const std::string file = WriteFile(folder / "a", Rows(3));
  const std::string same = WriteFile(folder / "b", Rows(3));
  const std::string other = WriteFile(folder / "c", Rows(4));
  const LoadReport report = Load(*backend, {.table = "test.logs", .files = {file, same, other}});
  CHECK(report.rows == 7);
  CHECK(report.files_loaded == 2);
  CHECK(report.files_skipped == std::vector<std::string>{same});
  CHECK(Load(*backend, {.table = "test.logs", .files = {other, file}}).files_skipped.size() == 2);
  CHECK(CountRows(*backend) == 7);
}

std::vector<std::string> RejectedFiles(const std::string& data) {
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(data + "/rejected")) {
    files.push_back(entry.path().string());
  }
  std::sort(files.begin(), files.end());
  return files;
}

TEST_CASE("a file of which no row was accepted can be loaded, as can its rejected rows") {
  TemporaryFolder folder;
  const auto backend = OpenFolder(folder / "data");
  const std::string file = WriteFile(folder / "a", "{\"timestamp\":1772600767}\n{\"timestamp\":1772600768}\n");
  const LoadReport wrong = Load(*backend, {.table = "test.logs", .files = {file}});
  CHECK(wrong.rejected_rows == 2);
  CHECK(wrong.files_loaded == 0);
  REQUIRE(wrong.files.size() == 1);
  CHECK(wrong.files[0].gave_nothing());
  const std::vector<std::string> kept = RejectedFiles(folder / "data");
  REQUIRE(kept.size() == 2);
  // A second load with the same mistake keeps the rejected rows once.
  CHECK(Load(*backend, {.table = "test.logs", .files = {file}}).rejected_rows == 2);
  CHECK(RejectedFiles(folder / "data") == kept);

  const std::string rejected = *std::find_if(
      kept.begin(), kept.end(), [](const std::string& name) { return name.find(".reasons.") == std::string::npos; });
  const LoadReport right =
      Load(*backend, {.table = "test.logs", .files = {rejected}, .timestamp_unit = TimestampUnit::kSeconds});
  CHECK(right.rows == 2);
  CHECK(right.files_loaded == 1);
  CHECK_FALSE(right.files[0].gave_nothing());
  CHECK(right.files_skipped.empty());
  CHECK(RejectedFiles(folder / "data").empty());
  CHECK(Load(*backend, {.table = "test.logs", .files = {file}}).files_skipped.size() == 1);
  CHECK(CountRows(*backend) == 2);
}

TEST_CASE("a file is loaded once more if the request says so, with its missing rows alone by their ids") {
  TemporaryFolder folder;
  const auto backend = OpenFolder(folder / "data");
  const std::string file = WriteFile(folder / "a", "{\"timestamp\":1772600767}\n" + Row("\"i\":5") +
                                                       "\n{\"timestamp\":1772600768}\n" + Row("\"i\":6"));
  CHECK(Load(*backend, {.table = "test.logs", .files = {file}}).rows == 2);
  const LoadReport skipped = Load(*backend, {.table = "test.logs", .files = {file}});
  REQUIRE(skipped.files.size() == 1);
  CHECK(skipped.files[0].skipped);
  CHECK(skipped.files[0].rejected_rows == 2);

  const LoadReport missing = Load(*backend, {.table = "test.logs",
                                             .files = {file},
                                             .timestamp_unit = TimestampUnit::kSeconds,
                                             .dedupe_by_id = true,
                                             .again = true});
  CHECK(missing.rows == 2);
  CHECK(missing.duplicate_rows == 2);
  CHECK(missing.rejected_rows == 0);
  CHECK(missing.files_loaded == 1);
  CHECK(RejectedFiles(folder / "data").empty());
  CHECK(CountRows(*backend) == 4);
  CHECK(Load(*backend, {.table = "test.logs", .files = {file}, .again = true}).rows == 2);
  CHECK(CountRows(*backend) == 6);
}

TEST_CASE("gzip files with one member or several are loaded") {
  TemporaryFolder folder;
  const auto backend = OpenFolder(folder / "data");
  const std::string one = WriteFile(folder / "a.gz", Gzip(Rows(2000)));
  const std::string two = WriteFile(folder / "b", Gzip(Rows(10)) + Gzip(Row("\"i\":5")));
  const LoadReport report = Load(*backend, {.table = "test.logs", .files = {one, two}});
  CHECK(report.rows == 2011);
  CHECK(report.bytes == static_cast<int64_t>(Rows(2000).size() + Rows(10).size() + Row("\"i\":5").size()));
  // Zeros that fill a block, also behind the first of two members.
  const std::string zeros(3'000'000, '\0');
  const std::string padded = WriteFile(folder / "c.gz", Gzip(Rows(7)) + zeros + Gzip(Row("\"i\":6")) + zeros);
  CHECK(Load(*backend, {.table = "test.logs", .files = {padded}}).rows == 8);
}

TEST_CASE("damaged gzip is rejected with the position, and nothing of the file is stored") {
  TemporaryFolder folder;
  const auto backend = OpenFolder(folder / "data");
  const std::string whole = Gzip(Rows(5000));
  std::string flipped = whole;
  for (size_t i = whole.size() / 2; i < whole.size() / 2 + 20; ++i) flipped[i] = '\x55';
  std::string checksum = whole;
  checksum[whole.size() - 6] ^= 1;
  for (const std::string& damaged : {whole.substr(0, whole.size() / 2), whole.substr(0, whole.size() - 3), flipped,
                                     checksum, whole + "text", whole.substr(0, 5)}) {
    const auto report =
        backend->store().Load({.table = "test.logs", .files = {WriteFile(folder / "x.gz", damaged)}}, nullptr);
    CAPTURE(report.status().ToString());
    CHECK(report.status().code() == absl::StatusCode::kInvalidArgument);
    CHECK(Says(report.status(), "x.gz is damaged gzip at byte "));
  }
  CHECK(CountRows(*backend) == 0);
  CHECK(Load(*backend, {.table = "test.logs", .files = {WriteFile(folder / "x.gz", whole)}}).rows == 5000);
}

TEST_CASE("zstd files with one frame or several are loaded, and so is text that is many times as long") {
  TemporaryFolder folder;
  const auto backend = OpenFolder(folder / "data");
  const std::string one = WriteFile(folder / "a.zst", Zstd(Rows(2000)));
  // The second frame of file `two` is one that decoders skip.
  const std::string skipped("\x50\x2a\x4d\x18\x04\0\0\0text", 12);
  const std::string two = WriteFile(folder / "b", Zstd(Rows(10)) + skipped + Zstd(Row("\"i\":5"), 19));
  const std::string three = WriteFile(folder / "c.zst", skipped + Zstd(Rows(20)));
  const std::string large = Row("\"event_message\":\"" + std::string(3'000'000, 'x') + "\"") + "\n";
  const std::string four = WriteFile(folder / "d.zst", Zstd(large + large + large));
  const LoadReport report = Load(*backend, {.table = "test.logs", .files = {one, two, three, four}});
  CHECK(report.rows == 2034);
  CHECK(report.bytes == static_cast<int64_t>(Rows(2000).size() + Rows(10).size() + Row("\"i\":5").size() +
                                             Rows(20).size() + 3 * large.size()));
}

TEST_CASE("damaged zstd is rejected with the position, and nothing of the file is stored") {
  TemporaryFolder folder;
  const auto backend = OpenFolder(folder / "data");
  const std::string whole = Zstd(Rows(5000));
  std::string flipped = whole;
  for (size_t i = whole.size() / 2; i < whole.size() / 2 + 20; ++i) flipped[i] = '\x55';
  std::string checksum = whole;
  checksum[whole.size() - 2] ^= 1;
  for (const std::string& damaged : {whole.substr(0, whole.size() / 2), whole.substr(0, whole.size() - 3), flipped,
                                     checksum, whole + "text", whole.substr(0, 5)}) {
    const auto report =
        backend->store().Load({.table = "test.logs", .files = {WriteFile(folder / "x.zst", damaged)}}, nullptr);
    CAPTURE(report.status().ToString());
    CHECK(report.status().code() == absl::StatusCode::kInvalidArgument);
    CHECK(Says(report.status(), "x.zst is damaged zstd at byte "));
  }
  const std::string wide = WriteFile(folder / "wide.zst", Zstd(Rows(50), 3, 27));
  const auto report = backend->store().Load({.table = "test.logs", .files = {wide}}, nullptr);
  CHECK(Says(report.status(), "it needs a window of more than 8 MiB; compress it without --long and --ultra"));
  CHECK(CountRows(*backend) == 0);
  CHECK(Load(*backend, {.table = "test.logs", .files = {WriteFile(folder / "x.zst", whole)}}).rows == 5000);
}

TEST_CASE("a file that is not there, or is no file, stops a load before it begins") {
  TemporaryFolder folder;
  const auto backend = OpenFolder(folder / "data");
  const std::string good = WriteFile(folder / "a", Rows(3));
  const auto load = [&](std::vector<std::string> files, std::string table = "test.logs") {
    return backend->store().Load({.table = std::move(table), .files = std::move(files)}, nullptr).status();
  };
  CHECK(load({good, folder / "none"}).code() == absl::StatusCode::kNotFound);
  CHECK(CountRows(*backend) == 0);
  CHECK(load({good}, "nowhere").code() == absl::StatusCode::kNotFound);
  CHECK(load({good}, "nowhere").message() == "there is no table nowhere; there are test_logs");
  CHECK(load({folder / "data"}).code() == absl::StatusCode::kInvalidArgument);
  CHECK(load({}).ok());
}

TEST_CASE("a line longer than any row fails the load as not being rows") {
  TemporaryFolder folder;
  const auto backend = OpenFolder(folder / "data");
  const std::string big = Row("\"project\":\"" + std::string(40 << 20, 'x') + "\"");
  CHECK(Load(*backend, {.table = "test.logs", .files = {WriteFile(folder / "a", big + "\n" + big)}}).rows == 2);
  const std::string file = WriteFile(folder / "b", Row() + "\n" + std::string(70 << 20, 'x') + "\n" + Row());
  const auto report = backend->store().Load({.table = "test.logs", .files = {file}}, nullptr);
  CHECK(report.status().code() == absl::StatusCode::kInvalidArgument);
  CHECK(Says(report.status(), "is no text of rows: line 2 is longer than 64 MiB"));
  CHECK(CountRows(*backend) == 2);
}

TEST_CASE("standard input is loaded like a file") {
  TemporaryFolder folder;
  const std::string data = folder / "data";
  int pipe_ends[2];
  REQUIRE(pipe(pipe_ends) == 0);
  std::thread writer([&] {
    const std::string text = Rows(20'000);
    for (size_t at = 0; at < text.size();) at += write(pipe_ends[1], text.data() + at, text.size() - at);
    close(pipe_ends[1]);
  });
  const int saved = dup(STDIN_FILENO);
  dup2(pipe_ends[0], STDIN_FILENO);
  const auto backend = OpenFolder(data);
  const LoadReport report = Load(*backend, {.table = "test.logs", .files = {"-"}});
  dup2(saved, STDIN_FILENO);
  writer.join();
  close(pipe_ends[0]);
  close(saved);
  CHECK(report.rows == 20'000);
  CHECK(std::filesystem::is_empty(data + "/tmp"));
  CHECK(Load(*backend, {.table = "test.logs", .files = {WriteFile(folder / "a", Rows(20'000))}}).files_skipped.size() ==
        1);
}

TEST_CASE("on request, a load leaves out rows whose id exists") {
  TemporaryFolder folder;
  const auto backend = OpenFolder(folder / "data");
  const auto row = [](const char* id, int i) {
    return Row("\"id\":\"" + std::string(id) + "\",\"i\":" + std::to_string(i)) + "\n";
  };
  const std::string first = WriteFile(folder / "a", row("a", 1) + row("b", 2));
  const std::string second = WriteFile(folder / "b", row("b", 3) + row("c", 4) + row("c", 5) + row("d", 6));
  Load(*backend, {.table = "test.logs", .files = {first}});
  const LoadReport report = Load(*backend, {.table = "test.logs", .files = {second}, .dedupe_by_id = true});
  CHECK(report.rows == 2);
  CHECK(report.duplicate_rows == 2);
  CHECK(SelectValue(*backend, R"(SELECT list(i ORDER BY i) FROM "test.logs")", Type::Array(Type::Int64())) ==
        Value::Array(Type::Int64(), {Value::Int64(1), Value::Int64(2), Value::Int64(4), Value::Int64(6)}));
  const std::string third = WriteFile(folder / "c", row("a", 7));
  CHECK(Load(*backend, {.table = "test.logs", .files = {third}}).rows == 1);
}

TEST_CASE("many rows are loaded by several threads, all of them, with their lines") {
  TemporaryFolder folder;
  const auto backend = OpenFolder(folder / "data");
  std::string text;
  for (int i = 0; i < 150'000; ++i) {
    text += i % 10'000 == 77 ? "bad\n" : R"({"timestamp":)" + std::to_string(1'772'600'767'000'000 + i) + "}\n";
  }
  std::vector<int64_t> progress;
  const auto report = backend->store().Load({.table = "test.logs", .files = {WriteFile(folder / "a", text)}},
                                            [&](const LoadProgress& at) { progress.push_back(at.bytes_done); });
  REQUIRE(report.ok());
  CHECK(report->rows == 149'985);
  CHECK(report->rejected_rows == 15);
  REQUIRE(report->first_rejected.size() == 15);
  for (int i = 0; i < 15; ++i) CHECK(report->first_rejected[i].line == i * 10'000 + 78);
  CHECK(std::is_sorted(progress.begin(), progress.end()));
  CHECK(SelectValue(*backend, R"(SELECT count(DISTINCT id) FROM "test.logs"
            WHERE split_part(id, '-', 2)::BIGINT - 1 = epoch_us("timestamp") - 1772600767000000)",
                    Type::Int64()) == Value::Int64(149'985));
}

TEST_CASE("rejected rows are kept unchanged next to their reasons, and can be loaded again") {
  TemporaryFolder folder;
  const std::string data = folder / "data";
  const auto backend = OpenFolder(data);
  const std::string bad = R"({"timestamp":"2026-03-04","i":"x"})";
  const std::string file = WriteFile(folder / "a", Row() + "\n" + bad + "\r\nno json\n" + Row("\"i\":2"));
  const LoadReport report = Load(*backend, {.table = "test.logs", .files = {file}});
  CHECK(report.rows == 2);
  CHECK(report.rejected_rows == 2);
  REQUIRE(report.first_rejected.size() == 2);
  CHECK(report.first_rejected[0].file == file);
  CHECK(report.first_rejected[1].line == 3);
  CHECK(report.rejected_folder == data + "/rejected");
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(report.rejected_folder)) names.push_back(entry.path());
  std::sort(names.begin(), names.end());
  REQUIRE(names.size() == 2);
  CHECK(names[0].find("/test.logs.") != std::string::npos);
  CHECK(ReadFile(names[0]) == bad + "\r\nno json\n");
  CHECK(ReadFile(names[1]) == R"({"file":")" + file + R"(","line":2,"reason":"i is x, which is no INT64"})" + "\n" +
                                  R"({"file":")" + file +
                                  R"(","line":3,"reason":"column 1: wanted an object, found 'n'"})" + "\n");
  const std::string corrected = WriteFile(folder / "b", Row("\"i\":1") + "\n");
  CHECK(Load(*backend, {.table = "test.logs", .files = {corrected, names[0]}}).rejected_rows == 2);
}

}  // namespace
}  // namespace logquery::store::store_tests
