// The server that most cases over HTTP share, and the requests that they send to it.
#ifndef LOGQUERY_TESTS_INGEST_SHARED_SERVER_H_
#define LOGQUERY_TESTS_INGEST_SHARED_SERVER_H_

#include <catch2/catch_test_macros.hpp>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "lib/base/strings.h"
#include "lib/result/packer.h"
#include "tests/ingest/ingest_server.h"
#include "tests/support/end_of_run.h"

namespace logquery::ingest_tests {

using Json = nlohmann::json;

inline constexpr char kEdge[] = "/api/logs?source_name=cloudflare.logs.prod";
inline constexpr char kLogged[] = R"({"message":"Logged!"})";

inline std::string Pack(ContentCoding coding, const std::string& text) {
  std::string packed;
  auto packer = result::MakePacker(coding, static_cast<int64_t>(text.size()));
  REQUIRE(packer.ok());
  REQUIRE((*packer)->Add(text, packed).ok());
  REQUIRE((*packer)->Finish(packed).ok());
  return packed;
}

inline std::string MessageOf(const Response& response) {
  const Json json = Json::parse(response.body, nullptr, false);
  return json.is_object() && json.contains("error") ? json["error"]["message"].get<std::string>() : response.body;
}

// The server that most cases share: rows of each have a message of their own.
inline IngestServer& Shared() {
  static std::unique_ptr<IngestServer>& server = *new auto(std::make_unique<IngestServer>());
  static const bool ends = [] {
    testing::AtEnd([] { server.reset(); });
    return true;
  }();
  CHECK(ends);
  return *server;
}

inline int64_t CountOf(const IngestServer& server, const std::string& message, const std::string& log = "edge_logs") {
  const std::string rows =
      server.Query(base::StrCat("select count(*) as n from ", log, " where event_message = '", message, "'"));
  const Json json = Json::parse(rows, nullptr, false);
  INFO(rows);
  REQUIRE((json.is_array() && json.size() == 1));
  return json[0]["n"].get<int64_t>();
}

}  // namespace logquery::ingest_tests

#endif  // LOGQUERY_TESTS_INGEST_SHARED_SERVER_H_
