// Decides who may see and change which query, and checks its SQL; saved_store.h has the files.
#include "logquery/serving/saved_queries.h"

#include <memory>
#include <utility>

#include "lib/base/control_characters.h"
#include "lib/base/quoted_text.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/base/utf8.h"
#include "lib/serving/saved/saved_folder.h"
#include "lib/serving/saved/saved_record.h"
#include "lib/serving/saved/saved_store.h"
#include "logquery/endpoint.h"
#include "logquery/endpoint_registry.h"
#include "logquery/error.h"

namespace logquery {
namespace {

using base::QuotedText;
using base::StrCat;
using serving::SavedFolder;
using serving::SavedRecord;
using serving::SavedScope;

std::string_view NameOf(QueryLanguage language) {
  return language == QueryLanguage::kClickHouse ? "clickhouse" : "bigquery";
}

// A fixed parameter `project` limits a token as its scope does.
SavedScope ProjectOf(const Principal& principal) {
  if (principal.project_scope) return principal.project_scope;
  const auto fixed = principal.fixed_parameters.find("project");
  return fixed != principal.fixed_parameters.end() ? SavedScope(fixed->second) : SavedScope();
}

absl::Status NoneOfName(std::string_view name) {
  return absl::NotFoundError(StrCat("there is no saved query ", QuotedText(name)));
}

absl::Status WrongText(std::string parameter, std::string_view problem) {
  ErrorDetails details;
  details.parameter = std::move(parameter);
  return WithErrorDetails(absl::InvalidArgumentError(StrCat(details.parameter, " ", problem)), details);
}

bool HasControlCharacter(std::string_view text) {
  for (size_t at = 0; at < text.size();) {
    const base::CodePoint point = base::DecodeUtf8(text, at);
    if (!point.valid || base::IsControlCharacter(point.value)) return true;
    at += static_cast<size_t>(point.bytes);
  }
  return false;
}

class SavedQueriesImpl : public SavedQueries {
 public:
  SavedQueriesImpl(SavedQueriesOptions options, SavedFolder folder)
      : options_(std::move(options)), store_(&options_, std::move(folder)) {}

  absl::StatusOr<std::vector<SavedQuery>> List(const Principal& principal,
                                               const std::optional<std::string>& project) override {
    const SavedScope own = ProjectOf(principal);
    if (own && project && *project != *own) return OtherProject(*own);
    const SavedScope& wanted = own ? own : project;
    std::vector<SavedScope> scopes = {SavedScope()};
    if (wanted) {
      // Others have no queries.
      if (serving::CheckSavedScope(wanted).ok()) scopes.push_back(wanted);
    } else {
      LOGQUERY_ASSIGN_OR_RETURN(scopes, store_.Scopes());
    }
    const std::shared_ptr<const EndpointRegistry> registry = options_.service->registry();
    std::vector<SavedQuery> queries;
    for (const SavedScope& scope : scopes) {
      LOGQUERY_ASSIGN_OR_RETURN(std::vector<SavedQuery> newest, store_.Newest(scope));
      for (SavedQuery& query : newest) {
        if (!IsVisible(principal, *registry, query)) continue;
        query.problem = ProblemOf(*registry, query);
        queries.push_back(std::move(query));
      }
    }
    return queries;
  }

  absl::StatusOr<SavedQuery> Get(const Principal& principal, const SavedQueryId& id,
                                 std::optional<int64_t> revision) override {
    LOGQUERY_RETURN_IF_ERROR(serving::CheckSavedName(id.name));
    LOGQUERY_ASSIGN_OR_RETURN(const std::vector<SavedScope> scopes, ReadScopes(principal, id));
    for (const SavedScope& scope : scopes) {
      LOGQUERY_ASSIGN_OR_RETURN(const std::optional<SavedRecord> record, store_.Read(scope, id.name));
      if (!record || (record->is_deleted() && !revision)) continue;
      return Revision(principal, *record, revision.value_or(record->newest().revision));
    }
    return NoneOfName(id.name);
  }

  absl::StatusOr<SavedQuery> Save(const Principal& principal, const SavedQueryId& id, const SavedDraft& draft,
                                  std::optional<int64_t> revision) override {
    LOGQUERY_RETURN_IF_ERROR(serving::CheckSavedName(id.name));
    LOGQUERY_ASSIGN_OR_RETURN(const SavedScope scope, WriteScope(principal, id));
    LOGQUERY_ASSIGN_OR_RETURN(SavedQuery query, Checked(principal, scope, draft));
    query.name = id.name;
    query.project = scope;
    const auto changing = [&](std::optional<SavedRecord> record) -> absl::StatusOr<SavedRecord> {
      LOGQUERY_RETURN_IF_ERROR(CheckRevision(id.name, record, revision));
      query.revision = record ? record->newest().revision + 1 : 1;
      return Added(std::move(record), query, false);
    };
    LOGQUERY_RETURN_IF_ERROR(store_.Change(scope, id.name, changing));
    return query;
  }

