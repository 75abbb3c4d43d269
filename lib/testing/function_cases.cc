// Cases share queries, a few in each, because a backend elsewhere takes longer to be asked than to evaluate a function. Where a
// query fails, its cases run again one by one.
#include "lib/testing/function_cases.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/testing/contract_files.h"

namespace logquery::testing {
namespace {

using base::StrCat;

constexpr size_t kCasesPerQuery = 16;
constexpr size_t kMostShown = 10;

enum class Arguments { kColumns, kLiterals };

std::vector<std::string_view> Split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  while (true) {
    const size_t end = text.find(separator);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

// The call with `operand(i)` in place of $i+1.
template <typename Operand>
std::string Filled(std::string_view call, Operand operand) {
  std::string text;
  for (size_t at = 0; at < call.size();) {
    size_t digits = at + 1, number = 0;
    while (call[at] == '$' && digits < call.size() && call[digits] >= '0' && call[digits] <= '9') {
      number = number * 10 + static_cast<size_t>(call[digits++] - '0');
    }
    if (number == 0) {
      text += call[at++];
    } else {
      text += operand(number - 1);
      at = digits;
    }
  }
  return text;
}

std::string Shown(const FunctionCase& a) {
  return Filled(a.call, [&](size_t i) { return i < a.arguments.size() ? a.arguments[i] : "?"; });
}

// A query over three rows whose columns are each call's value and what it should be. Columns hold the same value in each row, which
// the engine can't know before it reads the table.
std::string QueryOf(absl::Span<const FunctionCase> cases, Arguments form) {
  std::string select, columns;
  for (size_t n = 0; n < cases.size(); ++n) {
    const FunctionCase& a = cases[n];
    const auto operand = [&](size_t i) {
      return form == Arguments::kLiterals ? std::string(a.arguments[i]) : StrCat("t.c", n, "_", i);
    };
    base::StrAppend(&select, n == 0 ? "" : ", ", Filled(a.call, operand), " AS x", n);
    if (!a.expected.empty()) base::StrAppend(&select, ", ", a.expected, " AS y", n);
    for (size_t i = 0; i < a.arguments.size() && form == Arguments::kColumns; ++i) {
      base::StrAppend(&columns, ", IF(k.n >= 0, ", a.arguments[i], ", NULL) AS c", n, "_", i);
    }
  }
  return StrCat("SELECT ", select, " FROM (SELECT k.n", columns, " FROM `contract.numbers` AS k WHERE k.n < 3) AS t");
}

// Asks one backend.
class Asker {
 public:
  Asker(ContractHarness& harness, QueryBackend& backend) : harness_(harness), backend_(backend) {}

  absl::StatusOr<std::vector<std::vector<Value>>> Rows(const std::string& sql) const {
    ContractQuery query;
    query.sql = sql;
    LOGQUERY_ASSIGN_OR_RETURN(const ContractHarness::Prepared ready, harness_.Prepare(backend_, query));
    CollectingSink sink;
    LOGQUERY_RETURN_IF_ERROR(backend_.Execute(*ready.query, ready.bindings, {}, {}, sink));
    return sink.rows();
  }

  // Returns OK if each case has its value, otherwise the problem of the first that has not.
  absl::Status Check(absl::Span<const FunctionCase> cases, Arguments form) const {
    LOGQUERY_ASSIGN_OR_RETURN(const auto rows, Rows(QueryOf(cases, form)));
    if (rows.size() != 3) return absl::FailedPreconditionError(StrCat("a query of three rows gave ", rows.size()));
    for (const std::vector<Value>& row : rows) {
      for (size_t n = 0; n < cases.size(); ++n) {
        const Value &found = row[2 * n], &wanted = row[2 * n + 1];
        if (SameValue(found, wanted)) continue;
        return absl::FailedPreconditionError(
            StrCat(Shown(cases[n]), " gave ", found.DebugString(), ", not ", wanted.DebugString()));
      }
    }
    return absl::OkStatus();
  }

  // The same of a call that has to be an error.
  absl::Status CheckError(const FunctionCase& a, Arguments form) const {
    const absl::Status status = Rows(QueryOf({&a, 1}, form)).status();
    if (status.ok()) return absl::FailedPreconditionError(StrCat(Shown(a), " is no error"));
    return absl::IsInternal(status) || absl::IsUnimplemented(status) ? status : absl::OkStatus();
  }

  absl::Status CheckOne(const FunctionCase& a) const {
    absl::Status status;
    for (const Arguments form : {Arguments::kColumns, Arguments::kLiterals}) {
      status = a.expected.empty() ? CheckError(a, form) : Check({&a, 1}, form);
      if (!absl::IsUnimplemented(status)) break;
    }
    if (status.ok() || absl::IsUnimplemented(status) || absl::IsFailedPrecondition(status)) return status;
    return absl::FailedPreconditionError(StrCat(Shown(a), ": ", base::Message(status)));
  }

 private:
  ContractHarness& harness_;
  QueryBackend& backend_;
};

}  // namespace

bool SameValue(const Value& a, const Value& b) {
  if (a == b || a.is_null() || b.is_null() || !a.type().is(TypeKind::kFloat64) || !b.type().is(TypeKind::kFloat64)) {
    return a == b;
  }
  return std::abs(a.float64_value() - b.float64_value()) <= 1e-12 * std::abs(b.float64_value());
}

const std::vector<FunctionCase>& FunctionCases() {
  static const auto& cases = *[] {
    auto* const all = new std::vector<FunctionCase>;
    for (const std::string_view line : Split(EmbeddedFile("function_cases.txt"), '\n')) {
      if (line.empty() || line[0] == '#') continue;
      std::vector<std::string_view> parts = Split(line, '\t');
      FunctionCase& made = all->emplace_back();
      made.call = parts[0];
      if (parts.size() > 1 && parts[1] != "error") made.expected = parts[1];
      if (parts.size() > 2) made.arguments.assign(parts.begin() + 2, parts.end());
    }
    return all;
  }();
  return cases;
}

absl::Status CheckFunctionCases(ContractHarness& harness, std::vector<std::string>& left_out) {
  LOGQUERY_ASSIGN_OR_RETURN(const std::unique_ptr<QueryBackend> backend, harness.Open());
  const Asker asker(harness, *backend);
  std::vector<std::string> wrong;
  const auto check_one = [&](const FunctionCase& a) {
    const absl::Status status = asker.CheckOne(a);
    if (absl::IsUnimplemented(status)) {
      left_out.push_back(Shown(a));
    } else if (!status.ok()) {
      wrong.emplace_back(base::Message(status));
    }
  };
  std::vector<FunctionCase> together;
  const auto check_together = [&] {
    if (!together.empty() && !asker.Check(together, Arguments::kColumns).ok()) {
      std::for_each(together.begin(), together.end(), check_one);
    }
    together.clear();
  };
  for (const FunctionCase& a : FunctionCases()) {
    if (a.expected.empty()) {
      check_one(a);
      continue;
    }
    together.push_back(a);
    if (together.size() == kCasesPerQuery) check_together();
  }
  check_together();
  if (wrong.empty()) return absl::OkStatus();
  const size_t count = wrong.size();
  wrong.resize(std::min(count, kMostShown));
  return absl::FailedPreconditionError(
      StrCat(count, " of ", FunctionCases().size(), " function cases are wrong: ", base::Join(wrong, "; ")));
}

}  // namespace logquery::testing
