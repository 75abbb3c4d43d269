// A proxy between a client and a server on this machine that does what proxies do wrong: it cuts a connection in the middle of an
// answer, changes bytes of it, or stands still.
//
//     TcpProxy proxy(server_port);
//     proxy.CutAfter(1'000);                       // of the server's bytes on each connection
//     options.port = proxy.port();
#ifndef LOGQUERY_TESTS_SUPPORT_TCP_PROXY_H_
#define LOGQUERY_TESTS_SUPPORT_TCP_PROXY_H_

#include <atomic>
#include <cstdint>
#include <thread>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"

namespace logquery::testing {

class TcpProxy {
 public:
  // Listens on a port of the system's choice. Throws std::runtime_error where there is none.
  explicit TcpProxy(int server_port);
  ~TcpProxy();
  TcpProxy(const TcpProxy&) = delete;
  TcpProxy& operator=(const TcpProxy&) = delete;

  int port() const { return port_; }

  // From now on, also on connections that are open: all that the server sends is passed on as it is.
  void PassAll();
  // A connection ends when so many more bytes of the server's have been passed on.
  void CutAfter(int64_t bytes);
  // Changes one byte behind `bytes` more bytes, once on each connection.
  void GarbleAfter(int64_t bytes);
  // Nothing is passed on until another of these is called.
  void StandStill();

 private:
  enum class Mode { kPass, kCut, kGarble, kStill };

  void Serve();
  void Forward(int client);
  void SetMode(Mode mode, int64_t after);
  // False: the connection ends. Changes the bytes where they are to be.
  bool Treat(std::vector<char>& bytes, int64_t& seen, int& epoch);
  bool MayGoOn() const ABSL_SHARED_LOCKS_REQUIRED(mutex_) { return mode_ != Mode::kStill || ended_; }

  const int server_port_;
  int socket_ = -1;
  int port_ = 0;
  absl::Mutex mutex_;
  Mode mode_ ABSL_GUARDED_BY(mutex_) = Mode::kPass;
  int64_t after_ ABSL_GUARDED_BY(mutex_) = 0;
  int epoch_ ABSL_GUARDED_BY(mutex_) = 0;  // counts the changes of what is done
  bool ended_ ABSL_GUARDED_BY(mutex_) = false;
  std::vector<int> open_ ABSL_GUARDED_BY(mutex_);
  std::vector<std::thread> connections_;  // of Serve alone, until it has ended
  std::thread thread_;
};

}  // namespace logquery::testing

#endif  // LOGQUERY_TESTS_SUPPORT_TCP_PROXY_H_
