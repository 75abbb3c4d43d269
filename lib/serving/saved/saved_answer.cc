// Reads calls and writes answers in the forms of JSON that docs/http.md describes.
#include <charconv>
#include <string>
#include <utility>

#include "lib/base/json/value.h"
#include "lib/base/json_fields.h"
#include "lib/base/quoted_text.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/serving/saved/saved_record.h"
#include "logquery/error.h"
#include "logquery/serving/saved_queries.h"

namespace logquery {
namespace {

using base::Json;
using base::StrCat;

absl::Status WrongParameter(std::string_view name, std::string_view problem) {
  ErrorDetails details;
  details.parameter = name;
  return WithErrorDetails(absl::InvalidArgumentError(StrCat("parameter ", name, " ", problem)), details);
}

std::optional<int64_t> ParseRevision(std::string_view text) {
  int64_t revision = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), revision);
  const bool is_one = error == std::errc() && end == text.data() + text.size() && revision > 0;
  return is_one ? std::make_optional(revision) : std::nullopt;
}

// The query that a call names, and the revision in its URL.
struct Named {
  SavedQueryId id;
  std::optional<int64_t> revision;
};

absl::StatusOr<Named> ReadParameters(const SavedCall& call) {
  Named named;
  named.id.name = call.name;
  for (const auto& [name, text] : call.parameters) {
    const bool names_one = call.kind != SavedCall::Kind::kList;
    if (name == "project" && !text.empty()) {
      named.id.project = text;
    } else if (name == "shared" && names_one && (text == "true" || text == "false")) {
      named.id.shared = text == "true";
    } else if (name == "revision" && call.kind == SavedCall::Kind::kGet && (named.revision = ParseRevision(text))) {
      continue;
    } else if (name == "project" || (name == "shared" && names_one) ||
               (name == "revision" && call.kind == SavedCall::Kind::kGet)) {
      return WrongParameter(name, StrCat("is ", base::QuotedText(text), "; it is ",
                                         name == "project"  ? "a project's name"
                                         : name == "shared" ? "true or false"
                                                            : "a number from 1 on"));
    } else {
      return WrongParameter(base::QuotedText(name),
                            "is not known; there are project, and for one query shared and, to read it, revision");
    }
  }
  return named;
}

// The header If-Match, which has the tag of an answer: "3" with its quotes.
absl::StatusOr<std::optional<int64_t>> ReadTag(std::string_view tag) {
  if (tag.empty()) return std::nullopt;
  const bool quoted = tag.size() > 2 && tag.front() == '"' && tag.back() == '"';
  const std::optional<int64_t> revision = ParseRevision(quoted ? tag.substr(1, tag.size() - 2) : tag);
  if (revision) return revision;
  return absl::InvalidArgumentError(
      StrCat("If-Match is ", base::QuotedText(tag), "; it is the ETag of a saved query, such as \"3\""));
}

absl::StatusOr<SavedDraft> ReadDraft(std::string_view body, std::optional<int64_t>& revision) {
  SavedDraft draft;
  LOGQUERY_RETURN_IF_ERROR(base::ReadFields("the request's body", body, [&](base::JsonFields& fields) {
    draft.endpoint = fields.Text("endpoint");
    draft.sql = fields.Text("sql");
    draft.description = fields.Text("description", "");
    draft.language = fields.OptionalText("language");
    if (fields.Find("revision") == nullptr) return;
    const int64_t sent = fields.Integer("revision", {1, INT64_MAX});
    if (fields.ok() && revision && *revision != sent) fields.Fail("revision", "is another one than that of If-Match");
    revision = sent;
  }));
  return draft;
}

Json QueryJson(const SavedQuery& query) {
  Json json = {{"name", query.name}};
  if (query.project) json["project"] = *query.project;
  json["revision"] = query.revision;
  json["endpoint"] = query.endpoint;
  json["language"] = query.language;
  json["description"] = query.description;
  if (!query.sql.empty()) json["sql"] = query.sql;
  json["saved_by"] = query.saved_by;
  json["saved_at"] = serving::SavedTimeText(query.saved_at);
  if (!query.problem.empty()) json["problem"] = query.problem;
  for (const SavedRevision& one : query.kept) {
    json["revisions"].push_back(
        {{"revision", one.revision}, {"saved_by", one.saved_by}, {"saved_at", serving::SavedTimeText(one.saved_at)}});
  }
  return json;
}

SavedAnswer Found(const SavedQuery& query) {
  return {absl::OkStatus(), QueryJson(query).ToString(), query.revision, ""};
}

SavedAnswer Failed(absl::Status status) { return {std::move(status), "", 0, ""}; }

SavedAnswer AnswerList(SavedQueries& saved, const Principal& principal, const SavedQueryId& id) {
  const absl::StatusOr<std::vector<SavedQuery>> queries = saved.List(principal, id.project);
  if (!queries.ok()) return Failed(queries.status());
  Json json = {{"queries", Json::array()}, {"may_save", principal.may_save}};
  for (const SavedQuery& query : *queries) json["queries"].push_back(QueryJson(query));
  return {absl::OkStatus(), json.ToString(), 0, ""};
}

// After a conflict the caller gets what is there now, to merge with it.
SavedAnswer Refused(SavedQueries& saved, const Principal& principal, const SavedQueryId& id, absl::Status status) {
  SavedAnswer answer = Failed(std::move(status));
  if (!absl::IsAborted(answer.status)) return answer;
  if (const absl::StatusOr<SavedQuery> present = saved.Get(principal, id, std::nullopt); present.ok()) {
    answer.present = QueryJson(*present).ToString();
  }
  return answer;
}

SavedAnswer AnswerSave(SavedQueries& saved, const Principal& principal, const SavedCall& call, const SavedQueryId& id,
                       std::optional<int64_t> revision) {
  const absl::StatusOr<SavedDraft> draft = ReadDraft(call.body, revision);
  if (!draft.ok()) return Failed(draft.status());
  const absl::StatusOr<SavedQuery> query = saved.Save(principal, id, *draft, revision);
  return query.ok() ? Found(*query) : Refused(saved, principal, id, query.status());
}

}  // namespace

SavedAnswer AnswerSaved(SavedQueries& saved, const Principal& principal, const SavedCall& call) {
  const absl::StatusOr<Named> named = ReadParameters(call);
  if (!named.ok()) return Failed(named.status());
  const absl::StatusOr<std::optional<int64_t>> tagged = ReadTag(call.revision_tag);
  if (!tagged.ok()) return Failed(tagged.status());
  switch (call.kind) {
    case SavedCall::Kind::kList:
      return AnswerList(saved, principal, named->id);
    case SavedCall::Kind::kGet: {
      const absl::StatusOr<SavedQuery> query = saved.Get(principal, named->id, named->revision);
      return query.ok() ? Found(*query) : Failed(query.status());
    }
    case SavedCall::Kind::kSave:
      return AnswerSave(saved, principal, call, named->id, *tagged);
    case SavedCall::Kind::kDelete:
      break;
  }
  const absl::Status deleted = saved.Delete(principal, named->id, *tagged);
  if (!deleted.ok()) return Refused(saved, principal, named->id, deleted);
  return {absl::OkStatus(), Json{{"deleted", named->id.name}}.ToString(), 0, ""};
}

}  // namespace logquery
