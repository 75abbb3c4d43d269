// The powers of an engine that is described as data: what its words can express.
#ifndef LOGQUERY_LIB_ENGINES_DESCRIBED_DIALECT_DESCRIBED_POWERS_H_
#define LOGQUERY_LIB_ENGINES_DESCRIBED_DIALECT_DESCRIBED_POWERS_H_

#include <optional>
#include <string>

#include "lib/emit/table_powers.h"
#include "lib/engines/described/dialect/described_words.h"

namespace logquery::emit {

class DescribedPowers final : public TablePowers {
 public:
  using TablePowers::WhyNot;
  // Borrows the words.
  explicit DescribedPowers(const DescribedWords* words) : words_(*words) {}

  std::optional<std::string> WhyNot(const rewrite::Plan& node) const override;
  std::optional<std::string> WhyNot(const rewrite::AggregateCall& call) const override;
  bool Carries(const Type& type) const override { return words_.Returns(type); }

 private:
  bool Compares(const Type& type) const override { return words_.Compares(type); }
  std::optional<std::string> OfConstant(const rewrite::Constant& constant) const override;
  std::optional<std::string> OfCall(const rewrite::FunctionCall& call) const override;
  std::optional<std::string> OfCase(const rewrite::Case& branches) const override;
  std::optional<std::string> OfCast(const rewrite::Cast& cast) const override;
  std::optional<std::string> OfKeys(const rewrite::Plan& node) const;

  const DescribedWords& words_;
};

}  // namespace logquery::emit

#endif  // LOGQUERY_LIB_ENGINES_DESCRIBED_DIALECT_DESCRIBED_POWERS_H_
