// A real server for generated clients: the built-in endpoints and those of tests/testdata/codegen/endpoints over a few logs, in a
// process of its own.
#ifndef LOGQUERY_TESTS_CODEGEN_CLIENT_SERVER_H_
#define LOGQUERY_TESTS_CODEGEN_CLIENT_SERVER_H_

#include <sys/types.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "tests/support/folders.h"

namespace logquery::codegen_tests {

inline const std::string kDefinitions = testing::SourcePath("tests/testdata/codegen/endpoints");
// Rows of edge_logs, of the project "abc", one a second before kNow.
inline constexpr int kRequests = 150;
inline constexpr char kNow[] = "2026-03-04T05:45:00Z";

class ClientServer {
 public:
  // Waits until it answers.
  ClientServer();
  ~ClientServer();
  ClientServer(const ClientServer&) = delete;
  ClientServer& operator=(const ClientServer&) = delete;

  int port() const { return port_; }
  // A token of all projects and endpoints.
  const std::string& token() const { return token_; }

 private:
  std::filesystem::path folder_;
  std::string token_;
  std::ifstream out_;  // open for as long as the server writes to it
  pid_t server_ = 0;
  int port_ = 0;
};

}  // namespace logquery::codegen_tests

#endif  // LOGQUERY_TESTS_CODEGEN_CLIENT_SERVER_H_
