// Checks the request line and each header field, then their combination.
#include "shim/http/transport/http_head.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

#include "lib/base/strings.h"

namespace logquery::shim {
namespace {

HttpProblem Bad(std::string_view what) { return {400, std::string(what)}; }

constexpr std::array<bool, 256> kTokenCharacters = [] {
  std::array<bool, 256> is{};
  for (const unsigned char c : std::string_view("!#$%&'*+-.^_`|~")) is[c] = true;
  for (unsigned c = 0; c < 26; ++c) is['a' + c] = is['A' + c] = true;
  for (unsigned c = '0'; c <= '9'; ++c) is[c] = true;
  return is;
}();

bool IsTokenCharacter(char c) { return kTokenCharacters[static_cast<unsigned char>(c)]; }

bool IsToken(std::string_view text) { return !text.empty() && std::all_of(text.begin(), text.end(), IsTokenCharacter); }

bool IsControl(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte < 0x20 || byte == 0x7F;
}

std::string_view Trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

HttpProblem CheckRequestLine(std::string_view line, bool& is_1_0) {
  const size_t first = line.find(' ');
  const size_t last = line.rfind(' ');
  if (first == std::string_view::npos || first == last) return Bad("the request line is not METHOD TARGET HTTP/1.1");
  const std::string_view method = line.substr(0, first);
  const std::string_view target = line.substr(first + 1, last - first - 1);
  const std::string_view version = line.substr(last + 1);
  if (!IsToken(method)) return Bad("the request's method is malformed");
  if (target.size() > kMaxTargetBytes) return {414, "the URL is longer than 64 KiB; send long parameters by POST"};
  if (target.empty() || target.find(' ') != std::string_view::npos ||
      std::any_of(target.begin(), target.end(), IsControl)) {
    return Bad("the request's URL has a space or a control character in it; they are written %20 and the like");
  }
  const bool absolute = target.substr(0, 7) == "http://" || target.substr(0, 8) == "https://";
  if (version.substr(0, 5) != "HTTP/") return Bad("the request line is not METHOD TARGET HTTP/1.1");
  if (version != "HTTP/1.1" && version != "HTTP/1.0")
    return {505, "the HTTP versions that are spoken here are 1.0 and 1.1"};
  is_1_0 = version == "HTTP/1.0";
  constexpr std::string_view kKnown[] = {"GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH"};
  if (std::find(std::begin(kKnown), std::end(kKnown), method) == std::end(kKnown)) {
    return {405, base::StrCat("the method ", method, " is not known here; GET, HEAD, POST, PUT and DELETE are")};
  }
  if (target.front() != '/' && !absolute) return Bad("the request's URL must begin with /");
  return {};
}

// The headers' values about the body's length and the host, gathered line by line.
struct Framing {
  std::optional<int64_t> content_length;
  bool chunked = false;
  int hosts = 0;

  HttpProblem Add(std::string_view name, std::string_view value) {
    if (base::EqualsIgnoreCase(name, "Host")) ++hosts;
    if (base::EqualsIgnoreCase(name, "Transfer-Encoding")) {
      if (chunked || !base::EqualsIgnoreCase(value, "chunked")) {
        return {501, "the only Transfer-Encoding that is understood is chunked"};
      }
      chunked = true;
    }
    if (base::EqualsIgnoreCase(name, "Content-Length")) {
      int64_t length = -1;
      const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), length);
      const bool digits =
          !value.empty() && std::all_of(value.begin(), value.end(), [](char c) { return c >= '0' && c <= '9'; });
      if (!digits || content_length.has_value()) return Bad("Content-Length must be there once, and a number");
      content_length = error == std::errc() && end == value.data() + value.size() ? length : kMaxIngestBodyBytes + 1;
    }
    return {};
  }

  HttpProblem Check(bool is_1_0) const {
    if (hosts > 1 || (hosts == 0 && !is_1_0)) return Bad("there must be one Host header");
    if (chunked && (content_length.has_value() || is_1_0)) {
      return Bad("Transfer-Encoding is not for HTTP/1.0 or beside Content-Length");
    }
    // The route may take less.
    if (content_length.value_or(0) > kMaxIngestBodyBytes) {
      return {413, base::StrCat("the request's body is longer than ", kMaxIngestBodyBytes >> 20, " MiB")};
    }
    return {};
  }
};

// Headers whose first and last value would mean different things. Lists (Accept), and headers that only one program adds
// to (X-Forwarded-For), may be repeated; LF-ENDPOINT-REDACT-PII, and tokens, have rules of their own.
constexpr std::array<std::string_view, 7> kOnce = {"Content-Type",
                                                   "Content-Encoding",
                                                   "Idempotency-Key",
                                                   "X-Source",
                                                   "Origin",
                                                   "LF-ENDPOINT-LABELS",
                                                   "Access-Control-Request-Method"};

// The values of those headers so far. A repetition of the same value does no harm.
struct Once {
  std::array<std::optional<std::string>, kOnce.size()> values;

  HttpProblem Add(std::string_view name, std::string_view value) {
    for (size_t i = 0; i < kOnce.size(); ++i) {
      if (!base::EqualsIgnoreCase(name, kOnce[i])) continue;
      if (values[i] && *values[i] != value) {
        return Bad(base::StrCat("the header ", kOnce[i], " is there twice, with different values; send it once"));
      }
      values[i] = value;
    }
    return {};
  }
};

HttpProblem CheckHeaderLine(std::string_view line, Framing& framing, Once& once) {
  if (line.size() > kMaxHeaderLineBytes) return {431, "a header line is longer than 8 KiB"};
  const size_t colon = line.find(':');
  if (colon == std::string_view::npos || !IsToken(line.substr(0, colon)))
    return Bad("a header line is not NAME: VALUE");
  const std::string_view value = Trimmed(line.substr(colon + 1));
  if (std::any_of(value.begin(), value.end(), [](char c) { return IsControl(c) && c != '\t'; })) {
    return Bad(base::StrCat("the header ", line.substr(0, colon), " has a control character in it"));
  }
  if (HttpProblem problem = once.Add(line.substr(0, colon), value); problem.status != 0) return problem;
  return framing.Add(line.substr(0, colon), value);
}

}  // namespace

HttpProblem CheckHeadSize(std::string_view head) {
  const size_t line = head.find('\n');
  if (std::min(line, head.size()) > kMaxTargetBytes + 64) {
    return {414, "the URL is longer than 64 KiB; send long parameters by POST"};
  }
  if (line != std::string_view::npos && head.size() - line > kMaxHeaderBytes) {
    return {431, "the headers are longer than 64 KiB"};
  }
  return {};
}

HttpProblem CheckHead(std::string_view head) {
  if (HttpProblem problem = CheckHeadSize(head); problem.status != 0) return problem;
  Framing framing;
  Once once;
  bool is_1_0 = false;
  int lines = 0;
  while (head != "\r\n") {
    const size_t end = head.find("\r\n");
    if (end == std::string_view::npos) return Bad("a line does not end in CR LF");
    const std::string_view line = head.substr(0, end);
    head.remove_prefix(end + 2);
    if (line.find('\n') != std::string_view::npos) return Bad("a line does not end in CR LF");
    HttpProblem problem = lines == 0 ? CheckRequestLine(line, is_1_0) : CheckHeaderLine(line, framing, once);
    if (problem.status != 0) return problem;
    if (++lines > kMaxHeaders + 1) return {431, "there are more than 100 headers"};
  }
  return framing.Check(is_1_0);
}

}  // namespace logquery::shim
