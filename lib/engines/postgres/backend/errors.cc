// Maps classes of SQLSTATE (appendix A of PostgreSQL's manual).
#include "lib/engines/postgres/backend/errors.h"

#include <utility>

#include "lib/backend/circuit_breaker.h"
#include "lib/base/engine_failure.h"
#include "lib/base/strings.h"
#include "logquery/error.h"

namespace logquery::postgres {
namespace {

using base::StrCat;

absl::Status Exhausted(std::string_view what) {
  ErrorDetails details;
  details.reason = ErrorReason::kResourcesExceeded;
  return WithErrorDetails(absl::ResourceExhaustedError(StrCat("PostgreSQL has no more ", what, " for this query")),
                          details);
}

// Returns whether a simpler statement, without the expressions and groups of this one, may succeed. A missing table, a
// missing right and a failing disk are the same for every statement.
bool IsAboutComputation(std::string_view sqlstate) {
  constexpr std::string_view kPrivilege = "42501";
  constexpr std::string_view kUndefinedTable = "42P01";
  if (sqlstate == kPrivilege || sqlstate == kUndefinedTable) return false;
  const std::string_view group = sqlstate.substr(0, 2);
  // Cardinality, data, syntax and types, limits of a statement's size, what is not supported, a defect of the server.
  return group == "21" || group == "22" || group == "42" || group == "54" || group == "0A" || sqlstate == "XX000";
}

}  // namespace

absl::Status LostConnection() {
  return absl::UnavailableError("PostgreSQL can't be reached, or has ended the connection; try again");
}

absl::Status ErrorFromPostgres(std::string_view sqlstate, std::string_view words) {
  if (sqlstate == "57014") return absl::DeadlineExceededError("PostgreSQL has reached its time limit for a statement");
  if (sqlstate == "53100") return Exhausted("disk");
  if (sqlstate == "53200" || sqlstate == "53400") return Exhausted("memory");
  const std::string_view group = sqlstate.substr(0, 2);
  if (sqlstate.empty() || group == "08" || sqlstate.starts_with("57P")) return LostConnection();
  if (group == "53") return backend::Busy("PostgreSQL takes no more connections; try again");
  absl::Status error = absl::InternalError(StrCat("PostgreSQL: ", words, " (SQLSTATE ", sqlstate, ")"));
  return IsAboutComputation(sqlstate) ? base::MarkEngineFailure(std::move(error)) : error;
}

bool IsStaleStatement(std::string_view sqlstate) { return sqlstate == "0A000" || sqlstate == "26000"; }

}  // namespace logquery::postgres
