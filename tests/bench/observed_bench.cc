// The cost of being observed: a hit of the cache with metrics, the log and 1 % of traces on, against all of them off.
//
//     logquery_bench_observed [--rounds N] [--calls N]
//
// Both servers answer the same calls, in turn, over a connection of this machine that stays open, and without one. The measure is
// the processors' time, of server and client together: other programs do not change it much. Fails where the observed server
// manages less than 0.9 of the other's calls over the connection.
#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "logquery/query_service.h"
#include "logquery/testing/fake_backend.h"
#include "shim/http/calls/routes.h"
#include "shim/http/transport/transport.h"
#include "shim/observe/metrics.h"
#include "shim/observe/request_log.h"
#include "shim/observe/request_observer.h"
#include "shim/observe/span_exporter.h"
#include "shim/observe/tracer.h"
#include "tests/bench/bench_util.h"

namespace logquery::shim {
namespace {

using bench::Fail;
using bench::Median;

constexpr char kPath[] = "/api/endpoints/query/usage.api-counts";
constexpr char kQuery[] = "project=abc&interval=daily";
constexpr double kLeast = 0.9;

// The processor time of this process so far, in microseconds.
double ProcessorTime() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto micros = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) * 1e6 + static_cast<double>(time.tv_usec);
  };
  return micros(usage.ru_utime) + micros(usage.ru_stime);
}

// A week of days.
testing::FakeBackend::Rows Rows() {
  testing::FakeBackend::Rows rows;
  for (int64_t day = 0; day < 7; ++day) {
    rows.push_back({Value::Datetime(1'772'600'000'000'000 + day * 86'400'000'000), Value::Int64(day * 1'000),
                    Value::Int64(17), Value::Int64(0), Value::Int64(123'456)});
  }
  return rows;
}

class Server {
 public:
  explicit Server(bool observed)
      : null_(open("/dev/null", O_WRONLY | O_CLOEXEC)),
        backend_(Catalog::DeclaredLogs()),
        metrics_("0", nullptr),
        // Nobody listens there: what is sent costs another thread's time, and what is not is dropped.
        exporter_({.url = "http://127.0.0.1:9/v1/traces"}),
        tracer_(
            0.01, [this](std::vector<Span> spans) { exporter_.Add(std::move(spans)); }, Clock::Real()),
        log_([this](std::string_view line) { (void)!write(null_, line.data(), line.size()); }, true, Clock::Real()) {
    backend_.AnswerBy([](const PreparedQuery&, const Bindings&) { return Rows(); });
    QueryServiceOptions options;
    options.backend = &backend_;
    options.warming_threads = 0;
    if (observed) options.observer = &metrics_;
    service_ = bench::Need(QueryService::Create(std::move(options)));
    HttpServerOptions routes;
    routes.service = service_.get();
    queue_ = bench::Need(QueryQueue::Create({service_.get(), 2, 8, absl::Seconds(10), observed ? &metrics_ : nullptr}));
    routes.queue = queue_.get();
    if (observed) {
      routes.observer = &log_;
    }
    routes_ = std::make_unique<Routes>(routes);
    TransportOptions http;
    http.max_requests = 1'000'000'000;
    server_ = bench::Need(Transport::Bind(http, routes_.get()));
    serving_ = std::thread([this] { server_->Serve(); });
  }
  ~Server() {
    server_->Stop(absl::Seconds(10));
    serving_.join();
    queue_->Stop();
    close(null_);
  }

  // Microseconds of a call over a connection.
  double OverSocket(int calls) {
    Connect();
    const double begin = ProcessorTime();
    for (int i = 0; i < calls; ++i) Ask();
    const double time = ProcessorTime() - begin;
    close(fd_);
    return time / calls;
  }
  double Direct(int calls) {
    HttpRequest request;
    request.method = "GET";
    request.path = kPath;
    request.query = kQuery;
    const double begin = ProcessorTime();
    for (int i = 0; i < calls; ++i) {
      if (routes_->Handle(request).status != 200) Fail("a call failed");
    }
    return (ProcessorTime() - begin) / calls;
  }

 private:
  void Connect() {
    fd_ = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<uint16_t>(server_->port()));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (connect(fd_, reinterpret_cast<sockaddr*>(&address), sizeof(address)) != 0) Fail("no connection");
  }
  void Ask() {
    static const std::string* const text =
        new std::string(std::string("GET ") + kPath + "?" + kQuery + " HTTP/1.1\r\nHost: bench\r\n\r\n");
    if (send(fd_, text->data(), text->size(), MSG_NOSIGNAL) != static_cast<ssize_t>(text->size())) Fail("can't send");
    std::string answer;
    for (size_t whole = std::string::npos; answer.size() < whole;) {
      char buffer[16 << 10];
      const ssize_t count = recv(fd_, buffer, sizeof(buffer), 0);
      if (count <= 0) Fail("the server closed");
      answer.append(buffer, static_cast<size_t>(count));
      const size_t end = answer.find("\r\n\r\n");
      const size_t length = answer.find("Content-Length: ");
      if (end != std::string::npos && length < end) whole = end + 4 + std::stoul(answer.substr(length + 16));
    }
    if (answer.compare(9, 3, "200") != 0) Fail("a call failed");
  }

  const int null_;
  testing::FakeBackend backend_;
  Metrics metrics_;
  SpanExporter exporter_;
  const Tracer tracer_;
  RequestLog log_;
  std::unique_ptr<QueryService> service_;
  std::unique_ptr<QueryQueue> queue_;
  std::unique_ptr<Routes> routes_;
  std::unique_ptr<Transport> server_;
  std::thread serving_;
  int fd_ = -1;
};

// The observed server's calls in the time of one of the other's: the median over the rounds, in which both take turns.
double Compare(const char* what, int rounds, Server& off, Server& on, int calls, double (Server::*time)(int)) {
  std::vector<double> shares, offs, ons;
  for (int i = 0; i < rounds; ++i) {
    const bool off_first = i % 2 == 0;
    const double first = ((off_first ? off : on).*time)(calls), second = ((off_first ? on : off).*time)(calls);
    offs.push_back(off_first ? first : second);
    ons.push_back(off_first ? second : first);
    shares.push_back(offs.back() / ons.back());
  }
  std::printf("%-16s all off %8.1f µs a hit, all on %8.1f µs: %.3f ×\n", what, Median(offs), Median(ons),
              Median(shares));
  return Median(shares);
}

int Run(int rounds, int calls) {
  Server off(false), on(true);
  for (Server* server : {&off, &on}) server->OverSocket(calls);  // the first call fills the cache
  Compare("without HTTP", rounds, off, on, calls, &Server::Direct);
  const double share = Compare("over HTTP", rounds, off, on, calls, &Server::OverSocket);
  if (share >= kLeast) return 0;
  std::printf("less than %.1f ×\n", kLeast);
  return 1;
}

}  // namespace
}  // namespace logquery::shim

int main(int argc, char** argv) {
  int rounds = 40;
  int calls = 500;
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string option = argv[i];
    if (option == "--rounds") rounds = std::atoi(argv[i + 1]);
    if (option == "--calls") calls = std::atoi(argv[i + 1]);
  }
  if (rounds < 1 || calls < 1) {
    std::fprintf(stderr, "logquery_bench_observed [--rounds N] [--calls N]\n");
    return 2;
  }
  return logquery::shim::Run(rounds, calls);
}
