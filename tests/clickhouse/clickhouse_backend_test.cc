// Queries over a real ClickHouse: what it is asked, what comes back, and what is refused.
#include "logquery/clickhouse/clickhouse_backend.h"

#include <catch2/catch_test_macros.hpp>
#include <functional>
#include <string>
#include <vector>

#include "lib/base/strings.h"
#include "tests/clickhouse/click_house_or_skip.h"
#include "tests/support/has.h"
#include "tests/support/sandbox_service.h"

namespace logquery {
namespace {

using base::StrCat;
using testing::ClickHouseOrSkip;
using testing::Has;

constexpr char kSchema[] = R"({"events": {"log": "events", "project": ["project"], "time": "ts", "columns": {
  "ts": "TIMESTAMP", "id": "STRING", "project": "STRING", "n": "INT64", "x": "FLOAT64", "ok": "BOOL",
  "day": "DATE", "raw": "BYTES", "doc": "JSON", "tags": ["STRING"],
  "metadata": {"level": "STRING", "ratio": "FLOAT64", "labels": ["STRING"],
               "request": {"method": "STRING", "status": "INT64", "cached": "BOOL"}}}}})";

constexpr char kTable[] =
    "CREATE TABLE logs.events (ts DateTime64(6, 'Asia/Tokyo'), id UUID, project LowCardinality(String), n "
    "Nullable(UInt32), "
    "x Nullable(Float32), ok Nullable(Bool), day Nullable(Date32), raw Nullable(String), doc String, "
    "tags Array(Nullable(String)), metadata String, method LowCardinality(Nullable(String)), has_metadata Bool) "
    "ENGINE = MergeTree ORDER BY (project, ts)";

constexpr char kRows[] =
    "INSERT INTO logs.events VALUES "
    "(fromUnixTimestamp64Micro(toInt64(1769846400000001)), '00000000-0000-0000-0000-000000000001', 'a', 7, 0.5, true, "
    "'1969-12-31', unhex('00ff'), '{\"b\": [1.10]}', ['x', NULL, '5'], '{\"level\": \"Info\", \"ratio\": 2.5, "
    "\"labels\": "
    "[\"k\"], \"request\": {\"method\": \"GET\", \"status\": 2e2}}', 'GET', true), "
    "(fromUnixTimestamp64Micro(toInt64(-1)), '00000000-0000-0000-0000-000000000002', 'B', NULL, nan, NULL, NULL, NULL, "
    "'', [], '[{\"level\": \"error\", \"request\": [{\"method\": \"POST\", \"status\": \"500\", \"cached\": "
    "\"TRUE\"}]}]', "
    "'POST', true), "
    "(fromUnixTimestamp64Micro(toInt64(253402300799999999)), '00000000-0000-0000-0000-000000000003', 'ä', 4294967295, "
    "-inf, false, '2299-12-31', '', 'null', [], '', NULL, false)";

// Takes SQL over `events`.
struct Service : testing::SandboxService {
  explicit Service(const ClickHouseOptions& options) : SandboxService(OpenClickHouse(options), {}) {}
};

std::string Row(const std::string& row) { return StrCat(R"({"result":[)", row, "]}"); }

ClickHouseTable Events() {
  ClickHouseTable table;
  table.name = table.table = "events";
  table.fields = {{"metadata.request.method", "method"}};
  table.presence = {{"metadata", "has_metadata"}};
  return table;
}

std::string WhyNot(const ClickHouseOptions& options) {
  const auto opened = OpenClickHouse(options);
  return opened.ok() ? "it opens" : opened.status().ToString();
}

