// Receipts identify everything that an answer's rows depend on, in one line: two answers with equal receipts have equal
// rows, in the order that the query asks for.
//
//     query=32 hex digits; values=32 hex digits; cloudflare.logs.prod=32 hex digits
//
// `query` is a digest of the engine's version and SQL, the texts that are made of its rows (row_finish.h), the redaction
// and the row limit. `values` is a digest of the bound values, including `now` and buckets if the query uses them. A
// digest of the state of each table follows: of all of its rows, or of those of the project that the call may read. The
// digests are keyed (HMAC) if the backend passes a secret as the mark of the table with the empty name; then only its
// owner can tell values by trying.
#ifndef LOGQUERY_LIB_ENDPOINT_CALL_RECEIPT_H_
#define LOGQUERY_LIB_ENDPOINT_CALL_RECEIPT_H_

#include <string>
#include <string_view>
#include <vector>

#include "lib/endpoint/call/call.h"
#include "lib/endpoint/call/query_planner.h"
#include "logquery/batch.h"

namespace logquery::endpoint {

// Returns an empty text if `marks` does not have all of the query's tables. `engine` is Capabilities::engine;
// `redaction` has the definition's kinds.
std::string MakeReceipt(const PlannedCall& planned, const CallSpec& spec, std::string_view engine,
                        std::string_view redaction, const std::vector<TableMark>& marks);

}  // namespace logquery::endpoint

#endif  // LOGQUERY_LIB_ENDPOINT_CALL_RECEIPT_H_
