// Redaction by two worlds: two folders whose rows differ in addresses alone give a redacting token the same bytes, for
// every endpoint, with every parameter and SQL: rows, order, counts, errors and cursors.
#include <unistd.h>

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <random>

#include "lib/base/strings.h"
#include "logquery/clock.h"
#include "logquery/duckdb/parquet_writer.h"
#include "logquery/endpoint_folder.h"
#include "logquery/error.h"
#include "logquery/query_service.h"
#include "logquery/store/duckdb_backend.h"
#include "tests/support/folders.h"

namespace logquery {
namespace {

namespace fs = std::filesystem;
using base::StrCat;

const std::string kDefinitions = testing::SourcePath("examples/supabase/endpoints");
constexpr int kRows = 40;

// Addresses of different kinds, lengths and orders.
using Addresses = std::vector<std::string>;
const Addresses kOne = {"203.0.113.77", "2001:db8::42", "10.1.2.3", "9.9.9.9"};
const Addresses kOther = {"fe80::1:2", "198.51.100.200", "172.16.254.1", "240.0.0.1"};

class Anyone : public Authenticator {
 public:
  absl::StatusOr<Principal> Authenticate(std::string_view) override { return principal; }
  Principal principal;
};

// Each @ of a row's text stands for an address.
std::string Filled(std::string text, const Addresses& addresses, std::mt19937& random) {
  for (size_t at = text.find('@'); at != text.npos; at = text.find('@', at)) {
    text.replace(at, 1, addresses[random() % addresses.size()]);
  }
  return text;
}

std::string Pick(const std::vector<std::string>& texts, std::mt19937& random) { return texts[random() % texts.size()]; }

// One row as JSON, with @ in place of addresses. Its fields are those of any of the logs.
std::string RowText(int number, std::mt19937& random) {
  const std::string id = Pick({StrCat("id", number), StrCat("@-", number), StrCat("x", number, "-@"), "@"}, random);
  const std::string message = Pick({"@", "from @ to @", "GET /a", "REDACTED", "u=%253D@&x", "7"}, random);
  const std::string url =
      Pick({"https://h/auth/v1/x?ip=@", "https://@/rest/v1/y", "/storage", "https://h/rest?u=x%2526ip%253D@"}, random);
  const std::string project = Pick({"abc", "abc", "abc", "abc", "p-@"}, random);
  return StrCat(R"({"id":")", id, R"(","timestamp":"2026-03-04T05:00:0)", random() % 5, R"(Z","event_message":")",
                message, R"(","project":")", project, R"(","metadata":{"project":")", project, R"(","project_ref":")",
                project, R"(","function_id":"f-@","level":")", Pick({"error", "@", "info"}, random),
                R"(","msg":"@ in","identifier":")", project, R"(","execution_time_ms":)", random() % 90,
                R"(,"request":{"method":"GET","url":")", url,
                R"(","path":"/auth/@","headers":{"cf_connecting_ip":"@","x":"y"}},"response":{"status_code":)",
                200 + random() % 400, R"(},"taught":{"by":"@","n":)", random() % 3, "}}}");
}

struct World {
  World(const Addresses& addresses, bool redacts, unsigned seed) {
    fs::create_directories(folder);
    DuckDbOptions engine;
    engine.folder = (folder / "data").string();
    engine.memory_limit_bytes = 300'000'000;
    engine.threads = 1;
    std::ifstream schema(StrCat(kDefinitions, "/schema.json"));
    engine.own_logs_json = {std::istreambuf_iterator<char>(schema), {}};
    auto opened = OpenDuckDb(engine);
    REQUIRE(opened.ok());
    backend = *std::move(opened);
    std::mt19937 skeleton(seed), choice(static_cast<unsigned>(addresses[0].size()));
    for (const char* log : {"edge_logs", "auth_logs", "postgres_logs", "function_edge_logs", "function_logs"}) {
      const std::string file = (folder / log).string();
      std::ofstream out(file);
      for (int i = 0; i < kRows; ++i) out << Filled(RowText(i, skeleton), addresses, choice) << "\n";
      out.close();
      const auto report = backend->store().Load({.table = log, .files = {file}}, nullptr);
      CAPTURE(report.status().ToString());
      REQUIRE(report.ok());
    }
    authenticator.principal.redact_pii = redacts;
    QueryServiceOptions options;
    options.backend = backend.get();
    options.parquet = parquet.get();
    options.clock = &clock;
    options.authenticator = &authenticator;
    options.warming_threads = 0;
    options.cache_bytes = 0;
    options.default_tier = "PRO";
    options.endpoints = ReadEndpointFolder(kDefinitions).value();
    for (const Endpoint& built_in : Endpoint::BuiltIn()) {
      const bool replaced = std::any_of(options.endpoints.begin(), options.endpoints.end(),
                                        [&](const Endpoint& known) { return known.name == built_in.name; });
      if (!replaced) options.endpoints.push_back(built_in);
    }
    auto created = QueryService::Create(options);
    CAPTURE(created.status().ToString());
    REQUIRE(created.ok());
    service = *std::move(created);
  }
  ~World() {
    service = nullptr;
    backend = nullptr;
    fs::remove_all(folder);
  }

