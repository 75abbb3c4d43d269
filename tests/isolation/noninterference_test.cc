// A caller's answer is a function of the rows that the caller may read: the same over these rows alone, however they are
// compressed, and among rows on which nearly every function fails. The driver, main.cc, looks at more queries and prints each.
#include <cstdlib>

#include "lib/base/strings.h"
#include "tests/isolation/isolation_test_util.h"
#include "tests/isolation/query_maker.h"

namespace logquery::isolation {
namespace {

constexpr size_t kShownFindings = 5;

class Checker {
 public:
  explicit Checker(Caller caller) : caller_(caller), twins_(TwinsFor(caller)) {}

  void Check(const Query& query) {
    // Shown where the query ends the process.
    INFO(query.kind << ", by the " << CallerName(caller_) << ": " << query.sql);
    const Finding finding = twins_.Check(caller_, query.sql);
    ++checked_;
    failed_ += finding.status.ok() ? 0 : 1;
    if (finding.difference.empty()) return;
    if (++differing_ > kShownFindings) return;
    base::StrAppend(&shown_, query.kind, ", in ", query.place, ", by the ", CallerName(caller_), ":\n", query.sql,
                    "\n  ", finding.difference, "\n");
  }

  // Fails the test when an answer differed.
  void Finish() const {
    INFO("the first " << kShownFindings << " of " << differing_ << " differing queries of " << checked_ << ":\n"
                      << shown_);
    CHECK(differing_ == 0);
    REQUIRE(checked_ > 0);
  }
  int64_t checked() const { return checked_; }
  int64_t failed() const { return failed_; }

 private:
  const Caller caller_;
  Twins& twins_;
  int64_t checked_ = 0, failed_ = 0;
  size_t differing_ = 0;
  std::string shown_;
};

// The expressions of a section of expressions.txt in a few places each; by another caller each time. `stride`: only every such
// query. The night's `isolation --everywhere` checks all of them.
void CheckSection(const std::string& section, bool fails, int stride = 1) {
  Checker by_parameter(Caller::kProjectParameter), by_scope(Caller::kScopedToken);
  int number = 0;
  for (const Query& query : Expressions().Queries(Coverage::kOncePerKind)) {
    if (!query.kind.starts_with("[" + section + "]")) continue;
    if (++number % stride != 0) continue;
    (number / stride % 2 == 0 ? by_scope : by_parameter).Check(query);
  }
  for (const Checker* checker : {&by_parameter, &by_scope}) {
    checker->Finish();
    // Otherwise the queries say nothing: they fail for another reason than the one that they are there for.
    CHECK(checker->failed() == (fails ? checker->checked() : 0));
  }
}

int64_t NumberFrom(const char* variable, int64_t otherwise) {
  const char* text = std::getenv(variable);
  return text == nullptr ? otherwise : std::atoll(text);
}

TEST_CASE("hidden rows neither change values nor raise errors: functions that raise") {
  CheckSection("raising", false, 3);
}
TEST_CASE("hidden rows neither change values nor raise errors: SAFE functions") { CheckSection("safe", false, 3); }
TEST_CASE("hidden rows neither change values nor raise errors: guarded expressions") { CheckSection("guarded", false); }
TEST_CASE("an error of an own row does not depend on hidden rows") { CheckSection("failing", true); }

TEST_CASE("hidden rows never change an answer, whichever rule hides them") {
  const std::vector<Query> queries = Expressions().Queries(Coverage::kOncePerKind);
  for (const Caller caller : {Caller::kFixedParameter, Caller::kRetention, Caller::kTimeBound}) {
    Checker checker(caller);
    // Every caller asks for other expressions in other places; 29 shares no factor with the places of an expression.
    for (size_t i = static_cast<size_t>(caller); i < queries.size(); i += 29) checker.Check(queries[i]);
    checker.Finish();
  }
}

// LOGQUERY_SEED and LOGQUERY_QUERIES choose others; `isolation --seed S --first K --queries 1` runs one of them again.
TEST_CASE("hidden rows change no answer of a random query") {
  const int64_t seed = NumberFrom("LOGQUERY_SEED", 1), count = NumberFrom("LOGQUERY_QUERIES", 200);
  Checker by_parameter(Caller::kProjectParameter), by_scope(Caller::kScopedToken);
  for (int64_t number = 0; number < count; ++number) {
    const Query query = RandomQuery(Expressions(), static_cast<uint64_t>(seed), number);
    (number % 2 == 0 ? by_parameter : by_scope).Check(query);
  }
  by_parameter.Finish();
  by_scope.Finish();
  // Queries that fail compare no rows, so most must not fail.
  CHECK(by_parameter.failed() * 3 < by_parameter.checked());
}

TEST_CASE("the same seed and number make the same query, and others make others") {
  const Query query = RandomQuery(Expressions(), 7, 123);
  CHECK(RandomQuery(Expressions(), 7, 123).sql == query.sql);
  CHECK(RandomQuery(Expressions(), 7, 124).sql != query.sql);
  CHECK(RandomQuery(Expressions(), 8, 123).sql != query.sql);
}

}  // namespace
}  // namespace logquery::isolation
