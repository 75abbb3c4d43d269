// The part of a plan that goes to a source, by what the source can: golden cases for one that can almost nothing, and one that
// can everything.
#include "lib/split/split.h"

#include <catch2/catch_test_macros.hpp>
#include <optional>
#include <string>
#include <vector>

#include "lib/base/strings.h"
#include "lib/emit/emitter.h"
#include "lib/rewrite/passes/pass.h"
#include "lib/rewrite/resolve/resolver.h"
#include "lib/split/pass_through.h"
#include "lib/sql/parser.h"
#include "tests/split/invented_dialect.h"
#include "tests/support/golden.h"

namespace logquery::split {
namespace {

class Everything final : public emit::Powers {
 public:
  std::optional<std::string> WhyNot(const rewrite::Plan&) const override { return std::nullopt; }
  std::optional<std::string> WhyNot(const rewrite::Scalar&) const override { return std::nullopt; }
  std::optional<std::string> WhyNot(const rewrite::AggregateCall&) const override { return std::nullopt; }
  bool Carries(const Type&) const override { return true; }
};

// The engine carries no records, so it reads no table with such a column.
class NoRecords final : public emit::Powers {
 public:
  std::optional<std::string> WhyNot(const rewrite::Plan&) const override { return std::nullopt; }
  std::optional<std::string> WhyNot(const rewrite::Scalar&) const override { return std::nullopt; }
  std::optional<std::string> WhyNot(const rewrite::AggregateCall&) const override { return std::nullopt; }
  bool Carries(const Type& type) const override { return !type.is_array(); }
};

const Catalog& Logs() {
  static const Catalog& catalog = *new Catalog(Catalog::DeclaredLogs());
  return catalog;
}

absl::StatusOr<SplitPlan> SplitOf(const std::string& sql, const emit::Powers& powers, Extent extent = Extent::kAll) {
  auto parsed = sql::ParseQuery(sql, {});
  if (!parsed.ok()) return parsed.status();
  rewrite::ResolveOptions options;
  options.catalog = &Logs();
  options.parameters.push_back({"project", Type::String()});
  auto plan = rewrite::Resolve(**parsed, sql, options);
  if (!plan.ok()) return plan.status();
  if (absl::Status done = rewrite::RunPasses(rewrite::SharedPasses(), {}, *plan); !done.ok()) return done;
  return Split(*std::move(plan), powers, extent);
}

std::string TextOf(const rewrite::QueryPlan& plan) {
  if (absl::Status sound = rewrite::VerifyPlan(plan); !sound.ok()) return sound.ToString();
  auto text = emit::Emit(plan, Dialect::kGoogleSql);
  return text.ok() ? text->text : text.status().ToString();
}

std::string Described(const std::string& sql, const emit::Powers& powers, Extent extent) {
  const absl::StatusOr<SplitPlan> split = SplitOf(sql, powers, extent);
  if (!split.ok()) return split.status().ToString();
  std::string text;
  for (const Fragment& fragment : split->fragments) {
    base::StrAppend(&text, "there: ", TextOf(fragment.plan), "\n");
    if (!fragment.reason.empty()) base::StrAppend(&text, "  then here: ", fragment.reason, "\n");
  }
  return base::StrCat(text, "here: ", TextOf(split->rest));
}

void Check(const std::string& file, const emit::Powers& powers, Extent extent = Extent::kAll) {
  const auto make = [&](const testing::GoldenCase& input) { return Described(input.input, powers, extent); };
  for (const testing::GoldenResult& result : testing::RunGolden("split/" + file, make)) {
    CAPTURE(file, result.title);
    CHECK(result.actual == result.expected);
  }
}

TEST_CASE("split plans match the golden files") {
  Check("invented.txt", *testing::InventedSql().powers());
  Check("everything.txt", Everything());
  Check("bare.txt", Everything(), Extent::kBareScans);
}

TEST_CASE("a fragment's table is named by the columns that it has, and only those travel that are read") {
  const auto split =
      SplitOf("SELECT UPPER(id) AS a FROM `postgres.logs` WHERE event_message > 'a'", *testing::InventedSql().powers());
  REQUIRE(split.ok());
  REQUIRE(split->fragments.size() == 1);
  CHECK(split->fragments[0].plan.schema.size() == 1);
  CHECK(split->tables[0]->columns.size() == 1);
  CHECK(split->fragments[0].table == split->tables[0]->name);
  const auto same =
      SplitOf("SELECT LOWER(id) AS a FROM `postgres.logs` WHERE event_message > 'b'", *testing::InventedSql().powers());
  const auto other = SplitOf("SELECT LOWER(id) AS a, timestamp FROM `postgres.logs` WHERE event_message > 'b'",
                             *testing::InventedSql().powers());
  REQUIRE(same.ok());
  REQUIRE(other.ok());
  CHECK(same->fragments[0].table == split->fragments[0].table);
  CHECK(other->fragments[0].table != split->fragments[0].table);
}

// The columns that pass through; "-": there is something to do here.
std::string PassedOn(const std::string& sql, const emit::Powers& powers) {
  const absl::StatusOr<SplitPlan> split = SplitOf(sql, powers);
  if (!split.ok()) return split.status().ToString();
  const std::optional<std::vector<size_t>> columns = PassThrough(*split);
  if (!columns.has_value()) return "-";
  std::string text;
  for (const size_t column : *columns) base::StrAppend(&text, column, " ");
  return text;
}

TEST_CASE("a fragment's rows are passed through if they are the answer, in the right order") {
  const Everything all;
  CHECK(PassedOn("SELECT id, event_message FROM `postgres.logs`", all) == "0 1 ");
  CHECK(PassedOn("SELECT id AS a, timestamp, id AS b FROM `postgres.logs`", all) == "0 1 0 ");
  CHECK(PassedOn("SELECT id FROM `postgres.logs` LIMIT 5", all) == "0 ");
  CHECK(PassedOn("SELECT id FROM `postgres.logs` ORDER BY timestamp DESC, id LIMIT 5", all) != "-");
  CHECK(PassedOn("SELECT project, COUNT(*) AS n FROM `postgres.logs` GROUP BY 1", all) == "0 1 ");
  // Rows that travel have no order without a limit.
  CHECK(PassedOn("SELECT id FROM `postgres.logs` ORDER BY id", all) == "-");
  CHECK(PassedOn("SELECT a.id FROM `postgres.logs` AS a JOIN `cloudflare.logs.prod` AS b ON a.id = b.id", all) != "-");
  const emit::Powers& few = *testing::InventedSql().powers();
  CHECK(PassedOn("SELECT id FROM `postgres.logs` WHERE event_message > 'a'", few) == "0 ");
  CHECK(PassedOn("SELECT UPPER(id) AS a FROM `postgres.logs` WHERE event_message > 'a'", few) == "-");
  CHECK(PassedOn("SELECT a.id FROM `postgres.logs` AS a JOIN `cloudflare.logs.prod` AS b ON a.id = b.id", few) == "-");
}

TEST_CASE("a column of a type that cannot be transferred is rejected by name") {
  const auto split = SplitOf("SELECT metadata FROM `postgres.logs`", NoRecords());
  REQUIRE(split.status().code() == absl::StatusCode::kUnimplemented);
  CHECK(base::Message(split.status()).find("the column postgres.logs.metadata is ARRAY<STRUCT<") !=
        std::string_view::npos);
  CHECK(SplitOf("SELECT id FROM `postgres.logs`", NoRecords()).ok());
}

}  // namespace
}  // namespace logquery::split
