// Logs of the operator's own in a data folder: declared, kept, declared again while the folder is open.
#include <catch2/catch_test_macros.hpp>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "lib/engines/duckdb/backend/database.h"
#include "lib/engines/duckdb/backend/small_query.h"
#include "lib/model/schema_file.h"
#include "logquery/store/folder_check.h"
#include "tests/store/folder_test_util.h"

namespace logquery::store {
namespace {

constexpr char kApp[] = R"({"app.logs": {"log": "app_logs", "time": "at", "id": "request_id", "message": "text",
  "retention": {"days": 1}, "hot": {"values": ["m.path"], "presence": ["m"]},
  "columns": {"request_id": "STRING", "at": "TIMESTAMP", "text": "STRING", "m": {"path": "STRING"}}}})";
constexpr char kWider[] = R"({"app.logs": {"log": "app_logs", "time": "at", "id": "request_id", "message": "text",
  "columns": {"request_id": "STRING", "at": "TIMESTAMP", "text": "STRING", "m": {"path": "STRING"}, "size": "INT64"}}})";

absl::StatusOr<std::unique_ptr<DuckDbBackend>> Open(const std::string& folder, const std::string& own = "",
                                                    bool read_only = false) {
  DuckDbOptions options;
  options.folder = folder;
  options.read_only = read_only;
  options.own_logs_json = own;
  return OpenDuckDb(options);
}

void Append(DuckDbBackend& backend, std::vector<std::string_view> rows) {
  const absl::StatusOr<LoadReport> report = backend.store().Append({.table = "app_logs", .rows = std::move(rows)});
  INFO(report.status().ToString());
  REQUIRE(report.ok());
  REQUIRE(report->rejected_rows == 0);
}

std::string Text(QueryBackend& backend, const std::string& sql) {
  return SelectValue(backend, sql, Type::String()).string_value();
}

TEST_CASE("a folder accepts a custom log, and keeps it when it is opened again") {
  TemporaryFolder folder;
  const std::string data = folder / "data";
  {
    auto backend = Open(data, kApp);
    INFO(backend.status().ToString());
    REQUIRE(backend.ok());
    Append(**backend,
           {R"({"at":"2026-03-04T05:06:07Z","text":"one","m":{"path":"/a"}})", R"({"at":"2026-03-04T05:06:08Z"})"});
    CHECK((*backend)->ReadCatalog()->Find("app.logs")->hot_columns.size() == 2);
  }
  for (const bool read_only : {true, false}) {
    auto backend = Open(data, "", read_only);
    REQUIRE(backend.ok());
    const Table* const table = (*backend)->ReadCatalog()->Find("app.logs");
    REQUIRE(table != nullptr);
    CHECK(Text(**backend, R"(SELECT text FROM "app.logs" WHERE m.path = '/a')") == "one");
    // The named columns are filled where a row lacks them.
    CHECK(
        Text(**backend, R"(SELECT text || '|' || (length(request_id) > 8)::VARCHAR FROM "app.logs" WHERE m IS NULL)") ==
        "|true");
    REQUIRE((*backend)->DeclaredRetention().size() == 1);
    CHECK((*backend)->DeclaredRetention()[0].table == "app_logs");
    CHECK((*backend)->DeclaredRetention()[0].max_age == absl::Hours(24));
    const auto stats = (*backend)->ReadStats();
    REQUIRE(stats.ok());
    CHECK(stats->back().log == "app_logs");
    CHECK(stats->back().rows == 2);
  }
  CHECK(CheckFolder({.folder = data})->empty());
}

constexpr char kFurther[] = R"({"cloudflare.logs.prod": {"fields": {"identifier": "STRING",
  "metadata": {"request": {"ja4": "STRING"}, "proxy": {"ms": "INT64"}}}}})";

std::string Edge(const std::string& fields) {
  return R"({"timestamp":"2026-03-04T05:06:07Z","project":"p",)" + fields + "}";
}

void AppendEdge(DuckDbBackend& backend, const std::string& fields) {
  const std::string row = Edge(fields);
  const absl::StatusOr<LoadReport> report = backend.store().Append({.table = "edge_logs", .rows = {row}});
  INFO(report.status().ToString());
  REQUIRE((report.ok() && report->rejected_rows == 0));
}

bool HasField(QueryBackend& backend, const model::FieldPath& path) {
  const absl::StatusOr<Catalog> catalog = backend.ReadCatalog();
  REQUIRE(catalog.ok());
  return model::FieldType(catalog->Find("cloudflare.logs.prod")->columns, path) != nullptr;
}

