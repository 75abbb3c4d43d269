// Takes out of text what tells who somebody is: every IPv4 and IPv6 address becomes REDACTED, and what else is asked for.
//
//     Redactor redactor;
//     redactor.Redact("from 10.1.2.3 port 80");        // "from REDACTED port 80"
//
//     absl::StatusOr<Redactor> more = Redactor::Create({.email = true, .patterns = {"\\bcus_[A-Za-z0-9]+"}});
//     more->Redact("ann@example.com is cus_9f3");      // "REDACTED is REDACTED"
//
// What counts as an address, and what only looks like one (times, MAC addresses, versions), is settled in docs/redaction.md.
// Thread-safe: const after construction. Copies are cheap.
#ifndef LOGQUERY_REDACTOR_H_
#define LOGQUERY_REDACTOR_H_

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"

namespace logquery {

// What is redacted besides IP addresses.
struct RedactionKinds {
  bool email = false;                 // e-mail addresses
  std::vector<std::string> patterns;  // RE2; what one of them matches, wherever it stands in a text

  bool operator==(const RedactionKinds&) const = default;
};

class Redactor {
 public:
  static constexpr size_t kMaxPatterns = 20;
  static constexpr size_t kMaxPatternBytes = 1'000;

  // IP addresses alone.
  Redactor() = default;
  // InvalidArgument: more than kMaxPatterns, one longer than kMaxPatternBytes, one that RE2 does not take or that compiles
  // to more than a megabyte, one that matches the empty text. The message quotes the pattern.
  static absl::StatusOr<Redactor> Create(const RedactionKinds& kinds);

  // Whether Redact would change `text`. Without patterns it allocates only for a text whose digits, dots or
  // colons are written otherwise than in ASCII.
  bool Matches(std::string_view text) const;
  // `text` with REDACTED in the place of whatever is to be redacted; where two kinds overlap, of both together. Linear in
  // the text's length.
  std::string Redact(std::string_view text) const;
  // Appends the redacted text to `out`; returns whether anything was replaced.
  bool AppendRedacted(std::string_view text, std::string& out) const;

 private:
  struct Patterns;
  bool email_ = false;
  std::shared_ptr<const Patterns> patterns_;  // nullptr: none
};

}  // namespace logquery

#endif  // LOGQUERY_REDACTOR_H_
