// Collects an answer's bytes in memory, or in a file once they exceed a limit.
//
//     BodyBuilder builder({.memory_bytes = 4 << 20, .folder = "/var/tmp"});
//     LOGQUERY_RETURN_IF_ERROR(builder.Spill(first));                  // for bytes that exceed the memory limit
//     LOGQUERY_RETURN_IF_ERROR(std::move(builder).Finish(std::move(rest), answer));
//
// Not thread-safe.
#ifndef LOGQUERY_LIB_RESULT_BODY_BUILDER_H_
#define LOGQUERY_LIB_RESULT_BODY_BUILDER_H_

#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <string_view>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "logquery/query_answer.h"

namespace logquery::result {

struct BodyPlace {
  int64_t memory_bytes = std::numeric_limits<int64_t>::max();  // longer bodies go to a file in `folder`
  std::string folder;
};

class SpillFile;

class BodyBuilder {
 public:
  explicit BodyBuilder(BodyPlace place);
  ~BodyBuilder();

  // Returns whether a body of this length must be spilled.
  bool TooLong(size_t bytes) const { return static_cast<int64_t>(bytes) > place_.memory_bytes; }
  // Writes the body's next bytes to the file. Unavailable: the file can't be created or written, for example because
  // the disk is full; the message has the reason but no path.
  absl::Status Spill(std::string_view bytes);
  // Makes the spilled bytes and `rest` the answer's body. Statuses: those of Spill.
  absl::Status Finish(std::string rest, QueryAnswer& answer) &&;

 private:
  const BodyPlace place_;
  std::shared_ptr<SpillFile> file_;  // nullptr: nothing has been spilled
};

// ResourceExhausted with the reason kResourcesExceeded: an answer's body would be longer than its limit.
absl::Status TooLong(int64_t max_bytes);

// InvalidArgument: no file can be created in `folder`; the message names it.
absl::Status CheckBodyFolder(const std::string& folder);

// Passes the answer's body to `take` in pieces. Unavailable: it can't be read. Errors of `take` are passed on.
absl::Status ReadBody(const QueryAnswer& answer, absl::FunctionRef<absl::Status(std::string_view)> take);

// Returns the length of the answer's body, in memory or in a file.
int64_t BodyBytes(const QueryAnswer& answer);

}  // namespace logquery::result

#endif  // LOGQUERY_LIB_RESULT_BODY_BUILDER_H_
