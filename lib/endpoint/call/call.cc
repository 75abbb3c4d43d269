// Merges a request with the limits and fixed parameters of its principal and endpoint, and builds cache keys.
#include "lib/endpoint/call/call.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "lib/base/engine_failure.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/sql/text_error.h"
#include "logquery/call_labels.h"
#include "logquery/error.h"
#include "logquery/project_parameter.h"

namespace logquery::endpoint {
namespace {

using base::StrCat;

absl::Status WrongParameter(absl::StatusCode code, const std::string& name, std::string_view message) {
  ErrorDetails details;
  details.parameter = name;
  return WithErrorDetails(absl::Status(code, StrCat("parameter ", name, ": ", message)), details);
}

const std::string* FindText(const ParameterTexts& texts, std::string_view name) {
  for (const auto& [known, text] : texts) {
    if (known == name) return &text;
  }
  return nullptr;
}

// The call's texts with what the principal's token fixes. A token for one project fills in that project where the
// endpoint takes a reference and the call has none.
absl::StatusOr<ParameterTexts> WithFixed(const Principal& principal, const Endpoint& definition, ParameterTexts texts) {
  auto fill = [&](const std::string& name, const std::string& value) {
    for (auto& [known, text] : texts) {
      if (known == name && text.empty()) text = value;
    }
    if (FindText(texts, name) == nullptr) texts.emplace_back(name, value);
  };
  for (const auto& [name, value] : principal.fixed_parameters) {
    const std::string* sent = FindText(texts, name);
    if (sent != nullptr && !sent->empty() && *sent != value) {
      return WrongParameter(absl::StatusCode::kPermissionDenied, name,
                            "this token fixes it to another value; leave it out, or send that value");
    }
    fill(name, value);
  }
  if (principal.project_scope && ProjectParameter(definition) != nullptr) fill("project", *principal.project_scope);
  return texts;
}

// The caller's SQL; empty when there is none.
absl::StatusOr<std::string> TakeSql(const Endpoint& definition, const ParameterTexts& texts) {
  std::string sql;
  bool seen = false;
  for (const auto& [name, text] : texts) {
    if (name != "sql") continue;
    if (seen) return WrongParameter(absl::StatusCode::kInvalidArgument, "sql", "is given twice");
    seen = true;
    sql = text;
  }
  if (!sql.empty() && !definition.query_sandboxing) {
    return WrongParameter(absl::StatusCode::kInvalidArgument, "sql",
                          StrCat("the endpoint ", definition.name, " takes no SQL of the caller's"));
  }
  return sql;
}

// The page that the call wants, taken out of its texts: the endpoint has no such parameter.
absl::StatusOr<std::optional<Cursor>> TakeCursor(const Endpoint& definition, ParameterTexts& texts) {
  if (definition.FindParameter(kCursorParameter) != nullptr) return std::nullopt;
  std::optional<std::string> sent;
  for (auto text = texts.begin(); text != texts.end();) {
    if (text->first != kCursorParameter) {
      ++text;
      continue;
    }
    if (sent) return WrongParameter(absl::StatusCode::kInvalidArgument, kCursorParameter, "is given twice");
    sent = std::move(text->second);
    text = texts.erase(text);
  }
  if (!sent || sent->empty()) return std::nullopt;
  LOGQUERY_ASSIGN_OR_RETURN(Cursor cursor, ParseCursor(*sent));
  return cursor;
}

}  // namespace

absl::StatusOr<const RegisteredEndpoint*> FindEndpoint(const EndpointRegistry& registry, std::string_view name,
                                                       const Principal& principal) {
  const auto may_call = [&principal](const RegisteredEndpoint& endpoint) {
    return principal.MayCall(endpoint.definition().name, endpoint.definition().id);
  };
  const RegisteredEndpoint* const found = registry.Find(name);
  if (found != nullptr && may_call(*found)) return found;
  std::vector<std::string> names;
  for (const RegisteredEndpoint* endpoint : registry.All()) {
    if (may_call(*endpoint)) names.push_back(endpoint->definition().name);
  }
  ErrorDetails details;
  details.nearest = sql::NearestNames(name, names);
  return WithErrorDetails(
      absl::NotFoundError(StrCat("there is no endpoint \"", name, "\"", sql::DidYouMean(details.nearest))), details);
}

absl::StatusOr<CallSpec> MakeCallSpec(const QueryRequest& request, const Principal& principal,
                                      const Endpoint& definition, const ServiceBounds& bounds) {
  CallSpec spec;
  spec.endpoint_id = definition.id;
  spec.token_id = principal.token_id;
  spec.client = principal.label;
  spec.call_id = request.call_id;
  spec.tags = {LabelsOf(principal, definition, request), request.traceparent};
  spec.trace = request.trace;
  LOGQUERY_ASSIGN_OR_RETURN(spec.texts, WithFixed(principal, definition, request.parameters));
  LOGQUERY_ASSIGN_OR_RETURN(spec.sql, TakeSql(definition, spec.texts));
  LOGQUERY_ASSIGN_OR_RETURN(spec.cursor, TakeCursor(definition, spec.texts));
  spec.redact_mandated = definition.redact_pii || principal.redact_pii;
  if (spec.cursor && spec.redact_mandated) {
    // It is compared with what is stored: a caller could ask for an id letter by letter.
    return WrongParameter(absl::StatusCode::kPermissionDenied, kCursorParameter,
                          "there are no pages where redaction is mandated; send the last row's timestamp as the next "
                          "call's iso_timestamp_end");
  }
  if (!spec.sql.empty() && spec.redact_mandated && !bounds.backend_redacts) {
    // Redacting rows alone would not hold against SQL that takes addresses apart.
    return absl::PermissionDeniedError(
        StrCat(definition.redact_pii ? StrCat("the endpoint ", definition.name) : "this token",
               " wants redacted rows, which the backend can't make before SQL of the caller's sees them; send none"));
  }
  spec.project_scope = principal.project_scope;
  spec.redact = request.redact_pii || spec.redact_mandated;
  spec.no_store = request.no_store && principal.may_bypass_cache;
  spec.max_rows = std::min(definition.max_rows, principal.max_rows.value_or(definition.max_rows));
  spec.max_result_bytes = bounds.max_result_bytes;
  spec.time_limit = bounds.time_limit;
  for (const CallLimits* limits : {&definition.limits, &principal.limits}) {
    spec.max_result_bytes = std::min(spec.max_result_bytes, limits->max_result_bytes.value_or(spec.max_result_bytes));
    spec.time_limit = std::min(spec.time_limit, limits->time_limit.value_or(spec.time_limit));
  }
  if (request.format == RowFormat::kParquet && !bounds.writes_parquet) {
    return WrongParameter(absl::StatusCode::kInvalidArgument, "format",
                          "this server has no writer of Parquet; ask for arrow, json, json-rows, ndjson or csv");
  }
  spec.format = request.format;
  spec.int64_as_string = request.int64_as_string;
  spec.csv_safe = request.csv_safe;
  // A Parquet file is compressed in itself.
  spec.coding = request.format == RowFormat::kParquet ? ContentCoding::kIdentity : request.coding;
  return spec;
}

std::vector<CallGate::Subject> SubjectsOf(const Principal& principal, const Endpoint& definition) {
  std::vector<CallGate::Subject> subjects;
  const auto is_limited = [](const CallLimits& limits) { return limits.max_concurrent || limits.calls_per_minute; };
  if (is_limited(definition.limits)) {
    subjects.push_back({StrCat("e:", definition.id), StrCat("the endpoint ", definition.name), definition.limits});
  }
  if (is_limited(principal.limits))
    subjects.push_back({StrCat("t:", principal.token_id), "this token", principal.limits});
  return subjects;
}

absl::Status RedactError(const absl::Status& status, const Redactor& redactor) {
  if (status.ok()) return status;
  ErrorDetails details = GetErrorDetails(status);
  details.parameter = redactor.Redact(details.parameter);
  details.snippet = redactor.Redact(details.snippet);
  for (std::string& name : details.nearest) name = redactor.Redact(name);
  absl::Status redacted(status.code(), redactor.Redact(base::Message(status)));
  if (base::IsEngineFailure(status)) redacted = base::MarkEngineFailure(std::move(redacted));
  return WithErrorDetails(std::move(redacted), details);
}

// Each part follows its length.
void AddKeyPart(std::string_view part, std::string& key) { base::StrAppend(&key, part.size(), ":", part); }

std::string AnswerKey(const CallSpec& spec, uint64_t revision) {
  std::string key;
  key.reserve(256);
  AddKeyPart(StrCat(revision), key);
  AddKeyPart(spec.endpoint_id, key);
  AddKeyPart(spec.sql, key);
  AddKeyPart(spec.cursor.has_value() ? FormatCursor(*spec.cursor) : std::string(), key);
  AddKeyPart(spec.project_scope.has_value() ? StrCat("=", *spec.project_scope) : std::string(), key);
  AddKeyPart(StrCat(spec.redact ? "r" : "", spec.redact_mandated ? "m" : "", spec.int64_as_string ? "i" : "",
                    spec.csv_safe ? "s" : "", static_cast<int>(spec.format)),
             key);
  AddKeyPart(StrCat(spec.max_rows, " ", spec.max_result_bytes, " ", absl::ToInt64Microseconds(spec.time_limit)), key);
  return key;
}

std::string CacheKey(const CallSpec& spec, const Endpoint& definition, const BoundParameters& bound,
                     uint64_t revision) {
  std::string key = AnswerKey(spec, revision);
  for (const auto& [name, value] : bound.values()) {
    if (const Parameter* parameter = definition.FindParameter(name); parameter != nullptr && parameter->computed) {
      continue;
    }
    AddKeyPart(name, key);
    AddKeyPart(value.DebugString(), key);
  }
  return key;
}

std::string PackedCacheKey(const std::string& key, ContentCoding coding, absl::Duration bound_at) {
  // No other key begins so: they begin with a length.
  return StrCat(ContentCodingName(coding), " ", absl::ToInt64Nanoseconds(bound_at), " ", key);
}

}  // namespace logquery::endpoint