TEST_CASE("a table of ClickHouse is asked the whole dialect", "[clickhouse]") {
  ClickHouseOrSkip server;
  server.Sql(kTable);
  server.Sql(kRows);
  Service service(server.Options({Events()}, kSchema));
  CHECK(
      service.Ask("select * from events order by ts") ==
      Row(R"({"ts":-1,"id":"00000000-0000-0000-0000-000000000002","project":"B","n":null,"x":"NaN","ok":null,"day":null,)"
          R"("raw":null,"doc":null,"tags":[],"metadata":[{"level":"error","ratio":null,"labels":[],)"
          R"("request":[{"method":"POST","status":500,"cached":true}]}]},)"
          R"({"ts":1769846400000001,"id":"00000000-0000-0000-0000-000000000001","project":"a","n":7,"x":0.5,"ok":true,)"
          R"("day":"1969-12-31","raw":"AP8=","doc":{"b":[1.10]},"tags":["x",null,"5"],"metadata":[{"level":"Info",)"
          R"("ratio":2.5,"labels":["k"],"request":[{"method":"GET","status":200,"cached":null}]}]},)"
          R"({"ts":253402300799999999,"id":"00000000-0000-0000-0000-000000000003","project":"ä","n":4294967295,)"
          R"("x":"-Infinity","ok":false,"day":"2299-12-31","raw":"","doc":null,"tags":[],"metadata":[]})"));
  CHECK(service.Ask("select project from events order by project limit 2") ==
        Row(R"({"project":"B"},{"project":"a"})"));
  CHECK(service.Ask("select n from events order by n") == Row(R"({"n":null},{"n":7},{"n":4294967295})"));
  CHECK(service.Ask("select count(*) as c from events where x != x") == Row(R"({"c":1})"));
  CHECK(service.Ask("select r.method from events, unnest(metadata) as m, unnest(m.request) as r where r.cached") ==
        Row(R"({"method":"POST"})"));
  CHECK(service.Ask("select timestamp_trunc(ts, day) as d, count(*) as c from events group by 1 order by 1 limit 1") ==
        Row(R"({"d":-86400000000,"c":1})"));
  CHECK(service.Ask("select count(*) as c, sum(n) as s, avg(x) as a from events where n = 7") ==
        Row(R"({"c":1,"s":7,"a":0.5})"));
  CHECK(service.Ask("select id from events where id = '00000000-0000-0000-0000-000000000003' and ok = false") ==
        Row(R"({"id":"00000000-0000-0000-0000-000000000003"})"));
  CHECK(Has(service.Ask("select 10 / (n - 7) as q from events where n = 7"), "division by zero"));
}

TEST_CASE("records and lists of ClickHouse's own types are read", "[clickhouse]") {
  ClickHouseOrSkip server;
  server.Sql(
      "CREATE TABLE logs.events (i Int8, a Array(Array(Int16)), m Map(String, Nullable(Int64)), t Tuple(s String, r "
      "Tuple(n "
      "Nullable(Int32)), other UUID), j JSON, f FixedString(4), e Enum8('one' = 1, 'two' = 2), d "
      "DateTime('Asia/Tokyo'), "
      "n DateTime64(9)) ENGINE = MergeTree ORDER BY i");
  server.Sql(
      "INSERT INTO logs.events SELECT -1, [[1, -2], []], map('s', 5, 'x', NULL), ('text', tuple(7), generateUUIDv4()), "
      "'{\"s\": \"from JSON\", \"n\": 3}', 'ab', 'two', toDateTime(1), toDateTime64('1969-12-31 23:59:59.9999985', 9, "
      "'UTC')");
  ClickHouseTable table;
  table.name = table.table = "events";
  Service service(server.Options(
      {table},
      R"({"events": {"columns": {"i": "INT64", "m": {"s": "INT64", "x": "INT64"}, "t": {"s": "STRING", "r": {"n": "INT64"}},
          "j": {"s": "STRING", "n": "INT64"}, "f": "STRING", "e": "STRING", "d": "TIMESTAMP", "n": "TIMESTAMP"}}})"));
  CHECK(service.Ask("select * from events") ==
        Row(R"({"i":-1,"m":[{"s":5,"x":null}],"t":[{"s":"text","r":[{"n":7}]}],"j":[{"s":"from JSON","n":3}],)"
            R"("f":"ab","e":"two","d":1000000,"n":-1})"));
  CHECK(service.Ask(
            "select i from events where f = 'ab' and e = 'two' and d = timestamp '1970-01-01 00:00:01+00' and n < "
            "timestamp '1970-01-01 00:00:00+00'") == Row(R"({"i":-1})"));
}

