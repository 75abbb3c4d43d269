// Removes personal data from text: replaces every IPv4 and IPv6 address, and optionally more, by REDACTED.
//
//     Redactor redactor;
//     redactor.Redact("from 10.1.2.3 port 80");        // "from REDACTED port 80"
//
//     absl::StatusOr<Redactor> more = Redactor::Create({.email = true, .patterns = {"\\bcus_[A-Za-z0-9]+"}});
//     more->Redact("ann@example.com is cus_9f3");      // "REDACTED is REDACTED"
//
// docs/redaction.md defines what counts as an address and what only looks like one (times, MAC addresses, versions).
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

// The kinds of text to redact in addition to IP addresses.
struct RedactionKinds {
  bool email = false;                 // e-mail addresses
  std::vector<std::string> patterns;  // RE2 patterns; every match in a text is redacted

  bool operator==(const RedactionKinds&) const = default;
};

class Redactor {
 public:
  static constexpr size_t kMaxPatterns = 20;
  static constexpr size_t kMaxPatternBytes = 1'000;

  // Redacts IP addresses only.
  Redactor() = default;
  // InvalidArgument: more than kMaxPatterns patterns; a pattern that is longer than kMaxPatternBytes, that RE2 rejects,
  // that compiles to more than a megabyte, or that matches the empty text. The message quotes the pattern.
  static absl::StatusOr<Redactor> Create(const RedactionKinds& kinds);

  // Returns whether Redact would change `text`. Without patterns it allocates memory only for text that has digits,
  // dots or colons outside ASCII.
  bool Matches(std::string_view text) const;
  // Returns `text` with each match replaced by REDACTED; overlapping matches are replaced together. Takes linear time.
  std::string Redact(std::string_view text) const;
  // Appends the redacted text to `out`. Returns whether it replaced anything.
  bool AppendRedacted(std::string_view text, std::string& out) const;

 private:
  struct Patterns;
  bool email_ = false;
  std::shared_ptr<const Patterns> patterns_;  // nullptr: there are no patterns
};

}  // namespace logquery

#endif  // LOGQUERY_REDACTOR_H_
