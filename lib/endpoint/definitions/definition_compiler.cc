// Parses, resolves and checks definitions. The resolver requests the endpoints that a query reads, which are compiled
// on demand.
#include "lib/endpoint/definitions/definition_compiler.h"

#include <algorithm>
#include <atomic>
#include <optional>
#include <utility>

#include "lib/base/redaction_kinds.h"
#include "lib/base/sha256.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/endpoint/definitions/compiled_query.h"
#include "lib/endpoint/definitions/limits_json.h"
#include "lib/endpoint/definitions/read_parameters.h"
#include "lib/endpoint/definitions/uuid.h"
#include "lib/sql/text_error.h"
#include "logquery/error.h"

namespace logquery::endpoint {
namespace {

using base::StrCat;
using Made = DefinitionCompiler::Made;

absl::Status Wrong(const Endpoint& definition, std::string_view what) {
  return absl::InvalidArgumentError(StrCat("endpoint ", definition.name, ": ", what));
}

absl::Status CheckPrivateCtes(const Endpoint& definition, const ParsedDefinition& query) {
  const std::vector<std::string> names = query.Entries();
  for (const std::string& name : definition.private_ctes) {
    bool there = false;
    for (const std::string& known : names) there = there || base::EqualsIgnoreCase(known, name);
    if (there) continue;
    return Wrong(definition, StrCat("private_ctes names ", name, ", which the query's WITH does not define",
                                    sql::DidYouMean(sql::NearestNames(name, names))));
  }
  return absl::OkStatus();
}

uint64_t NextRevision() {
  static std::atomic<uint64_t> last{0};
  return ++last;
}

// The view that the endpoint is for a query that reads it.
rewrite::View ViewOf(const RegisteredEndpoint& endpoint) {
  const CompiledQuery& compiled = endpoint.compiled();
  const Endpoint& effective = endpoint.definition();
  rewrite::View view;
  view.query = compiled.query.bigquery.get();
  view.text = compiled.declared.query;
  // Only the parameters of its own text count: the endpoints that it reads have their own.
  for (const Parameter& parameter : compiled.declared.parameters) {
    view.parameters.push_back({parameter.name, parameter.type});
  }
  if (effective.redact_pii) view.redaction = base::PrintRedactionKinds(effective.redaction);
  view.reads = compiled.FindReads();
  return view;
}

// The endpoint joins those that the query reads.
void AddRead(Made read, CompiledQuery& compiled) {
  compiled.chain = std::max(compiled.chain, read->compiled().chain + 1);
  const std::string name = read->definition().name;
  rewrite::View view = ViewOf(*read);
  compiled.reads.try_emplace(name, ReadEndpoint{std::move(read), std::move(view)});
}

// Redaction that an endpoint mandates also covers what its readers answer, errors of rows included.
void TakeRedaction(const Endpoint& read, Endpoint& definition) {
  if (!read.redact_pii) return;
  definition.redact_pii = true;
  definition.redaction.email = definition.redaction.email || read.redaction.email;
  std::vector<std::string>& patterns = definition.redaction.patterns;
  for (const std::string& pattern : read.redaction.patterns) {
    if (std::find(patterns.begin(), patterns.end(), pattern) == patterns.end()) patterns.push_back(pattern);
  }
}

}  // namespace

absl::Status CheckSettings(const Endpoint& definition) {
  if (definition.name.empty()) {
    return absl::InvalidArgumentError(StrCat("endpoint ", definition.id, ": the name is empty"));
  }
  if (IsUuid(definition.name)) return Wrong(definition, "the name has the form of an id; choose another");
  if (!IsUuid(definition.id)) return Wrong(definition, StrCat("the id must be a UUID, is \"", definition.id, "\""));
  if (definition.max_rows < 1)
    return Wrong(definition, StrCat("max_rows must be at least 1, is ", definition.max_rows));
  if (definition.caching && *definition.caching <= absl::ZeroDuration()) {
    return Wrong(definition, "caching must be longer than 0 seconds, or disabled");
  }
  if (const absl::Status limits = CheckLimits(definition.limits); !limits.ok()) {
    return Wrong(definition, StrCat("limits: ", base::Message(limits)));
  }
  if (definition.cache_warming && !definition.caching) return Wrong(definition, "cache_warming wants caching");
  return absl::OkStatus();
}

absl::Status DefinitionCompiler::CheckChain(std::string_view next) const {
  const auto from = std::find(reading_.begin(), reading_.end(), next);
  if (from == reading_.end() && reading_.size() < kMaxEndpointsInARow) return absl::OkStatus();
  const bool cycle = from != reading_.end();
  std::string chain;
  for (auto name = cycle ? from : reading_.begin(); name != reading_.end(); ++name) {
    base::StrAppend(&chain, *name, " → ");
  }
  base::StrAppend(&chain, next);
  if (cycle) return absl::InvalidArgumentError(StrCat("the endpoint reads its own rows: ", chain));
  return absl::InvalidArgumentError(
      StrCat("more than ", kMaxEndpointsInARow, " endpoints read one another in a row: ", chain));
}

// nullptr: there is no endpoint of that name.
absl::StatusOr<Made> DefinitionCompiler::CompileRead(std::string_view name) {
  if (broken_.contains(name)) {
    ErrorDetails details;
    details.source = name;
    return WithErrorDetails(absl::InvalidArgumentError(StrCat("endpoint ", name, ": the settings have errors")),
                            details);
  }
  const auto found = definitions_.find(name);
  if (found == definitions_.end()) return Made();
  LOGQUERY_RETURN_IF_ERROR(CheckChain(name));
  absl::StatusOr<Made> made = Compile(found->first);
  if (made.ok() || !GetErrorDetails(made.status()).source.empty()) return made;
  ErrorDetails details = GetErrorDetails(made.status());
  details.source = name;
  return WithErrorDetails(made.status(), details);
}

bool DefinitionCompiler::HasToBeCompiled(std::string_view name) const {
  return made_.find(name) == made_.end() && !broken_.contains(name) && definitions_.find(name) != definitions_.end() &&
         CheckChain(name).ok();
}

Made DefinitionCompiler::TakeOver(const Endpoint& definition) {
  const auto before = before_.find(definition.name);
  if (before == before_.end() || !(before->second->compiled().declared == definition)) return Made();
  for (const auto& [name, read] : before->second->compiled().reads) {
    // An error is met again, with its place, when this one is compiled.
    const absl::StatusOr<Made> made = CompileRead(name);
    if (!made.ok() || *made != read.endpoint) return Made();
  }
  return before->second;
}

absl::StatusOr<Made> DefinitionCompiler::CompileNow(const Endpoint& definition) {
  LOGQUERY_RETURN_IF_ERROR(CheckSettings(definition));
  auto compiled = std::make_shared<CompiledQuery>();
  compiled->declared = definition;
  LOGQUERY_ASSIGN_OR_RETURN(compiled->query, ParseInItsLanguage(definition));
  LOGQUERY_RETURN_IF_ERROR(CheckPrivateCtes(definition, compiled->query));
  std::string needed;
  const rewrite::FindView find = [&](std::string_view name) -> absl::StatusOr<const rewrite::View*> {
    const auto known = compiled->reads.find(name);
    if (known != compiled->reads.end()) return &known->second.view;
    if (HasToBeCompiled(name)) {
      needed = name;
      return absl::AbortedError("resolved again, with it");
    }
    LOGQUERY_ASSIGN_OR_RETURN(Made read, CompileRead(name));
    if (read == nullptr) return nullptr;
    if (read->definition().language != QueryLanguage::kBigQuery) {
      return absl::InvalidArgumentError(
          StrCat("the endpoint ", name, " is written in ClickHouse SQL, and can't be read as a table"));
    }
    AddRead(std::move(read), *compiled);
    return &compiled->reads.find(name)->second.view;
  };
  // Starts over whenever the query turns out to read another endpoint, so that only one resolver is on the stack at a
  // time.
  absl::StatusOr<std::shared_ptr<ResolvedQuery>> resolved;
  do {
    needed.clear();
    resolved = ResolveEndpoint(definition, compiled->query, *catalog_, find);
    if (!needed.empty()) CompileRead(needed).IgnoreError();
  } while (!needed.empty());
  if (!resolved.ok()) return resolved.status();
  compiled->resolved = *std::move(resolved);
  if (compiled->chain > kMaxEndpointsInARow) {
    return Wrong(definition, StrCat("more than ", kMaxEndpointsInARow, " endpoints read one another in a row"));
  }
  Endpoint effective = definition;
  for (const auto& [name, read] : compiled->reads) {
    TakeRedaction(read.endpoint->definition(), effective);
    LOGQUERY_RETURN_IF_ERROR(TakeParameters(read.endpoint->definition(), effective));
    effective.revision =
        base::Sha256Hex(StrCat(effective.revision, " ", name, " ", read.endpoint->definition().revision)).substr(0, 16);
  }
  compiled->resolved->redaction = base::PrintRedactionKinds(effective.redaction);
  absl::StatusOr<Redactor> redactor = Redactor::Create(effective.redaction);
  if (!redactor.ok()) return Wrong(definition, StrCat("redaction: ", base::Message(redactor.status())));
  compiled->redactor = *std::move(redactor);
  Schema schema = compiled->resolved->plan.schema;
  return std::make_shared<const RegisteredEndpoint>(std::move(effective), std::move(schema), NextRevision(),
                                                    std::move(compiled));
}

absl::StatusOr<Made> DefinitionCompiler::Compile(const std::string& name) {
  if (const auto done = made_.find(name); done != made_.end()) return done->second;
  const auto found = definitions_.find(name);
  if (found == definitions_.end()) return absl::InternalError(StrCat("no definition ", name, " to compile"));
  reading_.push_back(name);
  absl::StatusOr<Made> made = TakeOver(*found->second);
  if (*made == nullptr) made = CompileNow(*found->second);
  reading_.pop_back();
  return made_.emplace(name, std::move(made)).first->second;
}

}  // namespace logquery::endpoint
