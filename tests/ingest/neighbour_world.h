// A server with the example endpoints and a token for each of two neighbours, the projects alpha and beta.
#ifndef LOGQUERY_TESTS_INGEST_NEIGHBOUR_WORLD_H_
#define LOGQUERY_TESTS_INGEST_NEIGHBOUR_WORLD_H_

#include <re2/re2.h>

#include <catch2/catch_test_macros.hpp>
#include <csignal>
#include <filesystem>
#include <string>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "lib/base/strings.h"
#include "logquery/store/folder_check.h"
#include "tests/ingest/ingest_server.h"
#include "tests/support/folder_sql.h"
#include "tests/support/folders.h"

namespace logquery::ingest_tests {

namespace fs = std::filesystem;
using base::StrCat;

inline const std::string kEndpoints = testing::SourcePath("examples/supabase/endpoints");
inline constexpr const char* kLogs[] = {"edge_logs",    "postgres_logs", "function_logs", "auth_logs",
                                        "storage_logs", "realtime_logs", "supavisor_logs"};

inline Principal Of(const std::string& project, bool writes) {
  Principal principal;
  principal.project_scope = project;
  if (writes) principal.ingest = IngestRights{.may_learn = true};
  return principal;
}

class World {
 public:
  World()
      : server_(
            16, 512,
            [](const fs::path& data) { fs::create_directory_symlink(kEndpoints, data.parent_path() / "endpoints"); }),
        alpha_(server_.Token(Of("alpha", true))),
        beta_(server_.Token(Of("beta", true))) {}

  IngestServer& server() { return server_; }
  const std::string& alpha() const { return alpha_; }
  const std::string& beta() const { return beta_; }

  // Ends the server, runs the statement in its folder and starts it again.
  void Plant(const std::string& statement) {
    REQUIRE(server_.End(SIGTERM) == 0);
    REQUIRE(testing::RunInFolder(server_.data().string(), statement));
    server_.Start();
  }

  // Ends the server, checks its folder and starts it again.
  void Restart() {
    REQUIRE(server_.End(SIGTERM) == 0);
    FolderCheckOptions options;
    options.folder = server_.data();
    options.read_rows = true;
    const auto findings = CheckFolder(options);
    INFO(findings.status().ToString());
    REQUIRE(findings.ok());
    for (const FolderFinding& finding : *findings) {
      INFO(finding.what);
      // The temporary folder may be open to others, which is a finding.
      const bool is_open = absl::StrContains(finding.what, "other users of this machine");
      CHECK((is_open || finding.kind == FolderFinding::Kind::kNote));
    }
    server_.Start();
  }

 private:
  IngestServer server_;
  const std::string alpha_;
  const std::string beta_;
};

inline std::string Escape(const std::string& text) {
  std::string escaped;
  for (const unsigned char c : text) {
    if (std::isalnum(c) != 0) {
      escaped += static_cast<char>(c);
    } else {
      base::StrAppend(&escaped, "%", absl::StrCat(absl::Hex(c, absl::kZeroPad2)));
    }
  }
  return escaped;
}

inline std::string Ask(const IngestServer& server, const std::string& call, const std::string& token) {
  const Response response = server.Get("/api/endpoints/query/" + call, token);
  // A request's id is another one each time.
  std::string body = response.body;
  RE2::GlobalReplace(&body, R"re("request_id":"[0-9a-f]+")re", "");
  return StrCat(response.status, " ", body);
}

}  // namespace logquery::ingest_tests

#endif  // LOGQUERY_TESTS_INGEST_NEIGHBOUR_WORLD_H_
