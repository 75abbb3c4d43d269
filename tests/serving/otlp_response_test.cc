#include "logquery/serving/otlp_response.h"

#include <catch2/catch_test_macros.hpp>
#include <string>

namespace logquery {
namespace {

using namespace std::string_literals;

TEST_CASE("an OTLP response says how many records were rejected, and why") {
  CHECK(OtlpResponse(false, 2, "id: is no UUID") ==
        R"({"partialSuccess":{"rejectedLogRecords":"2","errorMessage":"id: is no UUID"}})");
  // partial_success {rejected_log_records: 2, error_message: "no"}
  CHECK(OtlpResponse(true, 2, "no") == "\x0a\x06\x08\x02\x12\x02no"s);
}

TEST_CASE("an OTLP response has no more fields than it has to say") {
  CHECK(OtlpResponse(false, 0, "") == R"({"partialSuccess":{}})");
  CHECK(OtlpResponse(true, 0, "") == "");
  CHECK(OtlpResponse(false, 0, "stored as JSON") ==
        R"({"partialSuccess":{"rejectedLogRecords":"0","errorMessage":"stored as JSON"}})");
}

TEST_CASE("an OTLP response counts beyond 32 bits and takes long texts") {
  CHECK(OtlpResponse(false, 5'000'000'000, "no").find(R"("5000000000")") != std::string::npos);
  const std::string many = OtlpResponse(true, 300, std::string(200, 'x'));
  CHECK(many.substr(0, 9) == "\x0a\xce\x01\x08\xac\x02\x12\xc8\x01"s);
  CHECK(many.size() == 209);
}

TEST_CASE("bytes that are not UTF-8 are replaced in a protobuf's texts") {
  CHECK(OtlpStatus("a\xff") == "\x12\x04"s + "a\xef\xbf\xbd");
  CHECK(OtlpResponse(true, 1, "\xff") == "\x0a\x07\x08\x01\x12\x03\xef\xbf\xbd"s);
}

TEST_CASE("a failed request's status has the message alone") { CHECK(OtlpStatus("no") == "\x12\x02no"s); }

}  // namespace
}  // namespace logquery
