// Fields that rows have beyond the declared ones: loads make columns of them, and keep the rest.
#include <catch2/catch_test_macros.hpp>
#include <string>
#include <vector>

#include "lib/store/learn/learned_fields.h"
#include "logquery/store/learned_fields.h"
#include "tests/store/folder_test_util.h"

namespace logquery::store::learned_tests {
namespace {

// A folder into which each load is a file of its own.
struct Loader {
  Loader() : backend(OpenFolder(folder / "data")) {}

  LoadReport Take(const std::string& lines) {
    return Load(*backend, {.table = "test.logs", .files = {WriteFile(folder / std::to_string(++files), lines)}});
  }
  Value Read(const std::string& expression, Type type) const {
    return SelectValue(*backend, "SELECT " + expression + " FROM \"test.logs\"", std::move(type));
  }
  Table Seen() const {
    const auto catalog = backend->ReadCatalog();
    REQUIRE(catalog.ok());
    return *catalog->Find("test.logs");
  }
  std::string TypeAt(const model::FieldPath& path) const {
    const Table table = Seen();
    const Type* const type = model::FieldType(table.columns, path);
    return type == nullptr ? "" : type->ToString();
  }
  // All that no column holds, one row's after another's.
  std::string Kept() const {
    return Read("coalesce(string_agg(_undeclared, ' ' ORDER BY _undeclared), '')", Type::String()).string_value();
  }

