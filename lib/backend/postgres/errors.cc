// Maps classes of SQLSTATE (appendix A of PostgreSQL's manual).
#include "lib/backend/postgres/errors.h"

#include "lib/backend/circuit_breaker.h"
#include "lib/base/strings.h"
#include "logquery/error.h"

namespace logquery::postgres {
namespace {

using base::StrCat;

absl::Status Exhausted(std::string_view what) {
  ErrorDetails details;
  details.reason = "resourcesExceeded";
  return WithErrorDetails(absl::ResourceExhaustedError(StrCat("PostgreSQL has no more ", what, " for this query")),
                          details);
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
  return absl::InternalError(StrCat("PostgreSQL: ", words, " (SQLSTATE ", sqlstate, ")"));
}

bool IsStaleStatement(std::string_view sqlstate) { return sqlstate == "0A000" || sqlstate == "26000"; }

}  // namespace logquery::postgres
