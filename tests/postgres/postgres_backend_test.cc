// Queries over a real PostgreSQL: what it is asked, what comes back, and what is refused.
#include "logquery/postgres/postgres_backend.h"

#include <catch2/catch_test_macros.hpp>
#include <functional>
#include <string>
#include <utility>

#include "lib/base/strings.h"
#include "tests/postgres/cluster_or_skip.h"
#include "tests/postgres/logflare_loader.h"
#include "tests/support/has.h"
#include "tests/support/sandbox_service.h"

namespace logquery {
namespace {

using base::StrCat;
using testing::ClusterOrSkip;
using testing::Has;

constexpr char kSchema[] = R"({"events": {"log": "events", "project": ["project"], "time": "ts", "columns": {
  "ts": "TIMESTAMP", "id": "STRING", "project": "STRING", "n": "INT64", "x": "FLOAT64", "ok": "BOOL",
  "day": "DATE", "raw": "BYTES", "doc": "JSON", "tags": ["STRING"],
  "metadata": {"level": "STRING", "ratio": "FLOAT64", "labels": ["STRING"],
               "request": {"method": "STRING", "status": "INT64", "cached": "BOOL"}}}}})";

constexpr char kTable[] =
    "CREATE TABLE events (ts timestamptz NOT NULL, id uuid, project varchar(40), n int, x float4, ok boolean, day "
    "date, "
    "raw bytea, doc jsonb, tags jsonb, metadata jsonb)";

// Takes SQL over `events`.
struct Service : testing::SandboxService {
  explicit Service(const PostgresOptions& options) : SandboxService(OpenPostgres(options), {}) {}
};

std::string Row(const std::string& row) { return StrCat(R"({"result":[)", row, "]}"); }

PostgresTable Events() {
  PostgresTable table;
  table.name = "events";
  table.table = "events";
  return table;
}

std::string WhyNot(const PostgresOptions& options) {
  const auto opened = OpenPostgres(options);
  return opened.ok() ? "it opens" : opened.status().ToString();
}

TEST_CASE("a table of PostgreSQL is asked the whole dialect", "[postgres]") {
  ClusterOrSkip cluster;
  cluster.Sql(kTable);
  cluster.Sql(
      "INSERT INTO events VALUES "
      "('2026-01-31 08:00:00.000001+00', '00000000-0000-0000-0000-000000000001', 'a', 7, 0.5, true, '0001-01-01', "
      "'\\x00ff', '{\"b\": [1.10]}', '[\"x\", null, 5]', "
      "'{\"level\": \"Info\", \"ratio\": 2.5, \"labels\": [\"k\"], \"request\": {\"method\": \"GET\", \"status\": "
      "200}}'), "
      "('1969-12-31 23:59:59.999999+00', '00000000-0000-0000-0000-000000000002', 'B', NULL, 'NaN', NULL, NULL, NULL, "
      "NULL, "
      "NULL, '[{\"level\": \"error\", \"request\": [{\"method\": \"POST\", \"status\": \"500\", \"cached\": "
      "\"TRUE\"}]}]'), "
      "('9999-12-31 23:59:59.999999+00', NULL, 'ä', -7, '-Infinity', false, '9999-12-31', '', 'null', '[]', NULL)");
  Service service(cluster.Options({Events()}, kSchema));
  CHECK(
      service.Ask("select * from events order by ts") ==
      Row(R"({"ts":-1,"id":"00000000-0000-0000-0000-000000000002","project":"B","n":null,"x":"NaN","ok":null,"day":null,)"
          R"("raw":null,"doc":null,"tags":[],"metadata":[{"level":"error","ratio":null,"labels":[],)"
          R"("request":[{"method":"POST","status":500,"cached":true}]}]},)"
          R"({"ts":1769846400000001,"id":"00000000-0000-0000-0000-000000000001","project":"a","n":7,"x":0.5,"ok":true,)"
          R"("day":"0001-01-01","raw":"AP8=","doc":{"b":[1.10]},"tags":["x",null,"5"],"metadata":[{"level":"Info",)"
          R"("ratio":2.5,"labels":["k"],"request":[{"method":"GET","status":200,"cached":null}]}]},)"
          R"({"ts":253402300799999999,"id":null,"project":"ä","n":-7,"x":"-Infinity","ok":false,"day":"9999-12-31",)"
          R"("raw":"","doc":null,"tags":[],"metadata":[]})"));
  // English rules would have it a, ä, B.
  CHECK(service.Ask("select project from events order by project limit 2") ==
        Row(R"({"project":"B"},{"project":"a"})"));
  CHECK(service.Ask("select min(project) as a, max(project) as b from events") == Row(R"({"a":"B","b":"ä"})"));
  CHECK(service.Ask("select count(*) as c from events where project < 'a'") == Row(R"({"c":1})"));
  CHECK(service.Ask("select n from events order by n") == Row(R"({"n":null},{"n":-7},{"n":7})"));
  CHECK(service.Ask("select n from events order by n desc limit 1") == Row(R"({"n":7})"));
  CHECK(service.Ask("select count(*) as c from events where not (n = 7)") == Row(R"({"c":1})"));
  CHECK(service.Ask("select count(*) as c from events where x != x") == Row(R"({"c":1})"));
  CHECK(service.Ask(
            "select r.status, m.ratio from events, unnest(metadata) as m, unnest(m.request) as r where r.cached") ==
        Row(R"({"status":500,"ratio":null})"));
  CHECK(service.Ask("select timestamp_trunc(ts, day) as d, count(*) as c from events group by 1 order by 1 limit 1") ==
        Row(R"({"d":-86400000000,"c":1})"));
  CHECK(service.Ask("select count(*) as c from events where ts < '1970-01-01'") == Row(R"({"c":1})"));
  CHECK(service.Ask("select count(*) as c, sum(n) as s, avg(x) as a from events where n > 0") ==
        Row(R"({"c":1,"s":7,"a":0.5})"));
  CHECK(service.Ask("select project from events where project = 'it''s $1'") == Row(""));
  CHECK(Has(service.Ask("select 10 / (n - 7) as q from events where n = 7"), "division by zero"));
}