  TemporaryFolder folder;
  std::unique_ptr<DuckDbBackend> backend;
  int files = 0;
};

std::vector<std::string> Texts(const std::vector<LearnedField>& fields) {
  std::vector<std::string> texts;
  for (const LearnedField& field : fields) texts.push_back(field.path + " " + field.type.ToString());
  return texts;
}

TEST_CASE(
    "fields that are not declared become columns, all of a file's at once, and queries see them as declared ones") {
  Loader at;
  const uint64_t before = at.backend->CatalogVersion();
  const LoadReport report =
      at.Take(Row(R"("metadata":{"request":{"path":"/","colo":"FRA"},"size":7},"tier":"FREE")") + "\n" +
              Row(R"("metadata":{"extra":{"on":true,"tags":["a","b"]}})") + "\n" + Row() + "\n");
  CHECK(report.rows == 3);
  CHECK(Texts(report.learned_fields) ==
        std::vector<std::string>{"metadata.extra.on BOOL", "metadata.extra.tags ARRAY<STRING>",
                                 "metadata.request.colo STRING", "metadata.size INT64", "tier STRING"});
  CHECK(report.undeclared_fields.empty());
  CHECK(at.Kept().empty());
  CHECK(at.backend->CatalogVersion() != before);

  CHECK(at.TypeAt({"tier"}) == "STRING");
  CHECK(at.TypeAt({"metadata", "request", "colo"}) == "STRING");
  CHECK(at.TypeAt({"metadata", "extra", "tags"}) == "ARRAY<STRING>");
  CHECK(at.Read("string_agg(\"metadata.request.colo\")", Type::String()) == Value::String("FRA"));
  CHECK(at.Read("sum(\"metadata.size\")::BIGINT", Type::Int64()) == Value::Int64(7));
  CHECK(at.Read("count_if(\"?metadata.extra\")::BIGINT", Type::Int64()) == Value::Int64(1));
  // Rows that have only learned fields have the record that these are in.
  CHECK(at.Read("count_if(\"?metadata\")::BIGINT", Type::Int64()) == Value::Int64(2));

  SECTION("and they are there when the folder is opened again, for reading and for writing") {
    for (const bool read_only : {true, false}) {
      at.backend.reset();
      at.backend = OpenFolder(at.folder / "data", read_only);
      CHECK(at.TypeAt({"metadata", "extra", "on"}) == "BOOL");
    }
    const LoadReport again = at.Take(Row(R"("metadata":{"size":8,"extra":{"on":false}})") + "\n");
    CHECK(again.learned_fields.empty());
    CHECK(at.Read("sum(\"metadata.size\")::BIGINT", Type::Int64()) == Value::Int64(15));
  }
  SECTION("and batches from memory have the same") {
    const std::string row = Row(R"("metadata":{"extra":{"later":1.5}})");
    const auto appended = at.backend->store().Append({.table = "test_logs", .rows = {row}});
    REQUIRE(appended.ok());
    CHECK(Texts(appended->learned_fields) == std::vector<std::string>{"metadata.extra.later FLOAT64"});
    CHECK(at.Read("sum(\"metadata.extra.later\")", Type::Float64()) == Value::Float64(1.5));
  }
  SECTION("and statistics name them") {
    const auto stats = at.backend->ReadStats();
    REQUIRE(stats.ok());
    CHECK(Texts((*stats)[0].learned_fields) == Texts(report.learned_fields));
  }
  SECTION("and the folder is in order") {
    const auto findings = at.backend->Check(/*read_rows=*/true);
    REQUIRE(findings.ok());
    CHECK(findings->empty());
  }
}

TEST_CASE("earlier rows have NULL in a column that is learned later, and no later record") {
  Loader at;
  at.Take(Row(R"("metadata":{})") + "\n");
  at.Take(Row(R"("metadata":{"extra":{"a":1}})") + "\n");
  CHECK(at.Read("count(\"metadata.extra.a\")::BIGINT", Type::Int64()) == Value::Int64(1));
  CHECK(at.Read("count_if(NOT \"?metadata.extra\")::BIGINT", Type::Int64()) == Value::Int64(1));
}

TEST_CASE("a learned field keeps its type: misfit values are kept as sent, and reported by the load") {
  Loader at;
  at.Take(Row("\"num\":1,\"large\":9007199254740993") + "\n" + Row("\"num\":2") + "\n");
  const LoadReport other = at.Take(Row("\"num\":2.5,\"large\":0.5") + "\n" + Row("\"num\":\"007\"") + "\n" +
                                   Row("\"num\":3") + "\n" + Row("\"num\":1e400") + "\n");
  CHECK(other.learned_fields.empty());
  CHECK(other.undeclared_fields == std::vector<std::string>{"large", "num"});
  CHECK(at.TypeAt({"num"}) == "INT64");
  CHECK(at.Read("sum(num)::BIGINT", Type::Int64()) == Value::Int64(6));
  CHECK(at.Read("max(large)", Type::Int64()) == Value::Int64(9007199254740993));
  CHECK(at.Kept() == R"({"num":"007"} {"num":1e400} {"num":2.5,"large":0.5})");
  CHECK(at.backend->Check(true)->empty());
}

std::string Of(const std::string& project, const std::string& members) {
  return Row("\"project\":\"" + project + "\"," + members) + "\n";
}

TEST_CASE("projects that teach two types of one name get a column each, wherever rows name their project") {
  Loader at;
  const LoadReport report =
      at.Take(Of("a", R"("metadata":{"app":{"n":"abc"}})") + Row(R"("metadata":{"app":{"n":5}},"project":"b")") + "\n" +
              Of("c", R"("metadata":{"app":7})"));
  CHECK(report.undeclared_fields.empty());
  CHECK(at.Kept().empty());
  at.Take(Of("b", R"("metadata":{"app":{"n":6}})") + Of("a", R"("metadata":{"app":{"n":6}})") +
          Of("c", R"("metadata":{"app":{"n":6}})") + Of("d", R"("metadata":{"app":{"n":6}})"));
  CHECK(at.Kept() == R"({"metadata":{"app":{"n":6}}})");  // c's
  CHECK(at.Read("sum(\"metadata.app.n:INT64\")::BIGINT", Type::Int64()) == Value::Int64(17));
  CHECK(at.Read("string_agg(\"metadata.app.n\", ' ' ORDER BY \"metadata.app.n\")", Type::String()) ==
        Value::String("6 abc"));
  CHECK(at.Read("sum(\"metadata.app\")::BIGINT", Type::Int64()) == Value::Int64(7));
  CHECK(at.backend->Check(true)->empty());
  // All of it is there when the folder is opened again.
  at.backend.reset();
  at.backend = OpenFolder(at.folder / "data");
  at.Take(Of("b", R"("metadata":{"app":{"n":1}})"));
  CHECK(at.Read("sum(\"metadata.app.n:INT64\")::BIGINT", Type::Int64()) == Value::Int64(18));
}

TEST_CASE("keys that no schema declares and that differ only in case are two fields of one row") {
  Loader at;
  const LoadReport report = at.Take(Row(R"("metadata":{"Level2":1,"level2":2,"deep":{"a":1,"A":2}}})") + "\n" +
                                    Row(R"("metadata":{"Level2":3,"level2":4},"odd":[{"b":1,"B":2}])") + "\n");
  CHECK(report.rejected_rows == 1);  // not JSON
  CHECK(report.rows == 1);
  const LoadReport both = at.Take(Row(R"("metadata":{"Level2":5,"level2":6,"deep":{"a":1,"A":2}})") + "\n");
  CHECK(both.rejected_rows == 0);
  CHECK(at.Read("count(*)::BIGINT", Type::Int64()) == Value::Int64(2));
  CHECK(at.Take(Row(R"("twice":1,"twice":2)") + "\n").rejected_rows == 1);
}

TEST_CASE("a value of another type than its column is kept as an undeclared field") {
  Loader at;
  at.Take(Row(R"("s":1,"l":[1],"r":{"a":1})") + "\n");
  const LoadReport report =
      at.Take(Row(R"("s":{"x":1},"l":2,"r":"text")") + "\n" + Row(R"("s":[3],"r":[{"a":1},{"a":2}])") + "\n" +
              Row(R"("s":null,"l":[],"r":[{"a":5}])") + "\n");
  CHECK(report.rows == 3);
  CHECK(report.learned_fields.empty());
  CHECK(report.undeclared_fields == std::vector<std::string>{"l", "r", "s"});
  CHECK(at.Kept() == R"({"s":[3],"r":[{"a":1},{"a":2}]} {"s":{"x":1},"l":2,"r":"text"})");
  CHECK(at.Read("sum(\"r.a\")::BIGINT", Type::Int64()) == Value::Int64(6));
}

TEST_CASE("types that flip from row to row are one change, and nothing is lost") {
  Loader at;
  const std::vector<std::string> values = {"1", "\"x\"", "2.5", "true", "null", "{\"a\":1}", "[1]", "[]"};
  std::string lines;
  for (int i = 0; i < 4'000; ++i) lines += Row("\"flip\":" + values[i % values.size()]) + "\n";
  const LoadReport report = at.Take(lines);
  CHECK(report.rows == 4'000);
  CHECK(Texts(report.learned_fields) == std::vector<std::string>{"flip STRING"});
  CHECK(at.Read("count(flip)::BIGINT", Type::Int64()) == Value::Int64(2'000));
  CHECK(at.Read("count(_undeclared)::BIGINT", Type::Int64()) == Value::Int64(1'500));
}

TEST_CASE("rows without a project get at most a hundred columns, and further fields are kept in one column") {
  Loader at;
  std::string lines;
  constexpr int kNames = 3'000;
  for (int i = 0; i < kNames; ++i)
    lines += Row("\"metadata\":{\"f" + std::to_string(i) + "\":" + std::to_string(i) + "}") + "\n";
  lines += Row(R"("metadata":{"f2999":1})") + "\n";
  const LoadReport report = at.Take(lines);
  CHECK(report.rows == kNames + 1);
  CHECK(report.learned_fields.size() == kMaxLearnedOfNoProject);
  CHECK(report.undeclared_fields.size() == 1'000);  // no more are named
  CHECK(at.TypeAt({"metadata", "f2999"}) == "INT64");
  CHECK(at.Read("count(_undeclared)::BIGINT", Type::Int64()) ==
        Value::Int64(kNames - static_cast<int64_t>(kMaxLearnedOfNoProject)));
  const LoadReport more = at.Take(Row(R"("metadata":{"another":1,"f2999":2})") + "\n");
  CHECK(more.learned_fields.empty());
  CHECK(more.undeclared_fields == std::vector<std::string>{"metadata.another"});
}

TEST_CASE("fields with hostile names become a column or stay undeclared, and are never confused") {
  Loader at;
  const std::string longest(kMaxLearnedName + 1, 'n');
  const std::string row =
      Row(R"("a\"b":1,"a'b":2,"; DROP TABLE x":3,"é😀":4,"a.b":5,"":6,"a\u0000b":7,"a\nb":8,"rowid":9,)"
          R"("_undeclared":10,"?metadata":11,"metadata.request.path":12,"select":13,")" +
          longest + R"(":14,"metadata":{"a.b":15,"a":{"b":16},"request.path":17})");
  const LoadReport report = at.Take(row + "\n");
  CHECK(report.rows == 1);
  CHECK(report.learned_fields.size() == 7);  // two are written alike: "a.b" in metadata, and b of a record a
  CHECK(at.Read("\"a\"\"b\" + \"a'b\" + \"; DROP TABLE x\" + \"é😀\" + \"select\"", Type::Int64()) == Value::Int64(23));
  CHECK(at.Read("\"metadata.a\\.b\"", Type::Int64()) == Value::Int64(15));
  CHECK(at.Read("\"metadata.a.b\"", Type::Int64()) == Value::Int64(16));
  CHECK(at.Read("\"metadata.request.path\"", Type::String()).is_null());
  CHECK(at.Kept() == R"({"a.b":5,"":6,"a\u0000b":7,"a\nb":8,"rowid":9,"_undeclared":10,"?metadata":11,)"
                     R"("metadata.request.path":12,")" +
                         longest + R"(":14})");
  CHECK(at.Take(Row(R"("A\"B":20)") + "\n").learned_fields.empty());
  CHECK(at.Read("sum(\"a\"\"b\")::BIGINT", Type::Int64()) == Value::Int64(21));
  CHECK(at.Take(Row(R"("select":1,"SELECT":2)") + "\n").rejected_rows == 0);
  CHECK(at.backend->Check(true)->empty());
}

TEST_CASE("a row that is rejected teaches nothing") {
  Loader at;
  const LoadReport report = at.Take(Row(R"("new":1,"i":"no number")") + "\n" + Row(R"("i":1)") + "\n");
  CHECK(report.rejected_rows == 1);
  CHECK(report.learned_fields.empty());
  CHECK(at.TypeAt({"new"}).empty());
}

TEST_CASE("files loaded together, including gzip and repeated ones, learn together") {
  Loader at;
  const std::string first = WriteFile(at.folder / "first", Row("\"a\":1") + "\n");
  Load(*at.backend, {.table = "test.logs", .files = {first}});
  LoadRequest request = {.table = "test.logs", .files = {first}, .together = true};
  for (const char* members : {"\"bb\":1", "\"c\":2", "\"bb\":1.5"}) {
    request.files.push_back(WriteFile(at.folder / ("f" + std::to_string(request.files.size())), Row(members) + "\n"));
  }
  const LoadReport report = Load(*at.backend, request);
  CHECK(report.files_loaded == 3);
  CHECK(report.files_skipped == std::vector<std::string>{first});
  CHECK(Texts(report.learned_fields) == std::vector<std::string>{"bb FLOAT64", "c INT64"});
  CHECK(CountRows(*at.backend) == 4);
}

TEST_CASE("rows with an existing id are left out while columns are learned") {
  Loader at;
  const std::string one = WriteFile(at.folder / "one", Row(R"("id":"x","a":1)") + "\n");
  const std::string two =
      WriteFile(at.folder / "two", Row(R"("id":"x","bb":1)") + "\n" + Row(R"("id":"y","bb":"z")") + "\n");
  Load(*at.backend, {.table = "test.logs", .files = {one}, .dedupe_by_id = true});
  const LoadReport report = Load(*at.backend, {.table = "test.logs", .files = {two}, .dedupe_by_id = true});
  CHECK(report.rows == 1);
  CHECK(report.duplicate_rows == 1);
  CHECK(at.Read("max(bb)", Type::String()) == Value::String("z"));
}

TEST_CASE("a folder of format 1 is readable, and becomes format 3 when it is opened for writing") {
  TemporaryFolder folder;
  const std::string data = folder / "data";
  {
    const auto backend = OpenFolder(data);
    Load(*backend, {.table = "test.logs", .files = {WriteFile(folder / "a", Row("\"i\":1") + "\n")}});
  }
  WriteFile(data + "/FORMAT", "logquery data folder, format 1\n");
  CHECK(CountRows(*OpenFolder(data, /*read_only=*/true)) == 1);
  CHECK(ReadFile(data + "/FORMAT") == "logquery data folder, format 1\n");
  OpenFolder(data);
  CHECK(ReadFile(data + "/FORMAT") == "logquery data folder, format 3\n");
}

TEST_CASE("a schema that declares a learned field is rejected with the field's name") {
  TemporaryFolder folder;
  {
    const auto backend = OpenFolder(folder / "data");
    Load(*backend, {.table = "test.logs", .files = {WriteFile(folder / "a", Row(R"("new":{"x":1})") + "\n")}});
  }
  for (const char* declared : {R"("new": "STRING")", R"("new": {"x": "STRING"})"}) {
    CAPTURE(declared);
    DuckDbOptions options;
    options.folder = folder / "data";
    options.schema_json = kTestSchema;
    options.schema_json.replace(options.schema_json.find("\"i\""), 0, std::string(declared) + ", ");
    const absl::Status status = OpenDuckDb(options).status();
    CHECK(status.code() == absl::StatusCode::kFailedPrecondition);
    CHECK(std::string(status.message()).find("which the folder has learned") != std::string::npos);
  }
}

TEST_CASE("a learned field is given back, for one project or for all") {
  Loader at;
  at.Take(Of("a", R"("metadata":{"app":{"n":1,"s":"x"}},"tier":1)") + Of("b", R"("metadata":{"app":{"n":2}})"));
  const auto logs = ReadLearnedLogs(*at.backend);
  REQUIRE((logs.ok() && logs->size() == 1));
  CHECK((*logs)[0].columns == 4);
  REQUIRE((*logs)[0].projects.size() == 2);
  CHECK((*logs)[0].projects[0].project == "a");
  CHECK((*logs)[0].projects[0].columns == 4);
  CHECK((*logs)[0].projects[1].columns == 2);

  ForgetRequest request{.table = "test_logs", .field = "metadata.app", .project = "a", .dry_run = true};
  for (const bool dry_run : {true, false}) {
    request.dry_run = dry_run;
    const auto forgot = ForgetFields(*at.backend, request);
    INFO(forgot.status().ToString());
    REQUIRE(forgot.ok());
    REQUIRE(forgot->fields.size() == 3);
    CHECK((forgot->fields[1].path == "metadata.app.n" && forgot->fields[1].rows == 1 && !forgot->fields[1].freed));
    CHECK((forgot->fields[2].path == "metadata.app.s" && forgot->fields[2].freed));
  }
  CHECK(at.Read("string_agg(\"metadata.app.n\")", Type::String()) == Value::String("2"));
  CHECK(ReadLearnedLogs(*at.backend)->at(0).columns == 3);
  // A field that was given back can be taught anew, with another type.
  at.Take(Of("a", R"("metadata":{"app":{"s":7}})"));
  CHECK(at.Read("sum(\"metadata.app.s\")::BIGINT", Type::Int64()) == Value::Int64(7));
  REQUIRE(ForgetFields(*at.backend, {.table = "test_logs", .field = "metadata.app"}).ok());
  CHECK(at.TypeAt({"metadata", "app"}).empty());
  CHECK(absl::IsNotFound(ForgetFields(*at.backend, {.table = "test_logs", .field = "metadata.app"}).status()));
  CHECK(absl::IsNotFound(ForgetFields(*at.backend, {.table = "nowhere", .field = "tier"}).status()));
  CHECK(absl::IsInvalidArgument(ForgetFields(*at.backend, {.table = "test_logs"}).status()));
  CHECK(at.backend->Check(true)->empty());
  // Erasing a project takes what only its rows taught.
  REQUIRE(at.backend->store().Erase({.project = "a"}).ok());
  CHECK(at.TypeAt({"tier"}).empty());
  at.backend.reset();
  at.backend = OpenFolder(at.folder / "data");
  CHECK(ReadLearnedLogs(*at.backend)->empty());
}

}  // namespace
}  // namespace logquery::store::learned_tests
