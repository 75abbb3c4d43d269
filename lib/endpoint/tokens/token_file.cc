// TokenFile: reads the file when it changes, and replaces it under a lock.
#include <openssl/crypto.h>
#include <openssl/rand.h>

#include <algorithm>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_format.h"
#include "absl/synchronization/mutex.h"
#include "lib/base/control_characters.h"
#include "lib/base/quoted_text.h"
#include "lib/base/sha256.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/base/utf8.h"
#include "lib/endpoint/definitions/limits_json.h"
#include "lib/endpoint/tokens/private_file.h"
#include "lib/endpoint/tokens/token_records.h"
#include "lib/endpoint/tokens/token_text.h"
#include "logquery/authenticator.h"

namespace logquery {
namespace {

using endpoint::FileLock;
using endpoint::FileStamp;

constexpr std::string_view kPrefix = "lq_";
constexpr size_t kRandomBytes = 32;
constexpr absl::Duration kGrace = TokenFile::kGrace;

using Records = std::vector<TokenRecord>;

absl::StatusOr<std::string> MakeToken() {
  unsigned char random[kRandomBytes];
  if (RAND_bytes(random, sizeof(random)) != 1) return absl::InternalError("the random source of OpenSSL failed");
  std::string token(kPrefix);
  token += absl::WebSafeBase64Escape(absl::string_view(reinterpret_cast<const char*>(random), sizeof(random)));
  OPENSSL_cleanse(random, sizeof(random));
  return token;
}

// The record of that digest. Looks at every record, so that the time tells nothing of which one it was.
const TokenRecord* FindDigest(const Records& records, std::string_view digest) {
  const TokenRecord* found = nullptr;
  for (const TokenRecord& record : records) {
    if (CRYPTO_memcmp(record.sha256.data(), digest.data(), digest.size()) == 0) found = &record;
  }
  return found;
}

// Adds a token to the records, and returns it.
absl::StatusOr<std::string> AddToken(const Principal& principal, absl::Time created, std::optional<absl::Time> expires,
                                     Records& records) {
  LOGQUERY_ASSIGN_OR_RETURN(std::string token, MakeToken());
  const std::string digest = base::Sha256Hex(token);
  records.push_back({endpoint::TokenId(digest), digest, principal, created, expires});
  return token;
}

absl::StatusOr<Records> ReadRecords(const std::string& path) {
  LOGQUERY_ASSIGN_OR_RETURN(const std::string json, endpoint::ReadPrivateFile(path));
  return endpoint::ParseTokens(path, json);
}

// A label is shown in lists and logs, on terminals too.
absl::Status CheckLabel(std::string_view label) {
  for (size_t at = 0; at < label.size();) {
    const base::CodePoint point = base::DecodeUtf8(label, at);
    if (!point.valid || base::IsControlCharacter(point.value)) {
      return absl::InvalidArgumentError(
          base::StrCat("the label ", base::QuotedText(label), " has ",
                       point.valid ? absl::StrFormat("the control character U+%04X", static_cast<uint32_t>(point.value))
                                   : std::string("bytes that are not UTF-8"),
                       " at byte ", at + 1, "; it may have letters, digits, spaces and punctuation"));
    }
    at += static_cast<size_t>(point.bytes);
  }
  return absl::OkStatus();
}

absl::Status CheckNew(const Principal& principal, std::optional<absl::Time> expires, absl::Time now) {
  LOGQUERY_RETURN_IF_ERROR(endpoint::CheckLimits(principal.limits));
  LOGQUERY_RETURN_IF_ERROR(CheckLabel(principal.label));
  if (!expires.has_value() || *expires > now) return absl::OkStatus();
  return absl::InvalidArgumentError(base::StrCat("the token would have expired at ",
                                                 absl::FormatTime(absl::RFC3339_sec, *expires, absl::UTCTimeZone()),
                                                 ", which is past; choose a later time"));
}

}  // namespace

// Returns whether the error may be temporary, such as too many open files or a disk that does not answer. Any other
// error is a defect of the file.
bool MayPass(const absl::Status& status) {
  switch (status.code()) {
    case absl::StatusCode::kOk:
    case absl::StatusCode::kNotFound:
    case absl::StatusCode::kInvalidArgument:
    case absl::StatusCode::kFailedPrecondition:
    case absl::StatusCode::kPermissionDenied:
      return false;
    default:
      return true;
  }
}

// The records as they were last read well, and the stamp of the file that was last looked at, well or not.
struct TokenFile::State {
  State(std::string p, const Clock* c) : path(std::move(p)), clock(c) {}

