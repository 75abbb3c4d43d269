// Reads each definition completely, compiles each by itself if the set does not compile, and compares names and ids.
#include "lib/tools/definition_check.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

#include "lib/base/json_place.h"
#include "lib/base/limits.h"
#include "lib/base/nearest_names.h"
#include "lib/base/one_line.h"
#include "lib/base/quoted_text.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/endpoint/call/query_planner.h"
#include "lib/endpoint/definitions/compiled_query.h"
#include "lib/endpoint/definitions/definition_compiler.h"
#include "lib/endpoint/definitions/definition_files.h"
#include "lib/endpoint/definitions/definition_json.h"
#include "lib/endpoint/definitions/replace_definitions.h"
#include "lib/model/own_logs.h"
#include "lib/sql/lexer.h"
#include "lib/sql/text_error.h"
#include "lib/tools/definition_warnings.h"
#include "logquery/error.h"

namespace logquery::endpoint {
namespace {

using base::StrCat;
using Kind = Finding::Kind;

// An error's message without what the finding says anyway: which endpoint, and where.
std::string PlainMessage(const absl::Status& status, const std::string& endpoint, const ErrorDetails& details) {
  std::string message(base::Message(status));
  const std::string head = StrCat("endpoint ", endpoint, ": ");
  if (message.starts_with(head)) message.erase(0, head.size());
  const std::string place = StrCat(" at line ", details.line, ", column ", details.column);
  if (const size_t at = message.rfind(place); details.line > 0 && at != message.npos) message.erase(at, place.size());
  return message;
}

// One definition of the folder on its way through the check.
struct Candidate {
  const DefinitionText* text;
  Endpoint endpoint;
  bool settings_are_right = false;
  bool wrong = false;
};

// The logs that the file declares join the catalog; what is wrong in it joins the findings.
void AddDeclaredLogs(const std::string& path, Catalog& catalog, std::vector<Finding>& findings) {
  const absl::StatusOr<std::string> text = ReadDefinitionFile(path);
  if (!text.ok()) {
    findings.push_back({Kind::kError, path, 1, 1, std::string(base::Message(text.status())), ""});
    return;
  }
  std::vector<model::SchemaProblem> problems;
  const model::SchemaFile own = model::ReadOwnLogs(*text, problems);
  catalog = model::WithOwnLogs(catalog, own);
  for (model::SchemaProblem& problem : problems) {
    findings.push_back(FindingAt(Kind::kError, path, *text, problem.offset, std::move(problem.message)));
  }
}

class Check {
 public:
  // `found`: what is wrong with the logs.
  Check(const std::vector<Endpoint>& built_in, std::shared_ptr<const EndpointRegistry> none, std::vector<Finding> found)
      : built_in_(built_in), none_(std::move(none)), compiler_(&none_->catalog()) {
    found_.findings = std::move(found);
  }

  DefinitionCheck Run(const DefinitionFiles& files) {
    for (const FileProblem& problem : files.problems) {
      std::string message(base::Message(problem.status));
      found_.findings.push_back({Kind::kError, problem.path, 1, 1, std::move(message), ""});
    }
    for (const DefinitionText& text : files.definitions) Read(text);
    CompareNames();
    FillCompiler();
    for (Candidate& candidate : candidates_) CheckQuery(candidate);
    MakeRegistry();
    std::stable_sort(found_.findings.begin(), found_.findings.end(), [](const Finding& a, const Finding& b) {
      return std::tie(a.file, a.line, a.column) < std::tie(b.file, b.line, b.column);
    });
    return std::move(found_);
  }

 private:
  void InSettings(Candidate& candidate, Kind kind, size_t offset, std::string message) {
    const DefinitionText& text = *candidate.text;
    candidate.wrong = candidate.wrong || kind == Kind::kError;
    found_.findings.push_back(FindingAt(kind, text.json_path, text.json, offset, std::move(message)));
  }
  void AtKey(Candidate& candidate, Kind kind, std::string_view key, std::string message) {
    InSettings(candidate, kind, base::OffsetOfKey(candidate.text->json, key), std::move(message));
  }
  void InQuery(Candidate& candidate, size_t offset, std::string message) {
    const DefinitionText& text = *candidate.text;
    candidate.wrong = true;
    found_.findings.push_back(FindingAt(Kind::kError, text.sql_path, text.sql, offset, std::move(message)));
  }

