// Text for people, or a JSON object a line.
#include "shim/cli/migrate/shadow_report.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <utility>

#include "lib/base/json/value.h"
#include "lib/base/strings.h"
#include "shim/observe/display.h"

namespace logquery::shim {
namespace {

using base::Json;
using base::StrCat;

constexpr size_t kMaxRows = 5;  // of each side of a difference
constexpr int kMaxRowText = 1'000;
constexpr size_t kMaxTimes = 100'000;  // of an endpoint; more do not change what they say

std::string CallText(const ShadowCall& call) {
  std::string text = call.endpoint;
  for (const auto& [name, value] : call.parameters) base::StrAppend(&text, " ", name, "=", value);
  if (call.redact_pii) text += " (redacted)";
  return OneLine(text, kMaxRowText);
}

std::string Milliseconds(absl::Duration time) {
  char text[32];
  std::snprintf(text, sizeof(text), "%.1f ms", absl::ToDoubleMilliseconds(time));
  return text;
}

absl::Duration Quantile(std::vector<absl::Duration> times, double share) {
  const std::ptrdiff_t at = std::lround(static_cast<double>(times.size() - 1) * share);
  std::nth_element(times.begin(), times.begin() + at, times.end());
  return times[static_cast<size_t>(at)];
}

void PrintRows(const char* sign, const std::vector<std::string>& rows, std::ostream& out) {
  for (size_t i = 0; i < rows.size() && i < kMaxRows; ++i) out << "  " << sign << OneLine(rows[i], kMaxRowText) << "\n";
  if (rows.size() > kMaxRows) out << "  " << sign << "… and " << rows.size() - kMaxRows << " more\n";
}

Json CallJson(const ShadowCall& call) {
  Json parameters = Json::object();
  for (const auto& [name, value] : call.parameters) parameters[name] = value;
  Json json = {{"endpoint", call.endpoint}, {"parameters", std::move(parameters)}};
  if (call.redact_pii) json["redact_pii"] = true;
  return json;
}

Json AnswerJson(const ShadowAnswer& answer, int64_t rows) {
  return {{"status", answer.status}, {"rows", rows}, {"ms", absl::ToDoubleMilliseconds(answer.time)}};
}

void PrintJson(const Json& json, std::ostream& out) { out << json.ToString() << std::endl; }

Json Shown(const std::vector<std::string>& rows) {
  return std::vector<std::string>(rows.begin(),
                                  rows.begin() + static_cast<std::ptrdiff_t>(std::min(rows.size(), kMaxRows)));
}

}  // namespace

void ShadowReport::Compared(const ShadowCall& call, const ShadowAnswer& there, const ShadowAnswer& here,
                            const Comparison& comparison) {
  ++(comparison.equal ? equal_ : different_);
  if (comparison.equal && there.status != 200) ++equal_errors_;
  Times& times = times_[call.endpoint];
  if (times.there.size() < kMaxTimes) {
    times.there.push_back(there.time);
    times.here.push_back(here.time);
  }
  if (json_) {
    Json json = {{"outcome", comparison.equal ? "equal" : "different"}};
    json.update(CallJson(call));
    json["there"] = AnswerJson(there, comparison.rows_there);
    json["here"] = AnswerJson(here, comparison.rows_here);
    if (!comparison.equal) {
      json["difference"] = comparison.difference;
      json["only_there"] = Shown(comparison.only_there);
      json["only_here"] = Shown(comparison.only_here);
    }
    PrintJson(json, out_);
  } else if (!comparison.equal) {
    PrintDifference(call, there, here, comparison);
  }
}

void ShadowReport::PrintDifference(const ShadowCall& call, const ShadowAnswer& there, const ShadowAnswer& here,
                                   const Comparison& comparison) {
  out_ << "different: " << CallText(call) << "\n  " << comparison.difference << "; " << Milliseconds(there.time)
       << " there, " << Milliseconds(here.time) << " here\n";
  PrintRows("- ", comparison.only_there, out_);
  PrintRows("+ ", comparison.only_here, out_);
  out_ << std::flush;
}

void ShadowReport::NotCompared(const ShadowCall& call, const std::string& why) {
  ++not_compared_;
  if (!json_) {
    out_ << "not compared: " << CallText(call) << "\n  " << OneLine(why, kMaxRowText) << std::endl;
    return;
  }
  Json json = {{"outcome", "not compared"}};
  json.update(CallJson(call));
  json["difference"] = why;
  PrintJson(json, out_);
}

void ShadowReport::Finish() { json_ ? FinishJson() : FinishText(); }

void ShadowReport::FinishText() {
  for (const auto& [endpoint, times] : times_) {
    out_ << OneLine(endpoint, kMaxRowText) << ": " << times.there.size()
         << (times.there.size() == 1 ? " call" : " calls") << "; median " << Milliseconds(Quantile(times.there, 0.5))
         << " there, " << Milliseconds(Quantile(times.here, 0.5)) << " here; 95 % within "
         << Milliseconds(Quantile(times.there, 0.95)) << " there, " << Milliseconds(Quantile(times.here, 0.95))
         << " here\n";
  }
  out_ << calls() << (calls() == 1 ? " call: " : " calls: ") << equal_ << " equal";
  if (equal_errors_ > 0) out_ << " (" << equal_errors_ << (equal_errors_ == 1 ? " an error)" : " errors)");
  out_ << ", " << different_ << " different, " << not_compared_ << " not compared; " << skipped_
       << (skipped_ == 1 ? " line" : " lines") << " without a call" << std::endl;
}

void ShadowReport::FinishJson() {
  Json endpoints = Json::object();
  for (const auto& [endpoint, times] : times_) {
    const auto figures = [](const std::vector<absl::Duration>& all) {
      return Json{{"median_ms", absl::ToDoubleMilliseconds(Quantile(all, 0.5))},
                  {"p95_ms", absl::ToDoubleMilliseconds(Quantile(all, 0.95))}};
    };
    endpoints[endpoint] = {
        {"calls", times.there.size()}, {"there", figures(times.there)}, {"here", figures(times.here)}};
  }
  PrintJson({{"outcome", "summary"},
             {"calls", calls()},
             {"equal", equal_},
             {"equal_errors", equal_errors_},
             {"different", different_},
             {"not_compared", not_compared_},
             {"lines_without_a_call", skipped_},
             {"endpoints", std::move(endpoints)}},
            out_);
}

}  // namespace logquery::shim
