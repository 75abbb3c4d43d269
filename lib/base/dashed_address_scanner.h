// Finds IPv4 addresses with dashes, as in names of hosts: ip-10-1-2-3.ec2.internal, 203-0-113-77.dyn.example.net.
//
// Four octets with one dash between each two, of at most three digits and 255. They are an address after `ip-`, and at
// the end of a label that a dot and a letter follow; elsewhere they are rather a date or a list of numbers. They are
// never part of a longer run of numbers.
#ifndef LOGQUERY_LIB_BASE_DASHED_ADDRESS_SCANNER_H_
#define LOGQUERY_LIB_BASE_DASHED_ADDRESS_SCANNER_H_

#include <cstddef>
#include <optional>
#include <string_view>

#include "lib/base/text_span.h"

namespace logquery::base {

class DashedAddressScanner {
 public:
  // Borrows `text`.
  explicit DashedAddressScanner(std::string_view text) : text_(text) {}

  // Returns the next address, from left to right, in linear time.
  std::optional<TextSpan> Next();

 private:
  // Returns the address in the run of digits and dashes at [begin, end), if it is one.
  std::optional<TextSpan> MatchRun(size_t begin, size_t end) const;

  std::string_view text_;
  size_t position_ = 0;
};

}  // namespace logquery::base

#endif  // LOGQUERY_LIB_BASE_DASHED_ADDRESS_SCANNER_H_
