#include "logquery/error.h"

#include <catch2/catch_test_macros.hpp>

namespace logquery {
namespace {

TEST_CASE("details travel with a status") {
  ErrorDetails details;
  details.parameter = "project";
  details.line = 3;
  details.column = 17;
  details.snippet = "SELECT x\n       ^";
  details.nearest = {"id", "a:b", "7:c"};
  details.reason = ErrorReason::kResourcesExceeded;
  details.source = "logs.all.sql";
  const absl::Status status = WithErrorDetails(absl::InvalidArgumentError("no such column"), details);

  REQUIRE(status.code() == absl::StatusCode::kInvalidArgument);
  CHECK(status.message() == "no such column");
  const ErrorDetails read = GetErrorDetails(status);
  CHECK(read.parameter == details.parameter);
  CHECK(read.line == 3);
  CHECK(read.column == 17);
  CHECK(read.snippet == details.snippet);
  CHECK(read.nearest == details.nearest);
  CHECK(read.reason == details.reason);
  CHECK(read.source == details.source);
}

TEST_CASE("a status without details has empty ones") {
  CHECK(GetErrorDetails(absl::OkStatus()).empty());
  CHECK(GetErrorDetails(absl::InternalError("x")).empty());
}

TEST_CASE("new details replace earlier ones, and empty details remove them") {
  ErrorDetails first;
  first.parameter = "a";
  first.line = 1;
  ErrorDetails second;
  second.parameter = "b";
  absl::Status status = WithErrorDetails(absl::InvalidArgumentError("x"), first);
  status = WithErrorDetails(status, second);
  CHECK(GetErrorDetails(status).parameter == "b");
  CHECK(GetErrorDetails(status).line == 0);
  CHECK(WithErrorDetails(status, {}) == absl::InvalidArgumentError("x"));
}

TEST_CASE("an OK status carries nothing") {
  ErrorDetails details;
  details.parameter = "a";
  CHECK(WithErrorDetails(absl::OkStatus(), details) == absl::OkStatus());
}

TEST_CASE("a reason's name is read back, and no other name is a reason") {
  struct Case {
    ErrorReason reason;
    std::string_view name;
  };
  for (const Case& c :
       {Case{ErrorReason::kNone, ""}, Case{ErrorReason::kResourcesExceeded, "resourcesExceeded"},
        Case{ErrorReason::kRateLimitExceeded, "rateLimitExceeded"},
        Case{ErrorReason::kOutcomeUnknown, "outcomeUnknown"}, Case{ErrorReason::kUnknownTable, "unknownTable"}}) {
    CAPTURE(c.name);
    CHECK(ErrorReasonName(c.reason) == c.name);
    CHECK(ParseErrorReason(c.name) == c.reason);
    ErrorDetails details;
    details.reason = c.reason;
    CHECK(details.empty() == (c.reason == ErrorReason::kNone));
    CHECK(GetErrorDetails(WithErrorDetails(absl::InternalError("x"), details)).reason == c.reason);
  }
  for (const char* name : {"ResourcesExceeded", "resourcesExceeded ", "resources", "invalidQuery"}) {
    CAPTURE(name);
    CHECK_FALSE(ParseErrorReason(name).has_value());
  }
  CHECK(ErrorReasonName(static_cast<ErrorReason>(99)).empty());
}

TEST_CASE("a foreign payload is not read as details") {
  for (const char* payload : {"p", "p3", "p9:ab", "q1:a", "l1:x", ":", "p-1:a", "p99999999999999999999:a", "r3:new"}) {
    CAPTURE(payload);
    absl::Status status = absl::InternalError("x");
    status.SetPayload("logquery/ErrorDetails", absl::Cord(payload));
    CHECK(GetErrorDetails(status).empty());
  }
}

}  // namespace
}  // namespace logquery
