#include "lib/emit/duckdb_function_texts.h"

namespace logquery::emit {
namespace {

using absl::StatusOr;
using rewrite::FunctionCall;

// "$" or a path of members and indexes, in DuckDB's spelling: $.a['b c'][0] becomes $."a"."b c"[0].
class PathTranslator {
 public:
  explicit PathTranslator(std::string_view path) : path_(path) {}

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
    if (digits.empty() || digits.find_first_not_of("0123456789") != std::string_view::npos) {
      return Error("an index is a number");
    }
    base::StrAppend(&out_, "[", digits, "]");
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
  size_t offset_ = 0;
  std::string out_;
};

// The path in argument 1, quoted for DuckDB; `$` when there is none.
StatusOr<std::string> PathOf(const FunctionCall& call) {
  if (call.arguments.size() < 2) return std::string("'$'");
  const std::optional<std::string> path = ConstantString(call, 1);
  if (!path.has_value()) return absl::UnimplementedError(StrCat(NameOf(call), " with a path that is not a literal"));
  StatusOr<std::string> translated = PathTranslator(*path).Translate();
  if (!translated.ok()) return translated;
  return Quote(*translated);
}

// Text that is no JSON gives NULL.
std::string IfValid(const std::string& text, absl::FunctionRef<std::string(const std::string&)> body) {
  return Once({text}, [&](const Texts& a) { return StrCat("(CASE WHEN json_valid(", a[0], ") THEN ", body(a[0]), " END)"); });
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
    {"json_field", JsonField},
    {"json_index", JsonIndex},
};

}  // namespace

DuckDbFunctionList DuckDbJsonFunctions() { return kEntries; }

}  // namespace logquery::emit
