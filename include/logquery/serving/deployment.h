// A whole log server but for its protocol: the engine, definitions, tokens, service, queue, receiver of logs and maintenance, put
// together and kept up to date. A program adds what its callers speak, such as HTTP or gRPC.
//
//     logquery::DeploymentOptions options;
//     options.backend.folder = "data";
//     options.token_file = "tokens.json";
//     options.endpoint_folder = "endpoints";
//     options.receiver = logquery::LogReceiverOptions();
//     options.log = [](std::string_view level, std::string_view line) { std::cerr << level << ": " << line << "\n"; };
//     absl::StatusOr<std::unique_ptr<logquery::Deployment>> deployment = logquery::Deployment::Open(std::move(options));
//     absl::Status started = (*deployment)->Start();
//     auto target = (*deployment)->service().Find(principal, "logs.all");
//     (*deployment)->queue().Submit(*target, request, done);
//
// Files of definitions and tokens may change while it runs: it notices within two seconds, logs what has changed, and keeps
// what it has where the new files are wrong. examples/own_server.cc is a server made of it.
//
// Thread-safe, except that Start and Stop must not overlap. The deployment owns all of its parts; what functions return is valid
// until it is destroyed. Link logquery::deployment.
#ifndef LOGQUERY_SERVING_DEPLOYMENT_H_
#define LOGQUERY_SERVING_DEPLOYMENT_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "logquery/authenticator.h"
#include "logquery/clock.h"
#include "logquery/endpoint.h"
#include "logquery/packed_records.h"
#include "logquery/query_answer.h"
#include "logquery/query_backend.h"
#include "logquery/query_service.h"
#include "logquery/serving/backend_file.h"
#include "logquery/serving/log_receiver.h"
#include "logquery/serving/maintenance.h"
#include "logquery/serving/query_queue.h"
#include "logquery/store/spool.h"

namespace logquery {

class DuckDbBackend;  // store/duckdb_backend.h

// A token outside of the token file.
struct TokenVariable {
  // The environment variable that contains the token; or VARIABLE_FILE, if set, is the path of a file with it.
  std::string variable;
  Principal principal;  // of whoever has the token
};

struct DeploymentOptions {
  BackendOptions backend;      // backend_file.h
  bool read_only = false;      // a data folder is only read, and other processes may read it, too
  bool create_folder = false;  // whether an absent data folder is created; otherwise a mistyped name is an error
  // As in DuckDbOptions, for a data folder.
  PackedRecords packed_records = PackedRecords::kOpenDays;

  // Definitions in addition to the built-in ones, which they replace on equal names; empty: there are none.
  std::string endpoint_folder = {};
  bool built_in = true;  // serves the built-in definitions
  // How often the folder of definitions is compared with its last state; zero: only Reload reads it again.
  absl::Duration look_every = absl::Seconds(1);
  // A file that declares further logs of the data folder; empty: schema.json in endpoint_folder, if there is one. It is
  // read whenever the definitions are, and a log may gain columns then.
  std::string schema_file = {};

  // Principals that may call: those of a token file (TokenFile), of variables, or of both. Without either,
  // `service.authenticator` decides; if that is nullptr too, every call is allowed everything.
  std::string token_file = {};
  std::vector<TokenVariable> token_variables = {};

  // The time that queries are told; nullopt: the machine's. Tokens, retention and clustering always use the machine's.
  std::optional<absl::Time> now = {};
  // Further options of calls. The deployment sets backend, endpoints, source and clock, and authenticator if there are tokens.
  QueryServiceOptions service = {};
  // Further options of the queue. The deployment sets service and observer.
  QueryQueueOptions queue = {};
  // Above 0: there are a service and a queue with this many threads for the owner of a data folder, who needs no token and
  // reads no cached answers. Whoever can reach them may do everything.
  int owner_threads = 0;

  // These three need a data folder that is not opened read-only.
  std::vector<std::string> spools = {};  // folders for log files (spool.h), beside the one in the data folder
  std::optional<LogReceiverOptions> receiver = {};  // nullopt: no logs are received
  std::optional<MaintenanceOptions> maintenance =
      {};  // nullopt: retention and clustering by MaintenanceOptions' defaults

