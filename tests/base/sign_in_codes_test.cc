#include "lib/base/sign_in_codes.h"

#include <catch2/catch_test_macros.hpp>
#include <set>
#include <string>

#include "lib/base/strings.h"
#include "logquery/testing/fake_clock.h"

namespace logquery::base {
namespace {

TEST_CASE("a code gives the token that it was made for, once") {
  testing::FakeClock clock(absl::UnixEpoch());
  SignInCodes codes(&clock);
  const absl::StatusOr<std::string> one = codes.Make("lq_one");
  const absl::StatusOr<std::string> two = codes.Make("lq_two");
  REQUIRE(one.ok());
  REQUIRE(two.ok());
  CHECK(*one != *two);
  CHECK(one->size() == 43);  // 256 bits in base64url
  CHECK(*codes.Take(*two) == "lq_two");
  CHECK(*codes.Take(*one) == "lq_one");
  for (const std::string& used : {*one, *two, std::string(), std::string("lq_one"), std::string(1'000'000, 'a')}) {
    const absl::Status refused = codes.Take(used).status();
    CHECK(absl::IsUnauthenticated(refused));
    CHECK(std::string(refused.message()).find("older than 60 seconds") != std::string::npos);
  }
}

TEST_CASE("a code is valid exactly for its lifetime") {
  testing::FakeClock clock(absl::UnixEpoch());
  SignInCodes codes(&clock);
  const std::string early = *codes.Make("early");
  clock.Advance(absl::Seconds(1));
  const std::string late = *codes.Make("late");
  clock.Advance(SignInCodes::kLifetime - absl::Seconds(1));
  CHECK(absl::IsUnauthenticated(codes.Take(early).status()));
  CHECK(*codes.Take(late) == "late");
}

TEST_CASE("the number of pending codes is limited, and expired ones make room") {
  testing::FakeClock clock(absl::UnixEpoch());
  SignInCodes codes(&clock);
  std::set<std::string> made;
  for (size_t i = 0; i < SignInCodes::kMaxCodes; ++i) {
    made.insert(*codes.Make(StrCat("t", i / SignInCodes::kMaxCodesOfToken)));
  }
  CHECK(made.size() == SignInCodes::kMaxCodes);
  CHECK(absl::IsResourceExhausted(codes.Make("t").status()));
  clock.Advance(SignInCodes::kLifetime);
  CHECK(codes.Make("t").ok());
}

TEST_CASE("a token that creates many codes uses up only its own places") {
  testing::FakeClock clock(absl::UnixEpoch());
  SignInCodes codes(&clock);
  const std::string of_another = *codes.Make("another");
  const std::string first = *codes.Make("t");
  std::string last;
  for (size_t i = 0; i < 2 * SignInCodes::kMaxCodes; ++i) {
    clock.Advance(absl::Milliseconds(1));
    last = *codes.Make("t");
  }
  CHECK(absl::IsUnauthenticated(codes.Take(first).status()));
  CHECK(*codes.Take(last) == "t");
  CHECK(*codes.Take(of_another) == "another");
}

}  // namespace
}  // namespace logquery::base
