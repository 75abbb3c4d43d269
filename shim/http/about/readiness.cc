// Asks each part of the server for its state.
#include "shim/http/about/readiness.h"

#include <functional>
#include <string>

#include "absl/status/status.h"
#include "lib/base/json/read.h"
#include "lib/base/json/value.h"
#include "lib/base/strings.h"

namespace logquery::shim {
namespace {

// The state of a part of the server that the options may be without.
absl::Status StateOf(const std::function<absl::Status()>& part) { return part ? part() : absl::OkStatus(); }

}  // namespace

HttpResponse AnswerReady(const HttpServerOptions& options, bool draining) {
  if (draining) return JsonResponse(503, R"({"status":"unavailable"})");
  if (const absl::Status engine = StateOf(options.engine); !engine.ok()) {
    return JsonResponse(503, base::Json{{"status", "unavailable"}, {"reason", base::Message(engine)}}.ToString());
  }
  base::Json json = {{"status", "ready"}};
  if (!StateOf(options.loading).ok()) json["loading"] = "stopped";
  if (!StateOf(options.definitions).ok()) json["definitions"] = "outdated";
  if (!StateOf(options.tokens).ok()) json["tokens"] = "outdated";
  return JsonResponse(200, json.ToString());
}

HttpResponse AnswerReadyInDetail(const HttpServerOptions& options, bool draining) {
  const QueryQueue::Use use = options.queue->use();
  base::Json loading = {{"state", options.loading ? "running" : "off"}};
  if (const absl::Status state = StateOf(options.loading); !state.ok()) {
    loading = {{"state", "stopped"}, {"reason", std::string(base::Message(state))}};
  }
  const auto registry = options.service->registry();
  const absl::Status engine = StateOf(options.engine);
  const bool is_ready = !draining && engine.ok();
  base::Json json = {{"status", is_ready ? "ready" : "unavailable"},
                     {"stopping", draining},
                     {"queries",
                      {{"running", use.running},
                       {"threads", use.max_threads},
                       {"waiting", use.waiting},
                       {"max_waiting", use.max_waiting}}},
                     {"loading", loading},
                     {"endpoints", registry != nullptr ? registry->All().size() : 0}};
  if (const absl::Status state = StateOf(options.definitions); !state.ok()) {
    json["definitions"] = {{"state", "outdated"}, {"reason", std::string(base::Message(state))}};
  }
  if (options.engine) {
    json["engine"] = {{"state", engine.ok() ? "ready" : "unavailable"}};
    if (!engine.ok()) json["engine"]["reason"] = base::Message(engine);
  }
  if (const absl::Status state = StateOf(options.tokens); !state.ok()) {
    json["tokens"] = {{"state", "outdated"}, {"reason", std::string(base::Message(state))}};
  }
  const std::string details = options.details ? options.details() : "{}";
  const auto more = base::TryReadJson(details).value_or(nullptr);
  if (more.is_object()) json.update(more);
  return JsonResponse(is_ready ? 200 : 503, json.ToString());
}

}  // namespace logquery::shim
