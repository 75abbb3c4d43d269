// The messages of an Arrow IPC stream (https://arrow.apache.org/docs/format/Columnar.html): the schema, batches of rows, and the
// end.
//
//     stream = ArrowSchemaMessage(schema);
//     AppendArrowRows(rows, schema, output);   // rows: arrow_rows.h; once for each batch
//     stream += kArrowEnd;
#ifndef LOGQUERY_LIB_RESULT_ARROW_MESSAGE_H_
#define LOGQUERY_LIB_RESULT_ARROW_MESSAGE_H_

#include <string>
#include <string_view>

#include "lib/result/output.h"
#include "logquery/arrow.h"
#include "logquery/type.h"

namespace logquery::result {

// Returns the message that opens a stream. Fields have the types and metadata that logquery/arrow.h lists; in names, U+FFFD
// replaces invalid UTF-8.
std::string ArrowSchemaMessage(const Schema& schema);

// Appends the message of one batch. `rows` was exported from columns of `schema`.
void AppendArrowRows(const ArrowArray& rows, const Schema& schema, Output& out);

// Ends a stream. A stream without it was cut off.
inline constexpr std::string_view kArrowEnd{"\xff\xff\xff\xff\0\0\0\0", 8};

}  // namespace logquery::result

#endif  // LOGQUERY_LIB_RESULT_ARROW_MESSAGE_H_
