// Compares Accept's elements with the supported formats by specificity and quality.
#include "shim/http/calls/content_type.h"

#include <array>
#include <string>

#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "lib/base/strings.h"

namespace logquery::shim {
namespace {

struct FormatType {
  RowFormat format;
  absl::string_view name;
  absl::string_view type;
  absl::string_view group;
};

// The first of those that are wanted equally is taken.
constexpr std::array<FormatType, 3> kFormats = {
    {{RowFormat::kJson, "json", "application/json", "application/*"},
     {RowFormat::kNdjson, "ndjson", "application/x-ndjson", "application/*"},
     {RowFormat::kCsv, "csv", "text/csv", "text/*"}}};

// One element of Accept: how well it fits `format`, by how exactly it names it; 0: not at all.
struct Fit {
  int exactness = 0;
  double quality = 0;
};

Fit FitOf(absl::string_view element, const FormatType& format) {
  const std::vector<absl::string_view> parts = absl::StrSplit(element, ';');
  const std::string type = absl::AsciiStrToLower(absl::StripAsciiWhitespace(parts[0]));
  Fit fit;
  fit.exactness = type == format.type ? 3 : type == format.group ? 2 : type == "*/*" ? 1 : 0;
  fit.quality = 1;
  for (size_t i = 1; i < parts.size(); ++i) {
    absl::string_view parameter = absl::StripAsciiWhitespace(parts[i]);
    if (!absl::ConsumePrefix(&parameter, "q=")) continue;
    if (!absl::SimpleAtod(parameter, &fit.quality)) fit.quality = 1;
  }
  return fit;
}

double QualityOf(absl::string_view accept, const FormatType& format) {
  Fit best;
  for (const absl::string_view element : absl::StrSplit(accept, ',')) {
    const Fit fit = FitOf(element, format);
    if (fit.exactness > best.exactness) best = fit;
  }
  return best.exactness > 0 ? best.quality : 0;
}

}  // namespace

std::optional<RowFormat> ChooseFormat(std::string_view format, std::string_view accept) {
  if (!format.empty()) {
    for (const FormatType& known : kFormats) {
      if (base::EqualsIgnoreCase(format, base::ToStd(known.name))) return known.format;
    }
    return std::nullopt;
  }
  if (absl::StripAsciiWhitespace(base::ToAbsl(accept)).empty()) return RowFormat::kJson;
  std::optional<RowFormat> chosen;
  double quality = 0;
  for (const FormatType& known : kFormats) {
    const double wanted = QualityOf(base::ToAbsl(accept), known);
    if (wanted > quality) {
      quality = wanted;
      chosen = known.format;
    }
  }
  return chosen;
}

std::string_view ContentTypeOf(RowFormat format) {
  switch (format) {
    case RowFormat::kJson:
      break;
    case RowFormat::kNdjson:
      return "application/x-ndjson";
    case RowFormat::kCsv:
      return "text/csv; charset=utf-8; header=present";
  }
  return "application/json; charset=utf-8";
}

bool IsJsonContentType(std::string_view content_type) {
  const std::string type = base::ToLower(content_type.substr(0, content_type.find(';')));
  const absl::string_view trimmed = absl::StripAsciiWhitespace(type);
  return trimmed.empty() || trimmed == "application/json";
}

}  // namespace logquery::shim
