// What an answer's rows depend on, in one line: two answers with equal receipts have equal rows, in the order that the query
// asks for.
//
//     query=32 hex digits; values=32 hex digits; cloudflare.logs.prod=32 hex digits
//
// `query` is of the definition as it was run: the engine's text with its version, what is redacted, the most rows. `values` is
// of what was bound, `now` and the buckets among it where the query uses them. Then comes the state of each table.
#ifndef LOGQUERY_LIB_ENDPOINT_RECEIPT_H_
#define LOGQUERY_LIB_ENDPOINT_RECEIPT_H_

#include <string>
#include <string_view>
#include <vector>

#include "lib/endpoint/call.h"
#include "logquery/batch.h"
#include "logquery/prepared_query.h"

namespace logquery::endpoint {

// Empty: `marks` are not those of the query's tables, all of them. `engine` as Capabilities has it; `redaction`, the
// definition's kinds.
std::string MakeReceipt(const PreparedQuery& query, const Bindings& bindings, const CallSpec& spec,
                        std::string_view engine, std::string_view redaction, const std::vector<TableMark>& marks);

}  // namespace logquery::endpoint

#endif  // LOGQUERY_LIB_ENDPOINT_RECEIPT_H_