TEST_CASE("a table or column that ClickHouse lacks or has of another type is named, with all others", "[clickhouse]") {
  ClickHouseOrSkip server;
  server.Sql(kTable);
  ClickHouseOptions options = server.Options({Events()}, kSchema);
  CHECK(WhyNot(options) == "it opens");
  server.Sql("ALTER TABLE logs.events DROP COLUMN n, MODIFY COLUMN ok Nullable(String), MODIFY COLUMN metadata Int64");
  options.tables[0].fields["metadata.request.status"] = "no_such";
  options.tables[0].fields["metadata.request"] = "method";
  options.tables[0].presence["metadata.nothing"] = "method";
  options.tables[0].columns["more"] = "method";
  const std::string error = WhyNot(options);
  CHECK(Has(error, "FAILED_PRECONDITION"));
  CHECK(Has(error, "has no column n;"));
  CHECK(Has(error, "the column metadata of type Int64; the schema's metadata is a record, which is read from String"));
  CHECK(Has(error, "the column ok of type Nullable(String); the schema's ok is BOOL, which is read from Bool"));
  CHECK(Has(error, "has no column no_such"));
  CHECK(Has(error, "a column for metadata.request, which the schema does not declare as a field of a record"));
  CHECK(Has(error, "a column for metadata.nothing, which the schema does not declare as a record"));
  CHECK(Has(error, "a column for more, which the schema does not declare"));
  options.tables = {Events()};
  options.tables[0].table = "no_such";
  CHECK(Has(WhyNot(options), "the server's table logs.no_such for events is missing, or may not be read"));
  options.tables[0].name = "others";
  CHECK(Has(WhyNot(options), "names others, which the schema does not declare"));
  options.tables.clear();
  CHECK(Has(WhyNot(options), "the option tables of ClickHouse is empty"));
}

TEST_CASE("a ClickHouse user with access to other systems is rejected, and one with write access is reported",
          "[clickhouse]") {
  ClickHouseOrSkip server;
  server.Sql(kTable);
  server.Sql(kRows);
  ClickHouseOptions options = server.Options({Events()}, kSchema);
  options.allow_sources = false;
  const std::string all = WhyNot(options);
  CHECK(Has(all, "FAILED_PRECONDITION: the user logquery_reader may read from elsewhere through ClickHouse"));
  CHECK(Has(all, "FILE"));
  CHECK(Has(all, "URL"));

  server.RestartWithGrants({"GRANT SELECT ON logs.*"});
  options.hosts = {server.url()};
  CHECK(WhyNot(options) == "it opens");
  CHECK(CheckClickHouse(options)->empty());
  CHECK(Service(options).Ask("select count(*) as c from events") == Row(R"({"c":3})"));

  server.RestartWithGrants({"GRANT SELECT ON logs.*", "GRANT READ ON URL"});
  CHECK(Has(WhyNot(options), "may read from elsewhere"));
  server.RestartWithGrants({"GRANT SELECT, INSERT(project), ALTER DELETE ON logs.events"});
  CHECK(WhyNot(options) == "it opens");
  const auto findings = CheckClickHouse(options);
  REQUIRE(findings.ok());
  REQUIRE(findings->size() == 1);
  CHECK(Has((*findings)[0], "the user may do more than read: revoke "));
  CHECK(Has((*findings)[0], "INSERT"));
  server.RestartWithGrants({"GRANT SELECT(id) ON logs.events"});
  CHECK(Has(WhyNot(options), "has no column project"));
  server.RestartWithGrants({"GRANT SELECT ON logs.others"});
  CHECK(Has(WhyNot(options), "GRANT SELECT on it"));
}

