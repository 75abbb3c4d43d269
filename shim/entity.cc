#include "shim/entity.h"

#include <zlib.h>

#include <limits>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "lib/base/sha256.h"
#include "lib/base/strings.h"

namespace logquery::shim {
namespace {

// Fast, and half as long again as the slowest makes it.
constexpr int kLevel = 1;
constexpr int kGzipFormat = 15 + 16;
constexpr size_t kTagDigits = 32;

}  // namespace

bool TakesGzip(std::string_view accept_encoding) {
  double named = -1;
  double any = -1;
  for (const absl::string_view element : absl::StrSplit(base::ToAbsl(accept_encoding), ',')) {
    const std::vector<absl::string_view> parts = absl::StrSplit(element, ';');
    const absl::string_view coding = absl::StripAsciiWhitespace(parts[0]);
    double quality = 1;
    for (size_t i = 1; i < parts.size(); ++i) {
      absl::string_view parameter = absl::StripAsciiWhitespace(parts[i]);
      if (absl::ConsumePrefix(&parameter, "q=") && !absl::SimpleAtod(parameter, &quality)) quality = 0;
    }
    if (base::EqualsIgnoreCase(base::ToStd(coding), "gzip")) named = quality;
    if (coding == "*") any = quality;
  }
  return named >= 0 ? named > 0 : any > 0;
}

bool MatchesTag(std::string_view if_none_match, std::string_view tag) {
  for (absl::string_view element : absl::StrSplit(base::ToAbsl(if_none_match), ',')) {
    element = absl::StripAsciiWhitespace(element);
    if (element == "*") return true;
    absl::ConsumePrefix(&element, "W/");
    if (base::ToStd(element) == tag) return true;
  }
  return false;
}

std::string Gzip(std::string_view text) {
  z_stream stream{};
  // zlib counts in 32 bits.
  if (text.size() > std::numeric_limits<uInt>::max() / 2) return "";
  if (deflateInit2(&stream, kLevel, Z_DEFLATED, kGzipFormat, 8, Z_DEFAULT_STRATEGY) != Z_OK) return "";
  std::string packed(deflateBound(&stream, text.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  const bool whole = deflate(&stream, Z_FINISH) == Z_STREAM_END;
  packed.resize(whole ? stream.total_out : 0);
  deflateEnd(&stream);
  return packed;
}

void Deliver(const HttpRequest& request, HttpResponse& response) {
  const std::string* encodings = request.Header("Accept-Encoding");
  const bool packs = encodings != nullptr && TakesGzip(*encodings) && response.body.size() >= kLeastToPack;
  // Bytes in another coding are another representation, with a tag of its own.
  const std::string tag =
      base::StrCat("\"", base::Sha256Hex(response.body).substr(0, kTagDigits), packs ? "-gzip" : "", "\"");
  response.AddHeader("ETag", tag);
  response.AddHeader("Vary", "Accept, Accept-Encoding");
  response.AddHeader("Cache-Control", "private, no-cache");
  const std::string* seen = request.Header("If-None-Match");
  if (seen != nullptr && request.method != "POST" && MatchesTag(*seen, tag)) {
    response.status = 304;
    response.body.clear();
    return;
  }
  if (!packs) return;
  std::string packed = Gzip(response.body);
  if (packed.empty()) return;
  response.body = std::move(packed);
  response.AddHeader("Content-Encoding", "gzip");
}

}  // namespace logquery::shim
