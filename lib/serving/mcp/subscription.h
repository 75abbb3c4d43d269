// subscriptions/listen of the specification, 2026-07-28: tells a client when its list of tools changes. A change is found by
// looking: the list is described again only when the definitions or the caller's rights are others than before.
//
// Listeners is thread-safe.
#ifndef LOGQUERY_LIB_SERVING_MCP_SUBSCRIPTION_H_
#define LOGQUERY_LIB_SERVING_MCP_SUBSCRIPTION_H_

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "absl/base/thread_annotations.h"
#include "absl/status/statusor.h"
#include "absl/synchronization/mutex.h"
#include "lib/base/json/value.h"
#include "logquery/authenticator.h"
#include "logquery/serving/mcp_server.h"

namespace logquery::serving {

inline constexpr std::string_view kListenMethod = "subscriptions/listen";

// A place among those that listen, free when it is released.
using ListenerPlace = std::shared_ptr<void>;

// Limits how many listen at one time.
class Listeners {
 public:
  Listeners(int max, int max_per_token) : counts_(std::make_shared<Counts>(max, max_per_token)) {}
  // ResourceExhausted: all places are taken, or all that one token may take. Callers without a token's id have no limit of their
  // own.
  absl::StatusOr<ListenerPlace> Take(const std::string& token_id);

 private:
  struct Counts {
    Counts(int most, int most_of_token) : max(most), max_per_token(most_of_token) {}
    const int max, max_per_token;
    absl::Mutex mutex;
    int all ABSL_GUARDED_BY(mutex) = 0;
    std::map<std::string, int> by_token ABSL_GUARDED_BY(mutex);
  };
  const std::shared_ptr<Counts> counts_;
};

struct ListenRequest {
  base::Json id;
  bool tools = false;                  // whether to tell of changes of the list of tools
  std::optional<std::string> project;  // as in McpCall
};

// Returns whether the parameters of a request to listen ask for changes of the list of tools. Other lists have no changes here.
// InvalidArgument: they are not what the protocol says.
absl::StatusOr<bool> WantsToolChanges(const base::Json& params);

// Limits the principal to the project, if there is one. Returns false if it is for another project.
bool NarrowToProject(const std::optional<std::string>& project, Principal& principal);

// Returns the first message of a subscription, which says what is listened to.
std::string Acknowledgement(const base::Json& id, bool tools);

// `options` is borrowed; `principal` is already limited to the request's project.
std::shared_ptr<McpSubscription> Subscribe(ListenRequest request, base::Json server_info, const Principal& principal,
                                           ListenerPlace place, const McpOptions& options);

}  // namespace logquery::serving

#endif  // LOGQUERY_LIB_SERVING_MCP_SUBSCRIPTION_H_
