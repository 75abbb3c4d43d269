// `serve --ingest` in a process of its own, over a folder that outlives it, and tokens of several kinds.
#ifndef LOGQUERY_TESTS_INGEST_INGEST_SERVER_H_
#define LOGQUERY_TESTS_INGEST_INGEST_SERVER_H_

#include <sys/types.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "logquery/authenticator.h"

namespace logquery::ingest_tests {

struct Response {
  int status = 0;  // 0: the server closed the connection before the answer was whole
  std::string head;
  std::string body;

  // The header's value; empty: it is not there.
  std::string Header(std::string_view name) const;
};

class IngestServer {
 public:
  // Makes the folder and starts the server, with so much memory for bodies; 0: without --ingest. `prepare` is called with the data
  // folder before; definitions that it puts into `endpoints` beside that folder serve, with a clock that stands at
  // 2026-03-04T18:00:00Z.
  explicit IngestServer(int memory_mb = 16, int max_connections = 512,
                        const std::function<void(const std::filesystem::path& data)>& prepare = nullptr);
  // Ends it, if it still runs.
  ~IngestServer();
  IngestServer(const IngestServer&) = delete;
  IngestServer& operator=(const IngestServer&) = delete;

  // Waits until it answers.
  void Start();
  // Sends it the signal and waits for its end. The exit code; -SIGNAL: it was killed.
  int End(int signal);
  int port() const { return port_; }

  // A token with these rights, made anew.
  std::string Token(const Principal& principal) const;
  // One of all projects that may write all logs and learns nothing.
  const std::string& writer() const { return writer_; }

  // Sends a request as it is, on a connection of its own. May be called from several threads.
  Response Send(const std::string& request) const;
  Response Post(const std::string& path, const std::string& body, const std::string& headers = {},
                const std::string& token = {}) const;
  Response Get(const std::string& path, const std::string& token = {}) const;
  // The answer's rows to `sql` over the logs of all projects: the JSON behind "result":, without its last brace.
  std::string Query(const std::string& sql) const;
  // A value of the server's /metrics.
  double Metric(const std::string& name) const;

  std::filesystem::path data() const { return folder_ / "data"; }

 private:
  const int memory_mb_;
  const int max_connections_;
  std::filesystem::path folder_;
  std::string writer_;
  std::ifstream out_;  // open for as long as the server writes to it
  pid_t server_ = 0;
  int port_ = 0;
};

// A connection that sends what the test says, and no more.
class OpenConnection {
 public:
  explicit OpenConnection(int port);
  ~OpenConnection();
  OpenConnection(const OpenConnection&) = delete;
  OpenConnection& operator=(const OpenConnection&) = delete;
  // False: the server has closed.
  bool Send(std::string_view text) const;
  Response Receive() const;

 private:
  const int fd_;
};

}  // namespace logquery::ingest_tests

#endif  // LOGQUERY_TESTS_INGEST_INGEST_SERVER_H_
