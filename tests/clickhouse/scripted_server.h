// A host that gives every request the same bytes and then closes the connection, whatever they are: an answer that is cut, garbled,
// or of another service.
#ifndef LOGQUERY_TESTS_CLICKHOUSE_SCRIPTED_SERVER_H_
#define LOGQUERY_TESTS_CLICKHOUSE_SCRIPTED_SERVER_H_

#include <atomic>
#include <string>
#include <thread>

namespace logquery::testing {

class ScriptedServer {
 public:
  // On a port of the system's choice. Throws std::runtime_error where there is none.
  explicit ScriptedServer(std::string answer);
  ~ScriptedServer();
  ScriptedServer(const ScriptedServer&) = delete;
  ScriptedServer& operator=(const ScriptedServer&) = delete;

  std::string url() const;
  int requests() const { return requests_; }

 private:
  void Serve();

  const std::string answer_;
  int socket_ = -1;
  int port_ = 0;
  std::atomic<int> requests_ = 0;
  std::thread thread_;
};

}  // namespace logquery::testing

#endif  // LOGQUERY_TESTS_CLICKHOUSE_SCRIPTED_SERVER_H_
