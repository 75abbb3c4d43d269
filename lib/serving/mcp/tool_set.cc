// Chooses the tools and their names.
#include "lib/serving/mcp/tool_set.h"

#include <algorithm>
#include <map>
#include <utility>

#include "absl/strings/ascii.h"
#include "lib/base/sha256.h"
#include "lib/base/strings.h"
#include "logquery/project_parameter.h"
#include "logquery/sandbox_verdict.h"

namespace logquery::serving {
namespace {

// The longest that models' interfaces take.
constexpr size_t kMaxToolName = 64;
constexpr size_t kDigestDigits = 8;

constexpr std::pair<Tool::Kind, std::string_view> kOwnTools[] = {
    {Tool::Kind::kListLogs, "list_logs"},
    {Tool::Kind::kQueryLogs, "query_logs"},
    {Tool::Kind::kExplainError, "explain_error"},
};

bool IsToolNameCharacter(char c) { return absl::ascii_isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '-'; }

}  // namespace

std::string ToolName(std::string_view endpoint, bool ambiguous) {
  std::string name(endpoint);
  std::replace_if(
      name.begin(), name.end(), [](char c) { return !IsToolNameCharacter(c); }, '_');
  if (!ambiguous && name.size() <= kMaxToolName) return name;
  name.resize(std::min(name.size(), kMaxToolName - kDigestDigits - 1));
  return base::StrCat(name, "_", base::Sha256Hex(endpoint).substr(0, kDigestDigits));
}

ToolSet::ToolSet(std::shared_ptr<const EndpointRegistry> registry, const Principal& principal,
                 const McpOptions& options)
    : registry_(std::move(registry)), principal_(principal), options_(options) {
  std::vector<const RegisteredEndpoint*> callable;
  // How many tools want a name.
  std::map<std::string, int> wanted;
  for (const auto& [kind, name] : kOwnTools) ++wanted[std::string(name)];
  for (const RegisteredEndpoint* endpoint : registry_ == nullptr ? decltype(callable)() : registry_->All()) {
    const Endpoint& definition = endpoint->definition();
    if (!principal.MayCall(definition.name, definition.id)) continue;
    callable.push_back(endpoint);
    ++wanted[ToolName(definition.name, false)];
    if (!definition.query_sandboxing) continue;
    const bool is_default = definition.name == options.default_endpoint;
    sandboxes_.insert(is_default ? sandboxes_.begin() : sandboxes_.end(), endpoint);
  }
  for (const auto& [kind, name] : kOwnTools) {
    if (kind != Tool::Kind::kExplainError && sandboxes_.empty()) continue;
    tools_.push_back({kind, std::string(name), nullptr});
  }
  for (const RegisteredEndpoint* endpoint : callable) {
    const std::string& name = endpoint->definition().name;
    std::string plain = ToolName(name, false);
    tools_.push_back({Tool::Kind::kEndpoint, wanted[plain] > 1 ? ToolName(name, true) : plain, endpoint});
  }
}

const Tool* ToolSet::Find(std::string_view name) const {
  const auto found = std::find_if(tools_.begin(), tools_.end(), [name](const Tool& tool) { return tool.name == name; });
  return found == tools_.end() ? nullptr : &*found;
}

std::vector<std::string> ToolSet::Names() const {
  std::vector<std::string> names;
  for (const Tool& tool : tools_) names.push_back(tool.name);
  return names;
}

const RegisteredEndpoint* ToolSet::FindSandbox(std::string_view name) const {
  for (const RegisteredEndpoint* sandbox : sandboxes_) {
    if (name.empty() || sandbox->definition().name == name || sandbox->definition().id == name) return sandbox;
  }
  return nullptr;
}

int64_t ToolSet::MostRows(const Endpoint& endpoint) const {
  return std::min(endpoint.max_rows, principal_.max_rows.value_or(endpoint.max_rows));
}

bool ToolSet::IsFilled(const Endpoint& endpoint, const Parameter& parameter) const {
  return principal_.fixed_parameters.count(parameter.name) > 0 || parameter.default_text.has_value() ||
         (principal_.project_scope.has_value() && &parameter == ProjectParameter(endpoint));
}

}  // namespace logquery::serving
