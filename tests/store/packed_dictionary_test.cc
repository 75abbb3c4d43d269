// Packed records of stored rows that are compressed with a dictionary: answers are the same, and nothing of rows that went is kept.
#include <catch2/catch_test_macros.hpp>
#include <filesystem>
#include <string>
#include <vector>

#include "tests/store/packed_test_util.h"

namespace logquery::store::packed {
namespace {

// Rows of projects p0, p1, … in turn, whose records are much alike; each has a text that no other row has.
std::string ManyRows(int rows, int projects, absl::Time newest = Start(), std::string_view name = "p") {
  std::string text;
  for (int i = 0; i < rows; ++i) {
    const std::string project = absl::StrCat(std::string(name), i % projects);
    const std::string members = absl::StrCat(
        R"("id":")", std::string(name), 100'000 + i, R"(","metadata":{"level":"information","i":)", i,
        R"(,"j":{"agent":"Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36","type":"application/json"},"request":{"path":"/of-)",
        project, "/", absl::Hex(0x9e3779b97f4a7c15U * static_cast<uint64_t>(i + 1)),
        R"(","status":200,"cf":{"asn":3320,"colo":"FRA"}}})");
    text += RowAt(newest - absl::Milliseconds(20 * i), project, members);
  }
  return text;
}

int64_t Value(DuckDbBackend& backend, const std::string& sql) {
  const auto state = static_cast<DuckDbBackendImpl&>(backend).engine().Use();
  REQUIRE(state.ok());
  const auto connection = (*state)->database.Connect();
  REQUIRE(connection.ok());
  const auto rows = duckdb::Query(connection->get(), sql);
  INFO(sql << ": " << rows.status().ToString());
  REQUIRE(rows.ok());
  return *duckdb::NumberIn((*rows)[0][0]);
}

int64_t Dictionaries(DuckDbBackend& backend) { return Value(backend, "SELECT count(*) FROM logquery.dictionaries"); }

// The number of rows whose packed record is a frame of zstd.
int64_t Frames(DuckDbBackend& backend) {
  return Value(backend, R"(SELECT count(*) FROM "test.logs" WHERE hex(":metadata") LIKE '28B52FFD%')");
}

// Answers from packed records are those of this folder's rows; another row's record shows that they are read.
void CheckReads(Folder& folder, const std::string& project, const std::string& id, const std::string& other) {
  const std::string was = Ask(*Serve(*folder.backend), NewestOf(project));
  const std::string swap = absl::StrCat(R"((SELECT ":metadata" FROM "test.logs" WHERE id = ')", other, "')");
  RunIn(*folder.backend,
        R"(CREATE TABLE one AS SELECT ":metadata" AS packed FROM "test.logs" WHERE id = ')" + id + "'");
  RunIn(*folder.backend, absl::StrCat(R"(UPDATE "test.logs" SET ":metadata" = )", swap, " WHERE id = '", id, "'"));
  CHECK(Ask(*Serve(*folder.backend), NewestOf(project)) != was);
  RunIn(*folder.backend,
        absl::StrCat(R"(UPDATE "test.logs" SET ":metadata" = (SELECT packed FROM one) WHERE id = ')", id, "'"));
  RunIn(*folder.backend, "DROP TABLE one");
  CHECK(Ask(*Serve(*folder.backend), NewestOf(project)) == was);
}

