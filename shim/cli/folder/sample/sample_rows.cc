#include "shim/cli/folder/sample/sample_rows.h"

#include <cstddef>
#include <string>

#include "lib/model/civil_text.h"

namespace logquery::shim {
SampleTime::SampleTime(int64_t micros) : unix_micros(micros) {
  const int64_t fraction = micros % 1'000'000;
  model::AppendDatetime(micros - fraction, 'T', text);
  text.append(std::to_string(fraction + 1'000'000));
  text[19] = '.';  // where the leading 1 stands
}

void SampleRow::Begin() const {
  Append(out, R"({"id":")", NewUuid(), R"(","timestamp":")", time.micro(), R"(Z","event_message":")");
}

std::string SampleAddress(SampleRandom& random) {
  const uint64_t bits = random.Next();
  const auto octet = [bits](int i) { return bits >> (8 * i) & 255; };
  if (!random.OneIn(25)) {
    return Concat(1 + octet(0) % 222, ".", octet(1), ".", octet(2), ".", 1 + octet(3) % 254);
  }
  switch (octet(7) % 4) {
    case 0:
      return Concat("2001:db8:", Hex{bits, 4}, ":", Hex{bits >> 16, 4}, ":", Hex{bits >> 32, 4},
                    ":0:0:", octet(0) % 9 + 1);
    case 1:
      return Concat("2001:db8:", Hex{bits, 4}, "::", Hex{bits >> 16, 4});
    case 2:
      return Concat("::ffff:", 1 + octet(0) % 222, ".", octet(1), ".", octet(2), ".", octet(3));
    default:
      return Concat("2001:DB8:", octet(0) % 9 + 1, "::", Hex{bits >> 16, 4}, ":", Hex{bits >> 40, 2});
  }
}

}  // namespace logquery::shim