TEST_CASE("an unusable ClickHouse is rejected with the reason and without the password", "[clickhouse]") {
  ClickHouseOrSkip server;
  server.Sql(kTable);
  const ClickHouseOptions right = server.Options({Events()}, kSchema);
  using Change = std::function<void(ClickHouseOptions&)>;
  const auto hosts = [](const std::string& url) -> Change {
    return [url](ClickHouseOptions& options) { options.hosts = {url}; };
  };
  const std::string refuses = "FAILED_PRECONDITION: ClickHouse refuses the user";
  const std::string unreachable = "UNAVAILABLE: ClickHouse can't be reached";
  struct Case {
    Change change;
    std::string error;
    const char* hidden = nullptr;
  };
  const std::vector<Case> cases = {
      {[](auto& options) { options.password = "another one"; }, refuses, "another one"},
      {[](auto& options) { options.user = "nobody"; }, refuses},
      {[](auto& options) { options.database = "no_such"; }, "FAILED_PRECONDITION: ClickHouse has no such database"},
      {hosts("http://127.0.0.1:1"), unreachable + ": http://127.0.0.1:1: "},
      {hosts("http://no-such-host.invalid:8123"), unreachable},
      {hosts(StrCat("https://127.0.0.1:", server.port())), unreachable},
      {[](auto& options) { options.proxy = "http://127.0.0.1:1"; }, unreachable},
      {hosts("ch1:8123"), "it has to be a URL like https://ch1.internal:8443"},
      {hosts("http://u:hidden@ch1:8123"), "a URL with a user", "hidden"},
      {[](auto& options) { options.password = "two\r\nX-Other: lines"; },
       "INVALID_ARGUMENT: the option password of ClickHouse has a line break"},
  };
  for (const Case& each : cases) {
    ClickHouseOptions options = right;
    each.change(options);
    const std::string error = WhyNot(options);
    CAPTURE(error);
    CHECK(Has(error, each.error));
    if (each.hidden != nullptr) CHECK(!Has(error, each.hidden));
  }
}

TEST_CASE("ClickHouse's certificate is checked", "[clickhouse]") {
  ClickHouseOrSkip server(true);
  server.Sql(kTable);
  server.Sql(kRows);
  ClickHouseOptions options = server.Options({Events()}, kSchema);
  CHECK(Service(options).Ask("select count(*) as c from events") == Row(R"({"c":3})"));
  options.ca_file.clear();
  CHECK(Has(WhyNot(options), "FAILED_PRECONDITION: ClickHouse's certificate is not trusted"));
  options.ca_file = server.folder() + "/no_such.pem";
  CHECK(Has(WhyNot(options), "FAILED_PRECONDITION"));
  options.ca_file = server.folder() + "/certificate.pem";
  options.hosts = {StrCat("http://127.0.0.1:", server.port())};
  CHECK(Has(WhyNot(options), "UNAVAILABLE"));
}

TEST_CASE("values that our types do not hold are errors of the log, not of ClickHouse's caller", "[clickhouse]") {
  ClickHouseOrSkip server;
  server.Sql(
      "CREATE TABLE logs.events (ts DateTime64(6, 'UTC'), n Int64, m String, s String) ENGINE = MergeTree ORDER BY n");
  server.Sql(
      "INSERT INTO logs.events VALUES (fromUnixTimestamp64Micro(toInt64(-99000000000000000)), 1, '', ''), (0, 2, '{', "
      "''), "
      "(0, 3, '[]', unhex('61ff62'))");
  ClickHouseTable table;
  table.name = table.table = "events";
  Service service(server.Options(
      {table}, R"({"events": {"columns": {"ts": "TIMESTAMP", "n": "INT64", "m": {"f": "STRING"}, "s": "STRING"}}})"));
  CHECK(service.Ask("select n from events where n = 2") == Row(R"({"n":2})"));
  CHECK(Has(service.Ask("select ts from events where n = 1"), "outside of the years 1 to 9999"));
  CHECK(Has(service.Ask("select m from events where n = 2"), "INTERNAL: "));
  CHECK(Has(service.Ask("select m from events where n = 2"), "column"));
  CHECK(service.Ask("select m, s from events where n = 3") == Row("{\"m\":[],\"s\":\"a\uFFFDb\"}"));
}

}  // namespace
}  // namespace logquery
