// Asks the engine and DuckDB in turn, and looks at which part of the work each had.
#include "tests/engines/meaning_checks.h"

#include <catch2/catch_test_macros.hpp>
#include <utility>

#include "lib/engines/duckdb/backend/source/fragment_backend.h"
#include "tests/support/meaning_cases.h"

namespace logquery::testing {

MeaningChecks::MeaningChecks(std::shared_ptr<FragmentSource> source)
    : counting_(std::make_shared<CountingSource>(std::move(source))),
      service_(duckdb::OpenOverFragments(counting_, {}), {.log = "v", .max_rows = 10'000}) {}

std::string MeaningChecks::Reason() {
  const auto asked = counting_->Take();
  REQUIRE(!asked.empty());
  for (const auto& each : asked) {
    if (!each.reason.empty()) return each.reason;
  }
  return "";
}

void MeaningChecks::CheckConditions(const std::vector<std::string>& conditions) {
  for (const std::string& condition : conditions) {
    CAPTURE(condition);
    const std::string sql = MeaningQuery(condition);
    const std::string there = service_.Ask(There(sql));
    INFO(there);
    CHECK(Reason() == "");
    const std::string here = service_.Ask(Here(sql));
    CHECK(Reason() != "");
    CHECK(there == here);
    CHECK(there.find("{\"result\":[") == 0);
  }
}

void MeaningChecks::CheckQueries(const std::vector<std::string>& queries) {
  for (const std::string& query : queries) {
    CAPTURE(query);
    const std::string there = service_.Ask(There(query));
    INFO(there);
    const std::string done_here = Reason();
    CHECK((done_here.empty() || done_here == kCheckedHere));
    const std::string here = service_.Ask(Here(query));
    const std::string all_here = Reason();
    CHECK((!all_here.empty() && all_here != kCheckedHere));
    CHECK(there == here);
    const bool overflows = here.find("overflow") != std::string::npos || here.find("out of range") != std::string::npos;
    CHECK((there.find("{\"result\":[") == 0 || (overflows && !done_here.empty())));
  }
}

}  // namespace logquery::testing
