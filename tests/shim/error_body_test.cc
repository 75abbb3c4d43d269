#include "lib/base/error_body.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <nlohmann/json.hpp>
#include <string>

#include "lib/base/error_statuses.h"
#include "logquery/error.h"

namespace logquery::base {
namespace {

using Json = nlohmann::json;

TEST_CASE("an error's body has the message, the position and suggestions") {
  ErrorDetails details;
  details.parameter = "sql";
  details.line = 2;
  details.column = 5;
  details.snippet = "selct 1\n^";
  details.nearest = {"select"};

  const ErrorAnswer answer =
      MakeErrorAnswer(WithErrorDetails(absl::InvalidArgumentError("no selct"), details), "id1", false);

  CHECK(answer.http_status == 400);
  CHECK(Json::parse(answer.body) ==
        Json::parse(R"({"error":{"code":400,"status":"INVALID_ARGUMENT","message":"no selct",
      "details":{"parameter":"sql","line":2,"column":5,"snippet":"selct 1\n^","nearest":["select"],"request_id":"id1"}}})"));
}

TEST_CASE("Retry-After is the error's delay in whole seconds, at least one") {
  ErrorDetails details;
  details.retry_after = absl::Milliseconds(2'100);
  CHECK(MakeErrorAnswer(WithErrorDetails(absl::ResourceExhaustedError("m"), details), "", false).retry_after_seconds ==
        3);
  details.retry_after = absl::Milliseconds(5);
  CHECK(MakeErrorAnswer(WithErrorDetails(absl::UnavailableError("m"), details), "", false).retry_after_seconds == 1);
  CHECK(MakeErrorAnswer(WithErrorDetails(absl::InvalidArgumentError("m"), details), "", false).retry_after_seconds ==
        0);
}

TEST_CASE("every code has its status, name and headers") {
  struct Case {
    absl::Status status;
    int http_status;
    const char* name;
    bool retry;
    bool exceeded;
  };
  ErrorDetails exceeded;
  exceeded.reason = ErrorReason::kResourcesExceeded;
  const Case cases[] = {
      {absl::InvalidArgumentError("m"), 400, "INVALID_ARGUMENT", false, false},
      {absl::OutOfRangeError("m"), 400, "OUT_OF_RANGE", false, false},
      {absl::UnauthenticatedError("m"), 401, "UNAUTHENTICATED", false, false},
      {absl::PermissionDeniedError("m"), 403, "PERMISSION_DENIED", false, false},
      {absl::NotFoundError("m"), 404, "NOT_FOUND", false, false},
      {absl::ResourceExhaustedError("m"), 429, "RESOURCE_EXHAUSTED", true, false},
      {WithErrorDetails(absl::ResourceExhaustedError("m"), exceeded), 400, "RESOURCE_EXHAUSTED", false, true},
      {absl::CancelledError("m"), 499, "CANCELLED", false, false},
      {absl::UnimplementedError("m"), 501, "UNIMPLEMENTED", false, false},
      {absl::UnavailableError("m"), 503, "UNAVAILABLE", true, false},
      {absl::DeadlineExceededError("m"), 504, "DEADLINE_EXCEEDED", false, true},
      {absl::InternalError("m"), 500, "INTERNAL", false, false},
      {absl::UnknownError("m"), 500, "INTERNAL", false, false},
      {absl::DataLossError("m"), 500, "INTERNAL", false, false},
      {absl::FailedPreconditionError("m"), 500, "INTERNAL", false, false},
  };
  for (const Case& c : cases) {
    CAPTURE(c.status.ToString());
    const ErrorAnswer answer = MakeErrorAnswer(c.status, "id1", false);
    const Json error = Json::parse(answer.body)["error"];
    CHECK(answer.http_status == c.http_status);
    CHECK(error["code"] == c.http_status);
    CHECK(error["status"] == c.name);
    CHECK((answer.retry_after_seconds > 0) == c.retry);
    CHECK(error.contains("errors") == c.exceeded);
    CHECK(std::any_of(kErrorStatuses.begin(), kErrorStatuses.end(), [&](const ErrorStatus& status) {
      return status.code == c.http_status && status.name == c.name;
    }));
    if (c.exceeded) CHECK(error["errors"] == Json::parse(R"([{"reason":"resourcesExceeded"}])"));
  }
}

TEST_CASE("an internal error only tells the caller where to look") {
  ErrorDetails details;
  details.snippet = "secret";
  const ErrorAnswer answer =
      MakeErrorAnswer(WithErrorDetails(absl::InternalError("secret at 0x1"), details), "id1", false);

  CHECK(answer.body.find("secret") == std::string::npos);
  CHECK(answer.body.find("id1") != std::string::npos);
  CHECK(MakeErrorAnswer(absl::InternalError("secret"), "", false).body.find("secret") == std::string::npos);
}

TEST_CASE("a message of any bytes is JSON") {
  const ErrorAnswer answer = MakeErrorAnswer(absl::InvalidArgumentError("a \"quote\", \xff and \n"), "", false);
  CHECK(Json::parse(answer.body)["error"]["message"] == "a \"quote\", \xEF\xBF\xBD and \n");
}

TEST_CASE("addresses in an error are redacted on request") {
  ErrorDetails details;
  details.snippet = "where ip = '10.1.2.3'";
  const absl::Status status = WithErrorDetails(absl::InvalidArgumentError("can't cast 10.1.2.3 to INT64"), details);

  CHECK(MakeErrorAnswer(status, "", true).body.find("10.1.2.3") == std::string::npos);
  CHECK(MakeErrorAnswer(status, "", false).body.find("10.1.2.3") != std::string::npos);
}

}  // namespace
}  // namespace logquery::base
