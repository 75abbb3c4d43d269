// Resolves a query, runs the shared passes, and splits it.
#include "tests/split/fragment_texts.h"

#include <catch2/catch_test_macros.hpp>
#include <utility>

#include "lib/base/strings.h"
#include "lib/rewrite/passes/pass.h"
#include "lib/rewrite/resolve/resolver.h"
#include "lib/split/split_text.h"
#include "lib/sql/parser.h"
#include "tests/support/golden.h"

namespace logquery::testing {

std::string FragmentTexts(const std::string& sql, const Catalog& catalog, const emit::SqlDialect& dialect) {
  auto parsed = sql::ParseQuery(sql, {});
  if (!parsed.ok()) return parsed.status().ToString();
  rewrite::ResolveOptions options;
  options.catalog = &catalog;
  options.parameters.push_back({"project", Type::String()});
  options.parameters.push_back({"start", Type::Timestamp()});
  auto plan = rewrite::Resolve(**parsed, sql, options);
  if (!plan.ok()) return plan.status().ToString();
  if (absl::Status done = rewrite::RunPasses(rewrite::SharedPasses(), {}, *plan); !done.ok()) return done.ToString();
  const auto split = split::EmitSplit(*std::move(plan), dialect, Dialect::kDuckDb);
  if (!split.ok()) return split.status().ToString();
  std::string text;
  for (const QueryFragment& fragment : split->fragments) {
    base::StrAppend(&text, text.empty() ? "" : "\n", "there: ", fragment.text);
    if (!fragment.reason.empty()) base::StrAppend(&text, "\n  then here: ", fragment.reason);
  }
  return text;
}

void CheckFragmentTexts(const std::string& file, const Catalog& catalog, const emit::SqlDialect& dialect) {
  const auto make = [&](const GoldenCase& input) { return FragmentTexts(input.input, catalog, dialect); };
  for (const GoldenResult& result : RunGolden(file, make)) {
    CAPTURE(result.title);
    CHECK(result.actual == result.expected);
  }
}

}  // namespace logquery::testing