  void Read(const DefinitionText& text) {
    Candidate candidate{&text, {}, false, false};
    std::vector<DefinitionProblem> problems;
    candidate.endpoint = ReadDefinition(text.json, text.sql, problems);
    for (DefinitionProblem& problem : problems) {
      if (problem.in_query) {
        InQuery(candidate, problem.offset, std::move(problem.message));
      } else {
        InSettings(candidate, Kind::kError, problem.offset, std::move(problem.message));
      }
    }
    candidate.settings_are_right = problems.empty();
    if (candidate.settings_are_right) found_.own.push_back(candidate.endpoint.name);
    candidates_.push_back(std::move(candidate));
  }

  // Names and ids, of the folder's definitions and of the built-in ones that they do not replace.
  void CompareNames() {
    std::map<std::string, std::string> names, ids;  // and whose they are
    for (const Endpoint& known : built_in_) {
      const bool replaced = std::any_of(candidates_.begin(), candidates_.end(), [&known](const Candidate& candidate) {
        return candidate.endpoint.name == known.name;
      });
      if (!replaced) ids.emplace(base::ToLower(known.id), StrCat("the built-in ", known.name));
    }
    for (Candidate& candidate : candidates_) {
      const Endpoint& endpoint = candidate.endpoint;
      if (endpoint.name.empty()) continue;
      const auto [name, first] = names.emplace(endpoint.name, candidate.text->json_path);
      if (!first) {
        AtKey(candidate, Kind::kError, "name",
              StrCat("name ", base::QuotedText(endpoint.name), " is taken: ", name->second, " has it too"));
        continue;
      }
      const auto [id, only] = ids.emplace(base::ToLower(endpoint.id), candidate.text->json_path);
      if (!only && !endpoint.id.empty()) {
        AtKey(candidate, Kind::kError, "id", StrCat("id ", endpoint.id, " is taken: ", id->second, " has it too"));
      }
      NoteReplaced(candidate);
    }
  }

  void NoteReplaced(Candidate& candidate) {
    for (const Endpoint& known : built_in_) {
      if (known.name != candidate.endpoint.name) continue;
      const bool same_id = base::EqualsIgnoreCase(known.id, candidate.endpoint.id);
      AtKey(candidate, Kind::kNote, "name",
            StrCat("replaces the built-in ", known.name,
                   same_id ? ", and has its id" : StrCat("; calls by the built-in's id ", known.id, " find nothing")));
    }
  }

  // The SQL as far as it can be looked at by itself: its words, its form, and its parameters.
  void CheckQuery(Candidate& candidate) {
    const size_t before = found_.findings.size();
    const DefinitionText& text = *candidate.text;
    if (text.sql.find_first_not_of(" \t\r\n") == text.sql.npos) return;
    if (candidate.endpoint.language == QueryLanguage::kClickHouse) return CheckClickHouse(candidate);
    const absl::StatusOr<sql::QueryPtr> query = ParseDefinition(candidate.endpoint);
    if (!query.ok()) return AddStatus(candidate, query.status());
    const absl::StatusOr<sql::TokenList> tokens = sql::Lex(text.sql, base::kMaxNesting);
    if (!tokens.ok() || !candidate.settings_are_right) return;
    CheckParameters(candidate, *tokens);
    std::vector<std::string> passed_on;
    if (found_.findings.size() == before) passed_on = Compile(candidate);
    for (DefinitionWarning& warning : WarningsOf(candidate.endpoint, text, *tokens, **query, passed_on)) {
      InSettings(candidate, Kind::kWarning, warning.offset, std::move(warning.message));
    }
  }

  void CheckClickHouse(Candidate& candidate) {
    const absl::StatusOr<ParsedDefinition> query = ParseInItsLanguage(candidate.endpoint);
    if (!query.ok()) return AddStatus(candidate, query.status());
    if (candidate.settings_are_right) Compile(candidate);
  }

  void CheckParameters(Candidate& candidate, const sql::TokenList& tokens) {
    std::vector<std::string> names;
    for (const Parameter& parameter : candidate.endpoint.parameters) names.push_back(parameter.name);
    for (const sql::Token& token : tokens.tokens) {
      if (token.kind != sql::TokenKind::kParameter) continue;
      const std::string& name = tokens.values[token.value];
      const auto same = [&name](const std::string& known) { return base::EqualsIgnoreCase(known, name); };
      if (std::any_of(names.begin(), names.end(), same)) continue;
      InQuery(candidate, token.span.begin,
              StrCat("parameter @", name, " is not declared in \"parameters\" of ", candidate.text->name, ".json",
                     base::DidYouMean(base::NearestNames(name, names))));
    }
  }

  // The definitions may read one another.
  void FillCompiler() {
    for (const Candidate& candidate : candidates_) {
      if (candidate.settings_are_right) {
        compiler_.Add(&candidate.endpoint);
      } else {
        compiler_.AddBroken(candidate.endpoint.name);
      }
    }
    for (const Endpoint& known : built_in_) compiler_.Add(&known);
  }

