// Names of any text as identifiers of a program: safe characters, no keyword, none twice.
#ifndef LOGQUERY_SHIM_CLI_QUERY_CODEGEN_IDENTIFIERS_H_
#define LOGQUERY_SHIM_CLI_QUERY_CODEGEN_IDENTIFIERS_H_

#include <initializer_list>
#include <string>
#include <string_view>

#include "lib/base/strings.h"

namespace logquery::shim {

// "functions.invocation-stats" → "FunctionsInvocationStats": letters and digits of ASCII alone. May be empty or begin with a digit.
std::string PascalCase(std::string_view text);

// "Weird name!" → "Weird_name", "EOF" → "eof", "2xx" → "_2xx": a member's name that is no macro of all capitals; "column" where
// nothing is left.
std::string SnakeCase(std::string_view text);

// Names of one scope.
class Names {
 public:
  Names() = default;
  Names(std::initializer_list<std::string_view> taken);

  bool Has(std::string_view name) const { return taken_.contains(name); }
  // `wanted` or, where that is taken, with the first free of 2, 3 … behind it.
  std::string Take(const std::string& wanted);

 private:
  base::StringSet taken_;
};

// Whether C++ has another use for the word: a keyword, or a macro that common headers define.
bool IsCppWord(std::string_view word);

}  // namespace logquery::shim

#endif  // LOGQUERY_SHIM_CLI_QUERY_CODEGEN_IDENTIFIERS_H_
