// Maps an engine error to a status: decides who caused it, and which message a caller sees.
#include "lib/engines/duckdb/backend/errors.h"

#include <string>

#include "lib/base/strings.h"
#include "lib/engines/duckdb/backend/error_words.h"
#include "logquery/error.h"

namespace logquery::duckdb {
namespace {

constexpr char kStopped[] = "the log database has stopped after a fatal error and must be opened again";

enum class Kind { kCallersData, kTimeZone, kNotDone, kMemory, kInterrupt, kFatal, kIo, kOther };

struct Prefix {
  std::string_view text;
  Kind kind;
};

constexpr Prefix kPrefixes[] = {
    {"Conversion Error: ", Kind::kCallersData},
    {"Out of Range Error: ", Kind::kCallersData},
    {"Invalid Input Error: ", Kind::kCallersData},  // error() too
    {"Divide by Zero Error: ", Kind::kCallersData},
    {"Mismatch Type Error: ", Kind::kCallersData},
    {"Decimal Error: ", Kind::kCallersData},
    {"Object Size Error: ", Kind::kCallersData},
    {"Not implemented Error: Unknown TimeZone '", Kind::kTimeZone},
    {"Not implemented Error: ", Kind::kNotDone},
    {"Out of Memory Error: ", Kind::kMemory},
    {"INTERRUPT Error: ", Kind::kInterrupt},
    {"FATAL Error: ", Kind::kFatal},
    {"IO Error: ", Kind::kIo},
};

const Prefix* FindPrefix(std::string_view message) {
  for (const Prefix& prefix : kPrefixes) {
    if (message.substr(0, prefix.text.size()) == prefix.text) return &prefix;
  }
  return nullptr;
}

// Removes the excerpt and the column names of the emitted SQL, which the caller has never seen.
std::string_view WithoutOurSql(std::string_view message) {
  message = message.substr(0, message.find("\n\nLINE "));
  return message.substr(0, message.find(" when casting from source column "));
}

}  // namespace

bool MayHaveStopped(const absl::Status& status) {
  return absl::IsInternal(status) || (absl::IsUnavailable(status) && status.message() == kStopped);
}

bool IsDiskFull(std::string_view message) {
  return message.find("No space left on device") != std::string_view::npos ||
         message.find("Disk quota exceeded") != std::string_view::npos ||
         message.find("File too large") != std::string_view::npos;
}

absl::Status ResourcesExceeded(absl::Status status) {
  ErrorDetails details = GetErrorDetails(status);
  details.reason = ErrorReason::kResourcesExceeded;
  return WithErrorDetails(std::move(status), details);
}

absl::Status ErrorFromDuckDb(std::string_view message) {
  const Prefix* prefix = FindPrefix(message);
  const Kind kind = prefix == nullptr ? Kind::kOther : prefix->kind;
  switch (kind) {
    case Kind::kCallersData:
      return absl::InvalidArgumentError(InGoogleSqlWords(WithoutOurSql(message.substr(prefix->text.size()))));
    case Kind::kTimeZone:
      message.remove_prefix(prefix->text.size());
      return absl::InvalidArgumentError(base::StrCat("Invalid time zone: ", message.substr(0, message.find("'!"))));
    case Kind::kNotDone:
      message.remove_prefix(prefix->text.size());
      return absl::UnimplementedError(
          base::StrCat("what the log database can't do yet: ", InGoogleSqlWords(WithoutOurSql(message))));
    case Kind::kMemory:
      return ResourcesExceeded(absl::ResourceExhaustedError("the query needs more memory than it may use"));
    case Kind::kInterrupt:
      return absl::CancelledError("the query was stopped");
    case Kind::kFatal:
      if (message.find("has been invalidated") != std::string_view::npos) {
        return absl::UnavailableError(kStopped);
      }
      break;
    case Kind::kIo:
      if (IsDiskFull(message)) {
        return ResourcesExceeded(absl::ResourceExhaustedError("the disk is full"));
      }
      break;
    case Kind::kOther:
      break;
  }
  return absl::InternalError(base::ToAbsl(message));
}

}  // namespace logquery::duckdb
