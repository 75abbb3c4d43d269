// Compares Accept's elements with the supported formats by specificity and quality.
#include "shim/http/calls/content_type.h"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "absl/strings/ascii.h"
#include "lib/base/negotiation.h"
#include "lib/base/strings.h"
#include "shim/http/transport/entity.h"

namespace logquery::shim {
namespace {

struct FormatType {
  RowFormat format;
  std::string_view name;
  std::string_view type;
  std::string_view group;
};

// The first of those that are wanted equally is taken.
constexpr std::array<FormatType, 6> kFormats = {
    {{RowFormat::kJson, "json", "application/json", "application/*"},
     {RowFormat::kNdjson, "ndjson", "application/x-ndjson", "application/*"},
     {RowFormat::kCsv, "csv", "text/csv", "text/*"},
     {RowFormat::kJsonRows, "json-rows", "application/vnd.logquery.rows+json", "application/*"},
     {RowFormat::kArrow, "arrow", "application/vnd.apache.arrow.stream", "application/*"},
     {RowFormat::kParquet, "parquet", "application/vnd.apache.parquet", "application/*"}}};

// How exactly an element of Accept names the format; 0: not at all.
int ExactnessOf(std::string_view name, const FormatType& format) {
  return name == format.type ? 3 : name == format.group ? 2 : name == "*/*" ? 1 : 0;
}

// The element that names the format most exactly decides.
double QualityOf(const std::vector<base::AcceptedName>& accepted, const FormatType& format) {
  int exactness = 0;
  double quality = 0;
  for (const base::AcceptedName& element : accepted) {
    const int more = ExactnessOf(element.name, format);
    if (more <= exactness) continue;
    exactness = more;
    quality = element.quality;
  }
  return quality;
}

}  // namespace

std::optional<RowFormat> ChooseFormat(std::string_view format, std::string_view accept) {
  if (!format.empty()) {
    for (const FormatType& known : kFormats) {
      if (base::EqualsIgnoreCase(format, known.name)) return known.format;
    }
    return std::nullopt;
  }
  if (absl::StripAsciiWhitespace(base::ToAbsl(accept)).empty()) return RowFormat::kJson;
  const std::vector<base::AcceptedName> accepted = base::ParseAccept(accept, 1);
  std::optional<RowFormat> chosen;
  double quality = 0;
  for (const FormatType& known : kFormats) {
    const double wanted = QualityOf(accepted, known);
    if (wanted > quality) {
      quality = wanted;
      chosen = known.format;
    }
  }
  return chosen;
}

std::string_view ContentTypeOf(RowFormat format) {
  if (format == RowFormat::kJson) return "application/json; charset=utf-8";
  if (format == RowFormat::kCsv) return "text/csv; charset=utf-8; header=present";
  return std::find_if(kFormats.begin(), kFormats.end(),
                      [format](const FormatType& type) { return type.format == format; })
      ->type;
}

}  // namespace logquery::shim
