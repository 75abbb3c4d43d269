// Compares what the settings declare with what the query uses.
#include "lib/tools/definition_warnings.h"

#include <algorithm>

#include "lib/base/json.h"
#include "lib/base/json/value.h"
#include "lib/base/json_map.h"
#include "lib/base/quoted_text.h"
#include "lib/base/readable_text.h"
#include "lib/base/strings.h"

namespace logquery::endpoint {
namespace {

using base::StrCat;

bool ReadsParameter(const sql::TokenList& tokens, std::string_view name) {
  return std::any_of(tokens.tokens.begin(), tokens.tokens.end(), [&](const sql::Token& token) {
    return token.kind == sql::TokenKind::kParameter && base::EqualsIgnoreCase(tokens.values[token.value], name);
  });
}

// Whether a computed parameter that the query reads is made of this one.
bool DecidesAnother(const Endpoint& definition, const sql::TokenList& tokens, std::string_view name) {
  return std::any_of(definition.parameters.begin(), definition.parameters.end(), [&](const Parameter& parameter) {
    return parameter.computed.has_value() && parameter.computed->from == name && ReadsParameter(tokens, parameter.name);
  });
}

bool HasPublicEntry(const Endpoint& definition, const sql::Query& query) {
  const std::vector<std::string>& hidden = definition.private_ctes;
  return std::any_of(query.with.begin(), query.with.end(), [&hidden](const sql::Cte& cte) {
    return std::none_of(hidden.begin(), hidden.end(),
                        [&cte](const std::string& name) { return base::EqualsIgnoreCase(name, cte.name.text); });
  });
}

}  // namespace

std::vector<DefinitionWarning> WarningsOf(const Endpoint& definition, const DefinitionText& text,
                                          const sql::TokenList& tokens, const sql::Query& query,
                                          const std::vector<std::string>& passed_on) {
  std::vector<DefinitionWarning> warnings;
  const auto json = base::ParseJson(text.json_path, text.json);
  if (!json.ok()) return warnings;  // such a text makes no definition
  const base::JsonMap map(text.json, *json);
  const auto warn = [&](const auto& object, std::string_view key, std::string message) {
    warnings.push_back({map.OffsetOfMember(object, key), std::move(message)});
  };
  if (definition.name != text.name) {
    warn(*json, "name",
         StrCat("the file's name is ", base::QuotedText(text.name), ", the definition's ",
                base::QuotedText(definition.name), "; callers use the definition's"));
  }
  if (definition.cache_warming && *definition.cache_warming >= *definition.caching) {
    warn(*json, "cache_warming",
         StrCat("answers are too old after ", base::Counted(absl::ToInt64Seconds(*definition.caching), "second"),
                ", before warming makes them anew; choose fewer seconds than that"));
  }
  if (definition.query_sandboxing && !HasPublicEntry(definition, query)) {
    warn(*json, "query_sandboxing",
         query.with.empty() ? "callers' SQL can read nothing: the query has no WITH"
                            : "callers' SQL can read nothing: private_ctes names every entry of the query's WITH");
  }
  for (size_t i = 0; i < definition.parameters.size(); ++i) {
    const Parameter& parameter = definition.parameters[i];
    const bool is_passed_on = std::any_of(passed_on.begin(), passed_on.end(), [&](const std::string& name) {
      return base::EqualsIgnoreCase(name, parameter.name);
    });
    if (is_passed_on || ReadsParameter(tokens, parameter.name) || DecidesAnother(definition, tokens, parameter.name)) {
      continue;
    }
    warn((*json)["parameters"][i], "name", StrCat("the query does not use @", parameter.name));
  }
  return warnings;
}

}  // namespace logquery::endpoint
