// SEARCH on text, and on the strings in JSON. Each thread caches parsed queries, because few queries apply to many
// rows.
#include <memory>
#include <utility>

#include "lib/base/json_text.h"
#include "lib/base/search_query.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/functions/function.h"
#include "lib/functions/function_lists.h"

namespace logquery::functions {
namespace {

using base::JsonPart;
using base::SearchAnalyzer;
using base::SearchQuery;

// The searches that this thread parsed last. A query has few searches; one that computes them does not profit from a
// larger cache.
constexpr size_t kKept = 8;

// Arguments 1 and 2: the search query, and whether it is to equal the text. They may be NULL, the text may not.
absl::StatusOr<const SearchQuery*> Parsed(const Row& in) {
  if (in.IsNull(1) || in.IsNull(2)) return absl::InvalidArgumentError("SEARCH: the search query is NULL");
  thread_local base::StringMap<std::unique_ptr<SearchQuery>> kept[2];
  const bool is_whole = in.Bool(2);
  auto& map = kept[is_whole ? 1 : 0];
  const std::string_view text = in.Text(1);
  if (const auto found = map.find(text); found != map.end()) return found->second.get();
  LOGQUERY_ASSIGN_OR_RETURN(SearchQuery query,
                            SearchQuery::Parse(text, is_whole ? SearchAnalyzer::kNoOp : SearchAnalyzer::kLog));
  if (map.size() >= kKept) map.clear();
  return (map[text] = std::make_unique<SearchQuery>(std::move(query))).get();
}

absl::Status Search(const Row& in, Output& out) {
  LOGQUERY_ASSIGN_OR_RETURN(const SearchQuery* query, Parsed(in));
  return in.IsNull(0) ? absl::OkStatus() : out.Bool(query->Matches(in.Text(0)));
}

// Arguments 3 and 4: whether keys are searched, and whether values are.
absl::Status SearchJson(const Row& in, Output& out) {
  LOGQUERY_ASSIGN_OR_RETURN(const SearchQuery* query, Parsed(in));
  if (in.IsNull(0)) return absl::OkStatus();
  const bool keys = in.Bool(3), values = in.Bool(4);
  bool found = false;
  base::VisitJsonParts(in.Text(0), [&](JsonPart part, std::string_view text) {
    found = ((part == JsonPart::kKey && keys) || (part == JsonPart::kString && values)) && query->Matches(text);
    return !found;
  });
  return out.Bool(found);
}

// The keys, if argument 1 is TRUE, and the scalars but null, if argument 2 is. They are parts of the argument, and so need no
// budget.
absl::Status JsonTexts(const Row& in, Output& out) {
  const bool keys = in.Bool(1), values = in.Bool(2);
  std::vector<std::optional<std::string>> texts;
  base::VisitJsonParts(in.Text(0), [&](JsonPart part, std::string_view text) {
    const bool is_null = part == JsonPart::kOther && text == "null";
    if (part == JsonPart::kKey ? keys : values && !is_null) texts.emplace_back(text);
    return true;
  });
  return out.TextsAsTheyAre({texts.begin(), texts.end()});
}

constexpr FunctionEntry kEntries[] = {
    {"lq_search", "(STRING, STRING, BOOL) -> BOOL", Search, "", Nulls::kAreTaken},
    {"lq_search_json", "(STRING, STRING, BOOL, BOOL, BOOL) -> BOOL", SearchJson, "", Nulls::kAreTaken},
    {"lq_json_texts", "(STRING, BOOL, BOOL) -> ARRAY<STRING>", JsonTexts},
};

}  // namespace

FunctionEntries SearchFunctions() { return kEntries; }

}  // namespace logquery::functions
