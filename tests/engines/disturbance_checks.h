// Checks that every engine elsewhere passes: what becomes of a call that is cancelled, or whose server restarts or hangs. An
// engine's tests run them against a server of their own, and add what only that engine does.
//
//     ClusterOrSkip cluster;
//     CheckCancelledCall(EngineUnderTest(cluster, source, kStatements));
#ifndef LOGQUERY_TESTS_ENGINES_DISTURBANCE_CHECKS_H_
#define LOGQUERY_TESTS_ENGINES_DISTURBANCE_CHECKS_H_

#include <catch2/catch_test_macros.hpp>
#include <functional>
#include <memory>
#include <string>
#include <thread>

#include "tests/support/one_column.h"

namespace logquery::testing {

inline constexpr int kManyRows = 3'000'000;

// The engine's statements of one INT64 column, c1.
struct EngineStatements {
  const char* one;            // one row
  const char* many;           // kManyRows rows
  const char* endless;        // runs until it is cancelled
  const char* count_running;  // counts the statements of logquery's that run in the server; for an administrator
};

// `Server` has Ask, Stop, Start, Freeze and Thaw, as Cluster and ClickHouse have.
template <typename Server>
struct EngineUnderTest {
  EngineUnderTest(Server& its_server, std::shared_ptr<FragmentSource> its_source,
                  const EngineStatements& its_statements)
      : server(its_server), source(std::move(its_source)), statements(its_statements) {}

  bool Works() const { return ReturnsOneRow(*source, statements.one); }
  absl::Status RunOne() const {
    CallingSink sink;
    return RunFragment(*source, OneColumn(statements.one), sink);
  }
  // Waits until so many statements of logquery's run in the server.
  void AwaitRunning(int count) const {
    while (server.Ask(statements.count_running) != std::to_string(count)) {
    }
  }

  Server& server;
  std::shared_ptr<FragmentSource> source;
  EngineStatements statements;
};

// Runs the fragment on a thread, cancels it when `await_begin` has returned, and returns its status.
inline absl::Status RunCancelled(FragmentSource& source, const QueryFragment& fragment, BatchSink& sink,
                                 const std::function<void()>& await_begin) {
  CancellationSource cancellation;
  absl::Status status;
  std::thread call([&] { status = RunFragment(source, fragment, sink, cancellation.token()); });
  await_begin();
  cancellation.Cancel();
  call.join();
  return status;
}

inline CancellationToken CancelledToken() {
  CancellationSource cancellation;
  cancellation.Cancel();
  return cancellation.token();
}

template <typename Server>
void CheckCancelledCall(const EngineUnderTest<Server>& engine) {
  CHECK(engine.Works());
  CallingSink sink;
  const QueryFragment endless = OneColumn(engine.statements.endless);
  CHECK(absl::IsCancelled(RunCancelled(*engine.source, endless, sink, [&] { engine.AwaitRunning(1); })));
  engine.AwaitRunning(0);
  CHECK(engine.Works());
  CHECK(absl::IsCancelled(RunFragment(*engine.source, endless, sink, CancelledToken())));
}

template <typename Server>
void CheckSinkError(const EngineUnderTest<Server>& engine) {
  const absl::Status enough = absl::ResourceExhaustedError("that is enough");
  CallingSink sink([&] { return enough; });
  CHECK(RunFragment(*engine.source, OneColumn(engine.statements.many), sink) == enough);
  CHECK(sink.rows() < kManyRows);
  engine.AwaitRunning(0);
  CHECK(engine.Works());
}

// The server stops in the middle of rows. Returns the status of a call while it is away.
template <typename Server>
absl::Status CheckRestart(const EngineUnderTest<Server>& engine) {
  bool stopped = false;
  CallingSink sink([&] {
    if (!stopped) engine.server.Stop();
    stopped = true;
    return absl::OkStatus();
  });
  CHECK(absl::IsUnavailable(RunFragment(*engine.source, OneColumn(engine.statements.many), sink)));
  CHECK(sink.rows() < kManyRows);
  const absl::Status away = engine.RunOne();
  CHECK(absl::IsUnavailable(away));
  engine.server.Start();
  CHECK(engine.Works());
  // A connection is idle while the server restarts.
  engine.server.Stop();
  engine.server.Start();
  CHECK(engine.Works());
  return away;
}

// A call is cancelled while the server hangs; `meanwhile` is called before the server goes on.
template <typename Server>
void CheckHangingServer(
    const EngineUnderTest<Server>& engine, const std::function<void()>& meanwhile = [] {}) {
  CallingSink sink;
  CHECK(absl::IsCancelled(RunCancelled(*engine.source, OneColumn(engine.statements.endless), sink, [&] {
    engine.AwaitRunning(1);
    engine.server.Freeze();
  })));
  meanwhile();
  engine.server.Thaw();
  engine.AwaitRunning(0);
}

// Returns the status of a probe while the server is away.
template <typename Server>
absl::Status CheckProbe(const EngineUnderTest<Server>& engine) {
  CHECK(engine.source->Probe({}).ok());
  engine.server.Stop();
  const absl::Status away = engine.source->Probe({});
  CHECK(absl::IsUnavailable(away));
  engine.server.Start();
  CHECK(engine.source->Probe({}).ok());
  // A probe that has no answer in time is cancelled.
  engine.server.Freeze();
  CHECK(absl::IsCancelled(engine.source->Probe(CancelledToken())));
  engine.server.Thaw();
  CHECK(engine.source->Probe({}).ok());
  return away;
}

}  // namespace logquery::testing

#endif  // LOGQUERY_TESTS_ENGINES_DISTURBANCE_CHECKS_H_
