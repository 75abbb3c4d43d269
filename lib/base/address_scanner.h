// Finds the IPv4 and IPv6 addresses in a text, from left to right, in linear time.
//
// In addition to the form of the address itself (RFC 4291, 5952, 4007), these rules apply:
//   - There is no ASCII letter, digit or underscore directly before or after it.
//   - IPv4: octets may have leading zeros. Further digits and dots exclude it: 1.2.3.4.5 is a version.
//   - IPv6: never a part of a longer run of groups: 1:2:3:4:5:6:7:8:9 does not match. `::` alone does not match.
//     Includes the zone. Eight groups, one of them with three or more digits, may be followed by a colon and a port,
//     which is kept.
//   - The end of an escape sequence does not count as a letter directly before: in JSON (\n, \u0022), in a URL (%2F),
//     and of a terminal (ECMA-48), as bytes or as written by JSON and programs; for colors ([31m) also without the
//     escape.
#ifndef LOGQUERY_LIB_BASE_ADDRESS_SCANNER_H_
#define LOGQUERY_LIB_BASE_ADDRESS_SCANNER_H_

#include <cstddef>
#include <optional>
#include <string_view>

#include "lib/base/text_span.h"

namespace logquery::base {

class AddressScanner {
 public:
  using Address = TextSpan;

  // Borrows `text`.
  explicit AddressScanner(std::string_view text) : text_(text) {}

  // Returns the next address.
  std::optional<Address> Next();

  // A cheap test: false means that the text certainly has no address.
  static bool MayHoldOne(std::string_view text);

 private:
  // A run of colons and hexadecimal groups without gaps.
  struct Run {
    size_t begin;
    size_t end;
    size_t last_word;   // start of the last group; `end` if the run ends with a colon or is empty
    size_t word_after;  // end of the word that stopped the run, because it is not a group; `end` if none did
  };

  Run ReadRun() const;
  std::optional<Address> MatchRun(const Run& run) const;
  std::optional<Address> MatchV6(const Run& run, std::optional<size_t> v4_end) const;
  // Returns the end of the IPv4 address that starts at `begin`.
  std::optional<size_t> MatchV4(size_t begin) const;
  size_t EndOfZone(size_t address_end) const;
  // Returns how many bytes from `begin` on belong to an escape sequence that started before it.
  size_t EscapeTail(size_t begin) const;
  // Records the end of the terminal control sequence that starts at position_, if there is one.
  void NoteControlSequence();
  bool IsWordBefore(size_t position) const;

  std::string_view text_;
  size_t position_ = 0;
  size_t floor_ = 0;         // bytes before this do not count as directly before
  size_t sequence_end_ = 0;  // of the last control sequence
};

}  // namespace logquery::base

#endif  // LOGQUERY_LIB_BASE_ADDRESS_SCANNER_H_
