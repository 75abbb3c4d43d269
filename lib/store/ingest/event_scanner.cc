// Skips strings as a whole, and keeps the open brackets, so that a bracket that was forgotten costs no more than the value
// around it.
#include "lib/store/ingest/event_scanner.h"

#include <algorithm>

#include "lib/store/rows/json_reader.h"

namespace logquery::store {
namespace {

bool IsSpace(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

// The brackets that are open within one value.
class OpenBrackets {
 public:
  bool empty() const { return kinds_.empty(); }

  void Open(char c) {
    if (kinds_.size() == kMaxKept) {
      ++deeper_;
      return;
    }
    kinds_ += c;
    ++(c == '{' ? objects_ : arrays_);
  }

  // Closes the innermost bracket of this kind, and those within it that were not closed. Returns false if none is open.
  bool Close(char c) {
    if (deeper_ > 0) {
      --deeper_;
      return true;
    }
    const char opened = c == '}' ? '{' : '[';
    if ((opened == '{' ? objects_ : arrays_) == 0) return false;
    char last;
    do {
      last = kinds_.back();
      kinds_.pop_back();
      --(last == '{' ? objects_ : arrays_);
    } while (last != opened);
    return true;
  }

 private:
  // No event may be nested so deep; beyond it brackets are only counted.
  static constexpr size_t kMaxKept = 1'000;
  std::string kinds_;
  size_t objects_ = 0;
  size_t arrays_ = 0;
  size_t deeper_ = 0;
};

const char* SkipSpace(const char* at, const char* end) {
  while (at != end && IsSpace(*at)) ++at;
  return at;
}

// The byte after the string that begins at `at`; nullptr: it does not end.
const char* SkipString(const char* at, const char* end) {
  const char* const quote = FindStringEnd(at + 1, end);
  return quote == end ? nullptr : quote + 1;
}

// Returns whether an unmatched closing bracket in an element may end the surrounding array or object. That is so if the
// text ends after it, or after the end of the enclosing object.
bool MayEndContainer(const char* at, const char* end) {
  const char* const next = SkipSpace(at + 1, end);
  return next == end || (*next == '}' && SkipSpace(next + 1, end) == end);
}

}  // namespace

char EventScanner::Peek() {
  at_ = SkipSpace(at_, end_);
  return at_ == end_ ? '\0' : *at_;
}

bool EventScanner::TakeIf(char c) {
  if (Peek() != c) return false;  // no byte that is asked for is 0
  ++at_;
  return true;
}

bool EventScanner::AtEnd() {
  Peek();
  return at_ == end_;
}

bool EventScanner::Value(std::string_view* value) {
  if (Peek() != '{' && Peek() != '[') return false;
  OpenBrackets open;
  for (const char* at = at_; at != end_;) {
    if (*at == '"') {
      at = SkipString(at, end_);
      if (at == nullptr) return false;
      continue;
    }
    if (*at == '{' || *at == '[') open.Open(*at);
    if (*at == '}' || *at == ']') open.Close(*at);
    ++at;
    if (!open.empty()) continue;
    *value = {at_, static_cast<size_t>(at - at_)};
    at_ = at;
    return true;
  }
  return false;
}

bool EventScanner::Element(char close, std::string_view* element) {
  Peek();
  OpenBrackets open;
  for (const char* at = at_; at != end_;) {
    if (*at == '"') {
      at = SkipString(at, end_);
      if (at == nullptr) return false;
      continue;
    }
    const bool is_end =
        open.empty() ? *at == ',' || *at == close
                     : (*at == '}' || *at == ']') && !open.Close(*at) && *at == close && MayEndContainer(at, end_);
    if (is_end) {
      const char* last = at;
      while (last != at_ && IsSpace(last[-1])) --last;
      *element = {at_, static_cast<size_t>(last - at_)};
      at_ = at;
      return true;
    }
    if (*at == '{' || *at == '[') open.Open(*at);
    ++at;
  }
  return false;
}

bool EventScanner::Key(std::string_view* key) {
  if (Peek() != '"') return false;
  const char* const quote = FindStringEnd(at_ + 1, end_);
  if (quote == end_) return false;
  const char* const colon = SkipSpace(quote + 1, end_);
  if (colon == end_ || *colon != ':') return false;
  *key = {at_ + 1, static_cast<size_t>(quote - at_ - 1)};
  at_ = colon + 1;
  return true;
}

bool ForEachLooseMember(std::string_view object,
                        absl::FunctionRef<bool(std::string_view key, std::string_view value)> member) {
  EventScanner scanner(object);
  if (!scanner.TakeIf('{')) return false;
  if (scanner.TakeIf('}')) return scanner.AtEnd();
  do {
    std::string_view key;
    std::string_view value;
    if (!scanner.Key(&key) || !scanner.Element('}', &value) || !member(key, value)) return false;
  } while (scanner.TakeIf(','));
  return scanner.TakeIf('}') && scanner.AtEnd();
}

bool ForEachLooseElement(std::string_view array, absl::FunctionRef<bool(std::string_view value)> element) {
  EventScanner scanner(array);
  if (!scanner.TakeIf('[')) return false;
  if (scanner.TakeIf(']')) return scanner.AtEnd();
  do {
    std::string_view value;
    if (!scanner.Element(']', &value) || !element(value)) return false;
  } while (scanner.TakeIf(','));
  return scanner.TakeIf(']') && scanner.AtEnd();
}

}  // namespace logquery::store
