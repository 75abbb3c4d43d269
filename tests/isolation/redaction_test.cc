// Mandatory redaction hides an address like another project's row: over folders that differ in the addresses alone,
// a caller's SQL has the same answers, rows and errors.
#include "tests/isolation/difference.h"
#include "tests/isolation/isolation_test_util.h"

namespace logquery::isolation {
namespace {

// Two addresses that differ in length, digits and order.
constexpr const char* kAddresses[] = {"10.20.30.40", "203.0.113.255"};

struct RedactedFolders {
  RedactedFolders() {
    for (size_t i = 0; i < 2; ++i) {
      folders[i] = MakeFolder({.own_rows = 3'000, .address = kAddresses[i]});
      readers[i] = OpenReader({.folder = folders[i]->path(), .threads = 2, .redacting = true});
      plain[i] = OpenReader({.folder = folders[i]->path()});
    }
  }
  std::unique_ptr<LogFolder> folders[2];
  std::unique_ptr<Reader> readers[2], plain[2];
};

TEST_CASE("a mandated redaction hides addresses from every query") {
  const RedactedFolders logs;
  for (const char* sql : {
           "SELECT DISTINCT t.address AS a FROM logs AS t",
           "SELECT COUNT(*) AS n FROM logs AS t WHERE t.address LIKE '%10.20%'",
           "SELECT COUNT(*) AS n FROM logs AS t WHERE LENGTH(t.address) > 20",
           "SELECT COUNTIF(REGEXP_CONTAINS(t.address, r'[0-9]')) AS n FROM logs AS t",
           "SELECT MAX(REVERSE(t.address)) AS a FROM logs AS t",
           "SELECT SUM(SAFE_CAST(SPLIT(t.address, '.')[SAFE_OFFSET(2)] AS INT64)) AS n FROM logs AS t",
           "SELECT t.id FROM logs AS t ORDER BY t.address, t.id LIMIT 5",
           "SELECT COUNT(*) AS n FROM logs AS t JOIN (SELECT 'from 10.20.30.40 to x' AS a) AS o ON o.a = t.address",
           "SELECT COUNT(DISTINCT TO_HEX(MD5(t.address))) AS n, MAX(TO_HEX(MD5(t.address))) AS m FROM logs AS t",
           "SELECT MAX(TO_JSON_STRING(STRUCT(t.address AS a))) AS m FROM logs AS t",
           "SELECT MAX(x) AS m FROM (SELECT FIRST_VALUE(t.address) OVER (PARTITION BY t.part ORDER BY t.id) AS x FROM "
           "logs AS t)",
           "SELECT ARRAY_LENGTH(ARRAY_FILTER(['10', '20'], e -> STRPOS(t.address, e) > 0)) AS n FROM logs AS t LIMIT 1",
           "SELECT CAST(t.address AS INT64) AS n FROM logs AS t",
           "SELECT ERROR(t.address) AS n FROM logs AS t",
           "SELECT PARSE_DATE('%F', t.address) AS n FROM logs AS t",
           "SELECT 1 / (STRPOS(t.address, '10.20') - 6) AS n FROM logs AS t",
           "SELECT COUNT(*) AS n FROM logs AS t WHERE CAST(IF(t.address LIKE '%20%', 'no', '1') AS INT64) = 1",
       }) {
    INFO(sql);
    const Answer a = logs.readers[0]->Run(Caller::kScopedToken, sql);
    const Answer b = logs.readers[1]->Run(Caller::kScopedToken, sql);
    CHECK(Difference(a, b) == "");
    // Errors are compared with their values: no part of an address may be in them.
    CHECK(a.status.ToString() == b.status.ToString());
  }
}

TEST_CASE("without redaction the same folders differ") {
  const RedactedFolders logs;
  const char* sql = "SELECT DISTINCT t.address AS a FROM logs AS t";
  CHECK(Difference(logs.plain[0]->Run(Caller::kScopedToken, sql), logs.plain[1]->Run(Caller::kScopedToken, sql)) != "");
}

}  // namespace
}  // namespace logquery::isolation