TEST_CASE("further fields of a built-in log are there before a row has brought them, and stay") {
  TemporaryFolder folder;
  const std::string data = folder / "data";
  {
    // A folder of before, with rows, one of which has one of the fields.
    auto before = Open(data);
    REQUIRE(before.ok());
    AppendEdge(**before, R"("id":"old","metadata":{"request":{"method":"GET"}})");
    AppendEdge(**before, R"("id":"learned","identifier":"one")");
  }
  {
    auto backend = Open(data, kFurther);
    INFO(backend.status().ToString());
    REQUIRE(backend.ok());
    for (const model::FieldPath& path :
         {model::FieldPath{"identifier"}, {"metadata", "request", "ja4"}, {"metadata", "proxy", "ms"}}) {
      CHECK(HasField(**backend, path));
    }
    AppendEdge(**backend, R"("id":"new","identifier":"two","metadata":{"request":{"ja4":"j"},"proxy":{"ms":7}})");
  }
  for (const bool read_only : {true, false}) {
    CAPTURE(read_only);
    auto backend = Open(data, read_only ? kFurther : "", read_only);
    INFO(backend.status().ToString());
    REQUIRE(backend.ok());
    CHECK(HasField(**backend, {"metadata", "proxy", "ms"}));
    const std::string edge = R"( FROM "cloudflare.logs.prod" WHERE id = )";
    CHECK(Text(**backend, "SELECT identifier" + edge + "'learned'") == "one");
    CHECK(Text(**backend, R"(SELECT identifier || "metadata.request.ja4" || "metadata.proxy.ms")" + edge + "'new'") ==
          "twoj7");
    CHECK(Text(**backend, R"(SELECT ("metadata.proxy.ms" IS NULL)::VARCHAR || "?metadata.proxy"::VARCHAR)" + edge +
                              "'old'") == "truefalse");
  }
  CHECK(CheckFolder({.folder = data})->empty());
}

TEST_CASE("further fields are declared while the folder is open; rows fill them and change none") {
  TemporaryFolder folder;
  auto backend = Open(folder / "data");
  REQUIRE(backend.ok());
  AppendEdge(**backend, R"("id":"first")");
  REQUIRE((*backend)->DeclareLogs("schema.json", kFurther).ok());
  REQUIRE((*backend)->DeclareLogs("schema.json", kFurther).ok());  // again changes nothing
  AppendEdge(**backend, R"("id":"second","identifier":"two","other":1)");
  CHECK(Text(**backend, R"(SELECT identifier FROM "cloudflare.logs.prod" WHERE id = 'second')") == "two");
  CHECK(HasField(**backend, {"other"}));
  // Values that can be cast exactly go in, and other values are kept beside.
  AppendEdge(**backend, R"("id":"third","metadata":{"proxy":{"ms":"15"}})");
  AppendEdge(**backend, R"("id":"fourth","metadata":{"proxy":{"ms":1.5}})");
  CHECK(Text(**backend, R"(SELECT "metadata.proxy.ms"::VARCHAR FROM "cloudflare.logs.prod" WHERE id = 'third')") ==
        "15");
  CHECK(Text(**backend, R"(SELECT _undeclared FROM "cloudflare.logs.prod" WHERE id = 'fourth')") ==
        R"({"metadata":{"proxy":{"ms":1.5}}})");
  REQUIRE((*backend)->DeclareLogs("schema.json", kFurther).ok());
}

// Leaves the table as a server before this one did where a row had text in a declared number.
void WidenAsBefore(const std::string& data) {
  duckdb::DatabaseOptions options;
  options.file = data + "/logs.duckdb";
  const auto database = duckdb::Database::Open(options);
  REQUIRE(database.ok());
  const auto connection = database->Connect();
  REQUIRE(connection.ok());
  for (const char* sql :
       {R"(ALTER TABLE "cloudflare.logs.prod" ALTER "metadata.proxy.ms" TYPE VARCHAR)",
        R"(ALTER TABLE "cloudflare.logs.prod" RENAME "metadata.proxy.ms" TO "metadata.proxy.ms:STRING")",
        "UPDATE logquery.learned SET column_name = 'metadata.proxy.ms:STRING', type = 'STRING' WHERE column_name = "
        "'metadata.proxy.ms'",
        R"(INSERT INTO "cloudflare.logs.prod" (id, "timestamp", project, "?metadata.proxy", "metadata.proxy.ms:STRING")
           VALUES ('text', TIMESTAMP '2026-03-04 05:06:07', 'p', TRUE, 'abc'))",
        "DROP TABLE logquery.learned_by"}) {
    const absl::Status status = duckdb::Run(connection->get(), sql);
    INFO(status.ToString());
    REQUIRE(status.ok());
  }
}

