#include "lib/emit/bind_variables.h"

#include <catch2/catch_test_macros.hpp>

namespace logquery::emit {
namespace {

std::string Dropped(const std::string& text, std::vector<std::string> names) {
  EmittedQuery query;
  query.text = text;
  for (std::string& name : names) query.slots.push_back({std::move(name), Type::String()});
  DropUnusedSlots(query);
  std::string slots;
  for (const Slot& slot : query.slots) slots += " " + slot.name;
  return query.text + slots;
}

TEST_CASE("unused variables are dropped, and the others are renumbered") {
  CHECK(Dropped("SELECT $1::VARCHAR, $2::VARCHAR", {"a", "b"}) == "SELECT $1::VARCHAR, $2::VARCHAR a b");
  CHECK(Dropped("SELECT $3, $1, $3", {"a", "b", "c"}) == "SELECT $2, $1, $2 a c");
  CHECK(Dropped("SELECT 1", {"a"}) == "SELECT 1");
  CHECK(Dropped("SELECT $12", std::vector<std::string>(12, "a")) == "SELECT $1 a");
}

TEST_CASE("a dollar sign in a literal or a name is not taken for a variable") {
  CHECK(Dropped("SELECT '$1', 'it''s $1', \"$1\", \"a\"\"$1\", $2", {"a", "b"}) ==
        "SELECT '$1', 'it''s $1', \"$1\", \"a\"\"$1\", $1 b");
  CHECK(Dropped("SELECT x$, '$'", {"a"}) == "SELECT x$, '$'");
}

}  // namespace
}  // namespace logquery::emit
