// The questions that operators ask about a server under load: how soon /health answers while ten times as many clients as there
// are threads ask without a pause, what the others are told, and how soon a query ends when its client has left.
//
//     logquery_bench_service --data DATA [--seconds N] [--threads N]
//
// Over sockets of this machine; clients and server share its processors.
#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "logquery/query_service.h"
#include "logquery/store/duckdb_backend.h"
#include "shim/http/calls/routes.h"
#include "shim/http/transport/transport.h"
#include "shim/observe/request_log.h"

namespace logquery::shim {
namespace {

using SteadyClock = std::chrono::steady_clock;

constexpr char kWork[] =
    "GET /api/endpoints/query/logs.all?project=none&project_tier=PRO&sql="
    "select+count(*)+as+n,approx_quantiles(event_message,100)+as+q+from+edge_logs HTTP/1.1\r\nHost: bench\r\n\r\n";
// A query over all rows, so that there is time to leave.
constexpr char kLong[] =
    "GET /api/endpoints/query/usage.api-counts?project=.*&interval=daily HTTP/1.1\r\nHost: bench\r\n\r\n";
constexpr char kHealth[] = "GET /health HTTP/1.1\r\nHost: bench\r\n\r\n";

[[noreturn]] void Fail(const std::string& what) {
  std::fprintf(stderr, "%s\n", what.c_str());
  std::exit(1);
}

class Client {
 public:
  explicit Client(int port) : fd_(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<uint16_t>(port));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (connect(fd_, reinterpret_cast<sockaddr*>(&address), sizeof(address)) != 0) Fail("no connection");
  }
  ~Client() { close(fd_); }
  Client(const Client&) = delete;

  void Send(const std::string& text) {
    if (send(fd_, text.data(), text.size(), MSG_NOSIGNAL) != static_cast<ssize_t>(text.size())) Fail("can't send");
  }
  // The status of a whole answer; 0: the server closed.
  int Receive() {
    std::string text;
    size_t whole = std::string::npos;
    while (text.size() < whole) {
      char buffer[16 << 10];
      const ssize_t count = recv(fd_, buffer, sizeof(buffer), 0);
      if (count <= 0) return 0;
      text.append(buffer, static_cast<size_t>(count));
      const size_t end = text.find("\r\n\r\n");
      const size_t length = text.find("Content-Length: ");
      if (end != std::string::npos && length < end) whole = end + 4 + std::stoul(text.substr(length + 16));
    }
    return std::stoi(text.substr(9, 3));
  }

 private:
  int fd_;
};

double Milliseconds(SteadyClock::duration time) { return std::chrono::duration<double, std::milli>(time).count(); }

void PrintTimes(const char* what, std::vector<double> times) {
  if (times.empty()) return;
  std::sort(times.begin(), times.end());
  const auto at = [&](double part) { return times[static_cast<size_t>(part * static_cast<double>(times.size() - 1))]; };
  std::printf("%-28s %7zu times  p50 %8.2f ms  p99 %8.2f ms  worst %8.2f ms\n", what, times.size(), at(0.5), at(0.99),
              at(1));
}

double MaxRssMb() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1'024;
}

// Passes queries on, and says when they end.
class TimedBackend : public QueryBackend {
 public:
  explicit TimedBackend(QueryBackend* inner) : inner_(inner) {}
  Capabilities capabilities() const override { return inner_->capabilities(); }
  absl::StatusOr<Catalog> ReadCatalog() override { return inner_->ReadCatalog(); }
  absl::Status Execute(const PreparedQuery& query, const Bindings& bindings, const ExecutionLimits& limits,
                       const CancellationToken& cancellation, BatchSink& sink) override {
    ++begun;
    const absl::Status status = inner_->Execute(query, bindings, limits, cancellation, sink);
    if (absl::IsCancelled(status)) {
      ended_at = SteadyClock::now().time_since_epoch().count();
      ++cancelled;
    }
    return status;
  }
  std::atomic<int> begun{0};
  std::atomic<int> cancelled{0};
  std::atomic<SteadyClock::rep> ended_at{0};

 private:
  QueryBackend* const inner_;
};

