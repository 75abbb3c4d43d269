// Any bytes: the parser gives a tree or an error with a place, never more. The text of a tree is parsed as a tree that is printed
// the same.
//
//     fuzz_parse tests/fuzz/corpus/parse          of the preset fuzz
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "lib/sql/parser.h"
#include "lib/sql/printer.h"
#include "logquery/error.h"

namespace logquery::sql {
namespace {

void Require(bool holds) {
  if (!holds) std::abort();
}

// Canonical text may be longer than what it came from, and deeper, as a::t is CAST(a AS t).
ParseLimits ForCanonicalText() {
  ParseLimits limits;
  limits.max_bytes = int64_t{1} << 30;
  limits.max_depth = 2'000;
  return limits;
}

template <typename Parse>
void CheckRoundTrip(std::string_view text, Parse parse) {
  const auto tree = parse(text, ParseLimits());
  if (!tree.ok()) {
    Require(tree.status().code() == absl::StatusCode::kInvalidArgument);
    Require(text.size() > 65'536 || GetErrorDetails(tree.status()).line > 0);
    return;
  }
  const std::string printed = Print(**tree);
  const auto again = parse(printed, ForCanonicalText());
  Require(again.ok());
  Require(Print(**again) == printed);
}

}  // namespace
}  // namespace logquery::sql

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  logquery::sql::CheckRoundTrip(text, logquery::sql::ParseQuery);
  logquery::sql::CheckRoundTrip(text, logquery::sql::ParseExpression);
  return 0;
}
