// Parses qualities and entity tags.
#include "lib/base/negotiation.h"

#include <optional>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "lib/base/strings.h"

namespace logquery::base {
namespace {

// The weight of each coding in an Accept-Encoding; absent: it says nothing.
struct Qualities {
  std::optional<double> identity, gzip, zstd;
  double any = 0;  // of codings that are not named
};

Qualities ReadQualities(std::string_view accept_encoding) {
  Qualities read;
  for (const auto& [coding, quality] : ParseAccept(accept_encoding, 0)) {
    if (coding == "identity") read.identity = quality;
    if (coding == "gzip" || coding == "x-gzip") read.gzip = quality;
    if (coding == "zstd") read.zstd = quality;
    if (coding == "*") read.any = quality;
  }
  return read;
}

}  // namespace

std::vector<AcceptedName> ParseAccept(std::string_view header, double malformed) {
  std::vector<AcceptedName> names;
  for (const absl::string_view element : absl::StrSplit(ToAbsl(header), ',')) {
    const std::vector<absl::string_view> parts = absl::StrSplit(element, ';');
    double quality = 1;
    for (size_t i = 1; i < parts.size(); ++i) {
      absl::string_view parameter = absl::StripAsciiWhitespace(parts[i]);
      if (!absl::ConsumePrefix(&parameter, "q=") && !absl::ConsumePrefix(&parameter, "Q=")) continue;
      if (!absl::SimpleAtod(parameter, &quality) || !(quality >= 0 && quality <= 1)) quality = malformed;
    }
    names.push_back({absl::AsciiStrToLower(absl::StripAsciiWhitespace(parts[0])), quality});
  }
  return names;
}

bool TakesGzip(std::string_view accept_encoding) {
  const Qualities read = ReadQualities(accept_encoding);
  return read.gzip.value_or(read.any) > 0;
}

ContentCoding ChooseCoding(std::string_view accept_encoding) {
  const auto [identity, gzip, zstd, any] = ReadQualities(accept_encoding);
  // An unpacked body is always taken, but liked less than a coding that is named.
  double best = identity.value_or(0);
  ContentCoding chosen = ContentCoding::kIdentity;
  for (const auto& [coding, quality] : {std::pair(ContentCoding::kZstd, zstd), std::pair(ContentCoding::kGzip, gzip)}) {
    const bool better =
        chosen == ContentCoding::kIdentity ? quality.value_or(any) >= best : quality.value_or(any) > best;
    if (!better || quality.value_or(any) <= 0) continue;
    best = quality.value_or(any);
    chosen = coding;
  }
  return chosen;
}

bool MatchesTag(std::string_view if_none_match, std::string_view tag) {
  for (absl::string_view element : absl::StrSplit(ToAbsl(if_none_match), ',')) {
    element = absl::StripAsciiWhitespace(element);
    if (element == "*") return true;
    absl::ConsumePrefix(&element, "W/");
    if (ToStd(element) == tag) return true;
  }
  return false;
}

}  // namespace logquery::base
