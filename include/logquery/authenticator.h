// Who calls: from a token to a principal, with what that principal may do.
//
// The service asks one authenticator for every call. TokenFile is the one that comes with logquery; an embedder passes
// one of its own, or AllowAll where something in front has decided. Thread-safe.
#ifndef LOGQUERY_AUTHENTICATOR_H_
#define LOGQUERY_AUTHENTICATOR_H_

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "logquery/call_limits.h"
#include "logquery/clock.h"
#include "logquery/ingest_rights.h"

namespace logquery {

struct Principal {
  std::string label;                                    // for the log
  std::optional<std::vector<std::string>> endpoints;    // names or ids it may call; absent: all
  std::map<std::string, std::string> fixed_parameters;  // sent for the caller; another value is PermissionDenied
  std::optional<std::string> project_scope;             // only this project's rows, whatever is asked; absent: all
  bool redact_pii = false;                              // mandates redaction, as an endpoint's redact_pii does
  bool may_bypass_cache = false;                        // `no_store` of a request is heeded
  std::optional<int64_t> max_rows = std::nullopt;       // where it is less than the endpoint's
  CallLimits limits = {};
  std::string token_id = {};                          // as `token list` shows it: what `limits` are counted by
  std::optional<IngestRights> ingest = std::nullopt;  // what it may write; absent: nothing

  bool MayCall(std::string_view name, std::string_view id) const;
};

class Authenticator {
 public:
  virtual ~Authenticator() = default;
  // Unauthenticated: no token, an unknown, malformed, revoked or expired one.
  virtual absl::StatusOr<Principal> Authenticate(std::string_view token) = 0;
};

// Everybody may call everything. For embedders that have decided before, and for tests.
std::unique_ptr<Authenticator> AllowAll();

// One token as its file keeps it: never the token, only its SHA-256.
struct TokenRecord {
  std::string id;      // the digest's first 12 hex digits: what `token revoke` takes
  std::string sha256;  // hex
  Principal principal;
  absl::Time created;
  std::optional<absl::Time> expires;
};

// Tokens in a JSON file of mode 0600, replaced as a whole by rename under a lock, read again when it changes. A changed
// file that can't be taken over leaves the tokens as they were for kGrace, then none counts (Unavailable) until the file is in
// order. While reading fails for want of the machine's means, such as file descriptors, the tokens stay and each look reads
// again. A file that is gone leaves none at once.
class TokenFile : public Authenticator {
 public:
  static constexpr absl::Duration kGrace = absl::Seconds(30);
  // FailedPrecondition: others can read the file, or it is another user's. NotFound: there is none. InvalidArgument: not of its form, with where.
  static absl::StatusOr<std::unique_ptr<TokenFile>> Open(std::string path, const Clock* clock);
  absl::StatusOr<Principal> Authenticate(std::string_view token) override;
  ~TokenFile() override;
  // OK, or why the file as it is now was not taken over.
  absl::Status status() const;

  // Adds a token and returns it: the only time that it can be read. Makes the file when there is none; a path that is a
  // symbolic link stays one. InvalidArgument: a time that is past, a limit out of range, a label with control characters.
  static absl::StatusOr<std::string> Create(const std::string& path, const Principal& principal,
                                            std::optional<absl::Time> expires, const Clock* clock);
  // Adds a token that exists elsewhere already, such as in an environment, and returns its id. InvalidArgument also: it
  // has fewer than 32 or more than 512 characters, has others than visible ASCII, or repeats a few characters or words of
  // examples, so that it can be guessed; AlreadyExists: the file has it.
  static absl::StatusOr<std::string> Import(const std::string& path, std::string_view token, const Principal& principal,
                                            std::optional<absl::Time> expires, const Clock* clock);
  static absl::StatusOr<std::vector<TokenRecord>> List(const std::string& path);
  // NotFound: no token of that id.
  static absl::Status Revoke(const std::string& path, std::string_view id);
  // Adds a token that may do what the one of that id may, and returns it; the old one ends after `grace`, at once when that
  // is zero. One that expires has the new one expire after as long as it had itself from the beginning.
  // NotFound: no token of that id. FailedPrecondition: it has expired.
  static absl::StatusOr<std::string> Rotate(const std::string& path, std::string_view id, absl::Duration grace,
                                            const Clock* clock);

 private:
  struct State;
  explicit TokenFile(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace logquery

#endif  // LOGQUERY_AUTHENTICATOR_H_
