#include "shim/http/transport/probe_request.h"

#include <catch2/catch_test_macros.hpp>
#include <string>

#include "lib/base/strings.h"

namespace logquery::shim {
namespace {

TEST_CASE("a complete request for /health or /ready is recognized") {
  for (const char* line : {"GET /health", "HEAD /health", "GET /ready", "HEAD /ready"}) {
    CAPTURE(line);
    CHECK(IsProbeAlone(base::StrCat(line, " HTTP/1.1\r\nHost: t\r\n\r\n")));
    CHECK(IsProbeAlone(base::StrCat(line, " HTTP/1.1\r\n\r\n")));
    CHECK_FALSE(IsProbeAlone(base::StrCat(line, " HTTP/1.1\r\nHost: t\r\n")));
    CHECK_FALSE(IsProbeAlone(base::StrCat(line, " HTTP/1.1\r\nHost: t\r\n\r\nG")));
    CHECK_FALSE(IsProbeAlone(base::StrCat(line, "/ HTTP/1.1\r\nHost: t\r\n\r\n")));
    for (const char* header :
         {"Content-Length: 1", "content-length:1", "TRANSFER-ENCODING: chunked", "Expect: 100-continue"}) {
      CAPTURE(header);
      CHECK_FALSE(IsProbeAlone(base::StrCat(line, " HTTP/1.1\r\nHost: t\r\n", header, "\r\n\r\n")));
      CHECK_FALSE(IsProbeAlone(base::StrCat(line, " HTTP/1.1\r\n", header, "\r\nHost: t\r\n\r\n")));
    }
  }
  for (const char* other : {"", "\r\n\r\n", "POST /health HTTP/1.1\r\n\r\n", "GET /api/endpoints HTTP/1.1\r\n\r\n"}) {
    CAPTURE(other);
    CHECK_FALSE(IsProbeAlone(other));
  }
}

}  // namespace
}  // namespace logquery::shim
