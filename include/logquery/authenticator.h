// Maps a token to a principal, with what that principal may do.
//
// The service consults one authenticator for every call. TokenFile comes with logquery; an embedder passes its own, or
// AllowAll if calls are authenticated elsewhere. Thread-safe.
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
  std::string label;                                  // for logs
  std::optional<std::vector<std::string>> endpoints;  // names or ids that it may call; absent: all
  // Added to each call. A call that sends another value gets PermissionDenied.
  std::map<std::string, std::string> fixed_parameters;
  std::optional<std::string> project_scope;        // limits every query to rows of this project; absent: all projects
  bool redact_pii = false;                         // mandates redaction, as an endpoint's redact_pii does
  bool may_bypass_cache = false;                   // requests may set `no_store`
  std::optional<int64_t> max_rows = std::nullopt;  // applies if it is less than the endpoint's
  CallLimits limits = {};
  std::string token_id = {};                          // as in `token list`; `limits` are counted per id
  std::optional<IngestRights> ingest = std::nullopt;  // what it may write; absent: nothing
  bool may_read_metrics = false;  // without the right to call all endpoints for all projects, which includes it
  bool may_save = false;          // saves queries on the server (serving/saved_queries.h)

  bool MayCall(std::string_view name, std::string_view id) const;
};

class Authenticator {
 public:
  virtual ~Authenticator() = default;
  // Returns the token's principal. Unauthenticated: the token is missing, unknown, malformed, revoked or expired.
  virtual absl::StatusOr<Principal> Authenticate(std::string_view token) = 0;
};

// Allows every call. For embedders that authenticate calls elsewhere, and for tests.
std::unique_ptr<Authenticator> AllowAll();

// One token as stored in the file: its SHA-256, never the token itself.
struct TokenRecord {
  std::string id;      // the digest's first 12 hex digits; `token revoke` takes it
  std::string sha256;  // hex
  Principal principal;
  absl::Time created;
  std::optional<absl::Time> expires;
};

// Keeps tokens in a JSON file of mode 0600. Each change replaces the file by a rename under a lock; the file is read
// again when it changes. If a changed file is not valid, the old tokens stay valid for kGrace; after that every token
// is rejected (Unavailable) until the file is valid again. If reading fails because the machine lacks resources, such
// as file descriptors, the tokens stay and each check retries. If the file is removed, every token is rejected at once.
class TokenFile : public Authenticator {
 public:
  static constexpr absl::Duration kGrace = absl::Seconds(30);
  // Opens and reads the file. FailedPrecondition: another user can read the file, or owns it. NotFound: it does not
  // exist. InvalidArgument: it is malformed; the message says where.
  static absl::StatusOr<std::unique_ptr<TokenFile>> Open(std::string path, const Clock* clock);
  absl::StatusOr<Principal> Authenticate(std::string_view token) override;
  ~TokenFile() override;
  // Returns OK, or why the current content of the file was not accepted.
  absl::Status status() const;

  // Adds a new token and returns it; it can't be read again later. Creates the file if necessary; if the path is a
  // symbolic link, it writes to the link's target. InvalidArgument: an expiry in the past, a limit out of range, a
  // label with control characters.
  static absl::StatusOr<std::string> Create(const std::string& path, const Principal& principal,
                                            std::optional<absl::Time> expires, const Clock* clock);
  // Adds an existing token, for example from an environment variable, and returns its id. InvalidArgument, in addition
  // to Create's: the token has fewer than 32 or more than 512 characters, has characters other than visible ASCII, or
  // is easy to guess because it repeats a few characters or words from examples. AlreadyExists: the file has it.
  static absl::StatusOr<std::string> Import(const std::string& path, std::string_view token, const Principal& principal,
                                            std::optional<absl::Time> expires, const Clock* clock);
  static absl::StatusOr<std::vector<TokenRecord>> List(const std::string& path);
  // NotFound: there is no token with this id.
  static absl::Status Revoke(const std::string& path, std::string_view id);
  // Adds a token with the same rights as the token `id` and returns it. The old token expires after `grace`; zero: at
  // once. If the old token had an expiry, the new one gets the same total lifetime. NotFound: there is no token with
  // this id. FailedPrecondition: it has expired.
  static absl::StatusOr<std::string> Rotate(const std::string& path, std::string_view id, absl::Duration grace,
                                            const Clock* clock);

 private:
  struct State;
  explicit TokenFile(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace logquery

#endif  // LOGQUERY_AUTHENTICATOR_H_
