// Takes IP addresses out of text: every IPv4 and IPv6 address becomes REDACTED.
//
//     Redactor redactor;
//     redactor.Redact("from 10.1.2.3 port 80");        // "from REDACTED port 80"
//
// What counts as an address, and what only looks like one (times, MAC addresses, versions), is settled in docs/redaction.md.
// Thread-safe: const after construction.
#ifndef LOGQUERY_REDACTOR_H_
#define LOGQUERY_REDACTOR_H_

#include <string>
#include <string_view>

namespace logquery {

class Redactor {
 public:
  // Whether Redact would change `text`. Never allocates.
  bool Matches(std::string_view text) const;
  // `text` with each address replaced; linear in its length.
  std::string Redact(std::string_view text) const;
  // Appends the redacted text to `out`; returns whether anything was replaced.
  bool AppendRedacted(std::string_view text, std::string& out) const;
};

}  // namespace logquery

#endif  // LOGQUERY_REDACTOR_H_
