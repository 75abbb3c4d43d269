// The data that describes an engine: what is accepted, and that each defect is named when a backend is created.
#include "logquery/experimental/engine_spellings.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "logquery/experimental/fragment_engine.h"

namespace logquery {
namespace {

class NoEngine : public FragmentEngine {
 public:
  absl::StatusOr<Catalog> ReadCatalog() override { return Catalog(); }
  absl::Status Run(const EngineStatement&, const CancellationToken&, BatchSink&) override { return absl::OkStatus(); }
};

EngineSpellings SmallSpellings() {
  EngineSpellings spellings;
  spellings.engine = "Described 1";
  spellings.parameter = ":p$1";
  spellings.types = {{TypeKind::kString, "text", "$text"},
                     {TypeKind::kInt64, "int", "$number"},
                     {TypeKind::kBool, "bool", "($number = 1)"},
                     {TypeKind::kFloat64, "float", ""}};
  spellings.functions = {{"$equal", "($1 = $2)"}, {"COUNT()", "count(*)"}};
  spellings.limits = true;
  return spellings;
}

// The message with which the spellings are rejected after the change.
std::string Rejected(const std::function<void(EngineSpellings&)>& change) {
  EngineSpellings spellings = SmallSpellings();
  change(spellings);
  const absl::Status status = CheckEngineSpellings(spellings);
  const auto opened = CreateFragmentEngineBackend(spellings, std::make_shared<NoEngine>(), {});
  CHECK(opened.status() == status);
  return absl::IsInvalidArgument(status) ? std::string(status.message()) : "not rejected: " + status.ToString();
}

std::string RejectedFunction(const FunctionSpelling& spelling) {
  return Rejected([&](EngineSpellings& spellings) { spellings.functions.push_back(spelling); });
}

bool Contains(const std::string& text, const std::string& part) {
  INFO(text);
  const bool has = text.find(part) != std::string::npos;
  CHECK(has);
  return has;
}

TEST_CASE("a short description is complete") {
  const EngineSpellings spellings = SmallSpellings();
  CHECK(CheckEngineSpellings(spellings).ok());
  CHECK(CreateFragmentEngineBackend(spellings, std::make_shared<NoEngine>(), {}).ok());
}

TEST_CASE("an entry that can't be used is rejected by name when a backend is created") {
  CHECK(Contains(RejectedFunction({"NO_SUCH", "f($1)"}), "the spelling of NO_SUCH names no function"));
  CHECK(Contains(RejectedFunction({"STARTS_WITH(STRING, STRIN)", "f($1, $2)"}),
                 "did you mean STARTS_WITH(STRING, STRING)"));
  CHECK(Contains(RejectedFunction({"RAND()", "random()"}), "RAND() names no function that an engine may be given"));
  CHECK(Contains(RejectedFunction({"STRPOS(STRING, STRING)", "instr($1)"}),
                 "the spelling of STRPOS(STRING, STRING) lacks the operand $2 of STRPOS(STRING, STRING) -> INT64"));
  CHECK(Contains(RejectedFunction({"STRPOS(STRING, STRING)", "instr($1, $2, $3)"}), "has $3, but"));
  CHECK(Contains(RejectedFunction({"STRPOS", "instr($1)"}), "the spelling of STRPOS lacks the operand $2"));
  CHECK(Contains(RejectedFunction({"STRPOS", ""}), "STRPOS is empty"));
  CHECK(Contains(RejectedFunction({"STRPOS", "instr($1, $2, $)"}), "STRPOS has a $ without a number"));
  CHECK(Contains(RejectedFunction({"STRPOS", std::string("instr($1, $2\0)", 14)}), "NUL"));
  CHECK(Contains(RejectedFunction({"$equal", "($1 IS $2)"}), "the spelling of $equal is there twice"));
  CHECK(Contains(RejectedFunction({"LEFT", "f($1)", {{0, "a"}}}), "from 1 to 9"));
  CHECK(Contains(RejectedFunction({"LEFT", "f($1)", {{2, "1"}, {2, "2"}}}), "two constants for the operand 2"));
  CHECK(Contains(RejectedFunction({"$and", "all($1, $2, $3)"}), "$and has to have the operands $1 and $2"));
  CHECK(Contains(RejectedFunction({"$or", "(CASE WHEN $1 THEN $1 ELSE $2 END)"}), "each once"));
  CHECK(Contains(RejectedFunction({"STRPOS", "instr($1, $2)", {}, "instr(DISTINCT $1, $2)"}), "it is no aggregate"));
  CHECK(Contains(RejectedFunction({"MIN(ORD1)", "min($1)", {}, "min(DISTINCT $2)"}), "with DISTINCT has $2, but"));
  CHECK(Contains(RejectedFunction({"CAST(STRING AS INT64)", "int($1)"}), "CAST(STRING AS INT64) can't be used"));
  CHECK(Contains(RejectedFunction({"CAST(INT64 AS STRING)", "text()"}), "one operand, $1"));
}

TEST_CASE("types, quotes, variables and flags that can't be used are rejected by name") {
  using S = EngineSpellings;
  CHECK(Contains(Rejected([](S& s) {
                   s.types.push_back({TypeKind::kInt64, "int", "$number"});
                 }),
                 "INT64 of the engine's spellings is there twice"));
  CHECK(Contains(Rejected([](S& s) { s.types.back().literal = "$number"; }),
                 "FLOAT64 of the engine's spellings can't have a literal"));
  CHECK(Contains(Rejected([](S& s) { s.types[0].literal = "$number"; }),
                 "STRING of the engine's spellings needs a literal with $text"));
  CHECK(
      Contains(Rejected([](S& s) { s.types[1].literal = "$value"; }), "needs a literal with one $number or one $text"));
  CHECK(Contains(Rejected([](S& s) { s.types[1].literal = "$number$number"; }), "INT64"));
  CHECK(Contains(Rejected([](S& s) { s.types[1].name = ""; }), "INT64 of the engine's spellings needs a name"));
  CHECK(Contains(Rejected([](S& s) { s.text.escapes = {}; }),
                 "the quotes `text` of the engine's spellings have no escape for the quote"));
  CHECK(Contains(Rejected([](S& s) { s.identifier.escapes = {{'"', "\""}}; }), "the quotes `identifier`"));
  // A text that ends in \ would otherwise escape the closing quote.
  CHECK(Contains(Rejected([](S& s) {
                   s.text.escapes = {{'\'', "\\'"}};
                 }),
                 "begins with \\, which has no escape itself"));
  CHECK(Contains(Rejected([](S& s) { s.parameter = "?"; }), "the parameter of the engine's spellings needs $1"));
  CHECK(Contains(Rejected([](S& s) { s.engine = ""; }), "`engine`"));
  CHECK(Contains(Rejected([](S& s) { s.limits = false, s.sorts = true; }), "`sorts`"));
  CHECK(absl::IsInvalidArgument(CreateFragmentEngineBackend(SmallSpellings(), nullptr, {}).status()));
}

TEST_CASE("EngineFunctionIds has what may be spelled, each acceptable as it is written") {
  const std::vector<std::string> ids = EngineFunctionIds();
  CHECK(std::is_sorted(ids.begin(), ids.end()));
  const auto has = [&](const char* id) { return std::find(ids.begin(), ids.end(), id) != ids.end(); };
  for (const char* const id : {"$equal(ORD1, ORD1)", "COUNT()", "$exact_sum(INT64)", "CAST(BOOL AS INT64)"}) {
    CAPTURE(id);
    CHECK(has(id));
  }
  for (const char* const id : {"RAND()", "$element(T1)", "$pin(T1)", "CURRENT_TIMESTAMP()"}) {
    CAPTURE(id);
    CHECK(!has(id));
  }
  for (const std::string& id : ids) {
    CAPTURE(id);
    // No template fits all of them, but none is unknown.
    EngineSpellings spellings = SmallSpellings();
    spellings.functions = {{id, "f($*)"}};
    const absl::Status status = CheckEngineSpellings(spellings);
    CHECK((status.ok() || status.message().find("names no function") == std::string::npos));
  }
}

}  // namespace
}  // namespace logquery
