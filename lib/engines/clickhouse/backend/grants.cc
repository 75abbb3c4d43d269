// Uses the names of privileges in ClickHouse's src/Access/Common/AccessType.h. Partial revokes are not subtracted: the
// result is what the user may do somewhere.
#include "lib/engines/clickhouse/backend/grants.h"

#include <algorithm>
#include <array>

#include "absl/strings/ascii.h"
#include "lib/base/strings.h"

namespace logquery::clickhouse {
namespace {

constexpr std::array<std::string_view, 5> kReads = {"SELECT", "SHOW", "dictGet", "USAGE", "CHECK"};
constexpr std::array<std::string_view, 19> kOthers = {
    "INSERT",           "ALTER",        "CREATE", "DROP",     "UNDROP",        "TRUNCATE",
    "OPTIMIZE",         "BACKUP",       "KILL",   "MOVE",     "SYSTEM",        "INTROSPECTION",
    "CLUSTER",          "TABLE ENGINE", "SET",    "demangle", "addressToLine", "displaySecretsInShowAndSelect",
    "ACCESS MANAGEMENT"};

// `right` begins with the words of one in the list.
template <size_t N>
bool IsOneOf(std::string_view right, const std::array<std::string_view, N>& list) {
  return std::any_of(list.begin(), list.end(), [&](std::string_view name) {
    return right.starts_with(name) && (right.size() == name.size() || right[name.size()] == ' ');
  });
}

void AddRight(std::string_view right, Grants& grants) {
  right = base::ToStd(absl::StripAsciiWhitespace(base::ToAbsl(right)));
  right = right.substr(0, right.find('('));
  if (right.empty() || IsOneOf(right, kReads)) return;
  std::vector<std::string>& list = IsOneOf(right, kOthers) ? grants.others : grants.sources;
  if (std::find(list.begin(), list.end(), right) == list.end()) list.emplace_back(right);
}

}  // namespace

void AddGrants(std::string_view line, Grants& grants) {
  constexpr std::string_view kGrant = "GRANT ";
  if (!line.starts_with(kGrant)) return;
  line.remove_prefix(kGrant.size());
  const size_t on = line.find(" ON ");
  // The grant of a role; the role's own rights are lines too.
  if (on == std::string_view::npos) return;
  line = line.substr(0, on);
  size_t begin = 0;
  int open = 0;
  for (size_t i = 0; i <= line.size(); ++i) {
    if (i < line.size() && line[i] == '(') ++open;
    if (i < line.size() && line[i] == ')') --open;
    if (i < line.size() && (line[i] != ',' || open > 0)) continue;
    AddRight(line.substr(begin, i - begin), grants);
    begin = i + 1;
  }
}

}  // namespace logquery::clickhouse
