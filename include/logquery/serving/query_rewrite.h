// Rewrites a caller's SQL of logs.all as ClickHouse SQL for logs.all.otel, and back, as `logquery translate --from --to` does it.
//
//     logquery::QueryRewrite wanted;
//     wanted.sql = "select count(*) as n from edge_logs";
//     wanted.to = logquery::QueryLanguage::kClickHouse;
//     auto rewritten = logquery::RewriteQuery(service, principal, wanted);
//     rewritten->sql;       // "SELECT count() AS n\nFROM logs\nWHERE source = 'edge_logs'"
//     rewritten->endpoint;  // "logs.all.otel", which takes it
//
// The SQL is first checked as a dry run of the principal would check it (QueryService::Check), with the same rights, limits and
// events, and is rewritten with the fields that this principal's calls see: the rows of other projects, and the fields that only
// they have, change nothing. No row is read. docs/clickhouse_sql.md says what is rewritten. Thread-safe.
#ifndef LOGQUERY_SERVING_QUERY_REWRITE_H_
#define LOGQUERY_SERVING_QUERY_REWRITE_H_

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "logquery/authenticator.h"
#include "logquery/endpoint.h"
#include "logquery/query_service.h"

namespace logquery {

struct QueryRewrite {
  std::string sql;
  QueryLanguage to = QueryLanguage::kClickHouse;  // the SQL is in the other language
  // Every row has metadata. Otherwise a CROSS JOIN UNNEST(metadata) that could drop rows is refused.
  bool rows_have_metadata = false;
  bool redact_pii = false;  // of errors, as in a call
};

struct RewrittenQuery {
  // A place where the meanings of the two languages differ, and what was done about it.
  struct Note {
    int line = 0;  // of the original, from 1; 0: of the whole query
    int column = 0;
    std::string text;
  };

  std::string sql;
  std::string endpoint;     // that takes `sql`
  std::vector<Note> notes;  // in the order of their places
};

// InvalidArgument: the SQL is wrong, or too long. Unimplemented: it has no equal in the other language, or the endpoint of the
// server has another definition than the built-in one. ErrorDetails has the place in the original. NotFound: the service does not
// have both endpoints, or the principal may not call them. Otherwise the statuses of QueryService::Check.
absl::StatusOr<RewrittenQuery> RewriteQuery(QueryService& service, const Principal& principal,
                                            const QueryRewrite& wanted);

// The same for programs that speak JSON, such as the HTTP server. `body`: {"sql":"…","to":"clickhouse"}, and "rows_have_metadata"
// if it is true. Returns
//
//     {"language":"clickhouse","endpoint":"logs.all.otel","sql":"…","notes":[{"line":1,"column":8,"text":"…"}]}
//
// in which notes about the whole query have no place. InvalidArgument, in addition: the body is wrong.
absl::StatusOr<std::string> AnswerRewrite(QueryService& service, const Principal& principal, std::string_view body,
                                          bool redact_pii);

}  // namespace logquery

#endif  // LOGQUERY_SERVING_QUERY_REWRITE_H_
