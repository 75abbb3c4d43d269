// CONTAINS_SUBSTR and SEARCH: search for a text in a value, in the fields of a STRUCT and in the elements of an ARRAY.
//
// The result is TRUE if a part matches, otherwise NULL if a part is NULL, otherwise FALSE. CONTAINS_SUBSTR compares
// lower-case texts in Unicode form NFC; BigQuery uses NFKC, which also makes ﬁ equal to fi. SEARCH compares tokens
// (lib/base/search_query.h).
#include "lib/base/search_query.h"
#include "lib/base/status_macros.h"
#include "lib/engines/duckdb/dialect/function_texts.h"
#include "lib/engines/duckdb/dialect/types.h"
#include "lib/rewrite/scalars.h"

namespace logquery::emit {
namespace {

using absl::StatusOr;
using rewrite::FunctionCall;

// The text to search for, and the search in a single value.
struct Sought {
  Sql text;  // SQL
  absl::FunctionRef<StatusOr<Sql>(const Type& type, const Sql& value, const Sql& sought)> find;
};

StatusOr<Sql> Found(const Type& type, const Sql& value, const Sought& sought);

StatusOr<Sql> FoundInFields(const Type& type, const Sql& value, const Sought& sought) {
  const std::vector<std::string> names = DuckDbFieldNames(type.fields());
  absl::Status failed;
  Sql text = Once({value}, {sought.text}, [&](const Texts& a) {
    Texts parts;
    for (size_t i = 0; i < names.size(); ++i) {
      const Sql field = StructField(a[0], names[i]);
      StatusOr<Sql> part = Found(type.fields()[i].type, field, sought);
      failed.Update(part.status());
      parts.push_back(part.value_or(""));
    }
    return parts.empty() ? Sql("FALSE") : Cat("(", Balanced(parts, "OR"), ")");
  });
  LOGQUERY_RETURN_IF_ERROR(failed);
  return text;
}

StatusOr<Sql> FoundInElements(const Type& type, const Sql& value, const Sought& sought) {
  const Sql element = FreshName({value, sought.text});
  LOGQUERY_ASSIGN_OR_RETURN(const Sql found, Found(type.element(), element, sought));
  const Sql each = Cat("list_transform(", value, ", lambda ", element, ": ", found, ")");
  return Once({each}, [](const Texts& a) {
    return Cat("(CASE WHEN list_contains(", a[0], ", TRUE) THEN TRUE WHEN ", a[0], " IS NULL OR list_position(", a[0],
               ", NULL) IS NOT NULL THEN NULL ELSE FALSE END)");
  });
}

// A record is an array of one STRUCT, or of none.
StatusOr<Sql> FoundInRecord(const Type& type, const Sql& value, const Sought& sought) {
  absl::Status failed;
  Sql text = Once({value}, {sought.text}, [&](const Texts& a) {
    StatusOr<Sql> found = FoundInFields(type.element(), a[0], sought);
    failed.Update(found.status());
    return Cat("(CASE WHEN ", a[0], " IS NULL THEN FALSE ELSE ", found.value_or(""), " END)");
  });
  LOGQUERY_RETURN_IF_ERROR(failed);
  return text;
}

StatusOr<Sql> Found(const Type& type, const Sql& value, const Sought& sought) {
  if (type.is_record()) return FoundInRecord(type, value, sought);
  if (type.is_array()) return FoundInElements(type, value, sought);
  if (type.is_struct()) return FoundInFields(type, value, sought);
  return sought.find(type, value, sought.text);
}

Sql Folded(const Sql& text) { return Cat("lower(nfc_normalize(", text, "))"); }

// The parts of JSON that are searched.
struct JsonScope {
  bool keys = false;
  bool values = true;
};

Sql BoolText(bool value) { return value ? "TRUE" : "FALSE"; }

// A named argument, which has to be a literal.
StatusOr<std::string> OptionText(const FunctionCall& call, size_t argument, std::string_view name) {
  std::optional<std::string> text = ConstantString(call, argument);
  if (!text.has_value()) {
    return absl::UnimplementedError(StrCat(NameOf(call), " with a ", name, " that is not a literal"));
  }
  return *std::move(text);
}

// Argument 0.
StatusOr<JsonScope> ReadJsonScope(const FunctionCall& call) {
  LOGQUERY_ASSIGN_OR_RETURN(const std::string scope, OptionText(call, 0, "json_scope"));
  if (scope == "JSON_VALUES") return JsonScope{false, true};
  if (scope == "JSON_KEYS") return JsonScope{true, false};
  if (scope == "JSON_KEYS_AND_VALUES") return JsonScope{true, true};
  return absl::InvalidArgumentError(StrCat(
      NameOf(call), ": json_scope is JSON_VALUES, JSON_KEYS or JSON_KEYS_AND_VALUES, not ", Quote(scope).text()));
}

// DuckDB compares from the beginning at each position, which takes bounded time only if the searched text is short.
constexpr size_t kShortText = 1'000;

template <bool kIsShort>
StatusOr<Sql> ContainsFolded(const Type& type, const Sql& value, const Sql& folded) {
  if (type.is(TypeKind::kBytes)) {
    return absl::InvalidArgumentError("CONTAINS_SUBSTR can't search BYTES; make a STRING of them");
  }
  Sql text = value;
  if (!type.is(TypeKind::kString)) {
    LOGQUERY_ASSIGN_OR_RETURN(text, StringOf(type, value));
  }
  if (kIsShort) return Cat("contains(", Folded(text), ", ", folded, ")");
  return Cat("(lq_strpos(", Folded(text), ", ", folded, ") > 0)");
}

// (json_scope, value, text)
StatusOr<Sql> ContainsSubstr(const FunctionCall& call, const Texts& args) {
  LOGQUERY_ASSIGN_OR_RETURN(const JsonScope scope, ReadJsonScope(call));
  if (IsNullConstant(call, 2)) return Sql("CAST(NULL AS BOOLEAN)");
  const std::optional<std::string> constant = ConstantString(call, 2);
  const bool is_short = constant.has_value() && constant->size() <= kShortText;
  const auto contains = is_short ? ContainsFolded<true> : ContainsFolded<false>;
  const auto find = [&](const Type& type, const Sql& value, const Sql& sought) {
    if (!type.is(TypeKind::kJson)) return contains(type, value, sought);
    const Sql texts =
        Cat("lq_json_texts(CAST(", value, " AS VARCHAR), ", BoolText(scope.keys), ", ", BoolText(scope.values), ")");
    return Found(Type::Array(Type::String()), texts, {sought, contains});
  };
  const Type& type = call.arguments[1]->type;
  const Sql folded = Folded(args[2]);
  if (rewrite::ConstantArgument(call, 2) != nullptr) return Found(type, args[1], {folded, find});
  absl::Status failed;
  Sql text = Once({args[1], folded}, [&](const Texts& a) {
    StatusOr<Sql> found = Found(type, a[0], {a[1], find});
    failed.Update(found.status());
    return found.value_or("");
  });
  LOGQUERY_RETURN_IF_ERROR(failed);
  return text;
}

// SEARCH's arguments, in the order of its row.
enum SearchArgument : size_t { kJsonScope, kAnalyzer, kAnalyzerOptions, kData, kQuery };

struct SearchOptions {
  JsonScope scope;
  bool is_whole = false;  // NO_OP_ANALYZER
};

StatusOr<SearchOptions> ReadOptions(const FunctionCall& call) {
  SearchOptions options;
  LOGQUERY_ASSIGN_OR_RETURN(options.scope, ReadJsonScope(call));
  LOGQUERY_ASSIGN_OR_RETURN(const std::string analyzer, OptionText(call, kAnalyzer, "analyzer"));
  options.is_whole = analyzer == "NO_OP_ANALYZER";
  if (analyzer != "LOG_ANALYZER" && !options.is_whole) {
    return absl::UnimplementedError(
        StrCat("SEARCH: the analyzer ", Quote(analyzer).text(), "; LOG_ANALYZER and NO_OP_ANALYZER are supported"));
  }
  LOGQUERY_ASSIGN_OR_RETURN(const std::string more, OptionText(call, kAnalyzerOptions, "analyzer_options"));
  if (!more.empty()) return absl::UnimplementedError("SEARCH with analyzer_options; leave them out");
  return options;
}

// A search query that is a literal is checked here, where its place in the query is known. SAFE. gives NULL for a wrong one.
absl::Status CheckSearchQuery(const FunctionCall& call, const SearchOptions& options) {
  if (call.safe) return absl::OkStatus();
  const std::optional<std::string> query = ConstantString(call, kQuery);
  if (!query.has_value()) return absl::OkStatus();
  using base::SearchAnalyzer;
  return base::SearchQuery::Parse(*query, options.is_whole ? SearchAnalyzer::kNoOp : SearchAnalyzer::kLog).status();
}

StatusOr<Sql> Search(const FunctionCall& call, const Texts& args) {
  LOGQUERY_ASSIGN_OR_RETURN(const SearchOptions options, ReadOptions(call));
  LOGQUERY_RETURN_IF_ERROR(CheckSearchQuery(call, options));
  const auto find = [&](const Type& type, const Sql& value, const Sql& query) -> StatusOr<Sql> {
    const Sql is_whole = BoolText(options.is_whole);
    if (type.is(TypeKind::kString)) return Cat("lq_search(", value, ", ", query, ", ", is_whole, ")");
    if (!type.is(TypeKind::kJson)) return Sql("FALSE");
    return Cat("lq_search_json(CAST(", value, " AS VARCHAR), ", query, ", ", is_whole, ", ",
               BoolText(options.scope.keys), ", ", BoolText(options.scope.values), ")");
  };
  const Type& type = call.arguments[kData]->type;
  if (!type.is_array() && !type.is_struct()) return find(type, args[kData], args[kQuery]);
  absl::Status failed;
  Sql text = Once({args[kData], args[kQuery]}, [&](const Texts& a) {
    StatusOr<Sql> found = Found(type, a[0], {a[1], find});
    failed.Update(found.status());
    return found.value_or("");
  });
  LOGQUERY_RETURN_IF_ERROR(failed);
  return text;
}

constexpr DuckDbFunctionEntry kEntries[] = {{"contains_substr", ContainsSubstr}, {"search", Search}};

}  // namespace

DuckDbFunctionList DuckDbSearchFunctions() { return kEntries; }

}  // namespace logquery::emit
