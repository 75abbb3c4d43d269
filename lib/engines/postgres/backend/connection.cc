// Uses libpq's asynchronous functions, so that every wait ends on cancellation or at a deadline.
#include "lib/engines/postgres/backend/connection.h"

#include <libpq-fe.h>

#include <thread>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/synchronization/notification.h"
#include "absl/time/clock.h"
#include "lib/base/start_thread.h"
#include "lib/base/status_macros.h"
#include "lib/engines/postgres/backend/errors.h"

namespace logquery::postgres {
namespace {

using base::StrAppend;
using base::StrCat;
using Woken = StopEvent::Woken;

constexpr int kOldestServer = 130'000;
constexpr int kChecksClients = 140'000;
constexpr size_t kMaxStatements = 128;
// The time that a call that gives up waits until the server has been told.
constexpr absl::Duration kGoodbye = absl::Milliseconds(500);
// The time that is added to the server's own time limit for a statement.
constexpr absl::Duration kGrace = absl::Seconds(10);

struct Clear {
  void operator()(PGresult* result) const { PQclear(result); }
};
using Result = std::unique_ptr<PGresult, Clear>;

absl::Status Stopped() { return absl::CancelledError("the query wants no more rows"); }

std::string WordsOf(const PGconn* connection) {
  return std::string(base::ToStd(absl::StripAsciiWhitespace(PQerrorMessage(connection))));
}

// libpq's keywords and values.
std::vector<std::pair<std::string, std::string>> Settings(const PostgresOptions& options) {
  std::vector<std::pair<std::string, std::string>> settings = {
      {"host", options.host},           {"port", StrCat(options.port)}, {"dbname", options.database},
      {"user", options.user},           {"sslmode", options.tls},       {"client_encoding", "UTF8"},
      {"application_name", "logquery"}, {"gssencmode", "disable"},      {"passfile", "/dev/null"},
      {"keepalives_idle", "30"},        {"tcp_user_timeout", "30000"},
  };
  const auto add = [&](const char* key, const std::string& value) {
    if (!value.empty()) settings.emplace_back(key, value);
  };
  add("password", options.password);
  add("sslrootcert", options.ca_file);
  add("sslcert", options.certificate_file);
  add("sslkey", options.key_file);
  return settings;
}

PGconn* Start(const PostgresOptions& options) {
  const auto settings = Settings(options);
  std::vector<const char*> keys;
  std::vector<const char*> values;
  for (const auto& [key, value] : settings) {
    keys.push_back(key.c_str());
    values.push_back(value.c_str());
  }
  keys.push_back(nullptr);
  values.push_back(nullptr);
  return PQconnectStartParams(keys.data(), values.data(), 0);
}

void IgnoreNotice(void*, const PGresult*) {}

}  // namespace

void Connection::Finish::operator()(pg_conn* connection) const { PQfinish(connection); }

Connection::~Connection() = default;

absl::StatusOr<std::unique_ptr<Connection>> Connection::Open(const PostgresOptions& options, const StopEvent& stop) {
  PGconn* const started = Start(options);
  if (started == nullptr) return absl::ResourceExhaustedError("no memory for a connection to PostgreSQL");
  std::unique_ptr<Connection> made(new Connection(started, options.statement_timeout + kGrace));
  PQsetNoticeReceiver(started, IgnoreNotice, nullptr);
  LOGQUERY_RETURN_IF_ERROR(made->Establish(options.connect_timeout, stop));
  if (PQsetnonblocking(started, 1) != 0) return absl::InternalError("a connection to PostgreSQL that blocks");
  LOGQUERY_RETURN_IF_ERROR(made->SetUp(options, stop));
  return made;
}

absl::Status Connection::Establish(absl::Duration timeout, const StopEvent& stop) {
  PGconn* const pg = connection_.get();
  const absl::Time deadline = absl::Now() + timeout;
  // libpq has it that a new connection wants to write first.
  PostgresPollingStatusType next = PQstatus(pg) == CONNECTION_BAD ? PGRES_POLLING_FAILED : PGRES_POLLING_WRITING;
  while (next == PGRES_POLLING_READING || next == PGRES_POLLING_WRITING) {
    switch (stop.Wait(PQsocket(pg), next == PGRES_POLLING_READING, next == PGRES_POLLING_WRITING, deadline)) {
      case Woken::kStopped:
        return Stopped();
      case Woken::kTimeout:
        return absl::UnavailableError(
            StrCat("PostgreSQL has not answered within ", absl::FormatDuration(timeout), ", the connect timeout"));
      case Woken::kReady:
        next = PQconnectPoll(pg);
    }
  }
  if (next == PGRES_POLLING_OK) return absl::OkStatus();
  const std::string words = WordsOf(pg);
  // The SQLSTATE class is not kept, so the refusal is recognized by the message of a reachable server. A full server
  // names the role or the database too, but is a temporary condition.
  const bool is_full = words.find("too many connections") != std::string::npos;
  for (const char* const refusal :
       {"password", "authentication", "pg_hba.conf", "role \"", "database \"", "permission denied"}) {
    if (words.find(refusal) != std::string::npos && words.find("FATAL") != std::string::npos && !is_full) {
      return absl::FailedPreconditionError(StrCat("PostgreSQL refuses the user: ", words));
    }
  }
  for (const char* const mismatch : {"certificate verify failed", "root certificate", "server certificate for",
                                     "does not match host name", "does not support SSL", "certificate authority"}) {
    if (words.find(mismatch) != std::string::npos) {
      return absl::FailedPreconditionError(StrCat("PostgreSQL's TLS is not as the options want it: ", words));
    }
  }
  return absl::UnavailableError(StrCat("PostgreSQL can't be reached: ", words));
}

absl::Status Connection::SetUp(const PostgresOptions& options, const StopEvent& stop) {
  PGconn* const pg = connection_.get();
  if (PQserverVersion(pg) < kOldestServer) {
    return absl::FailedPreconditionError(
        StrCat("PostgreSQL is of version ", PQserverVersion(pg) / 10'000, "; it has to be 13 or later"));
  }
  const char* const encoding = PQparameterStatus(pg, "server_encoding");
  if (encoding == nullptr || std::string_view(encoding) != "UTF8") {
    return absl::FailedPreconditionError(StrCat("the database's encoding is ",
                                                encoding == nullptr ? "not told" : encoding,
                                                "; it has to be UTF8, for text to compare as it does here"));
  }
  std::string sql =
      "SELECT set_config('search_path', 'pg_catalog', false), set_config('default_transaction_read_only', 'on', "
      "false), "
      "set_config('TimeZone', 'UTC', false), set_config('standard_conforming_strings', 'on', false), "
      "set_config('plan_cache_mode', 'force_custom_plan', false)";
  StrAppend(&sql, ", set_config('statement_timeout', '", absl::ToInt64Milliseconds(options.statement_timeout),
            "', false)");
  if (PQserverVersion(pg) >= kChecksClients) {
    // A server that can't be told to stop sees by itself that nobody is there.
    sql += ", set_config('client_connection_check_interval', '2000', false)";
  }
  return Run(sql, Parameters(), stop, [](const pg_result*) { return absl::OkStatus(); });
}

bool Connection::IsUsable() {
  if (connection_ == nullptr) return false;
  PGconn* const pg = connection_.get();
  // Unrequested input is the server's goodbye, or a notice.
  const StopEvent never{CancellationToken()};
  if (never.Wait(PQsocket(pg), true, false, absl::InfinitePast()) == Woken::kReady && PQconsumeInput(pg) != 1)
    return false;
  return PQstatus(pg) == CONNECTION_OK && PQtransactionStatus(pg) == PQTRANS_IDLE;
}

absl::Status Connection::Run(const std::string& sql, const Parameters& parameters, const StopEvent& stop,
                             TakeRow take) {
  was_stale_ = false;
  LOGQUERY_ASSIGN_OR_RETURN(const std::string name, Prepare(sql, parameters, stop));
  PGconn* const pg = connection_.get();
  const std::vector<const char*> values = parameters.values();
  if (PQsendQueryPrepared(pg, name.c_str(), parameters.count(), values.data(), parameters.lengths(),
                          parameters.formats(), 1) != 1 ||
      PQsetSingleRowMode(pg) != 1) {
    return LostConnection();
  }
  return Collect(stop, take);
}

absl::StatusOr<std::string> Connection::Prepare(const std::string& sql, const Parameters& parameters,
                                                const StopEvent& stop) {
  const auto found = statements_.find(sql);
  if (found != statements_.end()) return found->second;
  PGconn* const pg = connection_.get();
  const auto no_rows = [](const pg_result*) { return absl::OkStatus(); };
  if (statements_.size() == kMaxStatements) {
    statements_.clear();
    if (PQsendQuery(pg, "DEALLOCATE ALL") != 1) return LostConnection();
    LOGQUERY_RETURN_IF_ERROR(Collect(stop, no_rows));
  }
  std::string name = StrCat("logquery_", next_statement_++);
  if (PQsendPrepare(pg, name.c_str(), sql.c_str(), parameters.count(), parameters.types()) != 1)
    return LostConnection();
  LOGQUERY_RETURN_IF_ERROR(Collect(stop, no_rows));
  statements_.emplace(sql, name);
  return name;
}

// Collects all results of the statement that was sent.
absl::Status Connection::Collect(const StopEvent& stop, TakeRow take) {
  absl::Status failed;
  while (true) {
    if (absl::Status ready = AwaitResult(stop); !ready.ok()) {
      Abandon();
      return ready;
    }
    const Result result(PQgetResult(connection_.get()));
    if (result == nullptr) return failed;
    switch (PQresultStatus(result.get())) {
      case PGRES_SINGLE_TUPLE:
        if (absl::Status taken = take(result.get()); !taken.ok()) {
          Abandon();
          return taken;
        }
        break;
      case PGRES_TUPLES_OK:
      case PGRES_COMMAND_OK:
        break;
      default:
        failed.Update(ErrorOf(*result));
    }
  }
}

absl::Status Connection::AwaitResult(const StopEvent& stop) {
  PGconn* const pg = connection_.get();
  const absl::Time deadline = absl::Now() + patience_;
  while (true) {
    const int unsent = PQflush(pg);
    if (unsent < 0) return LostConnection();
    if (unsent == 0 && PQisBusy(pg) == 0) return stop.IsSet() ? Stopped() : absl::OkStatus();
    switch (stop.Wait(PQsocket(pg), true, unsent == 1, deadline)) {
      case Woken::kStopped:
        return Stopped();
      case Woken::kTimeout:
        return LostConnection();
      case Woken::kReady:
        if (PQconsumeInput(pg) != 1) return LostConnection();
    }
  }
}

absl::Status Connection::ErrorOf(const pg_result& result) {
  const char* const state = PQresultErrorField(&result, PG_DIAG_SQLSTATE);
  const std::string sqlstate = state == nullptr ? "" : state;
  was_stale_ = IsStaleStatement(sqlstate);
  if (was_stale_) statements_.clear();
  return ErrorFromPostgres(sqlstate, base::ToStd(absl::StripAsciiWhitespace(PQresultErrorMessage(&result))));
}

void Connection::Abandon() {
  if (PQtransactionStatus(connection_.get()) == PQTRANS_ACTIVE) {
    if (PGcancel* const cancel = PQgetCancel(connection_.get())) {
      // Runs on its own thread, because it waits for a server that may not answer. Closing the connection has to
      // suffice then.
      const auto told = std::make_shared<absl::Notification>();
      absl::StatusOr<std::thread> thread = base::StartThread([cancel, told] {
        char words[256];
        PQcancel(cancel, words, sizeof(words));
        PQfreeCancel(cancel);
        told->Notify();
      });
      if (thread.ok()) {
        thread->detach();
        told->WaitForNotificationWithTimeout(kGoodbye);
      } else {
        PQfreeCancel(cancel);
      }
    }
  }
  connection_ = nullptr;
}

}  // namespace logquery::postgres
