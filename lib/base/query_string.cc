// Takes a query string apart at its & alone, so that the other parameters stay byte for byte.
#include "lib/base/query_string.h"

#include <algorithm>
#include <string_view>

#include "lib/base/percent_encoding.h"
#include "lib/base/strings.h"

namespace logquery::base {

std::vector<std::string> TakeApiKeys(std::string& query) {
  const std::string name = StrCat(kApiKeyParameter, "=");
  std::vector<std::string> keys;
  std::string others;
  for (std::string_view rest = query; !rest.empty();) {
    const std::string_view part = rest.substr(0, rest.find('&'));
    rest.remove_prefix(std::min(rest.size(), part.size() + 1));
    if (part.starts_with(name)) {
      const std::string_view text = part.substr(name.size());
      keys.push_back(PercentDecode(text, true).value_or(std::string(text)));
    } else {
      StrAppend(&others, others.empty() ? "" : "&", part);
    }
  }
  query = std::move(others);
  return keys;
}

std::vector<std::pair<std::string, std::string>> HideApiKey(
    std::vector<std::pair<std::string, std::string>> parameters) {
  for (auto& [name, text] : parameters) {
    if (name == kApiKeyParameter) text = "REDACTED";
  }
  return parameters;
}

}  // namespace logquery::base