void Overload(int port, int clients, int seconds) {
  std::mutex mutex;
  std::map<int, int> statuses;
  std::atomic<bool> over{false};
  std::vector<std::thread> threads;
  for (int i = 0; i < clients; ++i) {
    threads.emplace_back([&] {
      auto client = std::make_unique<Client>(port);
      while (!over) {
        client->Send(kWork);
        const int status = client->Receive();
        if (status == 0) client = std::make_unique<Client>(port);  // its connection has had its requests
        const std::lock_guard<std::mutex> lock(mutex);
        ++statuses[status];
      }
    });
  }
  std::vector<double> times;
  for (const auto end = SteadyClock::now() + std::chrono::seconds(seconds); SteadyClock::now() < end;) {
    const auto begin = SteadyClock::now();
    Client client(port);
    client.Send(kHealth);
    if (client.Receive() != 200) Fail("/health is not well");
    times.push_back(Milliseconds(SteadyClock::now() - begin));
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  over = true;
  for (std::thread& thread : threads) thread.join();
  std::printf("%d clients for %d s:", clients, seconds);
  for (const auto& [status, count] : statuses) std::printf("  %d: %d", status, count);
  std::printf("  (0: a connection that had its 1,000)\n");
  for (const auto& [status, count] : statuses) {
    if (status != 0 && status != 200 && status != 429 && status != 503 && status != 504) Fail("that is no such answer");
  }
  PrintTimes("/health, new connections", std::move(times));
}

// One call after another, a second after the overload.
void After(int port) {
  std::this_thread::sleep_for(std::chrono::seconds(1));
  std::vector<double> times;
  for (int i = 0; i < 50; ++i) {
    const auto begin = SteadyClock::now();
    Client client(port);
    client.Send(kWork);
    if (client.Receive() != 200) Fail("a second after the overload not all is well");
    times.push_back(Milliseconds(SteadyClock::now() - begin));
  }
  PrintTimes("a call, a second after", std::move(times));
}

void Leave(int port, TimedBackend& backend) {
  std::vector<double> times;
  for (int i = 0; i < 50; ++i) {
    const int begun = backend.begun;
    const int cancelled = backend.cancelled;
    SteadyClock::time_point left;
    {
      Client client(port);
      client.Send(kLong);
      while (backend.begun == begun) std::this_thread::sleep_for(std::chrono::milliseconds(1));
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
      left = SteadyClock::now();
    }
    for (int wait = 0; backend.cancelled == cancelled && wait < 2'000; ++wait) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    if (backend.cancelled == cancelled) continue;  // it was done before
    times.push_back(Milliseconds(SteadyClock::duration(backend.ended_at) - left.time_since_epoch()));
  }
  PrintTimes("client leaves to query ends", std::move(times));
}

void Run(const std::string& data, int seconds, int threads) {
  auto opened = OpenDuckDb({.folder = data, .read_only = true});
  if (!opened.ok()) Fail(opened.status().ToString());
  TimedBackend backend(opened->get());
  QueryServiceOptions options;
  options.backend = &backend;
  options.cache_bytes = 0;  // each call is to be a query
  auto service = QueryService::Create(options);
  if (!service.ok()) Fail(service.status().ToString());
  const auto queue = QueryQueue::Create({service->get(), threads, 8}).value();
  RequestLog log([](std::string_view) {}, true, Clock::Real());
  Routes routes({service->get(), queue.get(), &log});
  auto server = Transport::Bind({}, &routes);
  if (!server.ok()) Fail(server.status().ToString());
  std::thread serving([&] { (*server)->Serve(); });
  Leave((*server)->port(), backend);
  const double before = MaxRssMb();
  Overload((*server)->port(), 10 * threads, seconds);
  After((*server)->port());
  std::printf("memory at the most: %.0f MB, %.0f MB before the load\n", MaxRssMb(), before);
  (*server)->Stop(absl::Seconds(10));
  serving.join();
  queue->Stop();
}

}  // namespace
}  // namespace logquery::shim

int main(int argc, char** argv) {
  std::string data;
  int seconds = 10;
  int threads = 4;
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string option = argv[i];
    if (option == "--data") data = argv[i + 1];
    if (option == "--seconds") seconds = std::atoi(argv[i + 1]);
    if (option == "--threads") threads = std::atoi(argv[i + 1]);
  }
  if (data.empty() || seconds < 1 || threads < 1) {
    std::fprintf(stderr, "logquery_bench_service --data DATA [--seconds N] [--threads N]\n");
    return 2;
  }
  logquery::shim::Run(data, seconds, threads);
}
