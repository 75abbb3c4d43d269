// Functions over long stored texts: one vector of them is gone through before the engine looks whether the query must end.
#include <unistd.h>

#include <catch2/catch_test_macros.hpp>
#include <filesystem>
#include <fstream>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/str_replace.h"
#include "lib/base/strings.h"
#include "lib/rewrite/functions/functions.h"
#include "logquery/clock.h"
#include "logquery/query_service.h"
#include "logquery/store/duckdb_backend.h"
#include "tests/sandbox/sandbox_logs.h"
#include "tests/support/folders.h"
#include "tests/support/thread_time.h"

namespace logquery {
namespace {

using testing::ShortestSeconds;

constexpr int kRows = 100;
constexpr size_t kBytes = 64 << 10;
constexpr size_t kPartBytes = 30'000;

// The sanitizers make each step longer, and not all alike.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kComparesTime = false;
#else
constexpr bool kComparesTime = true;
#endif

// Every other row has one `b` in as many bytes as the part has, in another place in each; the rest are commas and letters by turns.
std::string TextOf(int row) {
  std::string text;
  for (size_t i = 0; text.size() < kBytes; ++i) {
    const size_t place = i + static_cast<size_t>(row) * 311;
    text += row % 2 == 1 && place % 2 == 0 ? ',' : row % 2 == 0 && place % kPartBytes == 0 ? 'b' : 'a';
  }
  return text;
}

// Differs from each part of a text by the last two bytes, whose sum is that of `a` and `b`.
std::string Part() { return std::string(kPartBytes - 2, 'a') + "Zi"; }

class LongTexts {
 public:
  LongTexts() {
    std::filesystem::create_directories(folder_);
    std::ofstream file(folder_ / "rows");
    for (int row = 0; row < kRows; ++row) {
      file << R"({"id":")" << row << R"(","timestamp":"2026-03-04T05:00:00Z","project":"abc","event_message":")"
           << TextOf(row) << "\"}\n";
    }
    file.close();
    DuckDbOptions engine;
    engine.folder = (folder_ / "data").string();
    engine.threads = 1;  // the calling one, whose processor time is taken
    auto backend = OpenDuckDb(engine);
    REQUIRE(backend.ok());
    backend_ = *std::move(backend);
    REQUIRE(backend_->store().Load({.table = "edge_logs", .files = {(folder_ / "rows").string()}}, nullptr).ok());
    QueryServiceOptions options;
    options.backend = backend_.get();
    options.clock = &clock_;
    options.kept_bytes = 0;
    auto service = QueryService::Create(options);
    REQUIRE(service.ok());
    service_ = *std::move(service);
  }

  LongTexts(const LongTexts&) = delete;
  LongTexts& operator=(const LongTexts&) = delete;
  ~LongTexts() {
    service_ = nullptr;
    backend_ = nullptr;
    std::filesystem::remove_all(folder_);
  }

  absl::Status Run(std::string_view expression) {
    QueryRequest request;
    request.endpoint = "logs.all";
    request.parameters = {
        {"project", "abc"},
        {"sql", base::StrCat("SELECT ", expression, " AS n FROM (SELECT event_message AS t FROM edge_logs)")}};
    return service_->Run(request).status();
  }

