// Addresses are recognised by the system's own parser, names by comparison.
#include "lib/base/own_host.h"

#include <arpa/inet.h>

#include <algorithm>

#include "lib/base/strings.h"

namespace logquery::base {
namespace {

bool IsAddress(int family, const std::string& text) {
  in6_addr address;  // has room for either
  return inet_pton(family, text.c_str(), &address) == 1;
}

}  // namespace

bool IsOwnHost(std::string_view host, const std::vector<std::string>& names) {
  if (host.starts_with('[')) {
    const size_t end = host.find(']');
    return end != host.npos && IsAddress(AF_INET6, std::string(host.substr(1, end - 1)));
  }
  const std::string name = ToLower(host.substr(0, host.find(':')));
  if (name == "localhost" || name.ends_with(".localhost") || IsAddress(AF_INET, name)) return true;
  return std::any_of(names.begin(), names.end(), [&](const std::string& own) { return EqualsIgnoreCase(own, name); });
}

}  // namespace logquery::base
