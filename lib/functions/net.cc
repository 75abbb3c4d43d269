// NET.*: hosts of URLs, and addresses as text and as 4 or 16 bytes in network order.
#include <arpa/inet.h>

#include <algorithm>

#include "lib/base/strings.h"
#include "lib/functions/function.h"
#include "lib/functions/function_lists.h"

namespace logquery::functions {
namespace {

using base::StrCat;

// "" where the text is no address.
std::string AddressBytes(std::string_view text) {
  char bytes[16];
  const std::string terminated(text);
  if (terminated.find('\0') != std::string::npos) return "";
  if (inet_pton(AF_INET, terminated.c_str(), bytes) == 1) return std::string(bytes, 4);
  if (inet_pton(AF_INET6, terminated.c_str(), bytes) == 1) return std::string(bytes, 16);
  return "";
}

absl::Status IpFromString(const Row& in, Output& out) {
  const std::string bytes = AddressBytes(in.Text(0));
  if (!bytes.empty()) return out.Text(bytes);
  return absl::InvalidArgumentError(StrCat("NET.IP_FROM_STRING: no IP address: '", in.Text(0).substr(0, 60), "'"));
}

absl::Status SafeIpFromString(const Row& in, Output& out) {
  const std::string bytes = AddressBytes(in.Text(0));
  return bytes.empty() ? absl::OkStatus() : out.Text(bytes);
}

absl::Status IpToString(const Row& in, Output& out) {
  const std::string_view bytes = in.Text(0);
  if (bytes.size() != 4 && bytes.size() != 16) {
    return absl::InvalidArgumentError(StrCat("NET.IP_TO_STRING: an address has 4 or 16 bytes, not ", bytes.size()));
  }
  char text[INET6_ADDRSTRLEN];
  const int family = bytes.size() == 4 ? AF_INET : AF_INET6;
  if (inet_ntop(family, bytes.data(), text, sizeof(text)) == nullptr) {
    return absl::InternalError("NET.IP_TO_STRING: no text for the address");
  }
  return out.Text(text);
}

// Takes off what stands before the host: a scheme with its colon and two slashes, or the slashes alone.
std::string_view WithoutScheme(std::string_view url) {
  const auto is_slash = [&](size_t at) { return at < url.size() && (url[at] == '/' || url[at] == '\\'); };
  if (is_slash(0) && is_slash(1)) return url.substr(2);
  const size_t end = url.find_first_of(":/?#\\");
  const bool has_scheme = end != std::string_view::npos && url[end] == ':' && is_slash(end + 1) && is_slash(end + 2);
  return has_scheme ? url.substr(end + 3) : url;
}

// The host in a URL: behind the scheme and the last @, up to a slash, ?, # or the colon before a port, without dots before it and
// with one of those behind it. Brackets hold the colons of an IPv6 address.
absl::Status Host(const Row& in, Output& out) {
  std::string_view host = in.Text(0);
  const size_t begin = std::min(host.find_first_not_of("\t\n\v\f\r "), host.size());
  host = host.substr(begin, host.find_last_not_of("\t\n\v\f\r ") + 1 - begin);
  host = WithoutScheme(host);
  host = host.substr(0, host.find_first_of("/?#\\"));
  host = host.substr(host.find_last_of('@') + 1);
  const size_t bracket = host.starts_with('[') ? host.find_first_of("[]", 1) : 0;
  host = host.substr(0, host.find(':', bracket));
  host = host.substr(std::min(host.find_first_not_of('.'), host.size()));
  if (host.empty()) return absl::OkStatus();
  return out.TextAsItIs(host.substr(0, host.find_last_not_of('.') + 2));
}

constexpr FunctionEntry kEntries[] = {
    {"lq_host", "(STRING) -> STRING", Host, "NET.HOST"},
    {"lq_ip_from_string", "(STRING) -> BYTES", IpFromString, "NET.IP_FROM_STRING"},
    {"lq_safe_ip_from_string", "(STRING) -> BYTES", SafeIpFromString, "NET.SAFE_IP_FROM_STRING"},
    {"lq_ip_to_string", "(BYTES) -> STRING", IpToString, "NET.IP_TO_STRING"},
};

}  // namespace

FunctionEntries NetFunctions() { return kEntries; }

}  // namespace logquery::functions
