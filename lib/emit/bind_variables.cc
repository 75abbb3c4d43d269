#include "lib/emit/bind_variables.h"

#include <string_view>
#include <utility>

#include "absl/functional/function_ref.h"
#include "lib/base/strings.h"

namespace logquery::emit {
namespace {

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

// Gives each number behind a `$` to `visit`, and puts what it returns in its place.
std::string EachVariable(std::string_view text, absl::FunctionRef<size_t(size_t)> visit) {
  std::string out;
  char quote = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    out += c;
    if (quote != 0) {
      // A quote that is written twice ends the text and begins it again.
      if (c == quote) quote = 0;
    } else if (c == '\'' || c == '"') {
      quote = c;
    } else if (c == '$' && i + 1 < text.size() && IsDigit(text[i + 1])) {
      size_t number = 0;
      for (; i + 1 < text.size() && IsDigit(text[i + 1]); ++i)
        number = number * 10 + static_cast<size_t>(text[i + 1] - '0');
      base::StrAppend(&out, visit(number));
    }
  }
  return out;
}

}  // namespace

bool HasVariable(std::string_view text) {
  bool any = false;
  EachVariable(text, [&](size_t number) {
    any = true;
    return number;
  });
  return any;
}

void DropUnusedSlots(EmittedQuery& query) {
  std::vector<bool> occurs(query.slots.size(), false);
  const auto slot_of = [&](size_t number) {
    return number >= 1 && number <= occurs.size() ? number - 1 : occurs.size();
  };
  EachVariable(query.text, [&](size_t number) {
    if (slot_of(number) < occurs.size()) occurs[slot_of(number)] = true;
    return number;
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
  query.text = EachVariable(query.text, [&](size_t number) { return numbers[slot_of(number)]; });
  query.slots = std::move(used);
}

}  // namespace logquery::emit
