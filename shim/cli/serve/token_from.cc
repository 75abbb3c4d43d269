// Makes principals of variables' names and rights; a deployment reads the secrets.
#include "shim/cli/serve/token_from.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/str_split.h"
#include "lib/base/quoted_text.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"

namespace logquery::shim {
namespace {

struct Right {
  std::string_view name;
  bool reads;
  bool writes;
  bool counts = false;
};
constexpr Right kRights[] = {
    {"read", true, false}, {"write", false, true}, {"all", true, true}, {"metrics", false, false, true}};

bool IsVariable(std::string_view name) {
  if (name.empty() || absl::ascii_isdigit(static_cast<unsigned char>(name.front()))) return false;
  return std::all_of(name.begin(), name.end(), [](unsigned char c) { return absl::ascii_isalnum(c) || c == '_'; });
}

absl::StatusOr<TokenVariable> ParseOne(std::string_view text) {
  const size_t equals = std::min(text.find('='), text.size());
  const std::string_view rights = text.substr(std::min(equals + 1, text.size()));
  const size_t colon = std::min(rights.find(':'), rights.size());
  const std::string_view name = rights.substr(0, colon);
  const auto right =
      std::find_if(std::begin(kRights), std::end(kRights), [name](const Right& r) { return r.name == name; });
  const bool names_none = colon < rights.size() && colon + 1 == rights.size();
  if (!IsVariable(text.substr(0, equals)) || right == std::end(kRights) || names_none ||
      (right->counts && colon < rights.size())) {
    return absl::InvalidArgumentError(
        base::StrCat("--token-from ", base::QuotedText(text),
                     ": it is VARIABLE=RIGHT, the name of a variable and read, write or all, with :PROJECT for the "
                     "rows of one project alone, or metrics"));
  }
  TokenVariable from;
  from.variable = std::string(text.substr(0, equals));
  from.principal.label = from.variable;
  if (!right->reads) from.principal.endpoints.emplace();
  if (right->writes) from.principal.ingest.emplace();
  from.principal.may_read_metrics = right->counts;
  if (colon < rights.size()) from.principal.project_scope = std::string(rights.substr(colon + 1));
  return from;
}

}  // namespace

absl::StatusOr<std::vector<TokenVariable>> ParseTokenFrom(const std::vector<std::string>& options) {
  std::vector<TokenVariable> tokens;
  for (const std::string& option : options) {
    for (const absl::string_view part : absl::StrSplit(option, ',')) {
      LOGQUERY_ASSIGN_OR_RETURN(TokenVariable from, ParseOne({part.data(), part.size()}));
      const bool again = std::any_of(tokens.begin(), tokens.end(),
                                     [&from](const TokenVariable& other) { return other.variable == from.variable; });
      if (again) {
        return absl::InvalidArgumentError(base::StrCat("--token-from names the variable ", from.variable, " twice"));
      }
      tokens.push_back(std::move(from));
    }
  }
  return tokens;
}

}  // namespace logquery::shim
