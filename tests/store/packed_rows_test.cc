// Packed records over random rows, in several row groups and windows: whatever happens to the rows, they change no answer.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <cstdlib>
#include <random>
#include <string>
#include <vector>

#include "tests/store/packed_test_util.h"

namespace logquery::store::packed {
namespace {

// A record of random fields, mostly few of them.
std::string RandomMembers(std::mt19937_64& random, int number) {
  const auto one_in = [&](uint64_t n) { return random() % n == 0; };
  std::string members = absl::StrCat(R"("id":"x)", 1'000'000 + number, R"(","event_message":"m)", random() % 100, "\"");
  if (one_in(10)) return members;
  if (one_in(12)) return members + (one_in(2) ? R"(,"metadata":null)" : R"(,"metadata":{})");
  std::vector<std::string> fields;
  if (!one_in(3)) fields.push_back(absl::StrCat(R"("i":)", static_cast<int64_t>(random())));
  if (one_in(2)) fields.push_back(absl::StrCat(R"("level":")", std::string(random() % 30, 'l'), "\""));
  if (one_in(30)) fields.push_back("\"level\":\"\xff\xc3(\"");
  if (one_in(4)) fields.push_back(absl::StrCat(R"("f":)", static_cast<double>(random() % 1000) / 7));
  if (one_in(4)) fields.push_back(absl::StrCat(R"("n":")", random() % 1000, ".5\""));
  if (one_in(6)) fields.push_back(one_in(2) ? R"("tags":[])" : R"("tags":["a@b.example","1.2.3.4",""])");
  if (one_in(6)) fields.push_back(absl::StrCat(R"("items":[{"name":"n","parts":[)", random() % 9, R"(]},{}])"));
  if (one_in(3)) {
    fields.push_back(absl::StrCat(R"("request":{"path":"/p/)", random() % 50, R"(","status":)", random() % 600,
                                  one_in(2) ? R"(,"cf":{"asn":7})" : "", "}"));
  }
  std::shuffle(fields.begin(), fields.end(), random);
  std::string record;
  for (const std::string& field : fields) absl::StrAppend(&record, record.empty() ? "" : ",", field);
  return absl::StrCat(members, ",\"metadata\":{", record, "}");
}

uint64_t Seed() {
  const char* const seed = std::getenv("LOGQUERY_SEED");
  return seed != nullptr ? std::strtoull(seed, nullptr, 10) : 20'261'128;
}

TEST_CASE(
    "random rows of open and closed days are answered alike from packed records and fields, whatever happens to them") {
  const uint64_t seed = Seed();
  const auto packed = GENERATE(PackedRecords::kOpenDays, PackedRecords::kAll);
  const bool packs_all = packed == PackedRecords::kAll;
  CAPTURE(seed, packs_all);
  std::mt19937_64 random(seed);
  Folder folder(packed);
  const std::vector<std::string> projects = {"p0", "p1", "p2", "p3", "rare"};
  int number = 0;
  for (int round = 0; round < 4; ++round) {
    std::string lines;
    for (int i = 0; i < 36'000; ++i) {
      // Half of the rows are a day's that gets clustered, the others of the last two days.
      const absl::Duration age = i % 2 == 0 ? absl::Hours(24 * 4) + absl::Microseconds(random() % 20'000'000'000)
                                            : absl::Microseconds(random() % 100'000'000'000);
      const size_t project = random() % 2'000 == 0 ? 4 : random() % 1'000 < 3 ? 3 : random() % 3;
      lines += RowAt(Start() - age, projects[project], RandomMembers(random, number++));
    }
    folder.Take(lines);
    switch (round) {
      case 1:
        REQUIRE(folder.backend->store().Cluster({.now = Start()}).ok());
        break;
      case 2:
        REQUIRE(folder.backend->store().Erase({.project = "p1"}).ok());
        break;
      case 3: {
        RetainRequest retain{.rules = {{"test.logs", absl::Hours(24)}}, .now = Start(), .clock_is_confirmed = true};
        REQUIRE(folder.backend->store().Retain(retain).ok());
        break;
      }
      default:
        REQUIRE(folder.backend->store().Checkpoint().ok());
    }
    CAPTURE(round);
    // The rare project's rows of the closed day have packed records as well, until retention lets go of the day.
    const std::string closed = absl::StrCat("project = 'rare' AND timestamp < make_timestamp(",
                                            absl::ToUnixMicros(Start() - absl::Hours(60)), ")");
    CHECK((Count(*folder.backend, R"(":metadata")", closed) > 0) == (round < 3));
    if (packs_all) CHECK(Count(*folder.backend, R"(":metadata")") == Count(*folder.backend, "id"));
    // An attempt in vain is remembered.
    folder.Reopen();
    const std::string answers = AskAll(*folder.backend, projects);
    CHECK(answers.size() > 100'000);
    CHECK(Difference(answers, AskUnpacked(*folder.backend, projects)) == "");
  }
}

// Rows with and without packed records in one folder, whose loads and clustering had one choice or the other.
TEST_CASE("random rows are answered alike whichever loads and clustering have packed their records") {
  const uint64_t seed = Seed();
  CAPTURE(seed);
  std::mt19937_64 random(seed);
  Folder folder(PackedRecords::kAll);
  const absl::Time closed =
      absl::UnixEpoch() + absl::Floor(Start() - absl::UnixEpoch(), absl::Hours(24)) - absl::Hours(24 * 4);
  const std::vector<std::string> projects = {"p0", "rare"};
  int number = 0;
  for (int round = 0; round < 3; ++round) {
    CAPTURE(round);
    std::string lines;
    for (int i = 0; i < 16'000; ++i) {
      const absl::Time time = i % 8 == 0 ? Start() - absl::Microseconds(random() % 100'000'000'000)
                                         : closed + absl::Microseconds(random() % 80'000'000'000);
      lines += RowAt(time, projects[random() % 400 == 0 ? 1 : 0], RandomMembers(random, number++));
    }
    folder.Take(lines);
    if (round == 2) {
      const auto report = folder.backend->store().Cluster({.now = Start()});
      REQUIRE(report.ok());
      CHECK(report->rows > 30'720);  // some rows are rejected
    }
    const std::string answers = AskUnpacked(*folder.backend, projects);
    for (const PackedRecords stored : {PackedRecords::kAll, PackedRecords::kOpenDays}) {
      folder.ReopenWith(stored);
      // The second time, attempts in vain are remembered.
      for (int again = 0; again < 2; ++again) CHECK(Difference(AskAll(*folder.backend, projects), answers) == "");
    }
    folder.ReopenWith(round % 2 == 0 ? PackedRecords::kOpenDays : PackedRecords::kAll);
  }
}

// More than two windows of rows in the open days, so that a window begins within them.
TEST_CASE("the newest rows of a busy log are answered from packed records, window by window") {
  Folder folder;
  std::string lines;
  for (int i = 0; i < 140'000; ++i) {
    const char* const project = i % 7'000 == 6'999 ? "rare" : i % 70 == 3 ? "busy" : "other";
    lines += RowAt(
        Start() - absl::Milliseconds(500 * i), project,
        absl::StrCat(R"("id":"w)", 1'000'000 + i, R"(","event_message":"m)", i % 90, R"(","metadata":{"i":)", i, "}"));
  }
  folder.Take(lines);
  const std::vector<std::string> projects = {"busy", "rare", "other"};
  const std::string answers = AskAll(*folder.backend, projects);
  CHECK(Difference(answers, AskUnpacked(*folder.backend, projects)) == "");
}

}  // namespace
}  // namespace logquery::store::packed
