#include "lib/emit/duckdb_function_texts.h"

namespace logquery::emit {
namespace {

using absl::StatusOr;
using rewrite::FunctionCall;

// "$" or a path of members and indexes, in DuckDB's spelling: $.a['b c'][0] becomes $."a"."b c"[0].
class PathTranslator {
 public:
  // `legacy`: also $[name], as JSON_EXTRACT takes it.
  PathTranslator(std::string_view path, bool legacy) : path_(path), legacy_(legacy) {}

  StatusOr<std::string> Translate() {
    if (path_.empty() || path_[0] != '$') return Error("it begins with $");
    offset_ = 1;
    out_ = "$";
    while (offset_ < path_.size()) {
      const absl::Status status = path_[offset_] == '.'   ? Member()
                                  : path_[offset_] == '[' ? Bracket()
                                                          : Error("expected . or [");
      if (!status.ok()) return status;
    }
    return out_;
  }

 private:
  absl::Status Member() {
    ++offset_;
    if (offset_ < path_.size() && path_[offset_] == '"') return QuotedMember('"');
    const size_t end = std::min(path_.find_first_of(".[", offset_), path_.size());
    if (end == offset_) return Error("a member has no name");
    AddMember(path_.substr(offset_, end - offset_));
    offset_ = end;
    return absl::OkStatus();
  }

  absl::Status Bracket() {
    ++offset_;
    if (offset_ < path_.size() && (path_[offset_] == '\'' || path_[offset_] == '"')) {
      if (absl::Status status = QuotedMember(path_[offset_]); !status.ok()) return status;
      return Close();
    }
    const size_t end = std::min(path_.find(']', offset_), path_.size());
    const std::string_view digits = path_.substr(offset_, end - offset_);
    const bool is_number = !digits.empty() && digits.find_first_not_of("0123456789") == std::string_view::npos;
    if (!is_number && (!legacy_ || digits.empty())) return Error("an index is a number");
    if (is_number) {
      base::StrAppend(&out_, "[", digits, "]");
    } else {
      AddMember(digits);
    }
    offset_ = end;
    return Close();
  }

  absl::Status Close() {
    if (offset_ >= path_.size() || path_[offset_] != ']') return Error("expected ]");
    ++offset_;
    return absl::OkStatus();
  }

  absl::Status QuotedMember(char quote) {
    std::string name;
    for (++offset_; offset_ < path_.size() && path_[offset_] != quote; ++offset_) {
      if (path_[offset_] == '\\' && offset_ + 1 < path_.size()) ++offset_;
      name += path_[offset_];
    }
    if (offset_ >= path_.size()) return Error("a quote is not closed");
    ++offset_;
    AddMember(name);
    return absl::OkStatus();
  }

  void AddMember(std::string_view name) {
    out_ += ".\"";
    for (char c : name) {
      if (c == '"' || c == '\\') out_ += '\\';
      out_ += c;
    }
    out_ += '"';
  }

  absl::Status Error(std::string_view why) const {
    return absl::InvalidArgumentError(StrCat("JSON path ", Quote(path_), ": ", why, ", at offset ", offset_));
  }

