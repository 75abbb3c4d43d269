// Finds parameters by name, and reads the built-in definitions, which are embedded in the program.
#include "logquery/endpoint.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <utility>

#include "lib/base/embedded.h"
#include "lib/base/strings.h"

namespace logquery {
namespace {

// Every embedded pair NAME.json and NAME.sql, in the order of their names.
std::vector<Endpoint> ReadBuiltIn() {
  std::vector<Endpoint> endpoints;
  constexpr std::string_view kSuffix = ".sql";
  for (const std::string_view sql_file : base::EmbeddedFileNames()) {
    if (!sql_file.ends_with(kSuffix)) continue;
    const std::string json_file = base::StrCat(sql_file.substr(0, sql_file.size() - kSuffix.size()), ".json");
    auto endpoint = Endpoint::FromJson(json_file, base::EmbeddedFile(json_file), base::EmbeddedFile(sql_file));
    if (!endpoint.ok()) {
      // Only a build with a broken file gets here; its tests do first.
      std::fprintf(stderr, "%s\n", endpoint.status().ToString().c_str());
      std::abort();
    }
    endpoints.push_back(*std::move(endpoint));
  }
  // Endpoints are sorted by name: of the files' names logs.all.otel.sql comes before logs.all.sql.
  std::sort(endpoints.begin(), endpoints.end(), [](const Endpoint& a, const Endpoint& b) { return a.name < b.name; });
  return endpoints;
}

}  // namespace

const Parameter* Endpoint::FindParameter(std::string_view parameter) const {
  for (const Parameter& known : parameters) {
    if (known.name == parameter) return &known;
  }
  return nullptr;
}

std::vector<Endpoint> Endpoint::BuiltIn() {
  static const std::vector<Endpoint>* const endpoints = new std::vector<Endpoint>(ReadBuiltIn());
  return *endpoints;
}

}  // namespace logquery
