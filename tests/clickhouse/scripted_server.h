// A host that gives every request the same bytes and then closes the connection, whatever they are: an answer that is cut, garbled,
// or of another service.
#ifndef LOGQUERY_TESTS_CLICKHOUSE_SCRIPTED_SERVER_H_
#define LOGQUERY_TESTS_CLICKHOUSE_SCRIPTED_SERVER_H_

#include <atomic>
#include <mutex>
#include <string>
#include <thread>

namespace logquery::testing {

class ScriptedServer {
 public:
  // Listens on a port of the system's choice. Throws std::runtime_error where there is none.
  explicit ScriptedServer(std::string answer);
  ~ScriptedServer();
  ScriptedServer(const ScriptedServer&) = delete;
  ScriptedServer& operator=(const ScriptedServer&) = delete;

  std::string url() const;
  int requests() const { return requests_; }
  // The last of them as it came. Once its answer is read.
  std::string last_request() const {
    const std::lock_guard lock(mutex_);
    return last_request_;
  }

 private:
  void Serve();

  const std::string answer_;
  int socket_ = -1;
  int port_ = 0;
  std::atomic<int> requests_ = 0;
  mutable std::mutex mutex_;
  std::string last_request_;  // guarded by mutex_
  std::thread thread_;
};

// Returns RowBinaryWithNamesAndTypes of one Int64 column c1 and so many rows, each 5.
std::string RowBinary(int rows);
// Returns an answer of HTTP with this body and these lines of headers.
std::string WholeAnswer(const std::string& body, const std::string& headers = "");

}  // namespace logquery::testing

#endif  // LOGQUERY_TESTS_CLICKHOUSE_SCRIPTED_SERVER_H_