TEST_CASE("a table of Logflare's layout is read in place", "[postgres]") {
  ClusterOrSkip cluster;
  const char* const schema = R"({"events": {"log": "events", "project": ["project"], "time": "timestamp", "columns": {
      "id": "STRING", "timestamp": "TIMESTAMP", "event_message": "STRING", "project": "STRING", "size": "INT64",
      "metadata": {"request": {"method": "STRING"}, "response": {"status_code": "INT64"}}}}})";
  const PostgresTable events = testing::LoadLogflare(
      cluster, "events",
      R"({"id":"a1","timestamp":"2026-01-15T08:00:00.25Z","event_message":"GET /","project":"abc","size":5,)"
      R"("metadata":{"request":{"method":"GET"},"response":{"status_code":200}}})"
      "\n"
      R"({"id":"a2","timestamp":1768464001000000,"project":"abc","size":"7",)"
      R"("metadata":[{"request":[{"method":"POST"}],"response":{"status_code":"503"}}]})"
      "\n"
      R"({"id":"a3","timestamp":"2026-01-15T08:00:02Z","event_message":"other","project":7,"size":{},"metadata":null})"
      "\n");
  Service service(cluster.Options({events}, schema));
  CHECK(
      service.Ask("select * from events where timestamp < '2026-01-15 08:00:01' or size is null order by id") ==
      Row(R"({"id":"a1","timestamp":1768464000250000,"event_message":"GET /","project":"abc","size":5,)"
          R"("metadata":[{"request":[{"method":"GET"}],"response":[{"status_code":200}]}]},)"
          R"({"id":"a3","timestamp":1768464002000000,"event_message":"other","project":"7","size":null,"metadata":[]})"));
  CHECK(
      service.Ask(
          "select id, r.method, s.status_code from events cross join unnest(metadata) m cross join unnest(m.request) r "
          "cross join unnest(m.response) s where project = 'abc' order by timestamp desc") ==
      Row(R"({"id":"a2","method":"POST","status_code":503},{"id":"a1","method":"GET","status_code":200})"));
}

TEST_CASE("a table or column that is missing or of another type is named, with all others", "[postgres]") {
  ClusterOrSkip cluster;
  cluster.Sql(kTable);
  PostgresOptions options = cluster.Options({Events()}, kSchema);
  CHECK(WhyNot(options) == "it opens");

  cluster.Sql("ALTER TABLE events DROP COLUMN n, ALTER COLUMN metadata TYPE json, ALTER COLUMN ok TYPE text");
  const std::string error = WhyNot(options);
  CHECK(error.find("FAILED_PRECONDITION") == 0);
  CHECK(Has(error, "has no column n"));
  CHECK(Has(error, "the column metadata of type json; the schema's metadata is a record, which is read from jsonb"));
  CHECK(Has(error, "the column ok of type text; the schema's ok is BOOL, which is read from boolean"));

  cluster.Sql("REVOKE SELECT ON events FROM reader");
  CHECK(Has(WhyNot(options), "may not be read by this role"));
  options.tables[0].table = "no_such";
  CHECK(Has(WhyNot(options), "the server's table public.no_such for events is missing"));
  options.tables[0].name = "others";
  CHECK(Has(WhyNot(options), "names others, which the schema does not declare"));
  options.tables.clear();
  CHECK(Has(WhyNot(options), "the option tables of PostgreSQL is empty"));
}

