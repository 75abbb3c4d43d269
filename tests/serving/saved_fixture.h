// Saved queries beside the data of a real engine, and what tests of them need.
#ifndef LOGQUERY_TESTS_SERVING_SAVED_FIXTURE_H_
#define LOGQUERY_TESTS_SERVING_SAVED_FIXTURE_H_

#include <catch2/catch_test_macros.hpp>
#include <cstdint>
#include <fstream>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "logquery/endpoint.h"
#include "logquery/serving/saved_queries.h"
#include "logquery/testing/fake_clock.h"
#include "tests/serving/mcp_fixture.h"

namespace logquery::testing {

inline constexpr char kCount[] = "select count(*) as n from edge_logs";
inline constexpr char kErrors[] = "select id from edge_logs where event_message like '%500%'";

// An endpoint that takes no SQL of callers.
inline Endpoint FixedRows() {
  constexpr char kSettings[] =
      R"({"id": "b0a9a6e8-6a0e-4a63-9f0b-6d4c4a1f8f01", "name": "fixed.rows", "parameters": []})";
  auto endpoint = Endpoint::FromJson("fixed.rows", kSettings, "select 1 as one");
  INFO(endpoint.status().ToString());
  REQUIRE(endpoint.ok());
  return *std::move(endpoint);
}

// A service with an engine, and queries that are saved beside its data.
struct SavedFixture {
  explicit SavedFixture(SavedQueriesOptions options = {}) : limits(std::move(options)) { saved = Open(); }

  std::unique_ptr<SavedQueries> Open() {
    SavedQueriesOptions options = limits;
    options.folder = folder();
    options.service = server.service.get();
    options.clock = &clock;
    options.log = [this](std::string_view level, std::string_view line) {
      absl::StrAppend(&log, std::string(level), ": ", std::string(line), "\n");
    };
    auto opened = SavedQueries::Open(std::move(options));
    INFO(opened.status().ToString());
    REQUIRE(opened.ok());
    return *std::move(opened);
  }

  std::string folder() const { return server.folder + "/saved"; }
  std::string file(const std::string& name) const { return absl::StrCat(folder(), "/", name); }

  absl::StatusOr<SavedQuery> Save(const Principal& principal, const std::string& name, const std::string& sql,
                                  std::optional<int64_t> revision = std::nullopt) {
    clock.Advance(absl::Seconds(1));
    return saved->Save(principal, {.name = name}, {.endpoint = "logs.all", .sql = sql}, revision);
  }

  std::vector<std::string> Names(const Principal& principal, const std::optional<std::string>& project = {}) {
    std::vector<std::string> names;
    const auto queries = saved->List(principal, project);
    REQUIRE(queries.ok());
    for (const SavedQuery& query : *queries) {
      names.push_back(absl::StrCat(query.project.value_or("shared"), "/", query.name));
    }
    return names;
  }

  SavedQueriesOptions limits;
  McpFixture server{McpOptions(), {FixedRows()}};
  FakeClock clock{absl::FromUnixSeconds(1'772'600'000)};
  std::string log;
  std::unique_ptr<SavedQueries> saved;
};

inline Principal Of(const std::string& label, std::optional<std::string> project, bool may_save = true) {
  Principal principal;
  principal.label = label;
  principal.token_id = label + "-id";
  principal.project_scope = std::move(project);
  principal.may_save = may_save;
  return principal;
}

inline std::string ReadText(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

inline void Replace(const std::string& path, const std::string& from, const std::string& to) {
  std::string text = ReadText(path);
  REQUIRE(text.find(from) != std::string::npos);
  text.replace(text.find(from), from.size(), to);
  std::ofstream(path) << text;
}

inline std::string MessageOf(const absl::Status& status) { return std::string(status.message()); }

}  // namespace logquery::testing

#endif  // LOGQUERY_TESTS_SERVING_SAVED_FIXTURE_H_
