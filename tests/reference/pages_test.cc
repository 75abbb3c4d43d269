// Pages of the newest rows, by cursor: all of them together are the rows, each once.
#include <catch2/catch_test_macros.hpp>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "logquery/error.h"
#include "logquery/testing/fake_clock.h"
#include "tests/reference/log_data.h"

namespace logquery::reference {
namespace {

struct Pages {
  explicit Pages(int64_t max_rows = 1'000) {
    QueryServiceOptions options;
    for (Endpoint& endpoint : options.endpoints) endpoint.max_rows = max_rows;
    options.backend = &LogData::Get().backend();
    options.clock = &clock;
    auto created = QueryService::Create(std::move(options));
    REQUIRE(created.ok());
    service = *std::move(created);
    clock.Set(absl::FromUnixMicros(LogData::kEnd));
  }

  absl::StatusOr<QueryAnswer> Page(const std::string& project, const std::string& sql, const std::string& cursor,
                                   bool redact = false) {
    QueryRequest request;
    request.endpoint = "logs.all";
    request.parameters = {{"project", project}, {"project_tier", "ENTERPRISE"}, {"sql", sql}, {"cursor", cursor}};
    request.redact_pii = redact;
    return service->Run(request);
  }

  // All rows, page by page.
  std::vector<Json> Walk(const std::string& project, const std::string& sql) {
    std::vector<Json> rows;
    std::string cursor;
    do {
      const absl::StatusOr<QueryAnswer> answer = Page(project, sql, cursor);
      INFO(sql << " " << answer.status().ToString());
      REQUIRE(answer.ok());
      const Json page = Rows(answer);
      rows.insert(rows.end(), page.begin(), page.end());
      REQUIRE(rows.size() < 10'000);
      REQUIRE((answer->next_cursor.empty() || answer->next_cursor != cursor));
      cursor = answer->next_cursor;
    } while (!cursor.empty());
    return rows;
  }

  testing::FakeClock clock;
  std::unique_ptr<QueryService> service;
};

TEST_CASE("pages neither repeat nor lose rows, also of equal time") {
  Pages pages;
  int walked = 0;
  for (const std::string& project : LogData::Get().projects()) {
    const Json all = Rows(pages.Page(project, "select id, timestamp from edge_logs order by timestamp desc, id", ""));
    if (all.empty() || all.size() >= 1'000) continue;
    const std::string limit = std::to_string(1 + all.size() / 9);
    // A page's order is by id where the times are equal, whether the caller says so or not.
    for (const std::string order : {"timestamp desc", "timestamp desc, id"}) {
      CAPTURE(project, limit, order);
      const auto rows =
          pages.Walk(project, "select id, timestamp from edge_logs order by " + order + " limit " + limit);
      CHECK(Json(rows) == all);
      ++walked;
    }
  }
  CHECK(walked > 4);
}

TEST_CASE("max rows ends a page as a limit does, and the endpoint's own query has pages too") {
  Pages pages(60);  // fewer than the 100 of the endpoint's own limit
  const std::string project = LogData::Get().projects().at(0);
  const auto by_max = pages.Walk(project, "select id, timestamp from edge_logs order by timestamp desc");
  const auto own = Pages().Walk(project, "");
  REQUIRE(own.size() > 300);
  REQUIRE(by_max.size() == own.size());
  std::set<std::string> ids;
  for (size_t i = 0; i < own.size(); ++i) {
    REQUIRE(by_max[i]["id"] == own[i]["id"]);
    ids.insert(own[i]["id"].get<std::string>() + own[i]["timestamp"].dump());
  }
  CHECK(ids.size() == own.size());
}

TEST_CASE("queries without pages give no cursor, and take none") {
  Pages pages;
  const std::string project = LogData::Get().projects().at(0);
  const absl::StatusOr<QueryAnswer> first =
      pages.Page(project, "select id, timestamp from edge_logs order by timestamp desc limit 3", "");
  REQUIRE(first.ok());
  REQUIRE_FALSE(first->next_cursor.empty());
  for (const std::string sql :
       {"select id, timestamp from edge_logs order by timestamp limit 3",
        "select id from edge_logs order by timestamp desc limit 3",
        "select timestamp from edge_logs order by timestamp desc limit 3",
        "select id, timestamp from edge_logs order by timestamp desc limit 3 offset 1",
        "select id, timestamp from edge_logs order by timestamp desc, event_message limit 3",
        "select id, timestamp from edge_logs order by timestamp desc, id desc limit 3",
        "select t.id, timestamp from edge_logs t cross join unnest([1, 2]) as n order by timestamp desc, id limit 3",
        "select concat(id, '') as id, timestamp from edge_logs order by timestamp desc limit 3",
        "select timestamp, count(*) as n from edge_logs group by timestamp order by timestamp desc limit 3"}) {
    CAPTURE(sql);
    const absl::StatusOr<QueryAnswer> answer = pages.Page(project, sql, "");
    INFO(answer.status().ToString());
    REQUIRE(answer.ok());
    CHECK(answer->next_cursor.empty());
    const absl::Status refused = pages.Page(project, sql, first->next_cursor).status();
    CHECK(absl::IsInvalidArgument(refused));
    CHECK(GetErrorDetails(refused).parameter == "cursor");
  }
}

TEST_CASE("a forged cursor is an error of the caller") {
  Pages pages;
  const std::string sql = "select id, timestamp from edge_logs order by timestamp desc limit 3";
  // "999999999999999999 x" and " x" in base64, not base64 at all, and no time.
  for (const std::string cursor : {"OTk5OTk5OTk5OTk5OTk5OTk5IHg", "IHg", "%", "x", "YWJj", "1 2"}) {
    CAPTURE(cursor);
    const absl::Status refused = pages.Page("p", sql, cursor).status();
    CHECK(absl::IsInvalidArgument(refused));
    CHECK(GetErrorDetails(refused).parameter == "cursor");
  }
}

}  // namespace
}  // namespace logquery::reference
