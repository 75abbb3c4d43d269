// Opens the database and its connection pool together, and reopens both after DuckDB has shut down.
#include "lib/engines/duckdb/backend/engine.h"

#include "absl/status/status.h"
#include "absl/time/clock.h"
#include "lib/base/status_macros.h"
#include "lib/engines/duckdb/backend/functions/function.h"
#include "logquery/clock.h"

namespace logquery::duckdb {
namespace {

// The time between two attempts to reopen the database.
constexpr absl::Duration kRetry = absl::Seconds(1);

bool HasStopped(const Database& database) {
  const absl::StatusOr<ConnectionHandle> connection = database.Connect();
  return absl::IsUnavailable(connection.ok() ? Run(connection->get(), "SELECT 1") : connection.status());
}

}  // namespace

absl::StatusOr<std::unique_ptr<Engine>> Engine::Open(const DatabaseOptions& options, int max_connections,
                                                     MakeCompanion make_companion) {
  std::unique_ptr<Engine> engine(new Engine(options, max_connections, std::move(make_companion)));
  LOGQUERY_ASSIGN_OR_RETURN(std::shared_ptr<State> state, engine->OpenState());
  absl::MutexLock lock(&engine->mutex_);
  engine->state_ = std::move(state);
  return engine;
}

absl::StatusOr<std::shared_ptr<Engine::State>> Engine::OpenState() const {
  LOGQUERY_ASSIGN_OR_RETURN(Database database, Database::Open(options_));
  auto state = std::make_shared<State>(make_companion_(), std::move(database), max_connections_);
  LOGQUERY_ASSIGN_OR_RETURN(const ConnectionHandle connection, state->database.Connect());
  LOGQUERY_RETURN_IF_ERROR(RegisterFunctions(connection.get(), &state->database.connection_states()));
  LOGQUERY_RETURN_IF_ERROR(state->companion->Register(connection.get()));
  return state;
}

absl::StatusOr<std::shared_ptr<Engine::State>> Engine::Use() {
  {
    absl::MutexLock lock(&mutex_);
    if (state_ != nullptr) return state_;
    const absl::Duration now = Clock::Real()->Monotonic();
    if (opening_ || now - tried_ < kRetry) {
      return absl::UnavailableError("the log database is being opened again after an error");
    }
    opening_ = true;
    tried_ = now;
  }
  absl::StatusOr<std::shared_ptr<State>> state = OpenState();
  absl::MutexLock lock(&mutex_);
  opening_ = false;
  if (state.ok()) state_ = *state;
  return state.ok() ? std::move(state) : absl::UnavailableError(state.status().message());
}

void Engine::Recover(std::shared_ptr<State> state) {
  if (state == nullptr || !HasStopped(state->database)) return;
  {
    absl::MutexLock lock(&mutex_);
    if (state_ != state) return;  // somebody else sees to it
    state_.reset();
    opening_ = true;
  }
  // Everybody else finds it stopped soon. Its file is locked until it is closed.
  while (state.use_count() > 1) absl::SleepFor(absl::Milliseconds(5));
  state.reset();
  {
    absl::MutexLock lock(&mutex_);
    opening_ = false;
    tried_ = -absl::InfiniteDuration();
  }
  Use().IgnoreError();
}

}  // namespace logquery::duckdb