  // Receives one line for each event that operators should know: changed or wrong definitions and tokens, the state of an
  // engine elsewhere, files of spools, maintenance. `level` is "info", "warning" or "error". Called on many threads; must
  // not call the deployment. May be empty.
  std::function<void(std::string_view level, std::string_view line)> log = {};
};

// A caller's SQL over all logs of a deployment.
struct SqlOptions {
  QueryLanguage language = QueryLanguage::kBigQuery;
  int64_t max_rows = 1000;                       // of the answer; further rows are cut, and the answer says so
  std::optional<std::string> project = {};       // whose rows alone are read; nullopt: all
  std::optional<int64_t> max_result_bytes = {};  // of the answer's body; nullopt: DeploymentOptions::service's
};

class Deployment {
 public:
  // Opens all parts, and starts no background work but the look for changed definitions.
  //   InvalidArgument      an option is wrong or does not fit the engine; or a definition, a declared log, the token file or a
  //                        variable's token is wrong: the message lists every error of the definitions with file, line and
  //                        column
  //   NotFound             there is no data folder, folder of definitions or file of an option
  //   FailedPrecondition   another process has the data folder open; or a status of OpenBackend or TokenFile::Open
  //   PermissionDenied     the data folder can't be written, or read if read_only
  //   ResourceExhausted    the system allows no further thread
  // Otherwise the statuses of OpenBackend, TokenFile::Open, QueryService::Create, Spool::Open, LogReceiver::Create,
  // Maintenance::Create and QueryQueue::Create.
  static absl::StatusOr<std::unique_ptr<Deployment>> Open(DeploymentOptions options);
  // Calls Stop.
  virtual ~Deployment() = default;

  // Starts the queue's threads, the spools, maintenance, and the look at the token file for the log. Call it once, when callers
  // can be answered. ResourceExhausted: the system allows no thread for one of them; call Stop then.
  virtual absl::Status Start() = 0;
  // Stops maintenance, the spools and the receiver, so that all rows received are stored, then cancels the queries of the
  // queues and waits for their callbacks. The service still answers direct calls. Idempotent.
  virtual void Stop() = 0;
  // Reads the catalog and the definitions again, and plans all endpoints anew. After a failure the endpoints stay as they were.
  // Statuses: those of QueryService::Reload.
  virtual absl::Status Reload() = 0;

  // Answers SQL that reads any log of the backend by its name: for the owner of the rows, who needs no token. With the limits of
  // DeploymentOptions::service; nothing is cached, and no observer is told. `request` has the format, the redaction and the
  // cancellation; its endpoint, token and parameters are not used. InvalidArgument: the SQL is wrong (see ErrorDetails), or
  // max_rows is less than 1. NotFound: there are no logs. PermissionDenied: with `project`, the SQL reads a log that has no
  // project. Otherwise the statuses of QueryService::Run.
  virtual absl::StatusOr<QueryAnswer> RunSql(const std::string& sql, const SqlOptions& options,
                                             QueryRequest request) = 0;

  // Returns the projects that have rows, those with the newest first and at most 500, as {"result":[{"project":…,"newest":…}]}:
  // of the last week or, if it has no rows, of all that is kept. `principal` must be one that may read the rows of all projects;
  // its limits and redaction apply. Reads the logs on the threads of queue(), as calls of endpoints do; calls at one time share a
  // query, and its answer is kept for a minute, unless the tables change. `request` has the caller's ids and trace; nothing else
  // of it is used. `client_left` is asked from time to time, and true cancels the call; empty: nobody leaves.
  //   Unimplemented  the engine has no data folder, and a query may cost money
  //   Cancelled      the client left
  // Otherwise the statuses of QueuedAnswer.
  virtual absl::StatusOr<std::string> ListProjects(const Principal& principal, const QueryRequest& request,
                                                   const std::function<bool()>& client_left) = 0;
  // Forgets the cached answers of service() and of ListProjects (QueryService::ForgetAnswers).
  virtual void ForgetAnswers() = 0;

  virtual const Clock& clock() const = 0;  // the one that queries are told
  virtual QueryBackend& backend() = 0;
  virtual DuckDbBackend* store() = 0;  // the same backend; nullptr: the engine has no data folder
  virtual QueryService& service() = 0;
  virtual QueryQueue& queue() = 0;
  virtual LogReceiver* receiver() = 0;     // nullptr: no logs are received
  virtual Maintenance* maintenance() = 0;  // nullptr: the deployment owns no data folder
  // The service and queue of DeploymentOptions::owner_threads; nullptr: there are none, or the deployment owns no data folder.
  virtual QueryService* owner_service() = 0;
  virtual QueryQueue* owner_queue() = 0;

  // Each returns OK, or why a part does not work as it should. The messages of the first three may name files.
  virtual absl::Status definitions_state() const = 0;  // why the newest definitions are not used
  virtual absl::Status tokens_state() const = 0;       // why the token file is not used as it is now
  virtual absl::Status loading_state() const = 0;      // why the spools load nothing now
  // Why an engine elsewhere does not answer (RemoteBackend::State), without hosts and users; the log gets these. May
  // take a second.
  virtual absl::Status engine_state() = 0;

  // The totals of all spools; `stopped` is loading_state. nullopt: the deployment owns no data folder.
  virtual std::optional<SpoolState> spools() const = 0;
};

}  // namespace logquery

#endif  // LOGQUERY_SERVING_DEPLOYMENT_H_
