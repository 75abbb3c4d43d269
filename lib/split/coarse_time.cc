// Lists functions and format elements with the part of a time that they read. Anything else reads the whole time.
#include "lib/split/coarse_time.h"

#include <algorithm>
#include <array>
#include <optional>

namespace logquery::split {
namespace {

using rewrite::Constant;
using rewrite::FunctionCall;
using rewrite::If;

// The parts from fine to coarse. An index into them says how much is read.
constexpr std::array<std::string_view, 4> kParts = {"SECOND", "MINUTE", "HOUR", "DAY"};
constexpr size_t kDay = 3;

std::optional<size_t> PlaceOfPart(std::string_view part) {
  const auto* const found = std::find(kParts.begin(), kParts.end(), part);
  if (found != kParts.end()) return static_cast<size_t>(found - kParts.begin());
  if (part.starts_with("WEEK(")) return kDay;
  for (const std::string_view coarser :
       {"DAYOFWEEK", "DAYOFYEAR", "WEEK", "ISOWEEK", "MONTH", "QUARTER", "YEAR", "ISOYEAR"}) {
    if (part == coarser) return kDay;
  }
  return std::nullopt;
}

std::optional<size_t> PlaceOfElement(char element) {
  constexpr std::array<std::string_view, 4> kElements = {"STXcrs", "MR", "HIklpP", "YmdFyjbBaAuwUVGgCDeh%nt"};
  for (size_t i = 0; i < kElements.size(); ++i) {
    if (kElements[i].find(element) != std::string_view::npos) return i;
  }
  return std::nullopt;
}

std::optional<size_t> PlaceOfFormat(std::string_view format) {
  size_t finest = kDay;
  for (size_t i = 0; i < format.size(); ++i) {
    if (format[i] != '%') continue;
    if (++i == format.size()) return std::nullopt;
    const std::optional<size_t> place = PlaceOfElement(format[i]);
    if (!place.has_value()) return std::nullopt;
    finest = std::min(finest, *place);
  }
  return finest;
}

// The place of a constant's text; nullopt also of what is no constant.
std::optional<size_t> PlaceOf(const rewrite::Scalar& scalar, std::optional<size_t> (*place_of_text)(std::string_view)) {
  const auto* const constant = If<Constant>(&scalar);
  const bool text = constant != nullptr && constant->type.is(TypeKind::kString) && !constant->value.is_null();
  return text ? place_of_text(constant->value.string_value()) : std::nullopt;
}

}  // namespace

CoarseTime CoarseTimeOf(const FunctionCall& call) {
  const std::string_view name = call.overload->row->name;
  const size_t argument = name == "FORMAT_TIMESTAMP" ? 1 : 0;
  const bool of_day = name == "DATE" || name == "$extract_date";
  const size_t arguments = of_day || name == "UNIX_SECONDS" ? 1 : 2;
  if (call.arguments.size() != arguments || !call.arguments[argument]->type.is(TypeKind::kTimestamp)) return {};
  std::optional<size_t> place;
  if (of_day) place = kDay;
  if (name == "UNIX_SECONDS") place = 0;
  if (name == "$extract" || name == "TIMESTAMP_TRUNC" || name == "DATE_TRUNC") {
    place = PlaceOf(*call.arguments[1], PlaceOfPart);
  }
  if (name == "FORMAT_TIMESTAMP") place = PlaceOf(*call.arguments[0], PlaceOfFormat);
  return place.has_value() ? CoarseTime{argument, kParts[*place]} : CoarseTime{};
}

}  // namespace logquery::split
