#include "lib/base/own_host.h"

#include <catch2/catch_test_macros.hpp>

namespace logquery::base {
namespace {

TEST_CASE("addresses and localhost are accepted hosts with any port, and a site's name is not") {
  for (const char* own : {"127.0.0.1", "127.0.0.1:4001", "10.1.2.3:80", "[::1]", "[::1]:4001", "[fe80::1]:1",
                          "localhost", "LocalHost:4001", "a.localhost", "metrics.example:9", "METRICS.example"}) {
    CAPTURE(own);
    CHECK(IsOwnHost(own, {"metrics.example"}));
  }
  for (const char* other : {"", "evil.example", "evil.example:4001", "127.0.0.1.evil.example", "localhost.evil.example",
                            "notlocalhost", "127.1", "0x7f000001", "2130706433", "127.0.0.1@evil.example", "[::1",
                            "[evil.example]:1", "::1", "x.metrics.example"}) {
    CAPTURE(other);
    CHECK_FALSE(IsOwnHost(other, {"metrics.example"}));
  }
}

}  // namespace
}  // namespace logquery::base