TEST_CASE("a role with more rights than reading is reported", "[postgres]") {
  ClusterOrSkip cluster;
  cluster.Sql(kTable);
  const PostgresOptions options = cluster.Options({Events()}, kSchema);
  CHECK(CheckPostgres(options)->empty());
  cluster.Sql("GRANT INSERT ON events TO reader; GRANT CREATE ON DATABASE postgres TO reader");
  const auto findings = CheckPostgres(options);
  REQUIRE(findings.ok());
  REQUIRE(findings->size() == 2);
  CHECK(Has((*findings)[0], "may create schemas"));
  CHECK((*findings)[1] == "the role may write to public.events: give it SELECT alone");
  cluster.Sql("ALTER ROLE reader SUPERUSER");
  CHECK(Has(CheckPostgres(options)->at(0), "is a superuser"));
  // Queries can't write all the same.
  Service service(options);
  CHECK(service.Ask("select count(*) as c from events") == Row(R"({"c":0})"));
}

TEST_CASE("an unusable server is rejected with the reason and without the password", "[postgres]") {
  ClusterOrSkip cluster;
  cluster.Sql(kTable);
  const PostgresOptions right = cluster.Options({Events()}, kSchema);
  using Change = std::function<void(PostgresOptions&)>;
  const auto refused = [&](const Change& change) {
    PostgresOptions options = right;
    change(options);
    return WhyNot(options);
  };
  const std::string other_password = refused([](auto& options) { options.password = "another one"; });
  CHECK(other_password.starts_with("FAILED_PRECONDITION: PostgreSQL refuses the user"));
  CHECK(!Has(other_password, "another one"));
  const std::pair<Change, const char*> cases[] = {
      {[](auto& options) { options.user = "nobody"; }, "FAILED_PRECONDITION: PostgreSQL refuses the user"},
      {[](auto& options) { options.database = "no_such"; }, "FAILED_PRECONDITION: PostgreSQL refuses the user"},
      {[](auto& options) { options.database = "host=elsewhere dbname=x"; }, "INVALID_ARGUMENT: the option database"},
      {[](auto& options) { options.port = 1; }, "UNAVAILABLE: PostgreSQL can't be reached"},
      {[](auto& options) { options.host = "127.0.0.1", options.port = 1, options.tls = "disable"; },
       "UNAVAILABLE: PostgreSQL can't be reached"},
  };
  for (const auto& [change, error] : cases) CHECK(refused(change).starts_with(error));
  CHECK(Has(refused([](auto& options) { options.tls = "prefer"; }),
            "it has to be verify-full, verify-ca, require or disable"));
  // A connection limit is temporary, so it is not reported as an error of the options.
  cluster.Sql("ALTER ROLE reader CONNECTION LIMIT 0");
  CHECK(WhyNot(right).find("UNAVAILABLE: PostgreSQL can't be reached") == 0);
  cluster.Sql("ALTER ROLE reader CONNECTION LIMIT -1");
  cluster.Sql("CREATE DATABASE old ENCODING 'LATIN1' LOCALE 'C' LOCALE_PROVIDER libc TEMPLATE template0");
  CHECK(Has(refused([](auto& options) { options.database = "old"; }),
            "the database's encoding is LATIN1; it has to be UTF8"));
}

TEST_CASE("values that our types do not hold are errors of the log, not of a caller", "[postgres]") {
  ClusterOrSkip cluster;
  cluster.Sql(kTable);
  cluster.Sql(
      "INSERT INTO events (ts, id, n) VALUES ('infinity', NULL, 1), ('2026-01-01', NULL, 2), ('4000-01-01 BC', NULL, "
      "3)");
  Service service(cluster.Options({Events()}, kSchema));
  CHECK(service.Ask("select n from events where n = 2") == Row(R"({"n":2})"));
  CHECK(service.Ask("select ts from events where n = 1").find("INTERNAL: ") == 0);
  CHECK(Has(service.Ask("select ts from events where n = 1"), "an infinite time"));
  CHECK(Has(service.Ask("select ts from events where n = 3"), "outside of the years 1 to 9999"));
  CHECK(service.Ask("select n from events where ts > '2025-01-01' and ts < '2027-01-01'") == Row(R"({"n":2})"));
  // PostgreSQL's text holds no NUL, so nothing in it equals one that does.
  CHECK(service.Ask("select n from events where project = 'a\\000b' or n = 2") == Row(R"({"n":2})"));
}

}  // namespace
}  // namespace logquery
