// The form of events by path, media type and headers.
#include "logquery/serving/event_form.h"

#include <catch2/catch_test_macros.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace logquery {
namespace {

using Headers = std::vector<std::pair<std::string, std::string>>;

EventForm FormOf(std::string_view path, std::string_view type, const Headers& headers = {}) {
  const auto form = EventFormOf(path, type, headers);
  INFO(form.status().ToString());
  REQUIRE(form.ok());
  return *form;
}

absl::Status ProblemOf(std::string_view path, std::string_view type, const Headers& headers = {}) {
  return EventFormOf(path, type, headers).status();
}

TEST_CASE("the end of the path and the media type say how events are written") {
  CHECK(FormOf("/api/logs", "application/json").shape == EventShape::kRow);
  CHECK(FormOf("/logs/vercel", "").shape == EventShape::kVector);
  CHECK(FormOf("/api/events/browser/reports", "application/reports+json").shape == EventShape::kObject);
  CHECK(FormOf("/v1/logs", "application/json").shape == EventShape::kOtlp);
  CHECK(FormOf("/v1/logs", "application/x-protobuf").shape == EventShape::kOtlpProtobuf);
  CHECK(FormOf("/logs", "Application/X-NDJSON; charset=utf-8").by_lines);
  CHECK_FALSE(FormOf("/logs", "text/plain").by_lines);
  CHECK(FormOf("/logs/cloudflare", "text/plain").by_lines);
}

TEST_CASE("the media type says in which mode a CloudEvent comes") {
  for (const char* path : {"/logs/cloud-event", "/api/logs/cloud-event", "/api/events/cloud-event"}) {
    CAPTURE(path);
    CHECK(FormOf(path, "application/cloudevents+json; charset=UTF-8").shape == EventShape::kCloudEvent);
    CHECK(FormOf(path, "application/cloudevents-batch+json").shape == EventShape::kCloudEvent);
    CHECK(FormOf(path, "application/json").shape == EventShape::kCloudEventData);
    CHECK(FormOf(path, "image/png").shape == EventShape::kCloudEventData);
    CHECK(FormOf(path, "").shape == EventShape::kCloudEventData);
  }
  const absl::Status avro = ProblemOf("/logs/cloud-event", "application/cloudevents+avro");
  CHECK(absl::IsUnimplemented(avro));
  CHECK(avro.message() ==
        "CloudEvents are taken as application/cloudevents+json, as application/cloudevents-batch+json, and in binary "
        "mode, not as \"application/cloudevents+avro\"");
}

TEST_CASE("headers are the attributes of a CloudEvent in binary mode") {
  const Headers headers = {{"X-API-KEY", "secret"},
                           {"Ce-Specversion", "1.0"},
                           {"ce-id", " 7 "},
                           {"CE-Subject", "Euro%20%E2%82%AC \"x\" caf\xc3\xa9"},
                           {"ce-source", R"("quoted \"it\" %41")"},
                           {"ce-datacontenttype", "text/wrong"},
                           {"ce-foo-bar", ""},
                           {"ce-", "no name"}};
  CHECK(FormOf("/logs/cloud-event", "application/json; charset=utf-8", headers).attributes ==
        "{\"specversion\":\"1.0\",\"id\":\"7\",\"subject\":\"Euro \xe2\x82\xac \\\"x\\\" caf\xc3\xa9\","
        "\"source\":\"quoted \\\"it\\\" A\",\"foo_bar\":\"\",\"datacontenttype\":\"application/json; charset=utf-8\"}");
  CHECK(FormOf("/logs/cloud-event", "", {}).attributes == "{}");
  // Other forms read no such headers.
  CHECK(FormOf("/logs/json", "application/json", headers).attributes.empty());
}

TEST_CASE("values of programs that encode nothing are read as they were meant") {
  const auto subject = [](std::string value) {
    return FormOf("/logs/cloud-event", "", {{"ce-subject", std::move(value)}}).attributes;
  };
  CHECK(subject("100%") == R"({"subject":"100%"})");
  CHECK(subject("5 % 2 %4") == R"({"subject":"5 % 2 %4"})");
  CHECK(subject("%41%zz%e2%82%ac") == "{\"subject\":\"A%zz\xe2\x82\xac\"}");
  CHECK(subject("caf\xe9") == "{\"subject\":\"caf\xc3\xa9\"}");  // Latin-1
  CHECK(subject("\"a") == R"({"subject":"\"a"})");
}

TEST_CASE("a header that is no attribute is an error with its name") {
  const auto problem = [](std::string name, std::string value) {
    const absl::Status status =
        ProblemOf("/logs/cloud-event", "application/json", {{"ce-id", "7"}, {std::move(name), std::move(value)}});
    CHECK(absl::IsInvalidArgument(status));
    return std::string(status.message());
  };
  CHECK(problem("ce-id", "8") == "the header \"ce-id\" stands twice");
  CHECK(problem("Ce-ID", "8") == "the header \"Ce-ID\" stands twice");
  CHECK(problem("ce-data", "x") == "the header \"ce-data\" is no attribute: the body is the event's data");
  CHECK(problem("ce-subject", "%C0%A0") == "the header \"ce-subject\" has escapes that are not UTF-8: \"%C0%A0\"");
}

TEST_CASE("a body of another type is refused with the types that the path takes") {
  CHECK(absl::IsUnimplemented(ProblemOf("/logs", "image/png")));
  CHECK(ProblemOf("/logs", "image/png").message() ==
        "events are taken as application/json or application/x-ndjson, not as \"image/png\"");
  CHECK(ProblemOf("/v1/logs", "image/png").message() ==
        "log records are taken as application/json or application/x-protobuf, not as \"image/png\"");
  CHECK(absl::IsUnimplemented(ProblemOf("/logs", "application/x-protobuf")));
}

}  // namespace
}  // namespace logquery
