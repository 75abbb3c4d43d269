// `serve` as it runs: a supervisor and its server in processes of their own, over a folder with logs.
#ifndef LOGQUERY_TESTS_SHIM_SUPERVISED_SERVER_H_
#define LOGQUERY_TESTS_SHIM_SUPERVISED_SERVER_H_

#include <sys/types.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

namespace logquery::shim {

// Rows of edge_logs that the folder has, of the project "abc".
inline constexpr int kServedRows = 3'000;
// A query that takes longer than any test.
inline constexpr char kEndless[] =
    "select count(*) as n from edge_logs a cross join edge_logs b cross join edge_logs c where "
    "concat(a.id,b.id,c.id)='x'";

class SupervisedServer {
 public:
  // Waits until it answers.
  SupervisedServer();
  // Ends it, if it still runs.
  ~SupervisedServer();
  SupervisedServer(const SupervisedServer&) = delete;
  SupervisedServer& operator=(const SupervisedServer&) = delete;

  int port() const { return port_; }
  pid_t supervisor() const { return supervisor_; }
  // The server that runs now.
  pid_t server() const;
  // Kills the server that runs and waits until it is gone.
  void KillServer(int signal);
  // Sends the supervisor a signal and waits for its end. The exit code; -SIGNAL: it was killed.
  int End(int signal);

  const std::string& token(int i) const { return tokens_[i]; }
  // "GET PATH" on the port, with a token; answered on a connection of its own. Empty: the server died.
  std::string Get(std::string_view path, int token = 0) const;
  // Waits until a query runs in the engine.
  void AwaitQuery() const;
  // All that the two have logged so far.
  std::string log() const;
  // Waits until the log says it.
  void AwaitLog(std::string_view text) const;
  std::filesystem::path folder() const { return folder_; }

 private:
  std::filesystem::path folder_;
  std::string tokens_[2];
  std::ifstream out_;  // open for as long as servers are started: they write to it
  pid_t supervisor_ = 0;
  int port_ = 0;
  int admin_port_ = 0;
};

// The path that calls logs.all with `sql`.
std::string QueryPath(std::string_view sql);

}  // namespace logquery::shim

#endif  // LOGQUERY_TESTS_SHIM_SUPERVISED_SERVER_H_
