// ASCII only: what compilers make of other letters differs.
#include "shim/cli/query/codegen/identifiers.h"

#include <algorithm>
#include <iterator>

#include "absl/strings/ascii.h"

namespace logquery::shim {
namespace {

bool IsWordCharacter(char c) { return absl::ascii_isalnum(static_cast<unsigned char>(c)); }
bool IsLower(char c) { return absl::ascii_islower(static_cast<unsigned char>(c)); }
bool IsUpper(char c) { return absl::ascii_isupper(static_cast<unsigned char>(c)); }

// All capitals are how macros are written.
bool LooksLikeMacro(std::string_view word) {
  return word.size() > 1 && std::none_of(word.begin(), word.end(), IsLower) &&
         std::any_of(word.begin(), word.end(), IsUpper);
}

constexpr std::string_view kCppWords[] = {
    // Keywords, also those of C++23, and the words for operators.
    "alignas", "alignof", "and", "and_eq", "asm", "atomic_cancel", "atomic_commit", "atomic_noexcept", "auto", "bitand",
    "bitor", "bool", "break", "case", "catch", "char", "char16_t", "char32_t", "char8_t", "class", "co_await",
    "co_return", "co_yield", "compl", "concept", "const", "const_cast", "consteval", "constexpr", "constinit",
    "continue", "decltype", "default", "delete", "do", "double", "dynamic_cast", "else", "enum", "explicit", "export",
    "extern", "false", "float", "for", "friend", "goto", "if", "inline", "int", "long", "mutable", "namespace", "new",
    "noexcept", "not", "not_eq", "nullptr", "operator", "or", "or_eq", "private", "protected", "public", "reflexpr",
    "register", "reinterpret_cast", "requires", "return", "short", "signed", "sizeof", "static", "static_assert",
    "static_cast", "struct", "switch", "synchronized", "template", "this", "thread_local", "throw", "true", "try",
    "typedef", "typeid", "typename", "typeof", "union", "unsigned", "using", "virtual", "void", "volatile", "wchar_t",
    "while", "xor", "xor_eq",
    // Macros in lower case.
    "assert", "emit", "errno", "far", "foreach", "i386", "interface", "linux", "major", "makedev", "minor", "near",
    "signals", "slots", "small", "stderr", "stdin", "stdout", "unix", "vms"};

}  // namespace

std::string PascalCase(std::string_view text) {
  std::string word;
  bool begins = true;
  for (const char c : text) {
    if (!IsWordCharacter(c)) {
      begins = true;
      continue;
    }
    word += begins ? absl::ascii_toupper(static_cast<unsigned char>(c)) : c;
    begins = false;
  }
  if (LooksLikeMacro(word)) word = word.substr(0, 1) + base::ToLower(word.substr(1));
  return word;
}

std::string SnakeCase(std::string_view text) {
  std::string word;
  for (const char c : text) {
    if (IsWordCharacter(c)) {
      word += c;
    } else if (!word.empty() && word.back() != '_') {
      word += '_';
    }
  }
  while (!word.empty() && word.back() == '_') word.pop_back();
  if (word.empty()) return "column";
  if (LooksLikeMacro(word)) word = base::ToLower(word);
  return absl::ascii_isdigit(static_cast<unsigned char>(word.front())) ? "_" + base::ToLower(word) : word;
}

Names::Names(std::initializer_list<std::string_view> taken) {
  for (const std::string_view name : taken) taken_.emplace(name);
}

std::string Names::Take(const std::string& wanted) {
  std::string name = wanted;
  for (int n = 2; !taken_.insert(name).second; ++n) name = base::StrCat(wanted, "_", n);
  return name;
}

bool IsCppWord(std::string_view word) {
  return std::find(std::begin(kCppWords), std::end(kCppWords), word) != std::end(kCppWords);
}

}  // namespace logquery::shim
