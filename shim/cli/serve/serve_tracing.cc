// Connects the settings trace_to, trace_share and trace_header_from with the exporter.
#include "shim/cli/serve/serve_tracing.h"

#include <cstdlib>
#include <vector>

#include "absl/strings/ascii.h"
#include "lib/base/given_secret.h"
#include "lib/base/quoted_text.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "logquery/version.h"
#include "re2/re2.h"

namespace logquery::shim {

absl::Status CheckTraceUrl(const std::string& url) {
  static const RE2* const form = new RE2(R"re(https?://[^/?#@\s]+(/[^\s#]*)?)re");
  static const RE2* const user = new RE2(R"re(https?://[^/?#]*@.*)re");
  if (RE2::FullMatch(url, *user)) {
    return absl::InvalidArgumentError(
        "--trace-to must not contain a user or a password, which every user of the machine can see; put the header "
        "into a variable and name that in --trace-header-from");
  }
  if (RE2::FullMatch(url, *form)) return absl::OkStatus();
  return absl::InvalidArgumentError(
      base::StrCat("--trace-to must be the URL of an OTLP/HTTP collector, such as "
                   "http://127.0.0.1:4318/v1/traces, is ",
                   url.find('@') == url.npos ? base::QuotedText(url) : "another text"));
}

absl::StatusOr<std::pair<std::string, std::string>> TraceHeaderFrom(const std::string& name,
                                                                    const base::Variables& variable) {
  absl::StatusOr<std::string> text = base::SecretOfVariable(name, variable);
  if (!text.ok()) {
    return absl::Status(text.status().code(), base::StrCat("--trace-header-from: ", base::Message(text.status())));
  }
  static const RE2* const form = new RE2(R"re(([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*([\x20-\x7e]+))re");
  std::pair<std::string, std::string> header;
  if (RE2::FullMatch(*text, *form, &header.first, &header.second)) return header;
  return absl::InvalidArgumentError(base::StrCat("--trace-header-from: the variable ", name,
                                                 " must contain one header, NAME: VALUE, such as Authorization: "
                                                 "Bearer TOKEN"));
}

absl::StatusOr<std::unique_ptr<ServeTracing>> ServeTracing::Open(
    const ServeArguments& arguments, std::function<void(std::string_view, std::string_view)> log) {
  if (arguments.trace_to.empty()) return nullptr;
  SpanExporterOptions options;
  options.url = arguments.trace_to;
  options.version = LOGQUERY_VERSION_STRING;
  options.log = std::move(log);
  if (!arguments.trace_header_from.empty()) {
    const auto variable = [](const std::string& name) -> const char* { return std::getenv(name.c_str()); };
    LOGQUERY_ASSIGN_OR_RETURN(auto header, TraceHeaderFrom(arguments.trace_header_from, variable));
    options.headers.push_back(std::move(header));
  }
  std::unique_ptr<ServeTracing> tracing(new ServeTracing(std::move(options), arguments.trace_share));
  LOGQUERY_RETURN_IF_ERROR(tracing->exporter_.started());
  return tracing;
}

ServeTracing::ServeTracing(SpanExporterOptions options, double share)
    : exporter_(std::move(options)),
      tracer_(
          share, [this](std::vector<Span> spans) { exporter_.Add(std::move(spans)); }, Clock::Real()) {}

void ServeTracing::AddTo(Metrics& metrics) const {
  metrics.AddCounter("logquery_spans_sent_total", "Spans that the collector of traces accepted",
                     [this] { return static_cast<double>(exporter_.counters().sent); });
  metrics.AddCounter("logquery_spans_dropped_total", "Spans that the collector of traces did not get or accept",
                     [this] { return static_cast<double>(exporter_.counters().dropped); });
  metrics.AddGauge("logquery_spans_waiting", "Spans that wait for the collector of traces",
                   [this] { return static_cast<double>(exporter_.counters().waiting); });
}

}  // namespace logquery::shim
