// Queries that people keep on the server: an endpoint, SQL for it and a description, under a name, with their former revisions.
//
//     auto saved = logquery::SavedQueries::Open({.folder = "saved", .service = service.get()});
//     logquery::SavedDraft draft{.endpoint = "logs.all", .sql = "select count(*) as n from edge_logs"};
//     auto first = (*saved)->Save(principal, {.name = "count"}, draft, std::nullopt);     // NotFound, if it is no endpoint
//     auto second = (*saved)->Save(principal, {.name = "count"}, draft, first->revision);  // Aborted, if somebody was faster
//
// A query belongs to a project, or is shared. Tokens for the project see both; a token for all projects sees everything. Nobody
// sees a query of an endpoint that its token may not call. Whoever runs a query sends its SQL as a call of their own, so it never
// has more rights than its caller. Saving takes Principal::may_save, and checks the SQL as a dry run of the principal would.
//
// Each query is a file of JSON, shared/NAME.json or projects/PROJECT/NAME.json, which may be edited by hand. A change replaces the
// file; several processes may use one folder. A file that is wrong is skipped, and the log names it with the place; the other
// queries work on. docs/http.md describes the forms of JSON.
//
// Thread-safe. The service is borrowed.
#ifndef LOGQUERY_SERVING_SAVED_QUERIES_H_
#define LOGQUERY_SERVING_SAVED_QUERIES_H_

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
#include "logquery/parameter_binder.h"
#include "logquery/query_service.h"

namespace logquery {

struct SavedQueriesOptions {
  std::string folder;                  // required; created if its parent exists
  QueryService* service = nullptr;     // required: checks the SQL, and knows the endpoints
  const Clock* clock = Clock::Real();  // of the times of revisions

  int64_t max_sql_bytes = int64_t{64} << 10;  // as for callers' SQL
  int64_t max_description_bytes = 1'000;
  int64_t max_revisions = 20;  // of one query, with the present one; older ones are dropped
  int64_t max_file_bytes = int64_t{512} << 10;
  int64_t max_project_queries = 200;  // of one project, and of the shared ones
  int64_t max_project_bytes = int64_t{8} << 20;
  int64_t max_queries = 5'000;
  int64_t max_bytes = int64_t{128} << 20;

  // Receives a line for each file that is wrong, and for each change that could not be written. `level` is "warning" or "error".
  std::function<void(std::string_view level, std::string_view line)> log = {};
};

struct SavedRevision {
  int64_t revision = 0;  // from 1; a query that was deleted and saved again goes on counting
  std::string saved_by;  // the label of the token
  absl::Time saved_at;   // a whole second
};

struct SavedQuery : SavedRevision {
  std::string name;
  std::optional<std::string> project;  // absent: shared
  std::string endpoint;                // its name
  std::string language;                // of the SQL: "bigquery", "clickhouse"
  std::string description;
  std::string sql;                       // empty in lists
  std::string token_id;                  // of the token that saved it
  std::string problem = {};              // why it can't run now, such as an endpoint that is gone; empty: it can
  std::vector<SavedRevision> kept = {};  // of Get: this and other revisions, the newest first
};

// The name of a query: 1 to 64 letters, digits, spaces, and - _ . between them; with its place.
struct SavedQueryId {
  std::string name;
  // Tokens for all projects: the project that it belongs to; absent: it is shared. Others may leave it out.
  std::optional<std::string> project = {};
  bool shared = false;  // only the shared query of this name; otherwise the project's own comes first
};

struct SavedDraft {
  std::string endpoint;  // a name or an id
  std::string sql;
  std::string description = {};
  std::optional<std::string> language = {};  // must be that of the endpoint
};

class SavedQueries {
 public:
  // InvalidArgument: there is no service, or a limit is 0. NotFound: the folder's parent does not exist. PermissionDenied: the
  // folder can't be read. FailedPrecondition: it is a file.
  static absl::StatusOr<std::unique_ptr<SavedQueries>> Open(SavedQueriesOptions options);
  virtual ~SavedQueries() = default;

  // Returns the queries that the principal may see, of one project and the shared ones, or of all; ordered by project, the shared
  // ones first, and name. PermissionDenied: the principal is for another project. Unavailable: the folder can't be read.
  virtual absl::StatusOr<std::vector<SavedQuery>> List(const Principal& principal,
                                                       const std::optional<std::string>& project) = 0;

  // Returns the query, in its present revision or a kept one, which may be that of a deleted query. Besides the statuses of List:
  // NotFound: there is none. Aborted: its file is wrong.
  virtual absl::StatusOr<SavedQuery> Get(const Principal& principal, const SavedQueryId& id,
                                         std::optional<int64_t> revision) = 0;

  // Saves a new query, or a new revision in place of `revision`, and returns it.
  //   InvalidArgument    the name, or a text, is too long or has other characters; the endpoint takes no SQL; the SQL is wrong
  //   Unimplemented      as from QueryService::Check
  //   NotFound           there is no such endpoint, or the principal may not call it
  //   PermissionDenied   the principal may not save, or not there
  //   Aborted            the present revision is another one; there are as many queries as allowed; the query's file is wrong
  //   Unavailable        the folder can't be written, because the disk is full, say; the query stays as it was
  virtual absl::StatusOr<SavedQuery> Save(const Principal& principal, const SavedQueryId& id, const SavedDraft& draft,
                                          std::optional<int64_t> revision) = 0;

  // Deletes the query, if it is at `revision` or none is given. Its revisions stay readable until their space is needed.
  // Statuses: those of Save that are not about SQL; NotFound: there is none.
  virtual absl::Status Delete(const Principal& principal, const SavedQueryId& id, std::optional<int64_t> revision) = 0;
};

// The same for programs that speak JSON, such as the HTTP server.
struct SavedCall {
  enum class Kind { kList, kGet, kSave, kDelete };
  Kind kind = Kind::kList;
  std::string name;
  ParameterTexts parameters = {};      // project, shared, revision
  std::string_view body = {};          // of kSave
  std::string_view revision_tag = {};  // the header If-Match: "3"
};

struct SavedAnswer {
  absl::Status status;
  std::string body;      // of success, JSON
  int64_t revision = 0;  // of a single query
  std::string present;   // after Aborted: the present query as JSON, if the principal may see it
};

SavedAnswer AnswerSaved(SavedQueries& saved, const Principal& principal, const SavedCall& call);

}  // namespace logquery

#endif  // LOGQUERY_SERVING_SAVED_QUERIES_H_
