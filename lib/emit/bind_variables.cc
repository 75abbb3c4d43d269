// Renumbers the bind variables of a finished text, and drops those that it does not use.
#include "lib/emit/bind_variables.h"

#include <algorithm>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>

#include "absl/functional/function_ref.h"
#include "lib/base/strings.h"

namespace logquery::emit {
namespace {

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

// A `$12` of the text: where its digits begin and end, and the number.
struct Variable {
  size_t begin = 0;
  size_t end = 0;
  size_t number = 0;
};

// Calls the function for each variable outside of quotes, from left to right.
void ForEachVariable(const std::string& text, absl::FunctionRef<void(const Variable&)> visit) {
  // strcspn is fast but stops at a NUL, after which the search goes on.
  for (size_t i = 0; (i += std::strcspn(text.c_str() + i, "'\"$")) < text.size(); ++i) {
    const char c = text[i];
    if (c == '\'' || c == '"') {
      // Skips to the end of the quoted text. A doubled quote ends it and begins it again.
      i = std::min(text.find(c, i + 1), text.size());
    } else if (c == '$' && i + 1 < text.size() && IsDigit(text[i + 1])) {
      Variable variable{i + 1, i + 1, 0};
      for (; variable.end < text.size() && IsDigit(text[variable.end]); ++variable.end)
        variable.number = variable.number * 10 + static_cast<size_t>(text[variable.end] - '0');
      visit(variable);
      i = variable.end - 1;
    }
  }
}

}  // namespace

void DropUnusedSlots(EmittedQuery& query) {
  std::vector<bool> occurs(query.slots.size(), false);
  const auto slot_of = [&](size_t number) {
    return number >= 1 && number <= occurs.size() ? number - 1 : occurs.size();
  };
  ForEachVariable(query.text, [&](const Variable& variable) {
    if (slot_of(variable.number) < occurs.size()) occurs[slot_of(variable.number)] = true;
  });
  std::vector<Slot> used;
  std::vector<size_t> numbers(occurs.size() + 1, 0);
  for (size_t slot = 0; slot < occurs.size(); ++slot) {
    if (!occurs[slot]) continue;
    used.push_back(std::move(query.slots[slot]));
    numbers[slot] = used.size();
  }
  if (used.size() == occurs.size()) {
    query.slots = std::move(used);
    return;
  }
  const auto renumber = [&](std::string& text) {
    std::string renumbered;
    size_t copied = 0;
    ForEachVariable(text, [&](const Variable& variable) {
      base::StrAppend(&renumbered, std::string_view(text).substr(copied, variable.begin - copied),
                      numbers[slot_of(variable.number)]);
      copied = variable.end;
    });
    text = renumbered.append(text, copied);
  };
  renumber(query.text);
  if (query.packed) renumber(query.packed->text);  // has the same variables
  query.slots = std::move(used);
}

}  // namespace logquery::emit
