#include "logquery/redactor.h"

#include "lib/result/address_scanner.h"

namespace logquery {

using result::AddressScanner;

bool Redactor::Matches(std::string_view text) const {
  return AddressScanner::MayHoldOne(text) && AddressScanner(text).Next().has_value();
}

std::string Redactor::Redact(std::string_view text) const {
  std::string redacted;
  AppendRedacted(text, redacted);
  return redacted;
}

bool Redactor::AppendRedacted(std::string_view text, std::string& out) const {
  size_t done = 0;
  if (AddressScanner::MayHoldOne(text)) {
    AddressScanner scanner(text);
    while (const auto address = scanner.Next()) {
      out.append(text.substr(done, address->begin - done));
      out.append("REDACTED");
      done = address->end;
    }
  }
  out.append(text.substr(done));
  return done > 0;
}

}  // namespace logquery
