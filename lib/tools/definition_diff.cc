// Compares two registries endpoint by endpoint: by name, or by id if an endpoint was renamed.
#include "lib/tools/definition_diff.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <string_view>
#include <utility>

#include "lib/base/quoted_text.h"
#include "lib/base/readable_text.h"
#include "lib/base/strings.h"
#include "lib/endpoint/definitions/compiled_query.h"
#include "lib/endpoint/definitions/parameter_text.h"
#include "lib/rewrite/tables_read.h"

namespace logquery::endpoint {
namespace {

using base::QuotedText;
using base::StrCat;
using Texts = std::vector<std::string>;

Texts Without(Texts all, Texts others) {
  std::sort(all.begin(), all.end());
  std::sort(others.begin(), others.end());
  Texts rest;
  std::set_difference(all.begin(), all.end(), others.begin(), others.end(), std::back_inserter(rest));
  return rest;
}

std::string OrNone(std::optional<int64_t> limit) { return limit ? std::to_string(*limit) : std::string("none"); }

// The names that a caller's SQL may read.
Texts PublicEntries(const RegisteredEndpoint& endpoint) {
  Texts names;
  if (!endpoint.definition().query_sandboxing) return names;
  const Texts& hidden = endpoint.definition().private_ctes;
  for (const std::string& entry : endpoint.compiled().query.Entries()) {
    const auto is_it = [&](const std::string& name) { return base::EqualsIgnoreCase(name, entry); };
    if (std::none_of(hidden.begin(), hidden.end(), is_it)) names.push_back(entry);
  }
  return names;
}

class Comparison {
 public:
  Comparison(const RegisteredEndpoint& before, const RegisteredEndpoint& after, std::vector<DefinitionChange>& changes)
      : before_(before), after_(after), changes_(changes) {}

  void Run() {
    const Endpoint& old = before_.definition();
    const Endpoint& now = after_.definition();
    if (!base::EqualsIgnoreCase(old.id, now.id)) Add(true, StrCat("its id is ", now.id, ", no longer ", old.id));
    CompareParameters();
    CompareColumns();
    CompareLimits();
    CompareRedaction();
    CompareScope();
    if (old.query != now.query) Add(false, "its query has another text: rows may differ");
  }

 private:
  void Add(bool breaking, std::string what) {
    changes_.push_back({before_.definition().name, breaking, std::move(what)});
  }
  void AddAll(bool breaking, std::string_view what, const Texts& names, std::string_view became) {
    if (!names.empty()) Add(breaking, StrCat(what, " ", base::Join(names, ", "), " ", became));
  }

  static Texts SentParameters(const Endpoint& endpoint) {
    Texts names;
    for (const Parameter& parameter : endpoint.parameters) {
      if (!parameter.computed) names.push_back(parameter.name);
    }
    return names;
  }

  void CompareParameters() {
    const Texts old = SentParameters(before_.definition()), now = SentParameters(after_.definition());
    for (const std::string& name : Without(old, now)) {
      Add(true, StrCat("parameter ", name, " is gone: calls that send it are answered as if they did not"));
    }
    for (const std::string& name : Without(now, old)) {
      const bool required = after_.definition().FindParameter(name)->required;
      Add(required, StrCat("parameter ", name, required ? " is new, and required" : " is new"));
    }
    for (const std::string& name : old) {
      const Parameter* const changed = after_.definition().FindParameter(name);
      if (changed != nullptr && !changed->computed) {
        CompareParameter(*before_.definition().FindParameter(name), *changed);
      }
    }
  }

  void CompareParameter(const Parameter& old, const Parameter& now) {
    const std::string subject = StrCat("parameter ", old.name, " ");
    if (!(old.type == now.type)) {
      Add(true, StrCat(subject, "is of type ", now.type.ToString(), ", no longer ", old.type.ToString()));
    }
    if (old.required != now.required) Add(now.required, StrCat(subject, now.required ? "is required" : "is optional"));
    if (old.default_text != now.default_text) {
      Add(true, StrCat(subject, now.default_text ? StrCat("defaults to ", QuotedText(*now.default_text))
                                                 : std::string("has no default any more")));
    }
    if (old.allowed.empty() && !now.allowed.empty()) {
      Add(true, StrCat(subject, "takes only ", base::Join(now.allowed, ", ")));
    } else if (now.allowed.empty() && !old.allowed.empty()) {
      Add(false, StrCat(subject, "takes any text"));
    } else {
      AddAll(true, StrCat(subject, "no longer takes"), Without(old.allowed, now.allowed), "");
      AddAll(false, StrCat(subject, "also takes"), Without(now.allowed, old.allowed), "");
    }
    if (old.is_pattern != now.is_pattern) {
      Add(true, StrCat(subject, now.is_pattern ? "is a pattern" : "is no pattern any more"));
    }
    if (old.minimum != now.minimum || old.maximum != now.maximum) {
      const bool any = !now.minimum && !now.maximum;
      Add(!any, StrCat(subject, any ? "takes any number" : StrCat("takes only numbers ", endpoint::RangeText(now))));
    }
    if (old.max_length != now.max_length) {
      Add(now.max_length < old.max_length,
          StrCat(subject, "takes ", base::Counted(now.max_length, "character"), ", not ", old.max_length));
    }
  }