  const std::string path;
  const Clock* const clock;
  absl::Mutex mutex;
  std::shared_ptr<const Records> records ABSL_GUARDED_BY(mutex);
  FileStamp stamp ABSL_GUARDED_BY(mutex);
  absl::Status status ABSL_GUARDED_BY(mutex);
  // Since when the file is wrong, as Clock::Monotonic; absent: it is in order, or what is wrong may pass by itself.
  std::optional<absl::Duration> wrong_since ABSL_GUARDED_BY(mutex);

  // A file that is wrong leaves the records for a time of grace; one that is gone has none.
  void Reload() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex) {
    // Taken before reading: what changes while it is read is read again.
    stamp = endpoint::StampOf(path);
    absl::StatusOr<Records> read = ReadRecords(path);
    status = read.status();
    if (absl::IsNotFound(status)) read = Records();
    const bool has_records = read.ok();
    if (has_records) records = std::make_shared<const Records>(*std::move(read));
    if (has_records || MayPass(status)) {
      wrong_since.reset();
    } else if (!wrong_since) {
      wrong_since = clock->Monotonic();
    }
  }

  std::shared_ptr<const Records> Current() ABSL_LOCKS_EXCLUDED(mutex) {
    const FileStamp now = endpoint::StampOf(path);
    absl::MutexLock lock(&mutex);
    if (now != stamp || MayPass(status)) Reload();
    // A token that was revoked by an edit that can't be read must not count for ever.
    const bool refuse = wrong_since && clock->Monotonic() - *wrong_since >= kGrace;
    return refuse ? nullptr : records;
  }
};

TokenFile::TokenFile(std::unique_ptr<State> state) : state_(std::move(state)) {}
TokenFile::~TokenFile() = default;

absl::StatusOr<std::unique_ptr<TokenFile>> TokenFile::Open(std::string path, const Clock* clock) {
  auto state = std::make_unique<State>(std::move(path), clock);
  {
    absl::MutexLock lock(&state->mutex);
    state->Reload();
    LOGQUERY_RETURN_IF_ERROR(state->status);
  }
  return std::unique_ptr<TokenFile>(new TokenFile(std::move(state)));
}

absl::Status TokenFile::status() const {
  state_->Current();
  absl::MutexLock lock(&state_->mutex);
  return state_->status;
}

absl::StatusOr<Principal> TokenFile::Authenticate(std::string_view token) {
  if (token.empty()) return absl::UnauthenticatedError("no token was sent");
  const absl::Status unknown = absl::UnauthenticatedError("the token is not known; it may have been revoked");
  if (!endpoint::IsTokenText(token)) return unknown;
  const std::shared_ptr<const Records> records = state_->Current();
  if (records == nullptr) {
    return absl::UnavailableError(
        "the token file is invalid; all tokens are rejected until it is repaired; /ready on the admin listener says "
        "why");
  }
  const TokenRecord* record = FindDigest(*records, base::Sha256Hex(token));
  if (record == nullptr) return unknown;
  if (record->expires.has_value() && state_->clock->Now() >= *record->expires) {
    return absl::UnauthenticatedError(base::StrCat(
        "the token expired at ", absl::FormatTime(absl::RFC3339_sec, *record->expires, absl::UTCTimeZone())));
  }
  return record->principal;
}

