// Writes the function table as Markdown.
#include "lib/engines/duckdb/dialect/function_docs.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include "lib/base/strings.h"
#include "lib/engines/duckdb/dialect/spellings.h"
#include "lib/rewrite/functions/functions.h"

namespace logquery::emit {
namespace {

using base::StrAppend;
using base::StrCat;
using rewrite::Function;
using rewrite::FunctionKind;
using rewrite::Overload;

// A cell's text as code.
std::string Code(std::string_view text) {
  std::string code = "`";
  for (const char c : text) StrAppend(&code, c == '|' ? "\\|" : std::string(1, c));
  return code + "`";
}

std::string SpellingText(std::string_view spelling) {
  if (spelling.empty()) return "refused";
  if (spelling.front() == '@') return "bridged";
  return spelling.find("lq_") == std::string_view::npos ? Code(spelling) : StrCat("own: ", Code(spelling));
}

std::string DuckDbText(const Function& function) {
  if (function.Has(rewrite::kReadsClock)) return "bound";
  std::vector<std::string> texts;
  for (const Overload& overload : function.overloads) {
    std::string text = SpellingText(DuckDbSpellings().Of(overload));
    if (std::find(texts.begin(), texts.end(), text) == texts.end()) texts.push_back(std::move(text));
  }
  return base::Join(texts, ", ");
}

std::string ValueText(const Function& function) {
  if (function.Has(rewrite::kVolatile)) return "new at each call";
  return function.Has(rewrite::kReadsClock) ? "of the call's clock" : "fixed";
}

void AddFunction(const Function& function, std::string& out) {
  std::string signatures;
  for (const Overload& overload : function.overloads) {
    StrAppend(&signatures, signatures.empty() ? "" : "<br>", Code(SignatureText(overload)));
  }
  StrAppend(&out, "| ", signatures, " | ", function.Has(rewrite::kNotInSandbox) ? "no" : "yes", " | ",
            ValueText(function), " | ", function.Has(rewrite::kGrows) ? "budget" : "", " | ", DuckDbText(function),
            " |\n");
}

void AddKind(FunctionKind kind, std::string_view title, std::string& out) {
  StrAppend(&out, "### ", title, "\n\n| Signatures | Sandbox | Value | Growth | DuckDB |\n|---|---|---|---|---|\n");
  for (const std::string& name : rewrite::FunctionNames()) {
    const Function& function = *rewrite::FindFunction(name);
    if (function.kind == kind && !function.Has(rewrite::kInternal)) AddFunction(function, out);
  }
}

}  // namespace

std::string FunctionTableMarkdown() {
  std::string out;
  AddKind(FunctionKind::kScalar, "Functions of a row", out);
  out += "\n";
  AddKind(FunctionKind::kAggregate, "Aggregates", out);
  out += "\n";
  AddKind(FunctionKind::kWindow, "Window functions", out);
  return out;
}

}  // namespace logquery::emit
