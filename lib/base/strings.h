// Converts text between std and Abseil: only this file knows whether the two libraries' string_view are one type.
//
// Debian's Abseil has its own string_view, which does not convert to or from std::string_view. All of our code uses
// std::string_view and passes it to Abseil through these functions. If both are one type, they cost nothing.
//
//     return absl::NotFoundError(base::StrCat("no endpoint ", name));          // accepts std::string_view too
//     base::StringMap<int> slots;  slots.find(std::string_view("project"));     // without creating a std::string
#ifndef LOGQUERY_LIB_BASE_STRINGS_H_
#define LOGQUERY_LIB_BASE_STRINGS_H_

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/hash/hash.h"
#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"

namespace logquery::base {

inline absl::string_view ToAbsl(std::string_view text) { return absl::string_view(text.data(), text.size()); }
inline std::string_view ToStd(absl::string_view text) { return std::string_view(text.data(), text.size()); }

inline std::string_view Message(const absl::Status& status) { return ToStd(status.message()); }

namespace internal {

// Converts an argument of StrCat for Abseil: only std::string_view changes.
template <typename T>
decltype(auto) ForStrCat(const T& value) {
  if constexpr (std::is_same_v<T, std::string_view>) {
    return ToAbsl(value);
  } else {
    return (value);
  }
}

}  // namespace internal

// absl::StrCat that also accepts std::string_view.
template <typename... Args>
std::string StrCat(const Args&... args) {
  return absl::StrCat(internal::ForStrCat(args)...);
}

// absl::StrAppend that also accepts std::string_view.
template <typename... Args>
void StrAppend(std::string* out, const Args&... args) {
  absl::StrAppend(out, internal::ForStrCat(args)...);
}

struct StringHash {
  using is_transparent = void;
  size_t operator()(std::string_view text) const { return absl::Hash<absl::string_view>()(ToAbsl(text)); }
};

struct StringEqual {
  using is_transparent = void;
  bool operator()(std::string_view a, std::string_view b) const { return a == b; }
};

// Hash containers of strings that can be searched by std::string_view.
template <typename T>
using StringMap = absl::flat_hash_map<std::string, T, StringHash, StringEqual>;
using StringSet = absl::flat_hash_set<std::string, StringHash, StringEqual>;

// ASCII case conversion, as for GoogleSQL's names.
inline bool EqualsIgnoreCase(std::string_view a, std::string_view b) {
  return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin(), [](unsigned char x, unsigned char y) {
           return absl::ascii_tolower(x) == absl::ascii_tolower(y);
         });
}

inline std::string ToLower(std::string_view text) { return absl::AsciiStrToLower(ToAbsl(text)); }
inline std::string ToUpper(std::string_view text) { return absl::AsciiStrToUpper(ToAbsl(text)); }

struct IgnoreCaseHash {
  using is_transparent = void;
  size_t operator()(std::string_view text) const { return StringHash()(ToLower(text)); }
};

struct IgnoreCaseEqual {
  using is_transparent = void;
  bool operator()(std::string_view a, std::string_view b) const { return EqualsIgnoreCase(a, b); }
};

// A map whose keys compare case-insensitively.
template <typename T>
using NameMap = absl::flat_hash_map<std::string, T, IgnoreCaseHash, IgnoreCaseEqual>;
using NameSet = absl::flat_hash_set<std::string, IgnoreCaseHash, IgnoreCaseEqual>;

// Joins `parts` with `separator` between them.
inline std::string Join(const std::vector<std::string>& parts, std::string_view separator) {
  std::string joined;
  for (const std::string& part : parts) {
    if (&part != &parts.front()) joined.append(separator);
    joined.append(part);
  }
  return joined;
}

}  // namespace logquery::base

#endif  // LOGQUERY_LIB_BASE_STRINGS_H_
