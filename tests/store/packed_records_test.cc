// Packed records of stored rows: the newest rows are answered from them, byte for byte as from the records' fields.
#include <catch2/catch_test_macros.hpp>
#include <memory>
#include <string>
#include <vector>

#include "tests/store/packed_test_util.h"

namespace logquery::store::packed {
namespace {

TEST_CASE("the newest rows are answered from their packed records") {
  Folder folder;
  folder.Take(RecentRows(200));
  CHECK(Count(*folder.backend, R"(":metadata")") == 200);
  const std::string answers = AskAll(*folder.backend, {"p", "nobody"});
  CHECK(answers.find(R"("request":[{"path":"/rest/39","status":200,"list":[1.5,39.0],"cf":[]}])") != std::string::npos);
  CHECK(answers.find("user3@example.com") != std::string::npos);
  CHECK(Difference(answers, AskUnpacked(*folder.backend, {"p", "nobody"})) == "");
  // Packed records are what is read: another row's shows in the answer.
  RunIn(
      *folder.backend,
      R"(UPDATE "test.logs" SET ":metadata" = (SELECT ":metadata" FROM "test.logs" WHERE id = 'r1190') WHERE id = 'r1001')");
  folder.Reopen();
  CHECK(AskAll(*folder.backend, {"p", "nobody"}) != answers);
  CHECK(Ask(*Serve(*folder.backend), NewestOf("p")).find("/rest/190") != std::string::npos);
}

TEST_CASE("a small record is not packed") {
  Folder folder;
  const Table table = *folder.backend->ReadCatalog()->Find("test.logs");
  REQUIRE(table.packed_records.size() == 1);
  CHECK(table.packed_records[0].record == "metadata");
}

TEST_CASE("rows of closed days have no packed records and are read from their fields") {
  Folder folder;
  std::string lines = RecentRows(60);
  for (int i = 0; i < 60; ++i) {
    lines += RowAt(Start() - absl::Hours(24 * 5) - absl::Minutes(i), i % 2 == 0 ? "p" : "old",
                   absl::StrCat(R"("id":"o)", i, R"(","metadata":{"level":"old","i":)", i, "}"));
  }
  folder.Take(lines);
  CHECK(Count(*folder.backend, R"(":metadata")") == 60);
  CHECK(Count(*folder.backend, R"(":metadata")", "id LIKE 'o%'") == 0);
  const std::string answers = AskAll(*folder.backend, {"p", "old"});
  CHECK(answers.find(R"("level":"old","i":1,)") != std::string::npos);
  CHECK(Difference(answers, AskUnpacked(*folder.backend, {"p", "old"})) == "");
}

// Rows of closed days, one in 25 of which is of the project "rare"; a day has ten of these, and 240 of "other".
std::string ClosedRows(int rows) {
  std::string lines;
  for (int i = 0; i < rows; ++i) {
    lines += RowAt(Start() - absl::Hours(24 * 5) - absl::Seconds(346 * i), i % 25 == 7 ? "rare" : "other",
                   absl::StrCat(R"("id":"o)", 10'000 + i, R"(","metadata":{"level":"old","i":)", i, "}"));
  }
  return lines;
}

TEST_CASE("a rare project's rows of closed days are answered from their packed records") {
  Folder folder;
  folder.Take(ClosedRows(6'000) + RecentRows(20, "rare"));
  CHECK(Count(*folder.backend, R"(":metadata")", "project = 'other'") == 0);
  CHECK(Count(*folder.backend, R"(":metadata")", "project = 'rare'") == 260);
  const std::string answers = AskAll(*folder.backend, {"rare", "other"});
  CHECK(answers.find(R"("level":"old","i":7,)") != std::string::npos);
  CHECK(Difference(answers, AskUnpacked(*folder.backend, {"rare", "other"})) == "");
  // Packed records are what is read: another row's shows in the answer.
  RunIn(
      *folder.backend,
      R"(UPDATE "test.logs" SET ":metadata" = (SELECT ":metadata" FROM "test.logs" WHERE id = 'o15007') WHERE id = 'o10007')");
  folder.Reopen();
  CHECK(Ask(*Serve(*folder.backend), NewestOf("rare")).find(R"("i":5007,)") != std::string::npos);
  // One row without a packed record, and all are read from their fields.
  RunIn(*folder.backend, R"(UPDATE "test.logs" SET ":metadata" = NULL WHERE id = 'o10032')");
  for (int again = 0; again < 2; ++again) {
    CHECK(Difference(AskAll(*folder.backend, {"rare", "other"}), answers) == "");
    folder.Reopen();
  }
}

TEST_CASE("a rare project's rows that come into a closed day later are answered alike") {
  Folder folder;
  folder.Take(ClosedRows(6'000));
  const std::string late = RowAt(Start() - absl::Hours(24 * 5) - absl::Seconds(1), "rare",
                                 R"("id":"late","metadata":{"level":"late","i":1})");
  AppendRequest request;
  request.table = "test.logs";
  request.rows = {late};
  REQUIRE(folder.backend->store().Append(request).ok());
  CHECK(Count(*folder.backend, R"(":metadata")", "id = 'late'") == 0);
  const std::string answers = AskAll(*folder.backend, {"rare"});
  CHECK(answers.find(R"("level":"late","i":1,)") != std::string::npos);
  CHECK(Difference(answers, AskUnpacked(*folder.backend, {"rare"})) == "");
}

TEST_CASE("with packed records of all rows, those of closed days are read, too") {
  Folder folder(PackedRecords::kAll);
  folder.Take(ClosedRows(6'000) + RecentRows(20, "other"));
  CHECK(Count(*folder.backend, R"(":metadata")") == 6'020);
  const std::string answers = AskAll(*folder.backend, {"rare", "other"});
  CHECK(Difference(answers, AskUnpacked(*folder.backend, {"rare", "other"})) == "");
  // Packed records are what is read: another row's shows in the answer.
  RunIn(
      *folder.backend,
      R"(UPDATE "test.logs" SET ":metadata" = (SELECT ":metadata" FROM "test.logs" WHERE id = 'o15001') WHERE id = 'o10001')");
  folder.Reopen();
  CHECK(Ask(*Serve(*folder.backend), NewestOf("other")).find(R"("i":5001,)") != std::string::npos);
  // They are read as well by a program that packs those of open days only.
  folder.ReopenWith(PackedRecords::kOpenDays);
  CHECK(Ask(*Serve(*folder.backend), NewestOf("other")).find(R"("i":5001,)") != std::string::npos);
  // One row without a packed record, and all are read from their fields.
  folder.ReopenWith(PackedRecords::kAll);
  RunIn(*folder.backend, R"(UPDATE "test.logs" SET ":metadata" = NULL WHERE id = 'o10002')");
  for (int again = 0; again < 2; ++again) {
    CHECK(Difference(AskAll(*folder.backend, {"rare", "other"}), answers) == "");
    folder.Reopen();
  }
}

TEST_CASE("with packed records of all rows, a row that comes into a closed day later has one, too") {
  Folder folder(PackedRecords::kAll);
  folder.Take(ClosedRows(1'000));
  AppendRequest request;
  request.table = "test.logs";
  const std::string late = RowAt(Start() - absl::Hours(24 * 5) - absl::Seconds(1), "other",
                                 R"("id":"late","metadata":{"level":"late","i":1})");
  request.rows = {late};
  REQUIRE(folder.backend->store().Append(request).ok());
  CHECK(Count(*folder.backend, R"(":metadata")", "id = 'late'") == 1);
  const std::string answers = AskAll(*folder.backend, {"other"});
  CHECK(answers.find(R"("level":"late","i":1,)") != std::string::npos);
  CHECK(Difference(answers, AskUnpacked(*folder.backend, {"other"})) == "");
}

TEST_CASE("edges of values are answered alike") {
  Folder folder;
  const std::vector<std::string> edges = {
      "",
      R"("metadata":null)",
      R"("metadata":{})",
      R"("metadata":[])",
      R"("metadata":[{}])",
      R"("metadata":{"level":""})",
      "\"metadata\":{\"level\":\"bad \xff\xc3 utf-8\",\"tags\":[\"\xfe\",\"ok\"]}",
      R"("metadata":{"level":"\u0000\u001f\"\\\n"})",
      R"("metadata":{"i":9223372036854775807,"f":1e308})",
      R"("metadata":{"i":-9223372036854775808,"f":5e-324})",
      R"("metadata":{"i":9007199254740993,"f":-0.0})",
      R"("metadata":{"n":"99999999999999999999999999999.999999999","big":"-0.00000000000000000000000000000000000001"})",
      R"("metadata":{"y":"AAECAwQ=","d":"0001-01-01","t":"23:59:59.999999","dt":"9999-12-31T23:59:59.999999"})",
      R"("metadata":{"ts":"1969-12-31T23:59:59.999999Z","j":{"a":[1,null,{"b":"c"}]},"b":false})",
      R"("metadata":{"tags":[],"items":[]})",
      R"("metadata":{"tags":null,"items":null,"j":null})",
      R"("metadata":{"tags":["","a",""],"items":[{"name":"x","parts":[1,2,3]},{"name":null,"parts":[]},{}]})",
      R"("metadata":{"request":{}})",
      R"("metadata":{"request":{"cf":{}}})",
      R"("metadata":{"request":{"cf":{"asn":0,"colo":"FRA"},"list":[0.1,-1]}})",
      absl::StrCat(R"("metadata":{"level":")", std::string(300'000, 'x'), R"("})"),
      R"("metadata":{"unknown":{"deep":[1]},"level":"has an undeclared field"})",
  };
  std::string lines;
  for (size_t i = 0; i < edges.size(); ++i) {
    const std::string members = absl::StrCat("\"id\":\"e", 100 + i, "\"", edges[i].empty() ? "" : ",", edges[i]);
    for (int copy = 0; copy < 3; ++copy) lines += RowAt(Start() - absl::Seconds(i), copy == 0 ? "p" : "q", members);
  }
  folder.Take(lines);
  // A row that is not UTF-8 is rejected.
  CHECK(Count(*folder.backend, "id") == 3 * static_cast<int64_t>(edges.size() - 1));
  CHECK(Count(*folder.backend, R"(":metadata")") == Count(*folder.backend, "id"));
  CHECK(Difference(AskAll(*folder.backend, {"p", "q"}), AskUnpacked(*folder.backend, {"p", "q"})) == "");
}

TEST_CASE("a record that is missing or damaged is read from its fields") {
  Folder folder;
  folder.Take(RecentRows(200));
  const std::string answers = AskAll(*folder.backend, {"p"});
  for (const char* damage :
       {"NULL", "''::BLOB", "'text'::BLOB", R"(substr(hex(":metadata"), 3)::BLOB)", R"(":metadata" || '\x00'::BLOB)"}) {
    RunIn(*folder.backend, absl::StrCat(R"(UPDATE "test.logs" SET ":metadata" = )", damage, " WHERE id = 'r1004'"));
    folder.Reopen();
    CAPTURE(damage);
    CHECK(Difference(AskAll(*folder.backend, {"p"}), answers) == "");
  }
}

TEST_CASE("clustering lets go of packed records, but for those of rare projects") {
  Folder folder;
  const absl::Time day =
      absl::UnixEpoch() + absl::Floor(Start() - absl::UnixEpoch(), absl::Hours(24)) + absl::Hours(48);
  std::string lines;
  for (int i = 0; i < 31'000; ++i) {
    lines += RowAt(day + absl::Seconds(2 * i),
                   i % 100 == 0    ? "p"
                   : i % 500 == 99 ? "rare"
                                   : "q",
                   absl::StrCat(R"("id":"c)", 100'000 + i, R"(","metadata":{"i":)", i, "}"));
  }
  folder.Take(lines);
  CHECK(Count(*folder.backend, R"(":metadata")") == 31'000);
  const std::string answers = AskAll(*folder.backend, {"p", "q", "rare"});
  const auto report = folder.backend->store().Cluster({.now = day + absl::Hours(24 * 3)});
  REQUIRE(report.ok());
  CHECK(report->rows == 31'000);
  CHECK(Count(*folder.backend, R"(":metadata")") == 62);
  CHECK(Count(*folder.backend, R"(":metadata")", "project = 'rare'") == 62);
  CHECK(Count(*folder.backend, "metadata") == 31'000);
  // The days are open by this machine's clock, so those of the others are looked for in vain.
  CHECK(Difference(AskAll(*folder.backend, {"p", "q", "rare"}), answers) == "");
}

TEST_CASE("with packed records of all rows, clustering keeps those that there are") {
  Folder folder(PackedRecords::kAll);
  const absl::Time day =
      absl::UnixEpoch() + absl::Floor(Start() - absl::UnixEpoch(), absl::Hours(24)) - absl::Hours(24 * 4);
  std::string lines;
  for (int i = 0; i < 31'000; ++i) {
    lines += RowAt(day + absl::Seconds(2 * i), i % 100 == 0 ? "p" : "q",
                   absl::StrCat(R"("id":"c)", 100'000 + i, R"(","metadata":{"i":)", i, "}"));
  }
  folder.Take(lines);
  // A load with the other choice.
  folder.ReopenWith(PackedRecords::kOpenDays);
  folder.Take(RowAt(day, "q", R"("id":"bare","metadata":{"i":7})"));
  folder.ReopenWith(PackedRecords::kAll);
  const std::string answers = AskAll(*folder.backend, {"p", "q"});
  const auto report = folder.backend->store().Cluster({.now = Start()});
  REQUIRE(report.ok());
  CHECK(report->rows == 31'001);
  CHECK(Count(*folder.backend, R"(":metadata")") == 31'000);
  CHECK(Count(*folder.backend, R"(":metadata")", "id = 'bare'") == 0);
  CHECK(Difference(AskAll(*folder.backend, {"p", "q"}), answers) == "");
  // Clustering with the other choice removes them from days that it rewrites.
  folder.ReopenWith(PackedRecords::kOpenDays);
  std::string more;
  for (int i = 0; i < 5'000; ++i) more += RowAt(day + absl::Seconds(i), "q", absl::StrCat(R"("id":"d)", i, R"(")"));
  folder.Take(more);
  REQUIRE(folder.backend->store().Cluster({.now = Start()}).ok());
  CHECK(Count(*folder.backend, R"(":metadata")", "project = 'q'") == 0);
}

TEST_CASE("a table's bytes on disk include those of its packed records") {
  Folder folder;
  std::string lines;
  uint64_t digits = 1;
  for (int i = 0; i < 15'000; ++i) {
    std::string text;
    for (int part = 0; part < 20; ++part)
      absl::StrAppend(&text, absl::Hex(digits = digits * 6'364'136'223'846'793'005 + 1));
    lines += RowAt(Start() - absl::Seconds(i), "p", absl::StrCat(R"("metadata":{"level":")", text, "\"}"));
  }
  folder.Take(lines);
  REQUIRE(folder.backend->store().Checkpoint().ok());
  const int64_t used = SelectValue(*folder.backend,
                                   "SELECT used_blocks * block_size FROM pragma_database_size() WHERE database_name ="
                                   " current_database()",
                                   Type::Int64())
                           .int64_value();
  // The rest are blocks of the folder's records on itself.
  const int64_t counted = folder.backend->ReadStats()->at(0).bytes_on_disk;
  CHECK(counted <= used);
  CHECK(counted > used * 3 / 4);
}

TEST_CASE("a folder without packed records gets the column when it is opened for writing") {
  Folder folder;
  folder.Take(RecentRows(120));
  const std::string answers = AskAll(*folder.backend, {"p"});
  RunIn(*folder.backend, R"(ALTER TABLE "test.logs" DROP COLUMN ":metadata")");
  RunIn(*folder.backend, "DELETE FROM logquery.columns WHERE column_name = ':metadata'");
  folder.Reopen(/*read_only=*/true);
  CHECK(folder.backend->ReadCatalog()->Find("test.logs")->packed_records.empty());
  CHECK(Difference(AskAll(*folder.backend, {"p"}), answers) == "");
  CHECK(folder.backend->Check(true)->empty());
  folder.Reopen();
  CHECK(folder.backend->ReadCatalog()->Find("test.logs")->packed_records.size() == 1);
  CHECK(Count(*folder.backend, R"(":metadata")") == 0);
  CHECK(Difference(AskAll(*folder.backend, {"p"}), answers) == "");
  folder.Take(RecentRows(90, "new"));
  CHECK(Count(*folder.backend, R"(":metadata")") == 90);
  CHECK(Difference(AskAll(*folder.backend, {"p", "new"}), AskUnpacked(*folder.backend, {"p", "new"})) == "");
  CHECK(folder.backend->Check(true)->empty());
}

TEST_CASE("a logquery that does not know a packed record's column drops it") {
  Folder folder;
  folder.Take(RecentRows(20));
  RunIn(*folder.backend, R"(ALTER TABLE "test.logs" ADD COLUMN ":later" BLOB USING COMPRESSION zstd)");
  RunIn(*folder.backend, "INSERT INTO logquery.columns VALUES ('test.logs', ':later', 'BLOB', true)");
  folder.Reopen(/*read_only=*/true);
  CHECK(Count(*folder.backend, "id") == 20);
  folder.Reopen();
  CHECK(
      SelectValue(*folder.backend, "SELECT count(*) FROM duckdb_columns() WHERE column_name = ':later'", Type::Int64())
          .int64_value() == 0);
  CHECK(Count(*folder.backend, R"(":metadata")") == 20);
}

TEST_CASE("records with learned fields are shown with them, beside packed ones of other projects") {
  Folder folder;
  folder.Take(RecentRows(100));
  std::string lines;
  for (int i = 0; i < 100; ++i) {
    lines += RowAt(Start() - absl::Seconds(i), "taught",
                   absl::StrCat(R"("id":"t)", 100 + i, R"(","metadata":{"i":)", i, R"(,"extra":{"x":)", i, "}}"));
  }
  folder.Take(lines);
  const std::string answers = AskAll(*folder.backend, {"p", "taught"});
  CHECK(answers.find(R"("extra":[{"x":12}])") != std::string::npos);
  CHECK(Difference(answers, AskUnpacked(*folder.backend, {"p", "taught"})) == "");
  folder.Reopen();
  CHECK(Difference(AskAll(*folder.backend, {"p", "taught"}), answers) == "");
}

TEST_CASE("answers that are kept are those from packed records, brought up to date") {
  Folder folder;
  folder.Take(RecentRows(200));
  const std::unique_ptr<QueryService> keeping = Serve(*folder.backend, /*keeps=*/true);
  const std::unique_ptr<QueryService> plain = Serve(*folder.backend);
  for (int round = 0; round < 5; ++round) {
    for (int again = 0; again < 2; ++again) CHECK(Ask(*keeping, NewestOf("p")) == Ask(*plain, NewestOf("p")));
    folder.Take(RowAt(Start() + absl::Seconds(round), "p",
                      absl::StrCat(R"("id":"k)", round, R"(","metadata":{"level":"new","i":)", round, "}")));
  }
  CHECK(Ask(*keeping, NewestOf("p")).find(R"({"id":"k4")") != std::string::npos);
}

}  // namespace
}  // namespace logquery::store::packed
