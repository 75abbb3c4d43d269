// Checks each entry against the signatures of the function table that it is for.
#include "lib/engines/described/dialect/call_templates.h"

#include <algorithm>
#include <set>

#include "absl/strings/ascii.h"
#include "lib/base/nearest_names.h"
#include "lib/base/status_macros.h"
#include "lib/emit/spellings.h"
#include "lib/functions/function.h"
#include "lib/rewrite/functions/functions.h"

namespace logquery::emit {
namespace {

using base::StrCat;
using rewrite::FunctionRow;
using rewrite::Overload;

constexpr size_t kLongestTemplate = 4'096;
// The casts that engines have in common; see NoCast in table_powers.h.
constexpr std::pair<TypeKind, TypeKind> kCasts[] = {
    {TypeKind::kInt64, TypeKind::kString},   {TypeKind::kBool, TypeKind::kString},
    {TypeKind::kBool, TypeKind::kInt64},     {TypeKind::kInt64, TypeKind::kBool},
    {TypeKind::kDate, TypeKind::kDatetime},  {TypeKind::kDate, TypeKind::kTimestamp},
    {TypeKind::kDatetime, TypeKind::kDate},  {TypeKind::kDatetime, TypeKind::kTimestamp},
    {TypeKind::kTimestamp, TypeKind::kDate}, {TypeKind::kTimestamp, TypeKind::kDatetime},
};

std::string NameOfCast(TypeKind from, TypeKind to) {
  return StrCat("CAST(", TypeKindName(from), " AS ", TypeKindName(to), ")");
}

const std::vector<const FunctionRow*>& Rows() {
  static const auto& rows = *new auto(rewrite::AllFunctionRows());
  return rows;
}

// Returns whether an engine may be asked for the function at all: lib/split/reasons.cc keeps the others.
bool IsForEngines(const FunctionRow& row) {
  if (row.name == "$ascii_lower" || row.name == "$exact_sum") return true;
  const functions::FunctionEntry* const own = rewrite::OwnFunction(row);
  const bool is_program = own != nullptr && own->evaluator != nullptr;
  return !is_program && (row.flags & (rewrite::kVolatile | rewrite::kReadsClock | rewrite::kInternal)) == 0;
}

// The overload with this id, of the row with this index.
const Overload& OverloadOf(size_t id) {
  const std::vector<Overload>& overloads = rewrite::FindFunction(Rows()[id]->name)->overloads;
  return *std::find_if(overloads.begin(), overloads.end(), [&](const Overload& each) { return each.id == id; });
}

absl::Status Wrong(const FunctionSpelling& spelling, std::string_view problem) {
  return absl::InvalidArgumentError(StrCat("the spelling of ", spelling.function, " ", problem));
}

// Returns whether the entry is for one signature.
bool IsWhole(const FunctionSpelling& spelling) { return spelling.function.find('(') != std::string::npos; }

bool HasConstant(const CallTemplate& entry, size_t operand) {
  return std::any_of(entry.constants.begin(), entry.constants.end(),
                     [&](const auto& constant) { return constant.first == static_cast<int>(operand); });
}

// Returns why the text is no template of calls of the overload; empty: it is.
std::string Misfit(const std::string& text, const CallTemplate& entry, const Overload& overload) {
  const auto& parameters = overload.parameters;
  const bool repeats = !parameters.empty() && parameters.back().repeated;
  if (!repeats && static_cast<size_t>(entry.highest) > parameters.size()) {
    return StrCat("has $", entry.highest, ", but ", SignatureText(overload), " has ", parameters.size(), " operands");
  }
  for (size_t i = 0; i < parameters.size(); ++i) {
    if (CountInTemplate(text, i) == 0 && !HasConstant(entry, i + 1) && !parameters[i].optional) {
      return StrCat("lacks the operand $", i + 1, " of ", SignatureText(overload));
    }
  }
  return "";
}

bool IsConstant(const rewrite::Scalar& scalar, std::string_view wanted) {
  const auto* const constant = rewrite::If<rewrite::Constant>(&scalar);
  if (constant == nullptr || constant->value.is_null()) return false;
  if (constant->type.is(TypeKind::kInt64)) return StrCat(constant->value.int64_value()) == wanted;
  return constant->type.is(TypeKind::kString) && constant->value.string_value() == wanted;
}

std::string WrongConstants(const FunctionSpelling& spelling) {
  std::set<int> numbers;
  for (const auto& [number, text] : spelling.constants) {
    if (number < 1 || number > 9)
      return StrCat("has a constant for the operand ", number, ", which is not from 1 to 9");
    if (!numbers.insert(number).second) return StrCat("has two constants for the operand ", number);
  }
  return "";
}

}  // namespace

std::string ReadOperands(std::string_view spelling, int* highest, int* rest_from) {
  *highest = *rest_from = 0;
  if (spelling.empty()) return "is empty";
  if (spelling.size() > kLongestTemplate) return StrCat("has more than ", kLongestTemplate, " bytes");
  if (spelling.find('\0') != std::string_view::npos) return "has a NUL character";
  for (size_t i = spelling.find('$'); i != std::string_view::npos; i = spelling.find('$', i)) {
    const char next = i + 1 < spelling.size() ? spelling[i + 1] : '\0';
    i += 2;
    if (next == '$') continue;
    int first = next == '*' ? 1 : 0;
    if (next >= '1' && next <= '9') {
      *highest = std::max(*highest, next - '0');
      if (i < spelling.size() && spelling[i] == '*') first = next - '0';
    } else if (next != '*') {
      return "has a $ without a number from 1 to 9; write $$ for the character";
    }
    if (first > 0) *rest_from = *rest_from == 0 ? first : std::min(*rest_from, first);
  }
  return "";
}

std::string AsOperand(std::string_view spelling) {
  size_t i = 0;
  while (i < spelling.size() && (absl::ascii_isalnum(static_cast<unsigned char>(spelling[i])) || spelling[i] == '_'))
    ++i;
  const bool is_plain = i == spelling.size() || spelling == "$1" || spelling == "$number" || spelling == "$text";
  int depth = 0;
  bool closed = false;
  for (; i < spelling.size(); ++i) {
    if (depth == 0 && (closed || spelling[i] != '(')) break;
    depth += spelling[i] == '(' ? 1 : spelling[i] == ')' ? -1 : 0;
    closed = depth == 0;
  }
  return is_plain || (closed && i == spelling.size()) ? std::string(spelling) : StrCat("(", spelling, ")");
}

absl::StatusOr<CallTemplates> CallTemplates::Create(const std::vector<FunctionSpelling>& spellings) {
  CallTemplates made;
  made.by_overload_.resize(Rows().size());
  made.has_own_.resize(Rows().size());
  // Entries for one signature go before those for a name.
  for (const bool whole : {true, false}) {
    for (const FunctionSpelling& spelling : spellings) {
      if (IsWhole(spelling) == whole) LOGQUERY_RETURN_IF_ERROR(made.Add(spelling));
    }
  }
  return made;
}

absl::Status CallTemplates::Add(const FunctionSpelling& spelling) {
  if (spelling.function.starts_with("CAST(") && spelling.function.find(" AS ") != std::string::npos) {
    return AddCast(spelling);
  }
  CallTemplate entry;
  std::string problem = ReadOperands(spelling.sql, &entry.highest, &entry.rest_from);
  if (problem.empty()) problem = WrongConstants(spelling);
  if (!problem.empty()) return Wrong(spelling, problem);
  entry.constants = spelling.constants;
  std::sort(entry.constants.begin(), entry.constants.end());
  const bool is_whole = IsWhole(spelling);
  bool is_known = false;
  bool is_used = false;
  for (size_t id = 0; id < Rows().size(); ++id) {
    const FunctionRow& row = *Rows()[id];
    if (!IsForEngines(row) || (is_whole ? rewrite::NameWithParameters(row) : row.name) != spelling.function) continue;
    is_known = true;
    if (!is_whole && has_own_[id]) continue;
    if (std::string misfit = Misfit(spelling.sql, entry, OverloadOf(id)); !misfit.empty()) {
      if (problem.empty()) problem = std::move(misfit);
      continue;
    }
    LOGQUERY_RETURN_IF_ERROR(AddTo(id, spelling, entry));
    has_own_[id] = has_own_[id] || is_whole;
    is_used = true;
  }
  if (is_known) return is_used || problem.empty() ? absl::OkStatus() : Wrong(spelling, problem);
  const std::vector<std::string> near = base::NearestNames(spelling.function, EngineFunctionIds());
  return Wrong(spelling, StrCat("names no function that an engine may be given", base::DidYouMean(near)));
}

absl::Status CallTemplates::AddTo(size_t id, const FunctionSpelling& spelling, CallTemplate entry) {
  const FunctionRow& row = *Rows()[id];
  for (const CallTemplate& other : by_overload_[id]) {
    if (other.constants == entry.constants && other.highest == entry.highest && other.rest_from == entry.rest_from) {
      return Wrong(spelling, "is there twice, for calls with the same operands");
    }
  }
  entry.nests = (row.name == "$and" || row.name == "$or") && entry.rest_from == 0;
  // An operand that is there twice would double at each level.
  const bool is_pair =
      entry.highest == 2 && CountInTemplate(spelling.sql, 0) == 1 && CountInTemplate(spelling.sql, 1) == 1;
  if (entry.nests && !is_pair) {
    return Wrong(spelling, "has to have the operands $1 and $2, each once, or all of them by $*");
  }
  entry.text = row.kind == rewrite::FunctionKind::kScalar ? AsOperand(spelling.sql) : spelling.sql;
  if (!spelling.distinct.empty()) {
    CallTemplate distinct = entry;
    std::string problem = ReadOperands(spelling.distinct, &distinct.highest, &distinct.rest_from);
    if (problem.empty() && row.kind != rewrite::FunctionKind::kAggregate) problem = "is of no use: it is no aggregate";
    if (problem.empty()) problem = Misfit(spelling.distinct, distinct, OverloadOf(id));
    if (!problem.empty()) return Wrong(spelling, StrCat("with DISTINCT ", problem));
    entry.distinct = spelling.distinct;
  }
  by_overload_[id].push_back(std::move(entry));
  return absl::OkStatus();
}

absl::Status CallTemplates::AddCast(const FunctionSpelling& spelling) {
  int highest = 0;
  int rest_from = 0;
  if (const std::string problem = ReadOperands(spelling.sql, &highest, &rest_from); !problem.empty()) {
    return Wrong(spelling, problem);
  }
  if (!spelling.constants.empty() || !spelling.distinct.empty() || rest_from > 0 || highest != 1) {
    return Wrong(spelling, "has to have one operand, $1");
  }
  for (const auto& [from, to] : kCasts) {
    if (NameOfCast(from, to) != spelling.function) continue;
    if (casts_.emplace(std::pair(from, to), AsOperand(spelling.sql)).second) return absl::OkStatus();
    return Wrong(spelling, "is there twice");
  }
  return Wrong(spelling,
               "can't be used: casts that may fail, or whose text differs between engines, are computed here");
}

const CallTemplate* CallTemplates::Find(const Overload& overload,
                                        const std::vector<rewrite::ScalarPtr>& arguments) const {
  for (const CallTemplate& entry : by_overload_[overload.id]) {
    bool fits = entry.nests || static_cast<size_t>(std::max(entry.highest, entry.rest_from)) <= arguments.size();
    for (const auto& [number, text] : entry.constants) {
      const auto place = static_cast<size_t>(number) - 1;
      fits = fits && place < arguments.size() && IsConstant(*arguments[place], text);
    }
    for (size_t i = 0; fits && !entry.nests && i < arguments.size(); ++i) {
      fits = CountInTemplate(entry.text, i) > 0 || HasConstant(entry, i + 1);
    }
    if (fits) return &entry;
  }
  return nullptr;
}

std::string_view CallTemplates::Cast(TypeKind from, TypeKind to) const {
  const auto found = casts_.find({from, to});
  return found == casts_.end() ? std::string_view() : std::string_view(found->second);
}

}  // namespace logquery::emit

namespace logquery {

std::vector<std::string> EngineFunctionIds() {
  std::vector<std::string> ids;
  for (const rewrite::FunctionRow* const row : emit::Rows()) {
    if (emit::IsForEngines(*row)) ids.push_back(rewrite::NameWithParameters(*row));
  }
  for (const auto& [from, to] : emit::kCasts) ids.push_back(emit::NameOfCast(from, to));
  std::sort(ids.begin(), ids.end());
  return ids;
}

}  // namespace logquery
