// Finds the IPv4 and IPv6 addresses in a text, from left to right, in time linear in its length.
//
// What is one, beyond the address's own form (RFC 4291, 5952, 4007):
//   - No ASCII letter, digit or underscore directly before or after it.
//   - IPv4: octets may have leading zeros. Not where the digits and dots go on: 1.2.3.4.5 is a version.
//   - IPv6: never a part that leaves out further groups: 1:2:3:4:5:6:7:8:9 is none. `::` alone is none. With its zone.
//     But eight groups, one of three digits or more, may be followed by a colon and a port, which stays.
//   - The end of an escape sequence is no letter directly before: of JSON (\n, \u0022), of a URL (%2F), and of a
//     terminal (ECMA-48), as bytes or as JSON and programs write them; of colours ([31m) also without the escape character.
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

  // The next address.
  std::optional<Address> Next();

  // False where there is certainly none: a cheap look for what an address can't do without.
  static bool MayHoldOne(std::string_view text);

 private:
  // Colons and hexadecimal groups without a gap.
  struct Run {
    size_t begin;
    size_t end;
    size_t last_word;   // where the last group begins; `end` when the run ends with a colon or is empty
    size_t word_after;  // the end of the word that stopped the run, as it is no group; `end` when none did
  };

  Run ReadRun() const;
  std::optional<Address> MatchRun(const Run& run) const;
  std::optional<Address> MatchV6(const Run& run, std::optional<size_t> v4_end) const;
  // The end of the IPv4 address that begins at `begin`.
  std::optional<size_t> MatchV4(size_t begin) const;
  size_t EndOfZone(size_t address_end) const;
  // How many bytes from `begin` on belong to an escape that began before it.
  size_t EscapeTail(size_t begin) const;
  // Remembers where the terminal's control sequence ends that begins at position_, if one does.
  void NoteControlSequence();
  bool IsWordBefore(size_t position) const;

  std::string_view text_;
  size_t position_ = 0;
  size_t floor_ = 0;         // nothing before this counts as directly before
  size_t sequence_end_ = 0;  // of the last control sequence
};

}  // namespace logquery::base

#endif  // LOGQUERY_LIB_BASE_ADDRESS_SCANNER_H_
