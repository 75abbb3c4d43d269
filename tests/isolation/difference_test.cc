#include "tests/isolation/difference.h"

#include <catch2/catch_test_macros.hpp>

namespace logquery::isolation {
namespace {

Answer Rows(std::string rows) { return {absl::OkStatus(), std::move(rows)}; }
Answer Failed(const char* message) { return {absl::InvalidArgumentError(message), ""}; }

TEST_CASE("rows are equal in any order, and other differences count") {
  CHECK(Difference(Rows("{\"n\":1}\n{\"n\":2}\n"), Rows("{\"n\":2}\n{\"n\":1}\n")).empty());
  CHECK_FALSE(Difference(Rows("{\"n\":1}\n"), Rows("{\"n\":2}\n")).empty());
  CHECK_FALSE(Difference(Rows("{\"n\":1}\n"), Rows("{\"n\":1}\n{\"n\":1}\n")).empty());
  CHECK_FALSE(Difference(Rows("{\"n\":1}\n"), Failed("Bad INT64 value")).empty());
  CHECK_FALSE(Difference(Failed("Bad INT64 value"), Rows("")).empty());
}

TEST_CASE("errors are the same when they differ in the values that they quote alone") {
  CHECK(Difference(Failed("no INT64: 'a'"), Failed("no INT64: 'b c'")).empty());
  CHECK(Difference(Failed("index 3 of 2 elements"), Failed("index 17 of 1 elements")).empty());
  CHECK_FALSE(Difference(Failed("no INT64: 'a'"), Failed("no DATE: 'a'")).empty());
  CHECK_FALSE(Difference(Failed("no INT64"), {absl::OutOfRangeError("no INT64"), ""}).empty());
}

TEST_CASE("truncated rows are never equal") {
  Answer cut = Rows("{\"n\":1}\n");
  cut.truncated = true;
  CHECK_FALSE(Difference(cut, cut).empty());
}

TEST_CASE("a marker shows in rows and in messages") {
  CHECK(Leak(Rows("{\"n\":\"abc\"}\n")).empty());
  CHECK(Leak(Failed("no INT64: 'seven'")).empty());
  CHECK_FALSE(Leak(Rows("{\"n\":\"a zqx\"}\n")).empty());
  CHECK_FALSE(Leak(Rows("{\"n\":4242424242}\n")).empty());
  CHECK_FALSE(Leak(Failed("no INT64: '(zqx'")).empty());
}

TEST_CASE("a message without its values keeps its text") {
  CHECK(WithoutValues("Bad INT64 value: \"a\" at 12") == "Bad INT64 value: '…' at 0");
  CHECK(WithoutValues("Bad INT64 value: 'it") == "Bad INT64 value: '…'");
  CHECK(WithoutValues("") == "");
}

}  // namespace
}  // namespace logquery::isolation