  void CompareColumns() {
    Texts old, now;
    for (const Field& column : before_.schema()) old.push_back(column.name);
    for (const Field& column : after_.schema()) now.push_back(column.name);
    AddAll(true, "column", Without(old, now), "is gone");
    AddAll(false, "column", Without(now, old), "is new");
    for (const Field& column : before_.schema()) {
      for (const Field& other : after_.schema()) {
        if (other.name != column.name || other.type == column.type) continue;
        Add(true, StrCat("column ", column.name, " is of type ", other.type.ToString(), ", no longer ",
                         column.type.ToString()));
      }
    }
    if (Without(old, now).empty() && Without(now, old).empty() && old != now) {
      Add(false, StrCat("columns are in another order: ", base::Join(now, ", ")));
    }
  }

  void CompareLimit(std::string_view name, std::optional<int64_t> old, std::optional<int64_t> now) {
    if (old == now) return;
    Add(now && (!old || *now < *old), StrCat(name, " is ", OrNone(now), ", no longer ", OrNone(old)));
  }

  void CompareLimits() {
    const Endpoint& old = before_.definition();
    const Endpoint& now = after_.definition();
    const auto milliseconds = [](const CallLimits& limits) {
      return limits.time_limit ? std::optional(absl::ToInt64Milliseconds(*limits.time_limit)) : std::nullopt;
    };
    const auto seconds = [](const std::optional<absl::Duration>& time) {
      return time ? base::Counted(absl::ToInt64Seconds(*time), "second") : std::string("disabled");
    };
    CompareLimit("max_rows", old.max_rows, now.max_rows);
    CompareLimit("limits.max_result_bytes", old.limits.max_result_bytes, now.limits.max_result_bytes);
    CompareLimit("limits.time_limit_ms", milliseconds(old.limits), milliseconds(now.limits));
    CompareLimit("limits.max_concurrent", old.limits.max_concurrent, now.limits.max_concurrent);
    CompareLimit("limits.calls_per_minute", old.limits.calls_per_minute, now.limits.calls_per_minute);
    if (old.caching != now.caching) {
      Add(false, StrCat("caching is ", seconds(now.caching), ", no longer ", seconds(old.caching)));
    }
  }

  void CompareRedaction() {
    const Endpoint& old = before_.definition();
    const Endpoint& now = after_.definition();
    if (old.redact_pii != now.redact_pii) {
      Add(now.redact_pii,
          now.redact_pii ? "redaction is on for every call" : "redaction is on only where a call asks for it");
    }
    if (!(old.redaction == now.redaction)) Add(true, "redaction replaces other texts than before");
  }

  // Compares what can be read, by the query and by callers' SQL.
  void CompareScope() {
    const Endpoint& old = before_.definition();
    const Endpoint& now = after_.definition();
    if (old.query_sandboxing != now.query_sandboxing) {
      Add(!now.query_sandboxing, now.query_sandboxing ? "callers may send SQL" : "callers may not send SQL any more");
    } else {
      AddAll(true, "callers' SQL can no longer read", Without(PublicEntries(before_), PublicEntries(after_)), "");
      AddAll(false, "callers' SQL can also read", Without(PublicEntries(after_), PublicEntries(before_)), "");
    }
    const Texts tables = rewrite::TablesRead(before_.compiled().resolved->plan);
    const Texts others = rewrite::TablesRead(after_.compiled().resolved->plan);
    AddAll(false, "its query no longer reads", Without(tables, others), "");
    AddAll(false, "its query also reads", Without(others, tables), "");
  }

  const RegisteredEndpoint& before_;
  const RegisteredEndpoint& after_;
  std::vector<DefinitionChange>& changes_;
};

}  // namespace

std::vector<DefinitionChange> CompareDefinitions(const EndpointRegistry& before, const EndpointRegistry& after) {
  std::vector<DefinitionChange> changes;
  for (const RegisteredEndpoint* old : before.All()) {
    const Endpoint& definition = old->definition();
    const RegisteredEndpoint* now = after.Find(definition.name);
    if (now == nullptr && (now = after.Find(definition.id)) != nullptr) {
      changes.push_back({definition.name, true, StrCat("its name is ", QuotedText(now->definition().name))});
    }
    if (now == nullptr) {
      changes.push_back({definition.name, true, "the endpoint is gone"});
    } else {
      Comparison(*old, *now, changes).Run();
    }
  }
  for (const RegisteredEndpoint* now : after.All()) {
    const Endpoint& definition = now->definition();
    if (before.Find(definition.name) != nullptr || before.Find(definition.id) != nullptr) continue;
    changes.push_back({definition.name, false, "the endpoint is new"});
  }
  for (DefinitionChange& change : changes) {
    while (change.what.ends_with(' ')) change.what.pop_back();
  }
  return changes;
}

}  // namespace logquery::endpoint
