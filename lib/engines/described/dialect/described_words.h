// The checked form of EngineSpellings: how names, values and variables of the engine are written.
#ifndef LOGQUERY_LIB_ENGINES_DESCRIBED_DIALECT_DESCRIBED_WORDS_H_
#define LOGQUERY_LIB_ENGINES_DESCRIBED_DIALECT_DESCRIBED_WORDS_H_

#include <map>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "lib/engines/described/dialect/call_templates.h"
#include "logquery/experimental/engine_spellings.h"
#include "logquery/type.h"
#include "logquery/value.h"

namespace logquery::emit {

// Immutable and therefore thread-safe.
class DescribedWords {
 public:
  // Statuses: those of CheckEngineSpellings.
  static absl::StatusOr<DescribedWords> Create(const EngineSpellings& spellings);

  const EngineSpellings& spellings() const { return spellings_; }
  const CallTemplates& calls() const { return calls_; }

  // Returns whether the engine may return values of the type, and of all types in it.
  bool Returns(const Type& type) const;
  // Returns whether the engine also compares values of the type, and is given literals and variables of it.
  bool Compares(const Type& type) const;

  std::string Identifier(std::string_view name) const;
  std::string TypeName(const Type& type) const;
  // The type is one that the engine compares. InvalidArgument: text that is not UTF-8, or has a NUL.
  absl::StatusOr<std::string> Literal(const Value& value) const;
  std::string Parameter(int slot, const Type& type) const;

  // Returns whether every engine takes the text, in quotes, as it is.
  static bool IsPlainText(std::string_view value);

 private:
  EngineSpellings spellings_;
  CallTemplates calls_;
  std::map<TypeKind, EngineType> types_;
  std::string parameter_;
};

}  // namespace logquery::emit

#endif  // LOGQUERY_LIB_ENGINES_DESCRIBED_DIALECT_DESCRIBED_WORDS_H_
