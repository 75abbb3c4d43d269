// Names follow OpenTelemetry's conventions for HTTP servers where they have one.
#include "shim/observe/request_span.h"

#include <string>

#include "lib/base/strings.h"
#include "logquery/redactor.h"

namespace logquery::shim {

Span RequestSpan(const RequestRecord& record) {
  Span span;
  span.name = base::StrCat(record.method, " ", record.route);
  const auto text = [&span](const char* key, const std::string& value) {
    if (!value.empty()) span.attributes.emplace_back(key, Redactor().Redact(value));
  };
  text("http.request.method", record.method);
  text("http.route", std::string(record.route));
  span.attributes.emplace_back("http.response.status_code", int64_t{record.status});
  span.attributes.emplace_back("http.response.body.size", record.bytes);
  text("logquery.endpoint", record.endpoint);
  text("logquery.request_id", record.request_id);
  text("logquery.client", record.client);
  text("logquery.token_id", record.token_id);
  text("logquery.cache", record.cache);
  if (record.rows >= 0) span.attributes.emplace_back("logquery.rows", record.rows);
  for (const auto& [key, value] : record.labels) {
    span.attributes.emplace_back(base::StrCat("logquery.label.", key), value);
  }
  span.failed = record.status >= 500;
  return span;
}

}  // namespace logquery::shim