  // The parameters that it passes on to endpoints that it reads.
  std::vector<std::string> Compile(Candidate& candidate) {
    std::vector<std::string> passed_on;
    // If two candidates have the same name, the compiler has the first one.
    if (!compiled_.insert(candidate.endpoint.name).second) return passed_on;
    const auto made = compiler_.Compile(candidate.endpoint.name);
    if (made.ok()) {
      for (const auto& [name, read] : (*made)->compiled().reads) {
        for (const Parameter& parameter : read.endpoint->definition().parameters) passed_on.push_back(parameter.name);
      }
      return passed_on;
    }
    const std::string source = GetErrorDetails(made.status()).source;
    // An error of an endpoint that it reads is told there.
    if (source.empty() || source == candidate.endpoint.name) AddStatus(candidate, made.status());
    return passed_on;
  }

  void AddStatus(Candidate& candidate, const absl::Status& status) {
    const ErrorDetails details = GetErrorDetails(status);
    std::string message = PlainMessage(status, candidate.endpoint.name, details);
    if (details.line > 0) {
      candidate.wrong = true;
      found_.findings.push_back(
          {Kind::kError, candidate.text->sql_path, details.line, details.column, std::move(message), details.snippet});
      return;
    }
    // The settings that the registry itself looks at begin their message with their name.
    const size_t space = std::min(message.find(' '), message.size());
    AtKey(candidate, Kind::kError, message.substr(0, space), message);
  }

  void MakeRegistry() {
    const auto is_error = [](const Finding& finding) { return finding.kind == Kind::kError; };
    if (std::any_of(found_.findings.begin(), found_.findings.end(), is_error)) return;
    std::vector<Endpoint> own;
    for (const Candidate& candidate : candidates_) own.push_back(candidate.endpoint);
    auto made = none_->With(ReplaceDefinitions(built_in_, std::move(own)));
    if (made.ok()) {
      found_.endpoints = *std::move(made);
    } else {
      found_.findings.push_back({Kind::kError, "", 1, 1, std::string(base::Message(made.status())), ""});
    }
  }

  const std::vector<Endpoint>& built_in_;
  const std::shared_ptr<const EndpointRegistry> none_;  // the catalog without an endpoint
  std::set<std::string> compiled_;
  DefinitionCompiler compiler_;  // borrows the candidates, of which no more come then
  std::vector<Candidate> candidates_;
  DefinitionCheck found_;
};

}  // namespace

Finding FindingAt(Kind kind, const std::string& file, std::string_view text, size_t offset, std::string message) {
  const auto at = static_cast<uint32_t>(std::min(offset, text.size()));
  const ErrorDetails details = GetErrorDetails(sql::TextError(text, {at, at}, ""));
  return {kind, file, details.line, details.column, std::move(message), details.snippet};
}

std::string FindingText(const Finding& finding) {
  constexpr int kWidth = 2'000;
  constexpr std::string_view kKinds[] = {"", "warning: ", "note: "};
  const std::string place = StrCat(finding.file, ":", finding.line, ":", finding.column, ": ");
  std::string text =
      base::OneLine(StrCat(place, kKinds[static_cast<int>(finding.kind)], finding.message), kWidth) + "\n";
  for (std::string_view rest = finding.snippet; !rest.empty();) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(rest.size(), line.size() + 1));
    base::StrAppend(&text, "  ", base::OneLine(line, kWidth), "\n");
  }
  return text;
}

absl::StatusOr<DefinitionCheck> CheckDefinitionFolder(const std::string& folder, const std::vector<Endpoint>& built_in,
                                                      Catalog catalog, const std::string& schema) {
  LOGQUERY_ASSIGN_OR_RETURN(const DefinitionFiles files, ReadDefinitionFiles(folder));
  const std::string inner = SchemaFileOf(folder);
  if (!inner.empty() && !schema.empty()) {
    return absl::InvalidArgumentError(StrCat(schema, " and ", inner, " both declare logs: leave one of them out"));
  }
  std::vector<Finding> findings;
  if (!inner.empty() || !schema.empty()) AddDeclaredLogs(inner.empty() ? schema : inner, catalog, findings);
  LOGQUERY_ASSIGN_OR_RETURN(std::shared_ptr<const EndpointRegistry> none,
                            EndpointRegistry::Create({}, std::move(catalog)));
  return Check(built_in, std::move(none), std::move(findings)).Run(files);
}

}  // namespace logquery::endpoint