TEST_CASE("a folder in which rows have widened a declared field gets the declared type back, and loses no value") {
  TemporaryFolder folder;
  const std::string data = folder / "data";
  {
    auto backend = Open(data, kFurther);
    REQUIRE(backend.ok());
    AppendEdge(**backend, R"("id":"number","metadata":{"proxy":{"ms":7}})");
  }
  WidenAsBefore(data);
  for (int i = 0; i < 2; ++i) {
    auto backend = Open(data, kFurther);
    INFO(backend.status().ToString());
    REQUIRE(backend.ok());
    const Table* const table = (*backend)->ReadCatalog()->Find("cloudflare.logs.prod");
    CHECK(model::FieldType(table->columns, {"metadata", "proxy", "ms"})->ToString() == "INT64");
    CHECK(Text(**backend, R"(SELECT "metadata.proxy.ms"::VARCHAR FROM "cloudflare.logs.prod" WHERE id = 'number')") ==
          "7");
    CHECK(Text(**backend, R"(SELECT "metadata.proxy.ms:STRING" FROM "cloudflare.logs.prod" WHERE id = 'text')") ==
          "abc");
  }
  CHECK(CheckFolder({.folder = data})->empty());
}

TEST_CASE("learned fields do not block a declaration, and one with too many fields is rejected without effect") {
  TemporaryFolder folder;
  const std::string data = folder / "data";
  {
    auto backend = Open(data);
    REQUIRE(backend.ok());
    AppendEdge(**backend, R"("id":"first","metadata":{"proxy":"direct"})");
    std::string fields;
    for (int i = 0; i < 201; ++i) fields += (i == 0 ? "\"f" : ",\"f") + std::to_string(i) + "\":\"STRING\"";
    const absl::Status many =
        (*backend)->DeclareLogs("schema.json", R"({"cloudflare.logs.prod":{"fields":{)" + fields + "}}}");
    CHECK(absl::IsFailedPrecondition(many));
    CHECK(absl::StrContains(many.message(), "for which there is no room"));
    CHECK_FALSE(HasField(**backend, {"f0"}));
  }
  {
    auto backend = Open(data, kFurther);
    INFO(backend.status().ToString());
    REQUIRE(backend.ok());
    CHECK(HasField(**backend, {"metadata", "proxy", "ms"}));
    CHECK(Text(**backend, R"(SELECT "metadata.proxy" FROM "cloudflare.logs.prod" WHERE id = 'first')") == "direct");
  }
  // A folder that is open for reading only gets no columns, and says so.
  const auto reading = Open(data, R"({"cloudflare.logs.prod":{"fields":{"b":"STRING"}}})", true);
  CHECK(absl::StrContains(reading.status().message(), "does not have all fields of cloudflare.logs.prod yet"));
}

TEST_CASE("logs are declared while the folder is open, and rows and queries see them at once") {
  TemporaryFolder folder;
  auto backend = Open(folder / "data");
  REQUIRE(backend.ok());
  CHECK_FALSE((*backend)->store().Append({.table = "app_logs"}).ok());
  const uint64_t version = (*backend)->CatalogVersion();
  REQUIRE((*backend)->DeclareLogs("schema.json", kApp).ok());
  CHECK((*backend)->CatalogVersion() != version);
  Append(**backend, {R"({"at":"2026-03-04T05:06:07Z","text":"one"})"});

  // The same again changes nothing, and so costs no plan.
  const uint64_t declared = (*backend)->CatalogVersion();
  REQUIRE((*backend)->DeclareLogs("schema.json", kApp).ok());
  CHECK((*backend)->CatalogVersion() == declared);

  REQUIRE((*backend)->DeclareLogs("schema.json", kWider).ok());
  Append(**backend, {R"({"at":"2026-03-04T05:06:08Z","text":"two","size":7})"});
  CHECK(Text(**backend, R"(SELECT string_agg(text || coalesce(size, -1), ',' ORDER BY "at") FROM "app.logs")") ==
        "one-1,two7");
  CHECK((*backend)->ReadCatalog()->Find("app.logs")->hot_columns.empty());
  CHECK((*backend)->DeclaredRetention().empty());
}

