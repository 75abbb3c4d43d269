// The answer to a sender of logs, in Logflare's form, for whoever receives them with log_receiver.h.
//
//     auto logs = receiver->Append(**admission, {.text = body});
//     if (principal.redact_pii) logquery::RedactReasons(*logs);
//     absl::StatusOr<std::string> response = logquery::IngestResponse(*logs);  // {"message":"Logged!"}
//
// Fluent Bit reads 4 KiB of a response, head and all, and sends the events again if there is more: reasons are cut, and lists end
// where they get too long. Everything here is thread-safe.
#ifndef LOGQUERY_SERVING_INGEST_RESPONSE_H_
#define LOGQUERY_SERVING_INGEST_RESPONSE_H_

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "logquery/serving/log_receiver.h"

namespace logquery {

// Reasons quote values of the events: removes what a Redactor finds in them.
void RedactReasons(ReceivedLogs& logs);

// Returns InvalidArgument with the reason if no events were found in the body, and OK otherwise.
absl::Status CheckBody(const ReceivedLogs& logs);

// Returns {"message":"Logged!"} with the first rejected events, and the values that were stored as JSON. If not all rejected events
// are listed, `rejected_rows` and `rejected_by_reason` count them. InvalidArgument: CheckBody, or all events were rejected; the
// message has the first reasons, and counts the most frequent ones if there are more.
absl::StatusOr<std::string> IngestResponse(const ReceivedLogs& logs);

// Returns the first reasons of rejected events or, if none was rejected, what to be warned of; empty: there is nothing to say. For
// answers that have one text, as OtlpResponse does.
std::string IngestNote(const ReceivedLogs& logs);

}  // namespace logquery

#endif  // LOGQUERY_SERVING_INGEST_RESPONSE_H_
