// A recursive-descent parser for paths.
#include "lib/base/json_path.h"

#include <utility>

#include "absl/strings/numbers.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"

namespace logquery::base {
namespace {

class PathParser {
 public:
  PathParser(std::string_view path, bool legacy) : path_(path), legacy_(legacy) {}

  absl::StatusOr<JsonPath> Parse() {
    ParseMode();
    if (offset_ >= path_.size() || path_[offset_] != '$') return Error("it begins with $");
    ++offset_;
    while (offset_ < path_.size()) {
      if (out_.steps.size() == kMaxJsonSteps) return Error(StrCat("it may have at most ", kMaxJsonSteps, " steps"));
      LOGQUERY_RETURN_IF_ERROR(path_[offset_] == '.'   ? Member()
                               : path_[offset_] == '[' ? Bracket()
                                                       : Error("expected . or ["));
    }
    return std::move(out_);
  }

 private:
  void ParseMode() {
    while (offset_ < path_.size() && path_[offset_] != '$') {
      const size_t end = std::min(path_.find(' ', offset_), path_.size());
      const std::string_view word = path_.substr(offset_, end - offset_);
      // Each mode word may occur once. Any other word is an error, because the path has to begin there.
      if (!out_.lax && EqualsIgnoreCase(word, "lax")) {
        out_.lax = true;
      } else if (!out_.recursive && EqualsIgnoreCase(word, "recursive")) {
        out_.recursive = true;
      } else if (!word.empty()) {
        return;
      }
      offset_ = std::min(end + 1, path_.size());
    }
    if (out_.recursive && !out_.lax) offset_ = path_.size();
  }

  absl::Status Member() {
    ++offset_;
    if (offset_ < path_.size() && path_[offset_] == '"') return QuotedMember('"');
    const size_t end = std::min(path_.find_first_of(".[", offset_), path_.size());
    if (end == offset_) return Error("a member has no name");
    out_.steps.push_back({std::string(path_.substr(offset_, end - offset_)), std::nullopt});
    offset_ = end;
    return absl::OkStatus();
  }

  absl::Status Bracket() {
    ++offset_;
    if (offset_ < path_.size() && (path_[offset_] == '\'' || path_[offset_] == '"')) {
      LOGQUERY_RETURN_IF_ERROR(QuotedMember(path_[offset_]));
      return Close();
    }
    const size_t end = std::min(path_.find(']', offset_), path_.size());
    const std::string_view inside = path_.substr(offset_, end - offset_);
    const bool digits = !inside.empty() && inside.find_first_not_of("0123456789") == std::string_view::npos;
    if (!digits && (!legacy_ || inside.empty())) return Error("an index is a number");
    uint64_t index = 0;
    if (digits && !absl::SimpleAtoi(ToAbsl(inside), &index)) return Error("the index is too large");
    out_.steps.push_back({digits ? "" : std::string(inside), digits ? std::optional(index) : std::nullopt});
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
    out_.steps.push_back({std::move(name), std::nullopt});
    return absl::OkStatus();
  }

  absl::Status Error(std::string_view why) const {
    return absl::InvalidArgumentError(StrCat("JSON path '", path_.substr(0, 200), "': ", why, ", at offset ", offset_));
  }

  std::string_view path_;
  bool legacy_;
  size_t offset_ = 0;
  JsonPath out_;
};

}  // namespace

absl::StatusOr<JsonPath> ParseJsonPath(std::string_view text, bool legacy) { return PathParser(text, legacy).Parse(); }

}  // namespace logquery::base
