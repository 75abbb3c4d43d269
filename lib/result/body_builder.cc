// Spills to a file only when the memory limit is exceeded, so that short bodies cost no file.
#include "lib/result/body_builder.h"

#include <algorithm>
#include <utility>

#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/result/spill_file.h"
#include "logquery/error.h"

namespace logquery::result {
namespace {

constexpr size_t kPiece = 256 << 10;

}  // namespace

BodyBuilder::BodyBuilder(BodyPlace place) : place_(std::move(place)) {}
BodyBuilder::~BodyBuilder() = default;

absl::Status BodyBuilder::Spill(std::string_view bytes) {
  if (file_ == nullptr) {
    LOGQUERY_ASSIGN_OR_RETURN(file_, SpillFile::Create(place_.folder));
  }
  return file_->Append(bytes);
}

absl::Status BodyBuilder::Finish(std::string rest, QueryAnswer& answer) && {
  if (file_ == nullptr && !TooLong(rest.size())) {
    answer.body = std::move(rest);
    return absl::OkStatus();
  }
  LOGQUERY_RETURN_IF_ERROR(Spill(rest));
  answer.body = SharedText();
  answer.file = std::move(file_);
  return absl::OkStatus();
}

absl::Status TooLong(int64_t max_bytes) {
  ErrorDetails details;
  details.reason = ErrorReason::kResourcesExceeded;  // another call of the same would fare no better
  return WithErrorDetails(absl::ResourceExhaustedError(
                              base::StrCat("the result is longer than ", max_bytes,
                                           " bytes, which is the limit of one answer; select fewer columns or rows")),
                          details);
}

absl::Status CheckBodyFolder(const std::string& folder) {
  const absl::Status made = SpillFile::Create(folder).status();
  if (made.ok()) return made;
  return absl::InvalidArgumentError(base::StrCat("long answers can't go to ", folder, ": ", base::Message(made)));
}

absl::Status ReadBody(const QueryAnswer& answer, absl::FunctionRef<absl::Status(std::string_view)> take) {
  if (answer.file == nullptr) {
    for (std::string_view rest = answer.body; !rest.empty(); rest.remove_prefix(std::min(kPiece, rest.size()))) {
      LOGQUERY_RETURN_IF_ERROR(take(rest.substr(0, kPiece)));
    }
    return absl::OkStatus();
  }
  std::string piece(kPiece, '\0');
  for (int64_t offset = 0; offset < answer.file->size();) {
    LOGQUERY_ASSIGN_OR_RETURN(const size_t count, answer.file->ReadAt(offset, piece.data(), piece.size()));
    if (count == 0) return absl::UnavailableError("the file of the answer is shorter than it was");
    LOGQUERY_RETURN_IF_ERROR(take(std::string_view(piece).substr(0, count)));
    offset += static_cast<int64_t>(count);
  }
  return absl::OkStatus();
}

int64_t BodyBytes(const QueryAnswer& answer) {
  return answer.file != nullptr ? answer.file->size() : static_cast<int64_t>(answer.body.size());
}

}  // namespace logquery::result
