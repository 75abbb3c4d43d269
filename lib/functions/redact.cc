// Redacts text and JSON; lib/base/redaction_kinds.h defines the form of the kinds.
#include <utility>

#include "lib/base/json_text.h"
#include "lib/base/redaction_kinds.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/functions/function.h"
#include "lib/functions/function_lists.h"
#include "logquery/redactor.h"

namespace logquery::functions {
namespace {

// The redactors that this thread made last. A server has few endpoints with kinds of their own.
constexpr size_t kKept = 8;

absl::StatusOr<const Redactor*> RedactorFor(std::string_view kinds) {
  static const Redactor& plain = *new Redactor;
  if (kinds.empty()) return &plain;
  thread_local base::StringMap<Redactor> kept;
  if (const auto found = kept.find(kinds); found != kept.end()) return &found->second;
  LOGQUERY_ASSIGN_OR_RETURN(const RedactionKinds parsed, base::ParseRedactionKinds(kinds));
  LOGQUERY_ASSIGN_OR_RETURN(Redactor made, Redactor::Create(parsed));
  if (kept.size() >= kKept) kept.clear();
  return &(kept[kinds] = std::move(made));
}

absl::Status Redact(const Row& in, Output& out) {
  LOGQUERY_ASSIGN_OR_RETURN(const Redactor* const redactor, RedactorFor(in.Text(1)));
  const std::string_view text = in.Text(0);
  if (!redactor->Matches(text)) return out.TextAsItIs(text);
  return out.TextAsItIs(redactor->Redact(text));
}

absl::Status RedactJson(const Row& in, Output& out) {
  LOGQUERY_ASSIGN_OR_RETURN(const Redactor* const redactor, RedactorFor(in.Text(1)));
  std::string redacted;
  if (base::AppendCompactJson(in.Text(0), redactor, redacted)) return out.TextAsItIs(redacted);
  // The engine holds no other JSON; if it ever does, nothing of it may go through unread.
  return absl::InternalError("a value of type JSON is not JSON");
}

constexpr FunctionEntry kEntries[] = {
    {"lq_redact", "(STRING, STRING) -> STRING", Redact},
    {"lq_redact_json", "(STRING, STRING) -> STRING", RedactJson},
};

}  // namespace

FunctionEntries RedactFunctions() { return kEntries; }

}  // namespace logquery::functions
