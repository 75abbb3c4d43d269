// Keeps what is the same in all responses, or for a second, as bytes.
#include "shim/http/calls/common_headers.h"

#include <cstdint>
#include <string>
#include <string_view>

#include "absl/time/time.h"
#include "logquery/clock.h"

namespace logquery::shim {
namespace {

constexpr std::string_view kOfAll =
    "Cross-Origin-Resource-Policy: same-origin\r\n"
    "Referrer-Policy: no-referrer\r\n"
    "X-Content-Type-Options: nosniff\r\n";
constexpr std::string_view kPolicyOfPages =
    "Content-Security-Policy: default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src "
    "'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'\r\n";
constexpr std::string_view kPolicy = "Content-Security-Policy: default-src 'none'; frame-ancestors 'none'\r\n";

// The line with the date, which changes each second.
const std::string& DateLine() {
  thread_local int64_t second = -1;
  thread_local std::string line;
  if (const absl::Time now = Clock::Real()->Now(); absl::ToUnixSeconds(now) != second) {
    second = absl::ToUnixSeconds(now);
    line = absl::FormatTime("Date: %a, %d %b %Y %H:%M:%S GMT\r\n", now, absl::UTCTimeZone());
  }
  return line;
}

}  // namespace

void AddCommonHeaders(HttpResponse& response) {
  const bool is_page = response.content_type.starts_with("text/html");
  if (!response.headers.Find("Cache-Control")) response.headers.AddLines("Cache-Control: no-store\r\n");
  if (!response.headers.Find("Vary")) response.headers.AddLines("Vary: Accept\r\n");
  response.headers.AddLines(is_page ? kPolicyOfPages : kPolicy);
  response.headers.AddLines(kOfAll);
  response.headers.AddLines(DateLine());
}

}  // namespace logquery::shim