  std::string_view path_;
  bool legacy_;
  size_t offset_ = 0;
  std::string out_;
};

// The path in argument 1, quoted for DuckDB and with `more` behind it; `$` when there is none.
StatusOr<std::string> PathOf(const FunctionCall& call, std::string_view more = "") {
  if (call.arguments.size() < 2) return Quote(StrCat("$", more));
  if (IsNullConstant(call, 1)) return std::string("CAST(NULL AS VARCHAR)");
  const std::optional<std::string> path = ConstantString(call, 1);
  if (!path.has_value()) return absl::UnimplementedError(StrCat(NameOf(call), " with a path that is not a literal"));
  const bool legacy = NameOf(call).substr(0, 12) == "JSON_EXTRACT";
  StatusOr<std::string> translated = PathTranslator(*path, legacy).Translate();
  if (!translated.ok()) return translated;
  return Quote(StrCat(*translated, more));
}

// Text that is no JSON gives NULL.
std::string IfValid(const std::string& text, absl::FunctionRef<std::string(const std::string&)> body) {
  return Once({text},
              [&](const Texts& a) { return StrCat("(CASE WHEN json_valid(", a[0], ") THEN ", body(a[0]), " END)"); });
}

// DuckDB's json_value gives a scalar as JSON, and NULL for anything else.
std::string ScalarText(const std::string& json, const std::string& path) {
  return StrCat("json_extract_string(json_value(", json, ", ", path, "), '$')");
}

StatusOr<std::string> JsonValue(const FunctionCall& call, const Texts& args) {
  StatusOr<std::string> path = PathOf(call);
  if (!path.ok()) return path;
  return ScalarText(args[0], *path);
}

StatusOr<std::string> JsonValueText(const FunctionCall& call, const Texts& args) {
  StatusOr<std::string> path = PathOf(call);
  if (!path.ok()) return path;
  return IfValid(args[0], [&](const std::string& json) { return ScalarText(json, *path); });
}

StatusOr<std::string> JsonQuery(const FunctionCall& call, const Texts& args) {
  StatusOr<std::string> path = PathOf(call);
  if (!path.ok()) return path;
  return StrCat("json_extract(", args[0], ", ", *path, ")");
}

// To text, JSON's null is NULL.
StatusOr<std::string> JsonQueryText(const FunctionCall& call, const Texts& args) {
  StatusOr<std::string> path = PathOf(call);
  if (!path.ok()) return path;
  return IfValid(args[0], [&](const std::string& json) {
    return StrCat("NULLIF(CAST(json_extract(", json, ", ", *path, ") AS VARCHAR), 'null')");
  });
}

// The elements of the array at the path, by `extract`; NULL for anything else.
StatusOr<std::string> Elements(const FunctionCall& call, const std::string& json, std::string_view extract) {
  StatusOr<std::string> path = PathOf(call);
  StatusOr<std::string> elements = PathOf(call, "[*]");
  if (!path.ok()) return path;
  return StrCat("(CASE WHEN json_type(", json, ", ", *path, ") = 'ARRAY' THEN ", extract, "(", json, ", ", *elements,
                ") END)");
}

StatusOr<std::string> JsonQueryArray(const FunctionCall& call, const Texts& args) {
  if (StatusOr<std::string> path = PathOf(call); !path.ok()) return path;
  return Once(args, [&](const Texts& a) { return Elements(call, a[0], "json_extract").value_or(""); });
}

// Of scalars alone, null being NULL.
std::string ScalarElements(const FunctionCall& call, const std::string& json) {
  // The cast: of a NULL that it knows beforehand DuckDB takes the type for that of a path to one value.
  return Once({StrCat("CAST(", Elements(call, json, "json_extract").value_or(""), " AS JSON[])")}, [](const Texts& a) {
    const std::string element = FreshName(a);
    return StrCat("(CASE WHEN len(list_filter(", a[0], ", lambda ", element, ": json_type(", element,
                  ") IN ('OBJECT', 'ARRAY'))) = 0 THEN list_transform(", a[0], ", lambda ", element,
                  ": json_extract_string(", element, ", '$')) END)");
  });
}

StatusOr<std::string> JsonValueArray(const FunctionCall& call, const Texts& args) {
  if (StatusOr<std::string> path = PathOf(call); !path.ok()) return path;
  return Once(args, [&](const Texts& a) { return ScalarElements(call, a[0]); });
}

StatusOr<std::string> JsonValueArrayText(const FunctionCall& call, const Texts& args) {
  if (StatusOr<std::string> path = PathOf(call); !path.ok()) return path;
  return IfValid(args[0], [&](const std::string& json) { return ScalarElements(call, json); });
}

StatusOr<std::string> JsonQueryArrayText(const FunctionCall& call, const Texts& args) {
  if (StatusOr<std::string> path = PathOf(call); !path.ok()) return path;
  return IfValid(args[0], [&](const std::string& json) {
    return StrCat("CAST(", Elements(call, json, "json_extract").value_or(""), " AS VARCHAR[])");
  });
}

StatusOr<std::string> ParseJson(const FunctionCall& call, const Texts& args) {
  if (args.size() > 1 && ConstantString(call, 1) != "round") {
    return absl::UnimplementedError("PARSE_JSON with a wide_number_mode other than 'round'");
  }
  return StrCat("json(", args[0], ")");
}

StatusOr<std::string> JsonType(const FunctionCall&, const Texts& args) {
  return StrCat(
      "(CASE json_type(", args[0],
      ") WHEN 'OBJECT' THEN 'object' WHEN 'ARRAY' THEN 'array' WHEN 'VARCHAR' THEN 'string' WHEN 'BOOLEAN' THEN "
      "'boolean' WHEN 'NULL' THEN 'null' WHEN 'BIGINT' THEN 'number' WHEN 'UBIGINT' THEN 'number' WHEN 'DOUBLE' THEN "
      "'number' END)");
}

StatusOr<std::string> JsonField(const FunctionCall& call, const Texts& args) {
  if (const std::optional<std::string> name = ConstantString(call, 1)) {
    std::string quoted;
    for (char c : *name) {
      if (c == '"' || c == '\\') quoted += '\\';
      quoted += c;
    }
    return StrCat("json_extract(", args[0], ", ", Quote(StrCat("$.\"", quoted, "\"")), ")");
  }
  return StrCat("json_extract(", args[0], ", '$.\"' || replace(replace(", args[1],
                ", '\\', '\\\\'), '\"', '\\\"') || '\"')");
}

StatusOr<std::string> JsonIndex(const FunctionCall& call, const Texts& args) {
  if (const std::optional<int64_t> index = ConstantInt64(call, 1)) {
    if (*index < 0) return std::string("CAST(NULL AS JSON)");
    return StrCat("json_extract(", args[0], ", '$[", *index, "]')");
  }
  return Once(args, [](const Texts& a) {
    return StrCat("(CASE WHEN ", a[1], " >= 0 THEN json_extract(", a[0], ", '$[' || ", a[1], " || ']') END)");
  });
}

constexpr DuckDbFunctionEntry kEntries[] = {
    {"json_value", JsonValue},
    {"json_value_text", JsonValueText},
    {"json_query", JsonQuery},
    {"json_query_text", JsonQueryText},
    {"json_query_array", JsonQueryArray},
    {"json_query_array_text", JsonQueryArrayText},
    {"json_value_array", JsonValueArray},
    {"json_value_array_text", JsonValueArrayText},
    {"parse_json", ParseJson},
    {"json_type", JsonType},
    {"json_field", JsonField},
    {"json_index", JsonIndex},
};

}  // namespace

DuckDbFunctionList DuckDbJsonFunctions() { return kEntries; }

}  // namespace logquery::emit