  // All that a caller sees of the answer but its receipt: each folder has a secret of its own for the receipt's digests.
  std::string Answer(const QueryRequest& request) const {
    const absl::StatusOr<QueryAnswer> answer = service->Run(request);
    if (!answer.ok()) {
      const ErrorDetails details = GetErrorDetails(answer.status());
      return StrCat(answer.status().ToString(), "\n", details.parameter, "\n", details.snippet, "\n",
                    base::Join(details.nearest, ","));
    }
    std::string ignored = base::Join(answer->ignored_parameters, ",");
    return StrCat("ok\n", answer->body.text(), "\n", answer->next_cursor, "\n", answer->truncated ? "truncated" : "",
                  "\n", answer->digest, "\n", ignored);
  }

  static std::string NewName() {
    static int made = 0;
    return StrCat("logquery-worlds-", getpid(), "-", ++made);
  }

  const fs::path folder = fs::temp_directory_path() / NewName();
  const FixedClock clock{absl::FromUnixSeconds(1'772'600'700)};
  Anyone authenticator;
  std::unique_ptr<DuckDbBackend> backend;
  std::unique_ptr<ParquetWriter> parquet = MakeDuckDbParquetWriter({});
  std::unique_ptr<QueryService> service;
};

// A text that is compared with rows: a part of an address, or a pattern of one.
std::string Probe(std::mt19937& random) {
  const Addresses& addresses = random() % 2 == 0 ? kOne : kOther;
  const std::string address = Pick(addresses, random);
  const std::string part = address.substr(0, 1 + random() % address.size());
  return Pick({part, address, StrCat("ip=", part), "[.]", StrCat("^.*", part), "REDACTED", "[0-9]{3}"}, random);
}

std::string Sql(std::mt19937& random) {
  const std::string probe = Probe(random);
  const std::string edge =
      "edge_logs cross join unnest(metadata) as m cross join unnest(m.request) as r cross join unnest(r.headers) as h";
  const bool of_edge = random() % 3 != 0;
  const std::string from = of_edge ? edge : Pick({"auth_logs", "postgres_logs", "function_logs"}, random);
  const std::string value =
      of_edge ? Pick({"event_message", "id", "r.url", "r.path", "h.cf_connecting_ip", "to_json_string(m)"}, random)
              : Pick({"event_message", "id", "to_json_string(metadata)"}, random);
  const std::vector<std::string> forms = {
      "select V as v from F order by v limit 5",
      "select count(*) as n from F where V like '%P%'",
      "select V as v, count(*) as n from F group by v order by n desc, v",
      "select id from F order by V, id",
      "select id, timestamp from F order by timestamp desc limit 7",
      "select cast(V as int64) as v from F",
      "select error(V) as v from F",
      "select reverse(V) as v from F order by 1",
      "select countif(regexp_contains(V, r'P')) as n from F",
      "select max(V) as a, min(V) as b, count(distinct V) as d from F",
      "select timestamp, row_number() over (order by V) as n from F order by 2",
      "select V as v from F where V in ('P', 'x') or V = 'P' or V != 'P' order by 1",
      "select string_agg(V, ',' order by V desc) as s from F",
      "select length(V) as n, count(*) as c from F group by 1 order by 1",
      "select count(*) as n from F where V between 'P' and 'z'",
      "select to_base64(cast(V as bytes)) as v, split(V, '.') as w from F order by 1",
      "select 1 as one from F where net.safe_ip_from_string(V) is not null",
      "select approx_top_count(V, 2) as t from F",
      "select count(*) as n from F where exists (select 1 from auth_logs as o where o.id < V)",
      "select Vx as v from F"};
  std::string sql = Pick(forms, random);
  for (const auto& [mark, text] : {std::make_pair('V', value), std::make_pair('F', from), std::make_pair('P', probe)}) {
    for (size_t at = sql.find(mark); at != sql.npos; at = sql.find(mark, at + text.size())) sql.replace(at, 1, text);
  }
  return sql;
}

std::string TextFor(const Parameter& parameter, std::mt19937& random) {
  if (!parameter.allowed.empty()) return Pick(parameter.allowed, random);
  if (parameter.type.is(TypeKind::kTimestamp))
    return Pick({"2026-03-04T04:00:00Z", "2026-03-04T05:00:02Z", ""}, random);
  if (parameter.type.is(TypeKind::kInt64)) return std::to_string(1 + random() % 9);
  if (parameter.name == "project" && random() % 3 != 0) return Pick({"abc", "p-203.0.113.77", "p-REDACTED"}, random);
  if (parameter.name.starts_with("iso_timestamp"))
    return parameter.name.ends_with("end") ? "2026-03-04T05:04:00Z" : "2026-03-04T04:30:00Z";
  if (parameter.name == "project_tier") return "PRO";
  return Probe(random);
}

QueryRequest Request(std::mt19937& random) {
  static const std::vector<Endpoint>& endpoints = *new std::vector<Endpoint>([] {
    std::vector<Endpoint> all = ReadEndpointFolder(kDefinitions).value();
    for (const Endpoint& built_in : Endpoint::BuiltIn()) all.push_back(built_in);
    return all;
  }());
  const Endpoint& endpoint = endpoints[random() % endpoints.size()];
  QueryRequest request;
  request.endpoint = endpoint.name;
  for (const Parameter& parameter : endpoint.parameters) {
    if (parameter.computed || (!parameter.required && random() % 3 == 0)) continue;
    request.parameters.emplace_back(parameter.name, TextFor(parameter, random));
  }
  if (endpoint.query_sandboxing && random() % 4 != 0) request.parameters.emplace_back("sql", Sql(random));
  constexpr RowFormat kFormats[] = {RowFormat::kJson,     RowFormat::kNdjson, RowFormat::kCsv,
                                    RowFormat::kJsonRows, RowFormat::kArrow,  RowFormat::kParquet};
  request.format = kFormats[random() % std::size(kFormats)];
  return request;
}

std::string Described(const QueryRequest& request) {
  std::string text = request.endpoint;
  for (const auto& [name, value] : request.parameters) base::StrAppend(&text, "\n  ", name, "=", value);
  return text;
}

unsigned Number(const char* variable, unsigned otherwise) {
  const char* const text = std::getenv(variable);
  return text == nullptr ? otherwise : static_cast<unsigned>(std::strtoul(text, nullptr, 10));
}

struct Outcome {
  int answered = 0;  // calls without an error
  int differences = 0;
};

// Makes the same random calls in two worlds, with a token for all projects and with one for a single project.
Outcome Compare(bool redacts, unsigned seed, unsigned calls) {
  World one(kOne, redacts, seed), other(kOther, redacts, seed);
  std::mt19937 random(seed);
  Outcome outcome;
  for (unsigned i = 0; i < calls; ++i) {
    const QueryRequest request = Request(random);
    std::optional<std::string> scope;
    if (i % 2 == 1) scope = "abc";
    one.authenticator.principal.project_scope = other.authenticator.principal.project_scope = scope;
    const std::string first = one.Answer(request), second = other.Answer(request);
    outcome.answered += first.starts_with("ok\n") ? 1 : 0;
    if (first == second) continue;
    ++outcome.differences;
    if (!redacts) continue;
    FAIL_CHECK("seed " << seed << ", call " << i << ": " << Described(request) << "\n" << first << "\n---\n" << second);
  }
  return outcome;
}

void CheckWorlds(unsigned seed, unsigned calls) {
  CAPTURE(seed);
  const Outcome outcome = Compare(/*redacts=*/true, seed, calls);
  CHECK(outcome.differences == 0);
  CHECK(outcome.answered > static_cast<int>(calls) / 12);
}

TEST_CASE("folders that differ in addresses alone give a redacting token the same bytes") {
  CheckWorlds(Number("LOGQUERY_SEED", 20'261'127), Number("LOGQUERY_QUERIES", 60));
}

TEST_CASE("folders that differ in addresses alone, for a night", "[nightly]") {
  for (unsigned seed = 1; seed <= 20; ++seed) CheckWorlds(seed, 400);
}

TEST_CASE("without redaction the same calls tell the folders apart") { CHECK(Compare(false, 7, 60).differences > 0); }

}  // namespace
}  // namespace logquery
