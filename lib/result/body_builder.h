// Puts an answer's bytes into memory, and into a file once they are more than memory is to hold.
//
//     BodyBuilder builder({.memory_bytes = 4 << 20, .folder = "/var/tmp"});
//     LOGQUERY_RETURN_IF_ERROR(builder.Spill(first));                  // while more comes than memory is to hold
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

  // Whether so many bytes are to be spilled.
  bool TooLong(size_t bytes) const { return static_cast<int64_t>(bytes) > place_.memory_bytes; }
  // The body's next bytes, into the file. Unavailable: the file can't be made or written, as when the disk is full; the
  // message says why, and not where.
  absl::Status Spill(std::string_view bytes);
  // Makes what was spilled and `rest` the answer's body. As Spill.
  absl::Status Finish(std::string rest, QueryAnswer& answer) &&;

 private:
  const BodyPlace place_;
  std::shared_ptr<SpillFile> file_;  // nullptr: nothing was spilled yet
};

// InvalidArgument: no file can be made in `folder`; the message names it.
absl::Status CheckBodyFolder(const std::string& folder);

// Hands the answer's body to `take`, piece by piece. Unavailable: it can't be read. Otherwise what `take` returned.
absl::Status ReadBody(const QueryAnswer& answer, absl::FunctionRef<absl::Status(std::string_view)> take);

// How long the answer's body is, wherever it is.
int64_t BodyBytes(const QueryAnswer& answer);

}  // namespace logquery::result

#endif  // LOGQUERY_LIB_RESULT_BODY_BUILDER_H_
