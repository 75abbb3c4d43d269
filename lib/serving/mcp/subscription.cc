// Compares digests of the list as tools/list returns it, so that a reload that changes nothing for a caller says nothing.
#include "lib/serving/mcp/subscription.h"

#include <tuple>
#include <utility>

#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "lib/base/sha256.h"
#include "lib/base/strings.h"
#include "lib/serving/mcp/json_rpc.h"
#include "lib/serving/mcp/tool_set.h"

namespace logquery::serving {
namespace {

using base::Json;

Json MetaOf(const Json& id) { return {{"io.modelcontextprotocol/subscriptionId", id}}; }

// The rights of a principal on which the list of its tools depends.
auto RightsOf(const Principal& principal) {
  return std::tie(principal.endpoints, principal.fixed_parameters, principal.project_scope, principal.max_rows);
}

std::string DigestOf(const std::shared_ptr<const EndpointRegistry>& registry, const Principal& principal,
                     const McpOptions& options) {
  const ToolSet tools(registry, principal, options);
  std::string described;
  for (const Tool& tool : tools.tools()) base::StrAppend(&described, tools.Describe(tool).ToString(), "\n");
  return base::Sha256Hex(described);
}

class Subscription final : public McpSubscription {
 public:
  Subscription(ListenRequest request, Json server_info, const Principal& principal, ListenerPlace place,
               const McpOptions& options)
      : request_(std::move(request)),
        server_info_(std::move(server_info)),
        place_(std::move(place)),
        options_(options),
        registry_(options.service->registry()),
        principal_(principal),
        digest_(DigestOf(registry_, principal_, options_)) {}

  std::optional<std::string> Next(const Principal& principal) override {
    Principal now = principal;
    if (!NarrowToProject(request_.project, now)) return std::nullopt;
    std::shared_ptr<const EndpointRegistry> registry = options_.service->registry();
    if (registry == registry_ && RightsOf(now) == RightsOf(principal_)) return "";
    registry_ = std::move(registry);
    principal_ = std::move(now);
    std::string digest = DigestOf(registry_, principal_, options_);
    if (digest == digest_) return "";
    digest_ = std::move(digest);
    if (!request_.tools) return "";
    return RpcNotification("notifications/tools/list_changed", {{"_meta", MetaOf(request_.id)}});
  }

  std::string End() const override {
    Json meta = MetaOf(request_.id);
    meta["io.modelcontextprotocol/serverInfo"] = server_info_;
    return RpcResult(request_.id, {{"resultType", "complete"}, {"_meta", std::move(meta)}});
  }

 private:
  const ListenRequest request_;
  const Json server_info_;
  const ListenerPlace place_;
  const McpOptions& options_;
  std::shared_ptr<const EndpointRegistry> registry_;
  Principal principal_;
  std::string digest_;
};

}  // namespace

absl::StatusOr<ListenerPlace> Listeners::Take(const std::string& token_id) {
  absl::MutexLock lock(&counts_->mutex);
  if (counts_->all >= counts_->max) {
    return absl::ResourceExhaustedError(
        base::StrCat(counts_->max, " clients listen already; list the tools again from time to time"));
  }
  if (!token_id.empty()) {
    int& of_token = counts_->by_token[token_id];
    if (of_token >= counts_->max_per_token) {
      return absl::ResourceExhaustedError(
          base::StrCat(counts_->max_per_token, " clients listen with this token already; end one of them"));
    }
    ++of_token;
  }
  ++counts_->all;
  // A pointer to nothing, for what happens when its last copy goes.
  return ListenerPlace(nullptr, [counts = counts_, token_id](void*) {
    absl::MutexLock freed(&counts->mutex);
    --counts->all;
    const auto of_token = counts->by_token.find(token_id);
    if (of_token != counts->by_token.end() && --of_token->second == 0) counts->by_token.erase(of_token);
  });
}

absl::StatusOr<bool> WantsToolChanges(const Json& params) {
  const Json none = Json::object();
  const Json& asked = params.is_object() ? params["notifications"] : none;
  if (!asked.is_object()) {
    return absl::InvalidArgumentError("params.notifications must be an object, such as {\"toolsListChanged\":true}");
  }
  const Json& tools = asked["toolsListChanged"];
  if (tools.is_null()) return false;
  if (!tools.is_boolean()) {
    return absl::InvalidArgumentError("params.notifications.toolsListChanged must be true or false");
  }
  return tools.get<bool>();
}

bool NarrowToProject(const std::optional<std::string>& project, Principal& principal) {
  if (!project) return true;
  if (principal.project_scope && *principal.project_scope != *project) return false;
  principal.project_scope = project;
  return true;
}

std::string Acknowledgement(const Json& id, bool tools) {
  Json honored = Json::object();
  if (tools) honored["toolsListChanged"] = true;
  return RpcNotification("notifications/subscriptions/acknowledged",
                         {{"_meta", MetaOf(id)}, {"notifications", std::move(honored)}});
}

std::shared_ptr<McpSubscription> Subscribe(ListenRequest request, Json server_info, const Principal& principal,
                                           ListenerPlace place, const McpOptions& options) {
  return std::make_shared<Subscription>(std::move(request), std::move(server_info), principal, std::move(place),
                                        options);
}

}  // namespace logquery::serving

namespace logquery {

std::string McpEvents::EventOf(std::string_view message) { return base::StrCat("data: ", message, "\n\n"); }

std::optional<std::string> McpEvents::Next() {
  constexpr absl::Duration kLookEvery = absl::Milliseconds(250);
  constexpr int kMostSilentLooks = 60;
  if (has_ended_) return std::nullopt;
  absl::SleepFor(kLookEvery);
  has_ended_ = is_stopping_();
  if (has_ended_) return EventOf(subscription_->End());
  const absl::StatusOr<Principal> principal = authenticate_();
  const std::optional<std::string> message = principal.ok() ? subscription_->Next(*principal) : std::nullopt;
  if (!message) return std::nullopt;
  if (message->empty() && ++silent_looks_ < kMostSilentLooks) return "";
  silent_looks_ = 0;
  return message->empty() ? ":\n\n" : EventOf(*message);
}

}  // namespace logquery
