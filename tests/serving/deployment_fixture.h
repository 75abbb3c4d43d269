// A data folder with definitions and tokens, and deployments over it.
#ifndef LOGQUERY_TESTS_SERVING_DEPLOYMENT_FIXTURE_H_
#define LOGQUERY_TESTS_SERVING_DEPLOYMENT_FIXTURE_H_

#include <catch2/catch_test_macros.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "logquery/serving/deployment.h"
#include "tests/support/log_lines.h"

namespace logquery::deployment_tests {

namespace fs = std::filesystem;

struct Folder {
  Folder() {
    path = (fs::temp_directory_path() / "logquery-deployment-XXXXXX").string();
    REQUIRE(mkdtemp(path.data()) != nullptr);
    fs::create_directory(path + "/endpoints");
  }
  ~Folder() { fs::remove_all(path); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  void Write(const std::string& name, const std::string& text) const {
    std::ofstream(path + "/" + name, std::ios::trunc) << text;
  }
  void Define(const std::string& name, const std::string& sql) const {
    Write("endpoints/" + name + ".sql", sql);
    Write("endpoints/" + name + ".json", R"({"id":"b0a9a6e8-6a0e-4a63-9f0b-6d4c4a1f8f01","name":")" + name + R"("})");
  }
  // Makes a token for all projects, which may also write.
  std::string MakeToken() const {
    Principal owner;
    owner.ingest.emplace();
    const auto token = TokenFile::Create(path + "/tokens.json", owner, std::nullopt, Clock::Real());
    REQUIRE(token.ok());
    return *token;
  }
  DeploymentOptions Options() const {
    DeploymentOptions options;
    options.backend.folder = path + "/data";
    options.create_folder = true;
    return options;
  }
  // Those of a deployment that takes MakeToken's tokens, and logs.
  DeploymentOptions ReceivingOptions() const {
    DeploymentOptions options = Options();
    options.token_file = path + "/tokens.json";
    options.receiver = LogReceiverOptions();
    return options;
  }

  std::string path;
};

inline std::unique_ptr<Deployment> Opened(DeploymentOptions options) {
  auto deployment = Deployment::Open(std::move(options));
  INFO(deployment.status().ToString());
  REQUIRE(deployment.ok());
  return *std::move(deployment);
}

inline absl::Status Refused(DeploymentOptions options) { return Deployment::Open(std::move(options)).status(); }

// The body, or the error's code.
inline std::string Call(QueryService& service, const std::string& endpoint, const std::string& token = "",
                        const std::string& sql = "") {
  QueryRequest request;
  request.endpoint = endpoint;
  request.token = token;
  if (!sql.empty()) request.parameters = {{"project", "abc"}, {"sql", sql}};
  const auto answer = service.Run(request);
  return answer.ok() ? answer->body : absl::StatusCodeToString(answer.status().code());
}

}  // namespace logquery::deployment_tests

#endif  // LOGQUERY_TESTS_SERVING_DEPLOYMENT_FIXTURE_H_