absl::StatusOr<std::string> TokenFile::Create(const std::string& path, const Principal& principal,
                                              std::optional<absl::Time> expires, const Clock* clock) {
  const absl::Time now = clock->Now();
  LOGQUERY_RETURN_IF_ERROR(CheckNew(principal, expires, now));
  LOGQUERY_ASSIGN_OR_RETURN(const FileLock lock, FileLock::Take(path));
  absl::StatusOr<Records> records = ReadRecords(lock.file());
  if (absl::IsNotFound(records.status())) records = Records();
  LOGQUERY_RETURN_IF_ERROR(records.status());
  LOGQUERY_ASSIGN_OR_RETURN(std::string token, AddToken(principal, now, expires, *records));
  LOGQUERY_RETURN_IF_ERROR(endpoint::ReplacePrivateFile(lock, endpoint::PrintTokens(*records)));
  return token;
}

absl::StatusOr<std::string> TokenFile::Import(const std::string& path, std::string_view token,
                                              const Principal& principal, std::optional<absl::Time> expires,
                                              const Clock* clock) {
  const absl::Time now = clock->Now();
  LOGQUERY_RETURN_IF_ERROR(endpoint::CheckGivenSecret(token));
  LOGQUERY_RETURN_IF_ERROR(CheckNew(principal, expires, now));
  LOGQUERY_ASSIGN_OR_RETURN(const FileLock lock, FileLock::Take(path));
  absl::StatusOr<Records> records = ReadRecords(lock.file());
  if (absl::IsNotFound(records.status())) records = Records();
  LOGQUERY_RETURN_IF_ERROR(records.status());
  const std::string digest = base::Sha256Hex(token);
  std::string id = endpoint::TokenId(digest);
  if (FindDigest(*records, digest) != nullptr) {
    return absl::AlreadyExistsError(base::StrCat(path, " has this token already, as ", id));
  }
  records->push_back({id, digest, principal, now, expires});
  LOGQUERY_RETURN_IF_ERROR(endpoint::ReplacePrivateFile(lock, endpoint::PrintTokens(*records)));
  return id;
}

absl::StatusOr<std::string> TokenFile::Rotate(const std::string& path, std::string_view id, absl::Duration grace,
                                              const Clock* clock) {
  const absl::Time now = clock->Now();
  LOGQUERY_ASSIGN_OR_RETURN(const FileLock lock, FileLock::Take(path));
  LOGQUERY_ASSIGN_OR_RETURN(Records records, ReadRecords(lock.file()));
  const auto found = std::find_if(records.begin(), records.end(), [id](const auto& r) { return r.id == id; });
  if (found == records.end()) return absl::NotFoundError(base::StrCat(path, " has no token of the id ", id));
  const TokenRecord old = *found;
  if (old.expires.has_value() && *old.expires <= now) {
    return absl::FailedPreconditionError(base::StrCat("the token ", id, " has expired; create another one"));
  }
  if (grace > absl::ZeroDuration()) {
    found->expires = std::min(old.expires.value_or(absl::InfiniteFuture()), now + grace);
  } else {
    records.erase(found);
  }
  std::optional<absl::Time> expires;
  if (old.expires.has_value()) expires = now + (*old.expires - old.created);
  LOGQUERY_ASSIGN_OR_RETURN(std::string token, AddToken(old.principal, now, expires, records));
  LOGQUERY_RETURN_IF_ERROR(endpoint::ReplacePrivateFile(lock, endpoint::PrintTokens(records)));
  return token;
}

absl::StatusOr<std::vector<TokenRecord>> TokenFile::List(const std::string& path) { return ReadRecords(path); }

absl::Status TokenFile::Revoke(const std::string& path, std::string_view id) {
  LOGQUERY_ASSIGN_OR_RETURN(const FileLock lock, FileLock::Take(path));
  LOGQUERY_ASSIGN_OR_RETURN(Records records, ReadRecords(lock.file()));
  const auto revoked = std::remove_if(records.begin(), records.end(), [id](const auto& r) { return r.id == id; });
  if (revoked == records.end()) return absl::NotFoundError(base::StrCat(path, " has no token of the id ", id));
  records.erase(revoked, records.end());
  return endpoint::ReplacePrivateFile(lock, endpoint::PrintTokens(records));
}

}  // namespace logquery