TEST_CASE("a column that is no longer declared stays, with its rows, and can be declared again") {
  TemporaryFolder folder;
  const std::string data = folder / "data";
  // The record loses the field in the middle, and its others change places.
  constexpr char kAll[] = R"({"app.logs": {"log": "app_logs", "time": "at", "columns": {
      "at": "TIMESTAMP", "text": "STRING", "extra": "INT64", "m": {"a": "STRING", "b": "INT64", "c": "STRING"}}}})";
  constexpr char kLess[] = R"({"app.logs": {"log": "app_logs", "time": "at", "columns": {
      "at": "TIMESTAMP", "text": "STRING", "m": {"c": "STRING", "a": "STRING"}}}})";
  const char* const row = R"({"at":"2026-03-04T05:06:07Z","text":"one","extra":5,"m":{"a":"x","b":6,"c":"y"}})";
  const char* const sum =
      R"(SELECT concat_ws(',', text, extra, m.a, m.b, m.c) FROM "app.logs" WHERE extra = 5 LIMIT 1)";
  {
    auto backend = Open(data, kAll);
    REQUIRE(backend.ok());
    Append(**backend, {row});
    CHECK((*backend)->ColumnsLeftOut("schema.json", kAll)->empty());
    CHECK(*(*backend)->ColumnsLeftOut("schema.json", kLess) ==
          std::vector<std::string>{"app.logs.extra", "app.logs.m.b"});
    const absl::Status status = (*backend)->DeclareLogs("schema.json", kLess);
    INFO(status.ToString());
    REQUIRE(status.ok());
    CHECK(Text(**backend, sum) == "one,5,x,6,y");
    Append(**backend, {row});
  }
  for (const char* declared : {kLess, "", kAll}) {
    CAPTURE(declared);
    auto backend = Open(data, declared);
    INFO(backend.status().ToString());
    REQUIRE(backend.ok());
    CHECK(Text(**backend, sum) == "one,5,x,6,y");
    Append(**backend, {row});
    const auto catalog = (*backend)->ReadCatalog();
    REQUIRE(catalog->Find("app.logs") != nullptr);
    CHECK(catalog->Find("app.logs")->columns.size() == 4);
  }
}

TEST_CASE("a declaration that conflicts with the folder is rejected and changes nothing") {
  struct Case {
    const char* json;
    absl::StatusCode code;
    const char* message;
  };
  const Case cases[] = {
      {R"({"app.logs": {"log": "app_logs", "time": "at", "columns": {"request_id": "INT64", "at": "TIMESTAMP",
          "text": "STRING", "m": {"path": "STRING"}}}})",
       absl::StatusCode::kFailedPrecondition,
       "schema.json: the schema declares app.logs.request_id as INT64, but the folder has it as STRING"},
      {R"({"app.logs": {"log": "app_logs", "time": "at", "columns": {"request_id": "STRING", "at": "TIMESTAMP",
          "text": "STRING", "m": {"path": "STRING"}, "learned": "STRING"}}})",
       absl::StatusCode::kFailedPrecondition, "app.logs.learned, which the folder has learned as INT64"},
      {R"({"other": {"log": "app_logs", "time": "at", "columns": {"at": "TIMESTAMP"}}})",
       absl::StatusCode::kInvalidArgument, "the table app.logs has the log app_logs"},
      {R"({"edge_logs": {"time": "at", "columns": {"at": "TIMESTAMP"}}})", absl::StatusCode::kInvalidArgument,
       "schema.json at line 1, column 2: edge_logs has the name of a built-in log"},
  };
  TemporaryFolder folder;
  auto backend = Open(folder / "data", kApp);
  REQUIRE(backend.ok());
  Append(**backend, {R"({"at":"2026-03-04T05:06:07Z","text":"one","learned":5})"});
  const uint64_t revision = (*backend)->ReadCatalog()->revision();
  for (const Case& c : cases) {
    CAPTURE(c.json);
    const absl::Status status = (*backend)->DeclareLogs("schema.json", c.json);
    INFO(status.ToString());
    CHECK(status.code() == c.code);
    CHECK(absl::StrContains(status.message(), c.message));
    CHECK((*backend)->ReadCatalog()->revision() == revision);
  }
  Append(**backend, {R"({"at":"2026-03-04T05:06:08Z","text":"two","learned":6})"});
}

TEST_CASE("a folder that is open for reading says that it lacks a declared log, and takes no new one") {
  TemporaryFolder folder;
  const std::string data = folder / "data";
  { REQUIRE(Open(data).ok()); }
  const absl::Status status = Open(data, kApp, /*read_only=*/true).status();
  CHECK(absl::IsFailedPrecondition(status));
  CHECK(absl::StrContains(status.message(), "does not have the log app_logs yet"));
  auto backend = Open(data, "", /*read_only=*/true);
  REQUIRE(backend.ok());
  CHECK(absl::IsUnimplemented((*backend)->DeclareLogs("schema.json", kApp)));
}

TEST_CASE("a folder takes a thousand logs") {
  std::string json = "{";
  for (int i = 0; i < 1'000; ++i) {
    json += (i == 0 ? "\"l" : ",\"l") + std::to_string(i) +
            R"(": {"time": "t", "columns": {"t": "TIMESTAMP", "x": "STRING"}})";
  }
  TemporaryFolder folder;
  auto backend = Open(folder / "data");
  REQUIRE(backend.ok());
  REQUIRE((*backend)->DeclareLogs("schema.json", json + "}").ok());
  CHECK((*backend)->ReadCatalog()->tables().size() == 1'009);
  const std::vector<std::string_view> rows = {R"({"t":"2026-03-04T05:06:07Z","x":"a"})"};
  CHECK((*backend)->store().Append({.table = "l999", .rows = rows}).ok());
}

}  // namespace
}  // namespace logquery::store