 private:
  const std::filesystem::path folder_ =
      std::filesystem::temp_directory_path() / base::StrCat("logquery-long-texts-", getpid());
  const FixedClock clock_{absl::FromUnixSeconds(1'772'600'700)};
  std::unique_ptr<DuckDbBackend> backend_;
  std::unique_ptr<QueryService> service_;
};

// Texts that are searched for, split at and so on, of which the last one can be a column's.
constexpr std::string_view kParts[] = {"','", "'{part}'", "SUBSTR(t, 2, 20000)"};

// Returns an argument of the type with all bytes of t, or with `part`, which is one of kParts; empty: there is none here.
std::string ArgumentOf(const rewrite::TypePattern& pattern, std::string_view part) {
  using Kind = rewrite::TypePattern::Kind;
  if (pattern.kind == Kind::kArray) {
    const rewrite::TypePattern& element = pattern.element[0];
    if (element.kind != Kind::kExact || element.exact.is(TypeKind::kString)) return "SPLIT(t, ',')";
    return element.exact.is(TypeKind::kInt64) ? "TO_CODE_POINTS(t)" : "";
  }
  if (pattern.kind == Kind::kAny || pattern.kind == Kind::kOrderable || pattern.kind == Kind::kGroupable) return "t";
  if (pattern.kind != Kind::kExact) return "";
  switch (pattern.exact.kind()) {
    case TypeKind::kString:
      return part.empty() ? "t" : std::string(part);
    case TypeKind::kBytes:
      return base::StrCat("CAST(", part.empty() ? "t" : part, " AS BYTES)");
    case TypeKind::kInt64:
      return "3";
    case TypeKind::kFloat64:
      return "0.5";
    case TypeKind::kBool:
      return "TRUE";
    case TypeKind::kJson:
      return "TO_JSON(t)";
    default:
      return "";
  }
}

// Returns the call with t for the first argument; empty: an argument can't be made, or none of them is long.
std::string CallOf(const rewrite::Overload& overload, std::string_view part) {
  std::string arguments;
  for (const rewrite::ParameterPattern& parameter : overload.parameters) {
    const bool is_first = arguments.empty();
    const std::string argument = ArgumentOf(parameter.type, is_first ? "" : part);
    if (argument.empty()) return "";
    base::StrAppend(&arguments, is_first ? "" : ", ", parameter.name, parameter.name.empty() ? "" : " => ", argument);
  }
  if (arguments.find("(t") == std::string::npos && !arguments.starts_with("t")) return "";
  const std::string call = base::StrCat(overload.function->name, "(", arguments, ")");
  return overload.function->kind == rewrite::FunctionKind::kAggregate ? call : base::StrCat("COUNT(", call, ")");
}

// Expects that the expression takes some nanoseconds a byte, or is refused.
class EndsSoon {
 public:
  EndsSoon() : lower_(ShortestSeconds(5, [&] { CHECK(texts_.Run("SUM(LENGTH(LOWER(t)))").ok()); })) {}

  absl::Status Check(const std::string& expression) {
    const std::string sql = absl::StrReplaceAll(expression, {{"{part}", Part()}});
    absl::Status status;
    for (int attempts = 3; attempts > 0; --attempts) {
      const double seconds = ShortestSeconds(1, [&] { status = texts_.Run(sql); });
      if (!kComparesTime || seconds < kMostTimes * lower_) return status;
    }
    FAIL_CHECK(expression << " takes too long");
    return status;
  }

 private:
  static constexpr double kMostTimes = 200;  // functions of ours may take 40 times as long, and end with the query

  LongTexts texts_;
  const double lower_;
};

TEST_CASE("every function over long texts takes some nanoseconds a byte, or says that they are too long") {
  EndsSoon soon;
  for (const std::string& line : testing::SandboxLines(testing::SourcePath("tests/testdata/sandbox/long_texts.txt"))) {
    INFO(line);
    const absl::Status status = soon.Check(line);
    INFO(status.ToString());
    CHECK(
        (status.ok() || absl::IsResourceExhausted(status) || status.message().find("bytes") != std::string_view::npos));
  }
}

TEST_CASE("every function of the table, with long texts for its arguments, ends soon") {
  EndsSoon soon;
  int answered = 0;
  for (const std::string& name : rewrite::FunctionNames()) {
    for (const rewrite::Overload& overload : rewrite::FindFunction(name)->overloads) {
      std::set<std::string> calls;
      for (const std::string_view part : kParts) calls.insert(CallOf(overload, part));
      calls.erase("");
      for (const std::string& call : calls) answered += soon.Check(call).ok() ? 1 : 0;
    }
  }
  CHECK(answered > 100);
}

}  // namespace
}  // namespace logquery