TEST_CASE("packed records are compressed with a dictionary, and answered from") {
  Folder folder;
  folder.Take(ManyRows(6'000, 40));
  CHECK(Dictionaries(*folder.backend) == 1);
  CHECK(Frames(*folder.backend) > 3'000);
  CHECK(Count(*folder.backend, R"(":metadata")") == 6'000);
  const std::vector<std::string> projects = {"p0", "p7", "nobody"};
  const std::string answers = AskAll(*folder.backend, projects);
  CheckReads(folder, "p7", "p100007", "p100047");
  CHECK(Difference(answers, AskUnpacked(*folder.backend, projects)) == "");
  folder.Reopen(/*read_only=*/true);
  CHECK(Difference(AskAll(*folder.backend, projects), answers) == "");
  folder.Reopen();
  CHECK(Difference(AskAll(*folder.backend, projects), answers) == "");
  CheckReads(folder, "p7", "p100007", "p100047");
}

TEST_CASE("a dictionary that is trained on rows that are rolled back is stored with the next ones") {
  Folder folder;
  // The last line brings a new field, so the file is read again after all fields have been seen.
  folder.Take(ManyRows(5'000, 40) + RowAt(Start(), "p0", R"("id":"new","fresh":1)"));
  CHECK(Dictionaries(*folder.backend) == 1);
  const std::string answers = AskAll(*folder.backend, {"p0"});
  folder.Reopen();
  CHECK(Difference(AskAll(*folder.backend, {"p0"}), answers) == "");
  CheckReads(folder, "p7", "p100007", "p100047");
}

TEST_CASE("rows that come in a few at a time train one dictionary") {
  Folder folder;
  const std::string rows = ManyRows(900, 40);
  const std::vector<absl::string_view> lines = absl::StrSplit(rows, '\n', absl::SkipEmpty());
  for (size_t from = 0; from < lines.size(); from += 50) {
    AppendRequest request;
    request.table = "test.logs";
    for (size_t i = from; i < from + 50; ++i) request.rows.emplace_back(lines[i].data(), lines[i].size());
    REQUIRE(folder.backend->store().Append(request).ok());
  }
  CHECK(Dictionaries(*folder.backend) == 1);
  CHECK(Frames(*folder.backend) >= 350);
  const std::string answers = AskAll(*folder.backend, {"p0", "p9"});
  CHECK(Difference(answers, AskUnpacked(*folder.backend, {"p0", "p9"})) == "");
  folder.Reopen();
  CHECK(Difference(AskAll(*folder.backend, {"p0", "p9"}), answers) == "");
}

TEST_CASE(
    "a dictionary goes when a project is erased whose rows it was trained on, and others' rows are answered from their "
    "fields") {
  Folder folder;
  folder.Take(ManyRows(6'000, 40));
  folder.Take(ManyRows(50, 1, Start(), "apart"));
  const std::string answers = AskAll(*folder.backend, {"p7", "apart0"});
  const auto erase = [&](const std::string& project) {
    EraseRequest request;
    request.project = project;
    REQUIRE(folder.backend->store().Erase(request).ok());
  };
  erase("apart0");
  CHECK(Dictionaries(*folder.backend) == 1);
  EraseRequest dry;
  // The samples are of some of the projects.
  dry.project = absl::StrCat("p", Value(*folder.backend,
                                        "SELECT max(project[2:]::BIGINT) FROM logquery.dictionary_projects WHERE"
                                        " project <> 'p7'"));
  dry.dry_run = true;
  REQUIRE(folder.backend->store().Erase(dry).ok());
  CHECK(Dictionaries(*folder.backend) == 1);
  const std::string others = AskAll(*folder.backend, {"p7"});
  erase(dry.project);
  CHECK(Dictionaries(*folder.backend) == 0);
  CHECK(Value(*folder.backend, "SELECT count(*) FROM logquery.dictionary_projects") == 0);
  CHECK(Frames(*folder.backend) > 3'000);
  for (int again = 0; again < 2; ++again) {
    CHECK(Difference(AskAll(*folder.backend, {"p7"}), others) == "");
    folder.Reopen();
  }
  CHECK(answers.find("/of-p7/") != std::string::npos);
  // New rows train another one.
  folder.Take(ManyRows(3'000, 39, Start() + absl::Minutes(1), "q"));
  CHECK(Dictionaries(*folder.backend) == 1);
  CHECK(AskAll(*folder.backend, {"q7"}).find("/of-q7/") != std::string::npos);
}

TEST_CASE("a dictionary goes when rows as old as those that it was trained on go") {
  Folder folder(PackedRecords::kAll);
  folder.Take(ManyRows(3'000, 40, Start() - absl::Hours(24 * 6), "old"));
  CHECK(Dictionaries(*folder.backend) == 1);
  folder.Take(ManyRows(3'000, 40));
  CHECK(Dictionaries(*folder.backend) == 2);
  const std::string answers = AskAll(*folder.backend, {"p7"});
  RetainRequest request;
  request.now = Start();
  request.clock_is_confirmed = true;
  request.rules = {{.table = "test.logs", .max_age = absl::Hours(24 * 30)}};
  REQUIRE(folder.backend->store().Retain(request).ok());
  CHECK(Dictionaries(*folder.backend) == 2);
  request.rules[0].max_age = absl::Hours(24 * 3);
  REQUIRE(folder.backend->store().Retain(request).ok());
  CHECK(Dictionaries(*folder.backend) == 1);
  CHECK(Difference(AskAll(*folder.backend, {"p7"}), answers) == "");
  CheckReads(folder, "p7", "p100007", "p100047");
}

TEST_CASE("a backup has the dictionaries that its rows need") {
  Folder folder;
  folder.Take(ManyRows(3'000, 40));
  const std::string answers = AskAll(*folder.backend, {"p7"});
  std::filesystem::copy(folder.at / "data", folder.at / "copy", std::filesystem::copy_options::recursive);
  Folder other;
  other.backend = Open(folder.at / "copy");
  CHECK(Difference(AskAll(*other.backend, {"p7"}), answers) == "");
  CheckReads(other, "p7", "p100007", "p100047");
}

TEST_CASE("a compressed record that is damaged is read from its fields") {
  Folder folder;
  folder.Take(ManyRows(3'000, 40));
  const std::string answers = AskAll(*folder.backend, {"p7"});
  for (const char* const damage : {R"(":metadata"[:20])", R"(":metadata"[:4])", R"('\x28\xB5\x2F\xFD'::BLOB)",
                                   R"('\x28\xB5\x2F\xFD\xE3\x01\x02\x03\x04\x7F\x7F\x7F\x7F\x7F\x7F\x7F\x7F'::BLOB)",
                                   R"(":metadata" || '\x00'::BLOB)",
                                   R"(unhex(left(hex(":metadata"), 12) || '00000000' || hex(":metadata")[21:]))"}) {
    CAPTURE(damage);
    RunIn(*folder.backend, absl::StrCat(R"(UPDATE "test.logs" SET ":metadata" = )", damage, " WHERE id = 'p100047'"));
    folder.Reopen();
    CHECK(Difference(AskAll(*folder.backend, {"p7"}), answers) == "");
  }
}

TEST_CASE("records that are small as they are stored and long when they are read are read from their fields") {
  Folder folder;
  std::string rows = ManyRows(3'000, 40);
  for (int i = 0; i < 12; ++i) {
    rows += RowAt(Start() + absl::Seconds(i), "p7",
                  absl::StrCat(R"("id":"long)", i, R"(","metadata":{"level":")", std::string(6 << 20, 'x'), R"("})"));
  }
  folder.Take(rows);
  CHECK(Value(*folder.backend, R"(SELECT max(octet_length(":metadata")) FROM "test.logs" WHERE id LIKE 'long%')") <
        10'000);
  // Twelve times 6 MiB are more than an execution keeps.
  const std::string newest =
      "select id, length(m.level) as n from logs as l cross join unnest(l.metadata) as m order by l.timestamp "
      "desc, l.id limit 13";
  const std::string answer = Ask(*Serve(*folder.backend), NewestOf("p7", newest));
  CHECK(answer.find(R"({"id":"long0","n":6291456})") != std::string::npos);
}

TEST_CASE("a damaged dictionary costs speed, and no answer") {
  Folder folder;
  folder.Take(ManyRows(3'000, 40));
  const std::string answers = AskAll(*folder.backend, {"p7"});
  for (const char* const damage : {"UPDATE logquery.dictionaries SET bytes = 'x'::BLOB",
                                   "DELETE FROM logquery.dictionaries", "DROP TABLE logquery.dictionaries"}) {
    CAPTURE(damage);
    RunIn(*folder.backend, damage);
    for (const bool read_only : {true, false}) {
      folder.Reopen(read_only);
      CHECK(Difference(AskAll(*folder.backend, {"p7"}), answers) == "");
    }
  }
}

}  // namespace
}  // namespace logquery::store::packed