  absl::Status Delete(const Principal& principal, const SavedQueryId& id, std::optional<int64_t> revision) override {
    LOGQUERY_RETURN_IF_ERROR(serving::CheckSavedName(id.name));
    LOGQUERY_ASSIGN_OR_RETURN(const SavedScope scope, WriteScope(principal, id));
    const std::shared_ptr<const EndpointRegistry> registry = options_.service->registry();
    return store_.Change(scope, id.name, [&](std::optional<SavedRecord> record) -> absl::StatusOr<SavedRecord> {
      if (!record || record->is_deleted() || !IsVisible(principal, *registry, record->newest())) {
        return NoneOfName(id.name);
      }
      if (revision) LOGQUERY_RETURN_IF_ERROR(CheckRevision(id.name, record, revision));
      SavedQuery last = Signed(principal);
      last.name = id.name;
      last.project = scope;
      last.revision = record->newest().revision + 1;
      return Added(std::move(record), std::move(last), true);
    });
  }

 private:
  static absl::Status OtherProject(std::string_view own) {
    return absl::PermissionDeniedError(StrCat("this token reads and saves queries of the project ", own, " only"));
  }

  static absl::StatusOr<std::vector<SavedScope>> ReadScopes(const Principal& principal, const SavedQueryId& id) {
    const SavedScope own = ProjectOf(principal);
    if (own && id.project && *id.project != *own) return OtherProject(*own);
    if (id.shared && id.project) return WrongText("shared", "goes without project");
    if (id.shared) return std::vector<SavedScope>{SavedScope()};
    LOGQUERY_RETURN_IF_ERROR(serving::CheckSavedScope(id.project));
    if (id.project) return std::vector<SavedScope>{id.project};
    if (own && serving::CheckSavedScope(own).ok()) return std::vector<SavedScope>{own, SavedScope()};
    return std::vector<SavedScope>{SavedScope()};
  }

  static absl::StatusOr<SavedScope> WriteScope(const Principal& principal, const SavedQueryId& id) {
    if (!principal.may_save) {
      return absl::PermissionDeniedError("this token may not save queries: that takes one created with --may-save");
    }
    LOGQUERY_RETURN_IF_ERROR(ReadScopes(principal, id).status());
    SavedScope own = ProjectOf(principal);
    if (!own) return id.project;
    if (id.shared) return absl::PermissionDeniedError("shared queries are saved with a token for all projects");
    LOGQUERY_RETURN_IF_ERROR(serving::CheckSavedScope(own));
    return own;
  }

  // Nobody learns of queries for endpoints that their token may not call.
  static bool IsVisible(const Principal& principal, const EndpointRegistry& registry, const SavedQuery& query) {
    const RegisteredEndpoint* const endpoint = registry.Find(query.endpoint);
    if (endpoint == nullptr) return principal.MayCall(query.endpoint, "");
    return principal.MayCall(endpoint->definition().name, endpoint->definition().id);
  }

  static std::string ProblemOf(const EndpointRegistry& registry, const SavedQuery& query) {
    const RegisteredEndpoint* const endpoint = registry.Find(query.endpoint);
    if (endpoint == nullptr) return StrCat("the endpoint ", query.endpoint, " is not on this server any more");
    const Endpoint& definition = endpoint->definition();
    if (!definition.query_sandboxing) return StrCat("the endpoint ", query.endpoint, " takes no SQL any more");
    if (NameOf(definition.language) == query.language) return "";
    return StrCat("the query is in the language ", query.language, ", and the endpoint ", query.endpoint,
                  " takes SQL in the language ", NameOf(definition.language));
  }

  SavedQuery Signed(const Principal& principal) const {
    SavedQuery query;
    query.saved_by = principal.label;
    query.token_id = principal.token_id;
    query.saved_at = absl::FromUnixSeconds(absl::ToUnixSeconds(options_.clock->Now()));
    return query;
  }

