// NET.*: converts addresses between text and 4 or 16 bytes in network order.
#include <arpa/inet.h>

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

constexpr FunctionEntry kEntries[] = {
    {"lq_ip_from_string", "(STRING) -> BYTES", IpFromString, "NET.IP_FROM_STRING"},
    {"lq_safe_ip_from_string", "(STRING) -> BYTES", SafeIpFromString, "NET.SAFE_IP_FROM_STRING"},
    {"lq_ip_to_string", "(BYTES) -> STRING", IpToString, "NET.IP_TO_STRING"},
};

}  // namespace

FunctionEntries NetFunctions() { return kEntries; }

}  // namespace logquery::functions
