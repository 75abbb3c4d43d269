// Parts of URLs. A text that is no URL has no such parts: then they are empty.
#include <optional>

#include "absl/strings/ascii.h"
#include "lib/base/strings.h"
#include "lib/base/utf8.h"
#include "lib/functions/ch/ch_lists.h"

namespace logquery::functions {
namespace {

// Characters with which a text is no URL, before its path.
bool IsForbidden(char c) { return std::string_view(" \t<>%{}|\\^~[];=&").find(c) != std::string_view::npos; }

// The place where the host begins: behind `//` or `scheme://`. nullopt: the text is no URL.
std::optional<size_t> HostBegin(std::string_view url) {
  if (url.starts_with("//")) return 2;
  size_t at = 1;
  for (; at < url.size(); ++at) {
    const char c = url[at];
    if (absl::ascii_isalnum(static_cast<unsigned char>(c)) || c == '.' || c == '-' || c == '+') continue;
    if (IsForbidden(c)) return std::nullopt;
    break;
  }
  return at < url.size() && url.substr(at).starts_with("://") ? at + 3 : 0;
}

// The host has a dot in it, and something behind the dot. The text before an @ is a user.
std::string_view HostOf(std::string_view url) {
  const std::optional<size_t> from = HostBegin(url);
  if (!from) return {};
  size_t begin = *from, end = *from;
  size_t dot = std::string_view::npos;
  for (; end < url.size(); ++end) {
    const char c = url[end];
    if (c == ':' || c == '/' || c == '?' || c == '#') break;
    if (IsForbidden(c)) return {};
    if (c == '.') dot = end;
    if (c == '@') begin = end + 1;
  }
  if (dot == std::string_view::npos || begin >= end || dot + 1 == end) return {};
  const std::string_view behind = url.substr(dot + 1, 1);
  return behind.find_first_of(":/?#") == std::string_view::npos ? url.substr(begin, end - begin) : std::string_view();
}

// From the first slash on; if another follows at once, from the next one behind both.
std::string_view PathOf(std::string_view url) {
  size_t begin = url.find('/');
  if (begin != std::string_view::npos && url.substr(begin + 1).starts_with('/')) begin = url.find('/', begin + 2);
  if (begin == std::string_view::npos) return {};
  const std::string_view rest = url.substr(begin);
  return rest.substr(0, rest.find_first_of("?#"));
}

std::string_view QueryOf(std::string_view url) {
  const size_t begin = url.find('?');
  if (begin == std::string_view::npos) return {};
  const std::string_view rest = url.substr(begin + 1);
  return rest.substr(0, rest.find('#'));
}

absl::Status Path(const Row& in, Output& out) { return out.TextAsItIs(PathOf(in.Text(0))); }
absl::Status Domain(const Row& in, Output& out) { return out.TextAsItIs(HostOf(in.Text(0))); }
absl::Status DomainWithoutWww(const Row& in, Output& out) {
  std::string_view host = HostOf(in.Text(0));
  if (host.starts_with("www.")) host.remove_prefix(4);
  return out.TextAsItIs(host);
}
absl::Status QueryString(const Row& in, Output& out) { return out.TextAsItIs(QueryOf(in.Text(0))); }
// The scheme: a letter, then letters, digits and `+-.`, up to a colon behind which there are at least three bytes.
absl::Status Protocol(const Row& in, Output& out) {
  const std::string_view url = in.Text(0);
  size_t end = 0;
  while (end < url.size()) {
    const auto c = static_cast<unsigned char>(url[end]);
    const bool is_of_scheme =
        absl::ascii_isalpha(c) || (end > 0 && (absl::ascii_isdigit(c) || c == '+' || c == '-' || c == '.'));
    if (!is_of_scheme) break;
    ++end;
  }
  const bool is_scheme = end > 0 && url.size() - end >= 4 && url[end] == ':';
  return out.TextAsItIs(is_scheme ? url.substr(0, end) : std::string_view());
}

absl::Status CutQuery(const Row& in, Output& out) {
  const std::string_view url = in.Text(0);
  const size_t begin = url.find('?');
  if (begin == std::string_view::npos) return out.TextAsItIs(url);
  const size_t fragment = url.find('#', begin);
  if (fragment == std::string_view::npos) return out.TextAsItIs(url.substr(0, begin));
  return out.Text(base::StrCat(url.substr(0, begin), url.substr(fragment)));
}

// The first `name=` behind the first ? or #, if one of `?#&` stands before it.
absl::Status UrlParameter(const Row& in, Output& out) {
  const std::string_view url = in.Text(0);
  const std::string name = base::StrCat(in.Text(1), "=");
  const size_t begin = url.find_first_of("?#");
  if (begin == std::string_view::npos) return out.TextAsItIs({});
  for (size_t at = url.find(name, begin + 1); at != std::string_view::npos; at = url.find(name, at + name.size())) {
    if (std::string_view("?#&").find(url[at - 1]) == std::string_view::npos) continue;
    const std::string_view value = url.substr(at + name.size());
    return out.TextAsItIs(value.substr(0, value.find_first_of("&#")));
  }
  return out.TextAsItIs({});
}

int Hex(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  const char lower = static_cast<char>(c | 0x20);
  return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

// A % without two hexadecimal digits stays, and so do the two bytes behind it, even if one is a %.
absl::Status Decode(const Row& in, Output& out) {
  const std::string_view text = in.Text(0);
  std::string decoded;
  for (size_t i = 0; i < text.size();) {
    if (text[i] != '%') {
      decoded += text[i++];
      continue;
    }
    const std::string_view code = text.substr(i, 3);
    const bool is_byte = code.size() == 3 && Hex(code[1]) >= 0 && Hex(code[2]) >= 0;
    if (is_byte) {
      decoded += static_cast<char>(Hex(code[1]) * 16 + Hex(code[2]));
    } else {
      decoded += code;
    }
    i += code.size();
  }
  std::string valid;
  base::AppendValidUtf8(decoded, valid);
  return out.Text(valid);
}

constexpr FunctionEntry kEntries[] = {
    {"lq_ch_path", "(STRING) -> STRING", Path, "$ch.path"},
    {"lq_ch_domain", "(STRING) -> STRING", Domain, "$ch.domain"},
    {"lq_ch_domain_without_www", "(STRING) -> STRING", DomainWithoutWww, "$ch.domain_without_www"},
    {"lq_ch_query_string", "(STRING) -> STRING", QueryString, "$ch.query_string"},
    {"lq_ch_protocol", "(STRING) -> STRING", Protocol, "$ch.protocol"},
    {"lq_ch_cut_query", "(STRING) -> STRING", CutQuery, "$ch.cut_query"},
    {"lq_ch_url_parameter", "(STRING, STRING) -> STRING", UrlParameter, "$ch.url_parameter"},
    {"lq_ch_decode_url", "(STRING) -> STRING", Decode, "$ch.decode_url"},
};

}  // namespace

FunctionEntries ChUrlFunctions() { return kEntries; }

}  // namespace logquery::functions
