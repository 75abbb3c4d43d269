// Reads the rows of a call when the caller asks for them, where a BatchSink receives them when the engine has them.
//
//     auto reader = RowReader::Open(service, {.endpoint = "logs.all", .parameters = {{"project", "abc"}}});
//     if (!reader.ok()) return reader.status();
//     (*reader)->schema()[0].name;
//     while (true) {
//       absl::StatusOr<const Batch*> batch = (*reader)->Next();
//       if (!batch.ok()) return batch.status();
//       if (*batch == nullptr) break;  // all rows were read
//       …
//     }
//
// The query runs on a thread of the reader's, which copies rows until max_buffered_bytes wait to be read, and then waits
// for the reader. The call's time limit includes that wait: a reader that stops reading holds the engine no longer than
// a slow query does.
//
// Next and answer() must not be called by two threads at the same time. Cancel may be called by any thread at any time
// until the destructor begins. Several readers of one service are independent.
#ifndef LOGQUERY_ROW_READER_H_
#define LOGQUERY_ROW_READER_H_

#include <cstdint>
#include <memory>

#include "absl/status/statusor.h"
#include "logquery/batch.h"
#include "logquery/query_answer.h"
#include "logquery/query_service.h"
#include "logquery/type.h"

namespace logquery {

struct RowReaderOptions {
  // The most memory of rows that wait to be read, and of the batch that Next returned last. A row that is larger by
  // itself is passed on alone.
  int64_t max_buffered_bytes = 4 << 20;
};

class RowReader {
 public:
  // Starts the call and returns when its columns are known. The service is borrowed until the reader is destroyed;
  // QueryRequest::format, coding and no_store have no effect. Statuses: those of QueryService::Run that precede the
  // first row; InvalidArgument: max_buffered_bytes is not positive; ResourceExhausted: the system allows no thread.
  static absl::StatusOr<std::unique_ptr<RowReader>> Open(QueryService& service, QueryRequest request,
                                                         const RowReaderOptions& options = {});
  // Cancels the query if it still runs, and returns when it has ended.
  virtual ~RowReader() = default;

  // The names and types of the columns.
  virtual const Schema& schema() const = 0;

  // Waits for rows and returns them, in order; nullptr: all rows were read. The batch has at least one row, and is valid
  // until the next call of Next or the destructor. Statuses: those of QueryService::Run with a sink, after the rows that
  // precede the error; Cancelled after Cancel. After an error or the end, further calls return the same.
  virtual absl::StatusOr<const Batch*> Next() = 0;

  // Ends the query, and has Next return Cancelled from now on, without the rows that wait. Has no effect if the query
  // has ended and all of its rows were read. Does not wait for the query's end. Idempotent. Cancelling QueryRequest::cancellation
  // is the same.
  virtual void Cancel() = 0;

  // The answer that QueryService::Run returned, without a body: whether the result was cut short, the next page's cursor, times.
  // Valid once Next has returned nullptr.
  virtual const QueryAnswer& answer() const = 0;
};

}  // namespace logquery

#endif  // LOGQUERY_ROW_READER_H_
