// Numbers as FORMAT's %d, %x, %f, %e and %g write them.
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

// The longest that a width or precision may be.
inline constexpr int kMaxFormatWidth = 1 << 20;

// `digits` of a number, with `sign` and a `prefix` such as 0x before them, grouped and filled up as the specifier says.
std::string FormattedNumber(const Specifier& specifier, std::string_view sign, std::string_view prefix,
                            std::string digits);

std::string FormattedInteger(const Specifier& specifier, int64_t value);
std::string FormattedFloat(const Specifier& specifier, double value);
// `value` as its decimal digits, "-12.50": exact, rounding half away from zero.
std::string FormattedDecimal(const Specifier& specifier, std::string_view value);

// A value spread to the specifier's width with spaces, by characters.
std::string Spread(const Specifier& specifier, std::string_view text);

}  // namespace logquery::functions

#endif  // LOGQUERY_LIB_FUNCTIONS_NUMBER_FORMAT_H_