  // Checks the draft as a dry run for this project would.
  absl::StatusOr<SavedQuery> Checked(Principal principal, const SavedScope& scope, const SavedDraft& draft) const {
    if (draft.sql.empty()) return WrongText("sql", "is empty; a saved query has SQL for its endpoint");
    if (static_cast<int64_t>(draft.sql.size()) > options_.max_sql_bytes) {
      return WrongText("sql", StrCat("has ", draft.sql.size(), " bytes; ", options_.max_sql_bytes, " are allowed"));
    }
    if (!base::IsValidUtf8(draft.sql)) return WrongText("sql", "is not UTF-8");
    if (static_cast<int64_t>(draft.description.size()) > options_.max_description_bytes) {
      return WrongText("description", StrCat("has ", draft.description.size(), " bytes; ",
                                             options_.max_description_bytes, " are allowed"));
    }
    if (HasControlCharacter(draft.description)) return WrongText("description", "must be one line of plain text");
    SavedQuery query = Signed(principal);
    if (scope) principal.project_scope = scope;
    LOGQUERY_ASSIGN_OR_RETURN(const CallTarget target, options_.service->Find(std::move(principal), draft.endpoint));
    query.endpoint = target.definition->name;
    query.language = NameOf(target.definition->language);
    if (draft.language && *draft.language != query.language) {
      return WrongText("language", StrCat("is ", QuotedText(*draft.language), "; the endpoint ", query.endpoint,
                                          " takes SQL in the language ", query.language));
    }
    QueryRequest request;
    request.parameters = {{"sql", draft.sql}};
    LOGQUERY_ASSIGN_OR_RETURN(const SandboxVerdict verdict, options_.service->Check(target, request));
    if (!verdict.allowed) return verdict.reason;
    query.description = draft.description;
    query.sql = draft.sql;
    return query;
  }

  static absl::Status CheckRevision(std::string_view name, const std::optional<SavedRecord>& record,
                                    std::optional<int64_t> revision) {
    const bool is_there = record && !record->is_deleted();
    if (!is_there && !revision) return absl::OkStatus();
    if (!is_there) {
      return absl::AbortedError(
          StrCat("the saved query ", QuotedText(name), " was deleted; save it without a revision to make it anew"));
    }
    const SavedQuery& newest = record->newest();
    if (revision == newest.revision) return absl::OkStatus();
    const std::string there =
        StrCat("the saved query ", QuotedText(name), " is at revision ", newest.revision, ", saved ",
               newest.saved_by.empty() ? "" : StrCat("by ", QuotedText(newest.saved_by), " "), "at ",
               serving::SavedTimeText(newest.saved_at), "; ");
    return absl::AbortedError(
        revision ? StrCat(there, "the change was made to revision ", *revision)
                 : StrCat(there, "to replace it, send this revision; to keep it, choose another name"));
  }

  static SavedRecord Added(std::optional<SavedRecord> before, SavedQuery query, bool deleted) {
    SavedRecord record = before ? *std::move(before) : SavedRecord();
    record.revisions.insert(record.revisions.begin(), std::move(query));
    record.deleted.insert(record.deleted.begin(), deleted);
    return record;
  }

  absl::StatusOr<SavedQuery> Revision(const Principal& principal, const SavedRecord& record, int64_t revision) const {
    const std::shared_ptr<const EndpointRegistry> registry = options_.service->registry();
    std::optional<SavedQuery> found;
    std::vector<SavedRevision> kept;
    for (size_t i = 0; i < record.revisions.size(); ++i) {
      const SavedQuery& one = record.revisions[i];
      if (record.deleted[i] || !IsVisible(principal, *registry, one)) continue;
      kept.push_back(one);
      if (one.revision == revision) found = one;
    }
    if (!found && (kept.empty() || revision == record.newest().revision)) return NoneOfName(record.newest().name);
    if (!found) {
      return absl::NotFoundError(
          StrCat("the saved query ", QuotedText(record.newest().name), " has no revision ", revision, " any more"));
    }
    found->problem = ProblemOf(*registry, *found);
    found->kept = std::move(kept);
    return *std::move(found);
  }

  const SavedQueriesOptions options_;
  serving::SavedStore store_;
};

}  // namespace

absl::StatusOr<std::unique_ptr<SavedQueries>> SavedQueries::Open(SavedQueriesOptions options) {
  if (options.service == nullptr) return absl::InvalidArgumentError("saved queries need a service that checks them");
  if (options.folder.empty()) return absl::InvalidArgumentError("saved queries need a folder");
  for (const int64_t limit :
       {options.max_sql_bytes, options.max_description_bytes, options.max_revisions, options.max_file_bytes,
        options.max_project_queries, options.max_project_bytes, options.max_queries, options.max_bytes}) {
    if (limit < 1) return absl::InvalidArgumentError("a limit of saved queries must be at least 1");
  }
  LOGQUERY_ASSIGN_OR_RETURN(SavedFolder folder, SavedFolder::Open(options.folder));
  folder.RemoveLeftovers();
  return std::make_unique<SavedQueriesImpl>(std::move(options), std::move(folder));
}

}  // namespace logquery
