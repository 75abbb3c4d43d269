// Formats numbers as FORMAT's %d, %x, %f, %e and %g do.
#ifndef LOGQUERY_LIB_FUNCTIONS_NUMBER_FORMAT_H_
#define LOGQUERY_LIB_FUNCTIONS_NUMBER_FORMAT_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace logquery::functions {

// %[flags][width][.precision]conversion
struct Specifier {
  bool left = false;
  bool plus = false;
  bool space = false;
  bool alternate = false;
  bool zero = false;
  bool grouped = false;
  std::optional<int> width;
  std::optional<int> precision;
  char conversion = 0;
};

// The largest width or precision.
inline constexpr int kMaxFormatWidth = 1 << 20;

// Formats `digits` with `sign` and a `prefix` such as 0x, grouped and padded as specified.
std::string FormattedNumber(const Specifier& specifier, std::string_view sign, std::string_view prefix,
                            std::string digits);

std::string FormattedInteger(const Specifier& specifier, int64_t value);
std::string FormattedFloat(const Specifier& specifier, double value);
// Formats `value`, given as decimal digits such as "-12.50": exactly, rounding half away from zero.
std::string FormattedDecimal(const Specifier& specifier, std::string_view value);

// Pads a value with spaces to the specified width, in characters.
std::string Spread(const Specifier& specifier, std::string_view text);

}  // namespace logquery::functions

#endif  // LOGQUERY_LIB_FUNCTIONS_NUMBER_FORMAT_H_
